// Package wording reduces a text to what can change what it says: two texts with the same wording
// differ in spaces, quotes, the punctuation of sentences, or the capital that a word begins with.
// Signs stay, since a minus, a currency or a flag's case makes it another statement.
package wording

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

// Of is the wording of a text.
func Of(text string) string { return strings.Join(Words(text), " ") }

// Words are those of the wording: a Chinese character is one.
func Words(text string) []string {
	return slices.DeleteFunc(Parts(text), IsMark)
}

// IsMark reports whether a part is a mark between words, and none of them.
func IsMark(part string) bool { return part == "," || part == ":" }

// Parts are the words of a text, and the commas and colons between them: a semicolon and the end
// of a sentence count as a comma, and a letter and its mark as one character.
func Parts(said string) (out []string) {
	s := scanner{begins: true}
	for _, field := range strings.FieldsFunc(text.Composed(said), unicode.IsSpace) {
		s.field(narrowed(field))
	}
	for i, part := range s.out {
		if strings.Trim(part, "-") == "" && !numeric(s.out, i+1) {
			continue // it parts phrases
		}
		out = append(out, part)
	}
	return out
}

// A scanner collects parts.
type scanner struct {
	out    []string
	begins bool // a sentence begins
}

// field takes what stands between two spaces.
func (s *scanner) field(field string) {
	start := 0
	for i, r := range field {
		if !ideograph(r) {
			continue
		}
		s.word(field[start:i])
		s.out, s.begins = append(s.out, string(r)), false
		start = i + len(string(r))
	}
	s.word(field[start:])
}

// word takes a word with the punctuation around it.
func (s *scanner) word(w string) {
	if w == "" {
		return
	}
	if !strings.ContainsFunc(w, said) {
		s.signs(w)
		return
	}
	w = unmarked(strings.TrimLeft(w, `"'(`+"`"), "**", "__")
	if i := strings.IndexFunc(w, said); i > 0 && strings.Trim(w[:i], ",;:") == "" {
		s.signs(w[:i])
		w = w[i:]
	}
	end := len(strings.TrimRight(w, "\"'`.,;:!?…")) // what closes it
	for end > 0 && w[end-1] == ')' && !strings.Contains(w[:end-1], "(") {
		end = len(strings.TrimRight(w[:end-1], "\"'`.,;:!?…"))
	}
	s.out = append(s.out, s.folded(w[:end]))
	s.begins = false
	s.signs(w[end:])
}

// signs takes signs that stand by themselves: punctuation becomes a mark, and the others are words.
func (s *scanner) signs(signs string) {
	bare := strings.Trim(signs, "\"'`()[].,;:!?…")
	switch {
	case bare != "" || strings.HasPrefix(signs, "!="), strings.HasPrefix(signs, "=="):
		s.out = append(s.out, signs)
	case strings.Contains(signs, "?"):
		s.out = append(s.out, "?")
	case strings.Contains(signs, ":"):
		s.out = append(s.out, ":")
	case strings.ContainsAny(signs, ".,;!…"):
		s.out = append(s.out, ",")
		s.begins = strings.ContainsAny(signs, ".!…")
	}
}

// folded is a word in small letters if its only capital is the first one of it, or of a part of
// it: those of getUser, DEBUG and -V tell something. A single one does where no sentence begins.
func (s *scanner) folded(w string) string {
	first, letters := true, 0
	for _, r := range w {
		switch {
		case r == '\'' || r == '-' && letters > 0:
			first = r == '-'
		case !unicode.IsLetter(r), unicode.IsUpper(r) && !first:
			return w
		default:
			letters++
			first = false
		}
	}
	if letters == 1 && !s.begins {
		return w
	}
	return strings.ToLower(w)
}

// unmarked is a word without signs of emphasis at its ends.
func unmarked(w string, marks ...string) string {
	for _, mark := range marks {
		if rest, is := strings.CutPrefix(w, mark); is && strings.IndexFunc(rest, said) == 0 {
			w = rest
		}
		if rest, is := strings.CutSuffix(strings.TrimRight(w, ".,;:!?"), mark); is && rest != "" && said([]rune(rest)[len([]rune(rest))-1]) {
			w = rest + strings.TrimPrefix(w, rest+mark)
		}
	}
	return w
}

func said(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func numeric(parts []string, i int) bool {
	return i < len(parts) && strings.ContainsFunc(parts[i], unicode.IsDigit)
}

func ideograph(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// narrowed is a text with one form of each sign.
func narrowed(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xff01 && r <= 0xff5e:
			return r - 0xfee0
		case r < 0x80:
			return r
		}
		switch r {
		case '。':
			return '.'
		case '、':
			return ','
		case '‘', '’':
			return '\''
		case '“', '”', '«', '»', '„', '「', '」', '『', '』', '《', '》', '【', '】':
			return '"'
		case '–', '—', '−', '‐', '‑':
			return '-'
		}
		return r
	}, text)
}
