package shell

import "strings"

// A List is a flag that may be given several times. The library's own would split
// sentences at their commas.
type List struct{ List []string }

// String is the list as the help shows it.
func (w *List) String() string { return strings.Join(w.List, ", ") }

// Set adds a word.
func (w *List) Set(s string) error {
	if s != sameWords {
		w.List = append(w.List, s)
	}
	return nil
}

// Serialize is what the parser sets the other names of the flag to. They share the
// list, which must not get its own words once more.
func (w *List) Serialize() string { return sameWords }

// sameWords is no argument that a program can be given.
const sameWords = "\x00"

// SplitCommas splits list arguments at commas, which the library does for some
// flags only.
func SplitCommas(list []string) (out []string) {
	for _, item := range list {
		for _, w := range strings.FieldsFunc(item, func(r rune) bool { return r == ',' || r == '，' }) {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
	}
	return out
}
