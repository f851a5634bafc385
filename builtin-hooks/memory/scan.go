package memory

import (
	"bytes"
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A scanner finds the stems of the present work in lines of files, in one pass: at the beginning of
// a session there may be megabytes. A stem that it finds may be a part of another word, so a line
// has at most the stems that are found.
type scanner struct {
	stems []string
	whole []bool     // which of them are no part of another word
	first [256][]int // the stems by their first byte
	folds bool       // a stem is not ASCII, and cases of other letters count
}

func (f *Focus) scanner() *scanner {
	if f.scan == nil {
		f.scan = &scanner{stems: f.order}
		for i, stem := range f.order {
			f.scan.whole = append(f.scan.whole, short(stem) || IsVersion(stem))
			f.scan.first[stem[0]] = append(f.scan.first[stem[0]], i)
			f.scan.folds = f.scan.folds || strings.IndexFunc(stem, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0
		}
	}
	return f.scan
}

// A found set is of stems, by their places in the order of the focus.
type found uint64

// in are the stems in a line.
func (s *scanner) in(line []byte) (in found) {
	if bytes.Contains(line, []byte(`\u`)) { // its letters may be written as escapes
		if o, err := protocol.ParseObject(line); err == nil {
			line = []byte(o.Text("content") + " " + strings.Join(protocol.TextsOf(o.Get("entities")), " "))
		}
	}
	if s.folds {
		line = bytes.ToLower(line)
	}
	for at, c := range line {
		for _, i := range s.first[lowered(c)] {
			if in&(1<<i) == 0 && begins(line[at:], s.stems[i]) && (!s.whole[i] || alone(line, at, at+len(s.stems[i]))) {
				in |= 1 << i
			}
		}
	}
	return in
}

func lowered(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// begins reports whether a text begins with a stem, in any case of its letters.
func begins(text []byte, stem string) bool {
	if len(text) < len(stem) {
		return false
	}
	for i := 1; i < len(stem); i++ {
		if lowered(text[i]) != stem[i] {
			return false
		}
	}
	return true
}

// note counts a line with these stems.
func (f *Focus) note(in found) {
	for ; in != 0; in &= in - 1 {
		f.terms[f.order[bits.TrailingZeros64(uint64(in))]].in++
	}
}

// may reports whether a line of a file may be about the focus.
func (f *Focus) may(line []byte) bool {
	if f.None() {
		return false
	}
	return f.scanner().in(line) != 0
}

// most is how much a line with these stems may be about the focus: the sum of their weights, and
// what they tell.
func (f *Focus) most(in found) (weight, tells float64) {
	for ; in != 0; in &= in - 1 {
		t := f.terms[f.order[bits.TrailingZeros64(uint64(in))]]
		weight, tells = weight+t.weight, tells+t.tells
	}
	return weight, tells
}
