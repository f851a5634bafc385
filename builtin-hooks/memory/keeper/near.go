package keeper

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// near are the living facts that a new one may repeat or stand for: all for
// which duplicate or superseded can be true, and some more. It looks at every
// line of the folder but parses few, so that a fact is saved quickly where there
// are many.
func (k Keeper) near(f memory.Fact, topicKey string) ([]Entry, error) {
	s := newSieve(f.Content, topicKey)
	var all []Entry
	likely := map[string]bool{}
	for _, file := range k.place().FactFiles() {
		k.Ledger.About()
		b, err := k.Read(file)
		if err != nil {
			return nil, err
		}
		s.folded = letters(s.folded[:0], b)
		marked := marks(b)
		if !marked && !s.passes(b, s.folded) {
			continue
		}
		for folded := s.folded; len(b) > 0; {
			var line, part []byte
			line, b, _ = bytes.Cut(b, []byte{'\n'})
			part, folded, _ = bytes.Cut(folded, []byte{'\n'})
			passed := s.passes(line, part)
			if !passed && !(marked && marks(line)) {
				continue
			}
			o, err := protocol.ParseObject(line)
			if err != nil {
				continue
			}
			// What nobody has looked at is told to nobody, so it is not what was
			// said already, and takes the place of nothing.
			if e, ok := entryOf(o, file); ok && k.Ledger.Of(ledger.LineKey(line)) != ledger.Nobody {
				all = append(all, e)
				likely[e.ID] = likely[e.ID] || passed
			}
		}
	}
	return slices.DeleteFunc(Living(all), func(e Entry) bool { return !likely[e.ID] }), nil
}

// marks reports whether a line may say that an entry does not hold.
func marks(line []byte) bool {
	return bytes.Contains(line, []byte("deleted_at")) || bytes.Contains(line, []byte("supersedes"))
}

// A sieve lets those lines pass that may say what a new fact says. Two texts
// that are alike share most of their terms, so one that lacks more of them than
// the allowed difference is not alike.
type sieve struct {
	probes [][]byte // what most of has to be in a line, the most telling first
	lacks  int      // how many of them may be missing
	topic  bool
	folded []byte
}

func newSieve(content, topicKey string) *sieve {
	s := &sieve{topic: topicKey != ""}
	terms := termsOf(content)
	own := letters(nil, []byte(content))
	for t := range terms {
		// Stems end in y where words have i; signs such as c++ are spelled out.
		p := []byte(strings.TrimSuffix(t, "y"))
		if len(p) > 0 && bytes.Contains(own, p) {
			s.probes = append(s.probes, p)
		}
	}
	s.lacks = len(terms) - int(math.Ceil(updates*float64(len(terms))))
	order.By(s.probes, func(a, b []byte) int { return cmp.Or(cmp.Compare(len(b), len(a)), bytes.Compare(a, b)) })
	return s
}

// passes judges a line, or several, by its text and the letters of that.
func (s *sieve) passes(line, letters []byte) bool {
	if s.topic && bytes.Contains(line, []byte("topic_key")) || bytes.Contains(line, []byte(`\u`)) {
		return true
	}
	missing := 0
	for _, p := range s.probes {
		if bytes.Contains(letters, p) {
			continue
		}
		if missing++; missing > s.lacks {
			return false
		}
	}
	return true
}

// letters appends the letters and digits of a text, small and narrow, so that
// every word of it stands there in one piece, however it is joined and cased.
// Lines stay lines.
func letters(out, text []byte) []byte {
	out = slices.Grow(out, len(text))
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '\n':
			out = append(out, c)
			i++
		case c >= 'A' && c <= 'Z':
			out = append(out, c+'a'-'A')
			i++
		case c < utf8.RuneSelf:
			i++
		case c >= 0xe3 && c <= 0xe9 && i+3 <= len(text):
			// U+3000 to U+9FFF: Chinese and Japanese, which has no case. The
			// signs among them part nothing that is looked for.
			out = append(out, text[i], text[i+1], text[i+2])
			i += 3
		default:
			r, n := utf8.DecodeRune(text[i:])
			i += n
			if r >= 0xff01 && r <= 0xff5e {
				out = letters(out, []byte{byte(r - 0xfee0)})
			} else if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
				out = utf8.AppendRune(out, unicode.ToLower(r))
			}
		}
	}
	return out
}
