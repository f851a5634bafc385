// Package trace finds the words of what is removed for good, wherever the program itself put them,
// and knows them by hashes: a removal that was interrupted is finished without a note of what
// it removes.
//
//	said := trace.Of(fact.Content)
//	said.Says(page)             // however it is wrapped, quoted or cased
//	said.Without(stage)         // with … in place of it
//	trace.EraseFile(path, said) // in a file of JSON lines or of Markdown
package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/order"
)

// A Mark stands for a text, without saying it. The letters and digits count, in lower case: not how
// it is wrapped, quoted, marked or spaced.
type Mark struct {
	Letters int    `json:"letters"`
	Hash    string `json:"hash"`
	// Sum is a few bits of a sum that moves along a text, to pass over most of it.
	Sum uint16 `json:"sum"`
	// Whole is that the text is so short that only a line, or a text, that says nothing else says it.
	Whole bool `json:"whole,omitempty"`
	// Head is that it stands for the beginning of a long text alone, see [Marks.Anywhere].
	Head bool `json:"head,omitempty"`
	// Piece is where so many words in a row stand in a text, if it stands for some of its words alone,
	// by a sum, see [Marks.Pieces].
	Piece string `json:"piece,omitempty"`
	Words int    `json:"words,omitempty"`

	cut bool // what was cut off is looked for
}

// Marks stand for some texts.
type Marks []Mark

// least is how many bytes the letters of a text have at least for a longer one to count as saying it.
const least = 12

// What the program noted may be cut: a text of so many letters is known there by its beginning.
const (
	longFrom = 60
	headOf   = 40
	// shortest is how many letters a text has at least to be looked for within a longer one there.
	shortest = 4
)

// Of are the marks of some texts, each once.
func Of(texts ...string) (marks Marks) {
	for _, text := range texts {
		l := lettersOf(text).runes
		if len(l) == 0 {
			continue
		}
		whole := markOf(l)
		whole.Whole = len(string(l)) < least
		marks = marks.And(Marks{whole})
		if len(l) >= longFrom {
			head := markOf(l[:headOf])
			head.Head = true
			marks = marks.And(Marks{head})
		}
		marks = marks.And(piecesOf(text))
	}
	return marks
}

func markOf(l []rune) Mark { return Mark{Letters: len(l), Hash: hashOf(l), Sum: high(sumOf(l))} }

// Anywhere are marks for what the program noted, where a word too many does no harm: they also find
// a short text within another one, the beginning of a long one that was cut, and pieces.
func (m Marks) Anywhere() Marks {
	out := m.Pieces()
	for i := range out {
		out[i].cut = out[i].cut || out[i].Head
		out[i].Whole = out[i].Whole && out[i].Letters < shortest
	}
	return out
}

// Pieces are marks that also find a long piece of a text: five words of it in a row, or fewer where
// something was cut off beside them. Numbers do not count.
func (m Marks) Pieces() Marks {
	out := slices.Clone(m)
	for i := range out {
		out[i].cut = out[i].Piece != ""
	}
	return out
}

// letters are what of a text counts, and where each stands in it.
type letters struct {
	runes []rune
	at    []int // of each rune, and the end of the last one
}

func lettersOf(text string) (l letters) {
	before, end := rune(0), 0
	for i, r := range text {
		// As in memory.Normal; where these do not end a word (C#, C++) they are marks of a page.
		if unicode.IsLetter(r) || unicode.IsDigit(r) || (r == '+' || r == '#') && (unicode.IsLetter(before) || before == '+') {
			l.runes, l.at = append(l.runes, unicode.ToLower(r)), append(l.at, i)
			end = i + utf8.RuneLen(r)
		}
		before = r
	}
	l.at = append(l.at, end)
	return l
}

func hashOf(runes []rune) string {
	sum := sha256.Sum256([]byte(string(runes)))
	return hex.EncodeToString(sum[:16])
}

const base = 1_000_003

func sumOf(runes []rune) (sum uint64) {
	for _, r := range runes {
		sum = sum*base + uint64(r)
	}
	return sum
}

func high(sum uint64) uint16 { return uint16(sum >> 48) }

// Says reports whether a text says one of those that the marks stand for.
func (m Marks) Says(text string) bool { return len(m.Spans(text)) > 0 }

// Spans are where a text says it, in order and apart from each other.
func (m Marks) Spans(text string) (spans [][2]int) {
	if len(m) == 0 {
		return nil
	}
	l := lettersOf(text)
	for _, mark := range m {
		switch {
		case mark.Piece != "":
		case mark.Whole:
			spans = append(spans, mark.lines(text)...)
		case !mark.Head || mark.cut:
			spans = append(spans, mark.within(text, l)...)
		}
	}
	return joined(append(spans, m.pieces(text)...))
}

// lines are the lines that say it and nothing else, or the whole text.
func (m Mark) lines(text string) (spans [][2]int) {
	is := func(part string) bool {
		l := lettersOf(part)
		return len(l.runes) == m.Letters && hashOf(l.runes) == m.Hash
	}
	at := 0
	for line := range strings.Lines(text) {
		if is(line) {
			spans = append(spans, [2]int{at, at + len(strings.TrimRight(line, "\r\n"))})
		}
		at += len(line)
	}
	if spans == nil && is(text) {
		spans = [][2]int{{0, len(text)}}
	}
	return spans
}

func (mark Mark) within(text string, l letters) (spans [][2]int) {
	n := mark.Letters
	if len(l.runes) < n {
		return nil
	}
	first := uint64(1) // base to the n-1
	for range n - 1 {
		first *= base
	}
	sum := sumOf(l.runes[:n])
	for i := 0; ; i++ {
		from, to := l.at[i], l.at[i+n-1]
		if high(sum) == mark.Sum && hashOf(l.runes[i:i+n]) == mark.Hash {
			_, size := utf8.DecodeRuneInString(text[to:])
			if to += size; mark.cut {
				to += partEnd(text[to:])
			}
			if apart(text[:from], text[from:]) && (mark.cut || apart(text[:to], text[to:])) {
				spans = append(spans, [2]int{from, to})
			}
		}
		if i+n == len(l.runes) {
			return spans
		}
		sum = (sum-uint64(l.runes[i])*first)*base + uint64(l.runes[i+n])
	}
}

// partEnd is where a part of what was noted ends: a stage has several, and a journal quotes.
func partEnd(text string) int {
	end := len(text)
	for _, mark := range [...]string{"\n", "…", "`", " — ", " | ", " → "} {
		if i := strings.Index(text[:end], mark); i >= 0 {
			end = i
		}
	}
	return end
}

// apart reports whether no word goes on from one text to the next: "the port is 808" is not said
// by "the port is 8080". Scripts without spaces have no such end.
func apart(before, after string) bool {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(after)
	return !inWord(a) || !inWord(b)
}

func inWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// joined are spans in their order, those that overlap as one.
func joined(spans [][2]int) (out [][2]int) {
	order.By(spans, func(a, b [2]int) int { return a[0] - b[0] })
	for _, s := range spans {
		if n := len(out); n > 0 && s[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], s[1])
		} else {
			out = append(out, s)
		}
	}
	return out
}

// gap stands where something was removed.
const gap = "…"

// Without is a text that does not say it.
func (m Marks) Without(text string) string {
	spans := m.Spans(text)
	if spans == nil {
		return text
	}
	var out strings.Builder
	at := 0
	for _, s := range spans {
		out.WriteString(text[at:s[0]] + gap)
		at = s[1]
	}
	return out.String() + text[at:]
}

// WithoutLines is a page without the lines that say it, or a part of it.
func (m Marks) WithoutLines(page string) string {
	spans := m.Spans(page)
	if spans == nil {
		return page
	}
	var out strings.Builder
	at := 0
	for line := range strings.Lines(page) {
		from, to := at, at+len(line)
		at = to
		for len(spans) > 0 && spans[0][1] <= from {
			spans = spans[1:]
		}
		if len(spans) == 0 || spans[0][0] >= to {
			out.WriteString(line)
		}
	}
	return out.String()
}

// And are these marks and others, each once.
func (m Marks) And(others Marks) Marks {
	out := slices.Clone(m)
	for _, o := range others {
		if !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	return out
}
