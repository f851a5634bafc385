package memory

import (
	"bytes"
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// A focus is the present work, as the stems of words about it.
type focus map[string]bool

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
	f.add(l.Branch)
	for _, file := range l.Files {
		f.add(strings.TrimSuffix(path.Base(filepath.ToSlash(file)), path.Ext(file)))
		f.add(path.Base(path.Dir(filepath.ToSlash(file))))
	}
	if last != nil {
		f.add(last.Topic)
		for _, todo := range last.Todos {
			f.add(todo)
		}
	}
	for w := range f {
		if says(w) {
			delete(f, w)
		}
	}
	return f
}

// says reports words that occur in all kinds of names.
func says(stem string) bool {
	return strings.Contains(" main maste head branc featu fix bugfi hotfi chore src lib test tests inter cmd pkg index readm utils the and for with from into that this have will ", " "+stem+" ")
}

func (f focus) add(s string) {
	for _, w := range stems(s) {
		f[w] = true
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

// common are the words of a focus that more than half of some facts contain: they do not
// distinguish these facts.
func (f focus) common(facts []*Fact) map[string]bool {
	if len(f) == 0 || len(facts) < 4 {
		return nil
	}
	in := map[string]int{}
	for _, fact := range facts {
		for _, w := range stems(fact.Content) {
			if f[w] {
				in[w]++
			}
		}
	}
	common := map[string]bool{}
	for w, n := range in {
		common[w] = n > len(facts)/2
	}
	return common
}

// of is how much a text is about the focus, from 0 to 2.
func (f focus) of(s string, common map[string]bool) (n float64) {
	if len(f) == 0 {
		return 0
	}
	seen := map[string]bool{}
	for _, w := range stems(s) {
		if f[w] && !common[w] && !seen[w] {
			seen[w] = true
			n += 0.7
		}
	}
	return min(n, 2)
}

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

// camel separates the words of a name, and Chinese from other text.
func camel(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range s {
		if unicode.IsUpper(r) && unicode.IsLower(last) || unicode.Is(unicode.Han, r) != unicode.Is(unicode.Han, last) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}
