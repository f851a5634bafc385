package memory

import (
	"bytes"
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// A focus is the present work, as the stems of words about it.
type focus map[string]term

// A term is what one of these words says: named, of the branch or of a changed file, it says more
// than in a sentence of the last session; weight is how much it says of a fact by itself, of 1
// that is needed.
type term struct {
	named  bool
	weight float64
}

// Working are words about the present work, from the branch and the changed files; "" if there
// are none.
func (l Loader) Working() string {
	var words []string
	for _, w := range stems(l.Branch) {
		if !says(w) {
			words = append(words, strings.NewReplacer("/", " ", "-", " ", "_", " ").Replace(l.Branch))
			break
		}
	}
	for _, file := range l.Files[:min(len(l.Files), 8)] {
		words = append(words, strings.NewReplacer("-", " ", "_", " ", ".", " ").Replace(strings.TrimSuffix(path.Base(file), path.Ext(file))))
	}
	return strings.Join(words, " ")
}

// focus is made from the branch, the changed files, and what the last session left open.
func (l Loader) focus(last *Summary) focus {
	f := focus{}
	if last != nil {
		f.add(last.Topic, false)
		for _, todo := range last.Todos {
			f.add(todo, false)
		}
	}
	f.add(l.Branch, true)
	for _, file := range l.Files {
		f.add(strings.TrimSuffix(path.Base(filepath.ToSlash(file)), path.Ext(file)), true)
		f.add(path.Base(path.Dir(filepath.ToSlash(file))), true)
	}
	for w, t := range f {
		if says(w) || !t.named && chore(w) {
			delete(f, w)
		}
	}
	return f
}

// says reports words that occur in all kinds of names.
func says(stem string) bool {
	return strings.Contains(" main maste head branc featu fix bugfi hotfi chore src lib test tests inter cmd pkg index readm utils the and for with from into that this have will ", " "+stem+" ")
}

// chore reports words that occur in all kinds of tasks.
func chore(stem string) bool {
	return strings.Contains(" add also ask agree befor after build call chang check clean close decid delet deplo docs docum doing done each every expla final find finis first follo get give goes going her him his how its keep last later let look made make merge more move must need new next not now old once only open our out over plan pleas prepa push put relea remov renam repla resta revie run send set shoul show some start still tell their them then they tidy today tomor try updat use used using verif wait when where which who why work write year you your 一下 需要 更新 检查 修复 完成 确认 添加 增加 修改 测试 文档 以及 还有 然后 继续 ", " "+stem+" ")
}

func (f focus) add(s string, named bool) {
	for _, w := range stems(s) {
		f[w] = term{named, 1}
	}
}

// may reports whether a line of a file may be about the focus: a line that is contains one of
// the words.
func (f focus) may(line []byte) bool {
	if len(f) == 0 {
		return false
	}
	if bytes.Contains(line, []byte(`\u`)) {
		return true
	}
	lower := bytes.ToLower(line)
	for w := range f {
		if bytes.Contains(lower, []byte(w)) {
			return true
		}
	}
	return false
}

// weigh finds out how much each word says here: one that many facts have, such as the name of
// somebody who is in charge of much, says little of any of them, and nothing if it stands in half
// of them.
func (f focus) weigh(facts []*Fact) {
	if len(f) == 0 || len(facts) < 4 {
		return
	}
	in := map[string]int{}
	for _, fact := range facts {
		for w := range f.in(subject(fact)) {
			in[w]++
		}
	}
	all := len(facts)
	for w, t := range f {
		rare := max(1, all/100)
		if t.named {
			rare = max(2, all/30)
		}
		switch n := in[w]; {
		case n <= rare:
			t.weight = 1
		case n <= max(3, all/8):
			t.weight = 0.5
		case n <= max(3, all/2):
			t.weight = 0.3
		default:
			t.weight = 0
		}
		f[w] = t
	}
}

// of is how much a text is about the focus: 0, or from 1.6 to 2.4. It takes a rare word, or two
// others.
func (f focus) of(s string) float64 {
	sum := 0.0
	for w := range f.in(s) {
		sum += f[w].weight
	}
	if sum < 0.999 {
		return 0
	}
	return min(1.4+0.2*sum, 2.4)
}

// in are the words of the focus in a text.
func (f focus) in(s string) map[string]bool {
	if len(f) == 0 {
		return nil
	}
	in := map[string]bool{}
	for _, w := range stems(s) {
		if _, ok := f[w]; ok {
			in[w] = true
		}
	}
	return in
}

// subject is what tells what a fact is about.
func subject(f *Fact) string { return f.Content + " " + strings.Join(f.Entities, " ") }

// stems are the words of a text, short enough that the forms of one word are equal: five
// letters of a word, two characters of Chinese.
func stems(s string) (out []string) {
	for _, word := range strings.FieldsFunc(camel(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		runes := []rune(strings.ToLower(word))
		if unicode.Is(unicode.Han, runes[0]) {
			for i := range len(runes) - 1 {
				out = append(out, string(runes[i:i+2]))
			}
		} else if len(runes) >= 3 {
			out = append(out, string(runes[:min(len(runes), 5)]))
		}
	}
	return out
}

// camel separates the words of a name, and Chinese from other text. One letter is no word: an
// iPhone is no phone.
func camel(s string) string {
	var b strings.Builder
	var last, before rune
	for _, r := range s {
		if unicode.IsUpper(r) && unicode.IsLower(last) && unicode.IsLetter(before) || unicode.Is(unicode.Han, r) != unicode.Is(unicode.Han, last) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before, last = last, r
	}
	return b.String()
}
