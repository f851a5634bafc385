package protocol

import (
	"bytes"
	"slices"
)

// seen is a set of names that is cheap for a small object, and for one whose names are
// in order, as in what we write.
type seen struct {
	few      [16][]byte
	n        int      // of a few
	rest     [][]byte // after the few, as long as all are in order
	last     []byte
	disorder bool
	many     map[string]struct{}
}

// maxGuess limits the text that is taken for a single object's: otherwise each of
// many nested or successive objects would allocate a list for all that is left.
const maxGuess = 4 << 10

// add reports whether a name is new. left is how much text is left, which is a guess
// at how many more names there are.
func (s *seen) add(name []byte, left int) bool {
	s.disorder = s.disorder || s.n > 0 && bytes.Compare(s.last, name) >= 0
	s.last = name
	switch {
	case s.n < len(s.few):
		if s.disorder && slices.ContainsFunc(s.few[:s.n], func(x []byte) bool { return bytes.Equal(x, name) }) {
			return false
		}
		s.few[s.n] = name
		s.n++
		return true
	case !s.disorder:
		if s.rest == nil {
			s.rest = make([][]byte, 0, 16+min(left, maxGuess)/64)
		}
		s.rest = append(s.rest, name)
		return true
	case s.many == nil:
		s.many = make(map[string]struct{}, 64)
		for _, list := range [...][][]byte{s.few[:], s.rest} {
			for _, x := range list {
				s.many[string(x)] = struct{}{}
			}
		}
	}
	if _, ok := s.many[string(name)]; ok {
		return false
	}
	s.many[string(name)] = struct{}{}
	return true
}
