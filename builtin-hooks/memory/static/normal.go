package static

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// A step with its compiled expression.
type step struct {
	Step
	re *regexp2.Regexp
}

// patience is how long one expression may take for a text: one that was made to take for ever
// finds nothing.
const patience = 20 * time.Millisecond

func compiled(list []Step) (out []step, err error) {
	for _, s := range list {
		c := step{Step: s}
		if s.Regexp {
			if c.re, err = Expression(s.Text); err != nil {
				return nil, fmt.Errorf("%w: its expression %q: %v", ErrDamaged, s.Text, err)
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// Expression is a compiled expression of a tokenizer.
func Expression(text string) (*regexp2.Regexp, error) {
	re, err := regexp2.Compile(text, regexp2.Unicode)
	if err == nil {
		re.MatchTimeout = patience
	}
	return re, err
}

// normal applies the steps that come before splitting.
func (m *Model) normal(text string) string {
	for _, s := range m.steps {
		text = m.step(s, text)
	}
	return text
}

func (m *Model) step(s step, text string) string {
	switch s.Kind {
	case "rewrite":
		if s.Table < len(m.tables) && s.Table >= 0 {
			return m.tables[s.Table].rewritten(text)
		}
	case "lower":
		return strings.Map(unicode.ToLower, strings.ReplaceAll(text, "İ", "i̇"))
	case "marks": // BERT's: only those without width
		return strings.Map(func(r rune) rune { return unless(unicode.Is(unicode.Mn, r), r) }, text)
	case "allmarks":
		return strings.Map(func(r rune) rune { return unless(unicode.Is(unicode.M, r), r) }, text)
	case "clean":
		return strings.Map(clean, text)
	case "cjk":
		return spacedCJK(text)
	case "replace":
		if s.re == nil {
			return strings.ReplaceAll(text, s.Text, s.With)
		}
		var b strings.Builder
		for _, p := range s.spans(text) {
			if p.hit {
				b.WriteString(s.With)
			} else {
				b.WriteString(p.text)
			}
		}
		return b.String()
	case "prepend":
		if text != "" {
			return s.With + text
		}
	case "strip":
		if s.Left {
			text = strings.TrimLeftFunc(text, unicode.IsSpace)
		}
		if s.Right {
			text = strings.TrimRightFunc(text, unicode.IsSpace)
		}
	case "bytes":
		return byBytes(text)
	}
	return text
}

func unless(gone bool, r rune) rune {
	if gone {
		return -1
	}
	return r
}

// clean does what BERT's does: it removes control characters, and turns other white space into
// spaces.
func clean(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return ' '
	case r == 0 || r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
		return -1
	case unicode.IsSpace(r):
		return ' '
	}
	return r
}

func spacedCJK(text string) string {
	if strings.IndexFunc(text, isCJK) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isCJK(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isCJK reports what BERT considers a Chinese character.
func isCJK(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2B73F ||
		r >= 0x2B740 && r <= 0x2B81F || r >= 0x2B920 && r <= 0x2CEAF || r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F
}

// mostKey is the most characters in a key of a table.
const mostKey = 4

// rewritten replaces keys by values, the longest first.
func (t table) rewritten(text string) string {
	var b strings.Builder
	same := 0 // the start of the part that is unchanged, and not written yet
	for at := 0; at < len(text); {
		var ends [mostKey]int
		n, end := 0, at
		for n < mostKey && end < len(text) {
			_, size := utf8.DecodeRuneInString(text[end:])
			end += size
			ends[n] = end
			n++
		}
		next := ends[0]
		for ; n > 0; n-- {
			if i := t.keys.find(text[at:ends[n-1]]); i >= 0 {
				b.WriteString(text[same:at])
				b.Write(t.values.of(i))
				next, same = ends[n-1], ends[n-1]
				break
			}
		}
		at = next
	}
	if same == 0 {
		return text
	}
	b.WriteString(text[same:])
	return b.String()
}

// byBytes spells each byte as a visible character, as GPT-2 does.
func byBytes(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(byteRune(text[i]))
	}
	return b.String()
}

func byteRune(c byte) rune {
	switch {
	case c >= '!' && c <= '~' || c >= 0xA1 && c <= 0xAC || c >= 0xAE:
		return rune(c)
	case c <= ' ':
		return 256 + rune(c)
	case c <= 0xA0:
		return 256 + 33 + rune(c) - 0x7F
	}
	return 256 + 67 // 0xAD
}
