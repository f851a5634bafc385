package truth

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A token is one word of a statement.
type token struct {
	text  string // as it is compared
	raw   string // small letters
	class class
	at    int  // its place among the tokens
	large bool // it is written in capitals
	opens bool // a sign stands before it that ends a clause
}

// tokens takes a text apart.
func (l *lexicon) tokens(said string) (out []token) {
	said = text.Narrow(said)
	given := []rune(said)
	runes := []rune(strings.ToLower(said)) // as many: each is made small by itself
	ended := false
	for i := 0; i < len(runes); {
		have := len(out)
		switch r := runes[i]; {
		case isCJK(r):
			n := l.longest(runes[i:])
			out = l.add(out, string(runes[i:i+n]))
			i += n
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			j := i + 1
			for j < len(runes) && inWord(runes, j) {
				j++
			}
			for k, w := range parts(string(runes[i:j])) {
				out = l.add(out, w)
				out[len(out)-1].large = k == 0 && capitals(given[i:i+len([]rune(w))])
			}
			i = j
		case strings.ContainsRune("=:：%#", r):
			out = l.add(out, strings.ReplaceAll(string(r), "：", ":"))
			i++
		default:
			ended = ended || strings.ContainsRune(",;.。、!?\n", r)
			i++
		}
		if len(out) > have {
			out[have].opens, ended = ended, false
		}
	}
	return out
}

func (l *lexicon) add(out []token, raw string) []token {
	text := stem(raw)
	if s, is := l.same[text]; is {
		text = s
	}
	c, known := l.class[raw]
	if !known {
		c = l.class[text]
	}
	if strings.ContainsFunc(raw, unicode.IsDigit) {
		c = value
	}
	if raw == "own" && len(out) > 0 && strings.Contains(" its their our my your his her ", " "+out[len(out)-1].raw+" ") {
		c = light // its own findings: nobody owns anything
	}
	if (raw == "second" || raw == "third" || raw == "other") && len(out) > 0 && out[len(out)-1].raw == "every" {
		text, c = "every-"+raw, value // Friday
	}
	return append(out, token{text: text, raw: raw, class: c, at: len(out)})
}

// capitals reports whether all letters of a word are capitals.
func capitals(word []rune) bool {
	return slices.ContainsFunc(word, unicode.IsUpper) && !slices.ContainsFunc(word, unicode.IsLower)
}

// longest is how many characters the longest known word has that a run begins with.
func (l *lexicon) longest(run []rune) int {
	for n := min(l.longer, len(run)); n > 1; n-- {
		if l.cjk[string(run[:n])] {
			return n
		}
	}
	return 1
}

// inWord reports whether a character belongs to the word before it.
func inWord(runes []rune, i int) bool {
	r := runes[i]
	if (unicode.IsLetter(r) || unicode.IsDigit(r)) && !isCJK(r) {
		return true
	}
	next := i+1 < len(runes) && (unicode.IsLetter(runes[i+1]) || unicode.IsDigit(runes[i+1])) && !isCJK(runes[i+1])
	switch r {
	case '_', '.', '-', '/', '\'', '@', ',':
		return next && (r != ',' || unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1]))
	case ':':
		return next && unicode.IsDigit(runes[i+1]) || i+2 < len(runes) && runes[i+1] == '/' && runes[i+2] == '/'
	case '+', '#':
		return true // c++, c#
	}
	return false
}

// parts are a number and its unit, or a word without its possessive.
func parts(w string) []string {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "s'")
	n := 0
	for n < len(w) && (w[n] >= '0' && w[n] <= '9' || w[n] == '.' || w[n] == ',') {
		n++
	}
	if unit := w[n:]; n > 0 && n < len(w) && len(unit) <= 4 && !strings.ContainsAny(unit, "0123456789.-_:/@") {
		return []string{strings.Trim(w[:n], ".,"), unit}
	}
	return []string{w}
}

// stem takes an ending of an English word off.
func stem(w string) string {
	for _, r := range w {
		if r >= 0x80 || r >= '0' && r <= '9' {
			return w
		}
	}
	for _, e := range [...][2]string{{"sses", "ss"}, {"ies", "y"}, {"ying", "y"}, {"ing", ""}, {"ied", "y"}, {"ed", ""}, {"es", "e"}, {"s", ""}} {
		if rest, ok := strings.CutSuffix(w, e[0]); ok && len(rest) >= 3 && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is") {
			w = rest + e[1]
			break
		}
	}
	if n := len(w); n > 4 && w[n-1] == w[n-2] && w[n-1] != 's' && w[n-1] != 'l' { // run, running
		w = w[:n-1]
	}
	if n := len(w); n > 3 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	return w
}

func isCJK(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
