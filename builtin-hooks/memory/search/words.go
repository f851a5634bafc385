package search

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A word is something that a text can be found by.
type word struct {
	text string
	cjk  bool   // a run of one or two characters of a script without spaces
	as   string // how a word with an ending was written, in lower case
}

// words splits a text, in the same way for storing and for searching:
//
//   - a run of Chinese, Japanese or Korean characters becomes its characters and
//     its adjacent pairs;
//   - other words become lower case without their endings; a compound word
//     (parseFrontMatter, max_open_conns, node.js) becomes its parts, and the
//     whole;
//   - names with signs are words: c++, c#, .net.
//
// Width, case, and whether a letter and its mark are one character do not count.
func words(of string) []word {
	s := splitter{}
	runes := []rune(text.Narrow(of)) // case is kept: it separates words
	for i := 0; i < len(runes); {
		switch r := runes[i]; {
		case isCJK(r):
			j := i
			for j < len(runes) && isCJK(runes[j]) {
				j++
			}
			s.run(runes[i:j])
			i = j
		case isWord(r) || r == '.' && dotNet(runes[i:]):
			j := i + 1
			for j < len(runes) && inside(runes, j) {
				j++
			}
			s.token(runes[i:j])
			i = j
		default:
			i++
		}
	}
	return s.out
}

// Terms are the words of a text, as the index knows them.
func Terms(text string) []string {
	var out []string
	for _, w := range words(text) {
		out = append(out, w.text)
	}
	return out
}

// spellings are how a word with accents is typed without them: müller as muller, and as mueller.
func (w word) spellings() (out []string) {
	if w.cjk || w.as == "" || ascii(w.as) {
		return nil
	}
	for _, as := range [...]string{text.Plain(w.as), text.Written(w.as)} {
		if plain := stem(as); plain != w.text && !isCommon(plain) && !slices.Contains(out, plain) {
			out = append(out, plain)
		}
	}
	return out
}

func isCJK(r rune) bool {
	return r >= 0x2e80 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r == 'ー')
}

func isWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !isCJK(r)
}

// inside reports whether a character belongs to the word before it: letters and digits, what
// joins two of them, and the signs of c++ and c#.
func inside(runes []rune, i int) bool {
	r := runes[i]
	if isWord(r) {
		return true
	}
	next := i+1 < len(runes) && isWord(runes[i+1])
	switch r {
	case '_', '.', '-', '/', ':', '\'':
		return next && isWord(runes[i-1])
	case '+':
		return runes[i-1] == '+' || i+1 < len(runes) && runes[i+1] == '+'
	case '#':
		return isWord(runes[i-1]) && !next
	}
	return false
}

func dotNet(runes []rune) bool {
	return len(runes) > 3 && strings.EqualFold(string(runes[1:4]), "net") && (len(runes) == 4 || !isWord(runes[4]))
}

type splitter struct{ out []word }

func (s *splitter) add(text string, cjk bool) {
	if text != "" {
		s.out = append(s.out, word{text: text, cjk: cjk})
	}
}

// ended adds a word without its ending.
func (s *splitter) ended(as string) {
	if bare := stem(as); bare != "" {
		s.out = append(s.out, word{text: bare, as: as})
	}
}

func (s *splitter) run(runes []rune) {
	for i := range runes {
		s.add(string(runes[i]), true)
		if i+1 < len(runes) {
			s.add(string(runes[i:i+2]), true)
		}
	}
}

// token adds a word and, if it is compound, its parts.
func (s *splitter) token(runes []rune) {
	whole := strings.ToLower(string(runes))
	for _, sign := range [...]string{"c++", "c#", "f#", ".net"} {
		if rest, ok := strings.CutPrefix(whole, sign); ok {
			s.add(spell(sign), false)
			s.ended(rest) // C++20
			return
		}
	}
	parts := parts(runes)
	if len(parts) == 1 {
		s.ended(parts[0])
		return
	}
	for _, p := range parts {
		s.ended(p)
	}
	joined := strings.Join(parts, "")
	if len(parts) <= 4 && len(joined) <= 40 {
		s.ended(joined)
	}
}

func spell(signs string) string {
	return strings.NewReplacer("+", "plus", "#", "sharp", ".", "dot").Replace(signs)
}

// parts splits a word at signs, between lower and upper case, and between letters and digits if
// both sides have two or more.
func parts(runes []rune) []string {
	var out []string
	start := 0
	cut := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(string(runes[start:end])))
		}
	}
	for i, r := range runes {
		switch {
		case !isWord(r):
			cut(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1])):
			cut(i)
			start = i
		case i > start && unicode.IsLetter(r) && unicode.IsDigit(runes[i-1]) && i+1 < len(runes) && unicode.IsLetter(runes[i+1]) && i-start > 1:
			cut(i)
			start = i
		}
	}
	cut(len(runes))
	if len(out) == 0 {
		return []string{strings.ToLower(string(runes))}
	}
	return out
}

// stem removes the most common endings of an English word, so that "retries", "retried" and
// "retrying" become equal. It is deliberately small: vectors do the rest.
func stem(w string) string {
	n := len(w)
	if n < 4 || !ascii(w) {
		return w
	}
	switch {
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case n > 5 && strings.HasSuffix(w, "sses"):
		w = w[:n-2]
	case n > 4 && (strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes")):
		w = w[:n-2]
	case w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i':
		w = w[:n-1]
	}
	n = len(w)
	switch {
	case n > 5 && strings.HasSuffix(w, "ied"):
		return w[:n-3] + "y"
	case n > 5 && strings.HasSuffix(w, "ing") && vowel(w[:n-3]):
		return bare(w[:n-3])
	case n > 4 && strings.HasSuffix(w, "ed") && vowel(w[:n-2]):
		return bare(w[:n-2])
	case n > 4 && w[n-1] == 'e':
		return w[:n-1]
	}
	return w
}

// bare undoes the doubling of "running" and the lost e of "caching" alike, so that they equal
// "run" and "cache" after stem.
func bare(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

func vowel(w string) bool { return strings.ContainsAny(w, "aeiouy") }

func ascii(w string) bool {
	for i := 0; i < len(w); i++ {
		if w[i] >= 0x80 {
			return false
		}
	}
	return true
}
