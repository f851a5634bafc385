// Package disguise writes a tool call in other forms: the same command quoted, nested,
// next to others, with its options written differently; the same change of a file with
// another spelling of its path or by another tool. A guard against the deed must
// recognise all of them.
//
//	command.go   one shell line
//	options.go   the options of programs that many guards are about
//	change.go    one change of one file
//
// A form that is certainly the same deed is plain. One that only has the same effect,
// in a way that no text shows (a variable, a link, a script that is written first), is
// marked Another: it is useful to know that a guard misses it, but it is not a fault of
// its matcher.
package disguise

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Line is a shell line that does what another one does.
type Line struct {
	Name    string // short and stable: "nested in sh -c"
	Text    string
	Another bool // it only has the same effect
}

// Lines are disguises of a line. words are those of the simple command in it that
// matters, nil if unknown. The last ones combine two random disguises: seed says
// which.
func Lines(line string, words []string, seed uint64) []Line {
	list := append(beside(line), nested(line, len(words) > 0 && quoteAll(words, bare) == line)...)
	inner := quoted(words)
	inner = append(inner, options(words)...)
	list = append(list, inner...)
	list = append(list, doubled(line, inner, seed)...)
	return append(list, others(line, words)...)
}

// doubled are disguises of disguises.
func doubled(line string, inner []Line, seed uint64) (list []Line) {
	chance := rand.New(rand.NewPCG(seed, seed))
	outer := append(beside(line), nested(line, false)...)
	for i := range 8 {
		in := Line{Name: "as it is", Text: line}
		if len(inner) > 0 {
			in = inner[chance.IntN(len(inner))]
		}
		out := outer[chance.IntN(len(outer))]
		var again []Line
		if out.nests() {
			again = nested(in.Text, false)
		} else {
			again = beside(in.Text)
		}
		for _, l := range again {
			if l.Name == out.Name {
				list = append(list, Line{Name: fmt.Sprintf("chance %d: %s, %s", i+1, in.Name, out.Name), Text: l.Text})
			}
		}
	}
	return list
}

func (l Line) nests() bool { return strings.HasPrefix(l.Name, "in ") }
