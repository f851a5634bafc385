package memory

import (
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// A Focus is the present work, as the stems of words about it. nil is about nothing.
type Focus struct {
	terms map[string]*term
	order []string // the stems, the branch's and the files' first
	all   int      // how many facts are counted
	scan  *scanner // made on demand
}

// A term is what one of these words says: named, of the branch or of a changed file, it says more
// than in a sentence of the last session; weight is how much it says of a fact by itself, of 1
// that is needed, sure the same where only the best few of those that have it can be taken, and
// tells how much more it says than words that more facts have.
type term struct {
	named         bool
	word          string // as it was written first, in lower case
	in            int    // how many facts have it, of those that are counted
	sure          float64
	weight, tells float64
}

// workFiles is how many changed files say what the work is, and workTerms how many words do.
const workFiles, workTerms = 40, 64

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
func (l Loader) focus(last *Summary) *Focus {
	f := &Focus{terms: map[string]*term{}}
	f.add(l.Branch, true)
	for _, file := range l.Files[:min(len(l.Files), workFiles)] {
		f.add(strings.TrimSuffix(path.Base(filepath.ToSlash(file)), path.Ext(file)), true)
		f.add(path.Base(path.Dir(filepath.ToSlash(file))), true)
	}
	if last != nil {
		f.add(last.Topic, false)
		for _, todo := range last.Todos {
			f.add(todo, false)
		}
	}
	return f
}

// says reports words that occur in all kinds of names.
func says(stem string) bool {
	return strings.Contains(" main maste head branc feat featu fix bugfi hotfi chore dev devel relea refac src lib test tests inter cmd pkg index readm utils an as at be by do go he hi id if in is it me my no of ok on or so to up us vs we wip the and for with from into that this have will ", " "+stem+" ")
}

// chore reports words that occur in all kinds of tasks.
func chore(stem string) bool {
	return strings.Contains(" add also ask agree befor after build call chang check clean close decid delet deplo docs docum doing done each every expla final find finis first follo get give goes going her him his how its keep last later let look made make merge more move must need new next not now old once only open our out over plan pleas prepa push put relea remov renam repla resta revie run send set shoul show some start still tell their them then they tidy today tomor try updat use used using verif wait when where which who why work write year you your 一下 需要 更新 检查 修复 完成 确认 添加 增加 修改 测试 文档 以及 还有 然后 继续 ", " "+stem+" ")
}

func (f *Focus) add(s string, named bool) {
	for _, w := range split(s) {
		if f.terms[w.stem] == nil && !says(w.stem) && (named || !chore(w.stem) && !short(w.stem)) && len(f.order) < workTerms {
			f.terms[w.stem] = &term{named: named, word: w.word, weight: 1, sure: 1}
			f.order = append(f.order, w.stem)
		}
	}
}

// None reports whether nothing is known of the present work.
func (f *Focus) None() bool { return f == nil || len(f.order) == 0 }

// Each calls do with each stem, and with the word that it is of.
func (f *Focus) Each(do func(stem, word string)) {
	if f != nil {
		for _, stem := range f.order {
			do(stem, f.terms[stem].word)
		}
	}
}

// Weight is how much a word of the work that so many of all facts have says of each of them: weight
// of the 1 that is needed, and tells compared with other words. One that many have, such as the
// name of somebody who is in charge of much, says little of any of them, and nothing if it stands
// in half of them. What the branch or a changed file is called is the subject, though, of which
// much may be known: a third of all facts.
func (f *Focus) Weight(stem string, in, all int) (weight, tells float64) {
	weight, tells = f.sure(stem, in, all)
	if f.terms[stem].named && (!short(stem) || isDigit(stem[1])) && in <= max(mostSmall, all/3) {
		return 1, math.Log1p(float64(all) / float64(max(in, 1)))
	}
	return weight, tells
}

// mostSmall is how many facts of a small memory may be about its subject.
const mostSmall = 12

// sure is the weight of a word by which all facts that have it are about the work, not only the
// best few of them.
func (f *Focus) sure(stem string, in, all int) (weight, tells float64) {
	rare := min(max(1, all/100), 8)
	if f.terms[stem].named {
		rare = rareNamed(all)
	}
	tells = math.Log1p(float64(all) / float64(max(in, 1)))
	switch {
	case in <= rare:
		return 1, tells
	case in <= max(3, all/8):
		return 0.5, tells
	case in <= max(3, all/2):
		return 0.3, tells
	}
	return 0, 0
}

// rareNamed is how many of all facts have a rare word of the branch or of a changed file.
func rareNamed(all int) int { return min(max(2, all/8), max(10, all/30), 20) }

// weigh counts facts, to find out how much each word says here.
func (f *Focus) weigh(facts []*Fact) {
	if f.None() {
		return
	}
	for _, fact := range facts {
		for _, w := range f.in(subject(fact)) {
			f.terms[w].in++
		}
	}
	f.counted(len(facts))
}

// counted weighs the words when so many facts more are counted.
func (f *Focus) counted(more int) {
	if f.None() {
		return
	}
	if f.all += more; f.all < fewFacts {
		return
	}
	for w, t := range f.terms {
		t.weight, t.tells = f.Weight(w, t.in, f.all)
		t.sure, _ = f.sure(w, t.in, f.all)
	}
}

// fewFacts is from how many facts on it tells something how many of them have a word.
const fewFacts = 4

// of is how much a text is about the focus: 0, or from 1.6 to 2.4. It takes a rare word, or two
// others.
func (f *Focus) of(s string) float64 {
	sum := 0.0
	for _, w := range f.in(s) {
		sum += f.terms[w].weight
	}
	if sum < Enough {
		return 0
	}
	return min(1.4+0.2*sum, 2.4)
}

// sures reports whether a text is about the focus however many others are, too.
func (f *Focus) sures(s string) bool {
	sum := 0.0
	for _, w := range f.in(s) {
		sum += f.terms[w].sure
	}
	return sum >= Enough
}

// few is how many facts are taken for ones about the focus that share only its subject with it.
func (f *Focus) few() int {
	if f.None() {
		return 0
	}
	return max(6, rareNamed(f.all))
}

// tells is how much the words of the focus in a text tell of it, compared with other texts.
func (f *Focus) tells(s string) (sum float64) {
	for _, w := range f.in(s) {
		sum += f.terms[w].tells
	}
	return sum
}

// Enough is what words have to weigh together.
const Enough = 0.999

// in are the stems of the focus in a text, each once.
func (f *Focus) in(s string) (in []string) {
	if f.None() {
		return nil
	}
	for _, w := range stems(s) {
		if f.terms[w] != nil && !slices.Contains(in, w) {
			in = append(in, w)
		}
	}
	return in
}

// subject is what tells what a fact is about.
func subject(f *Fact) string { return f.Content + " " + strings.Join(f.Entities, " ") }

// stems are the words of a text, short enough that the forms of one word are equal: five
// letters of a word, two characters of Chinese.
func stems(s string) (out []string) {
	for _, w := range split(s) {
		out = append(out, w.stem)
	}
	return out
}

// A stemmed word is a word in lower case, and its stem.
type stemmed struct{ word, stem string }

func split(s string) (out []stemmed) {
	for _, word := range strings.FieldsFunc(camel(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' }) {
		for lower := strings.ToLower(word); lower != ""; {
			if v, rest := version(lower); v != "" {
				out, lower = append(out, stemmed{v, v}), rest
				continue
			}
			word, rest, _ := strings.Cut(lower, ".")
			out, lower = append(out, ofWord(word)...), rest
		}
	}
	return out
}

// ofWord is a word without signs, or each pair of characters of a Chinese one.
func ofWord(word string) (out []stemmed) {
	switch runes := []rune(word); {
	case len(runes) < 2:
	case unicode.Is(unicode.Han, runes[0]):
		for i := range len(runes) - 1 {
			pair := string(runes[i : i+2])
			out = append(out, stemmed{pair, pair})
		}
	case len(runes) == 2 && unicode.IsDigit(runes[0]): // a number, which says too little
	default:
		out = append(out, stemmed{word, string(runes[:min(len(runes), 5)])})
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
