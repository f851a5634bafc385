package protocol

import (
	"bytes"
	"strings"
)

// ParseText reads an object or array in a text that a model wrote, which its agent will
// read; nil if there is none. What hooks do not get of it, since it is nested too deep or
// its name stands twice, is unread: the agent may read that.
func ParseText(text string) (v Raw, unread string) {
	s := scanner{b: []byte(strings.TrimSpace(text)), hollows: true, lenient: true}
	var o Object
	var err error
	switch s.peek() {
	case '{':
		o, err = s.object(1, true)
	case '[':
		err = s.array(1, nil)
	default:
		return nil, ""
	}
	switch {
	case err != nil || s.i < len(s.b):
		return nil, ""
	case s.twice && o != nil:
		return lastValues(o).Raw(), Twice
	case s.twice:
		return s.b, Twice
	case s.deep:
		return s.b, TooDeep
	}
	return s.b, ""
}

// lastValues are the members of an object with the last value of each name, where the name
// stood first. A model may write any number of names, so they are not searched one by one.
func lastValues(o Object) (out Object) {
	at := make(map[string]int, len(o))
	for _, m := range o {
		if i, had := at[m.Name]; had {
			out[i].Value = m.Value
			continue
		}
		at[m.Name] = len(out)
		out = append(out, m)
	}
	return out
}

// hollow passes over an object or array and blanks what is inside. That may be nested as
// deep as the text is long, so it takes one bit a level, and no stack.
func (s *scanner) hollow() error {
	start := s.i
	var in nest
	for {
		if c := s.peek(); c == '{' || c == '[' {
			s.i++
			s.space()
			if in.enter(c); s.peek() != in.end() {
				if err := s.named(&in); err != nil {
					return err
				}
				continue
			}
		} else if err := s.value(1); err != nil {
			return err
		}
		for s.space(); s.peek() == in.end(); s.space() {
			s.i++
			if in.depth--; in.depth == 0 {
				s.blank(s.b[start+1 : s.i-1])
				return nil
			}
		}
		if s.peek() != ',' {
			return s.errorf("unexpected %q after a value", s.peek())
		}
		s.i++
		s.space()
		if err := s.named(&in); err != nil {
			return err
		}
	}
}

// named passes over the name of a member, where a value has one.
func (s *scanner) named(in *nest) error {
	if in.end() == ']' {
		return nil
	}
	_, err := s.name(nil)
	return err
}

func (s *scanner) blank(inside []byte) {
	s.deep = s.deep || len(bytes.TrimSpace(inside)) > 0
	for i := range inside {
		inside[i] = ' '
	}
}

// A nest is the objects and arrays that a scanner is inside of.
type nest struct {
	depth  int
	arrays []byte // one bit each, from the outermost
}

func (n *nest) enter(bracket byte) {
	at, bit := n.depth/8, byte(1)<<(n.depth%8)
	if at == len(n.arrays) {
		n.arrays = append(n.arrays, 0)
	}
	n.arrays[at] &^= bit
	if bracket == '[' {
		n.arrays[at] |= bit
	}
	n.depth++
}

// end is the bracket that ends the innermost one.
func (n *nest) end() byte {
	if i := n.depth - 1; n.arrays[i/8]&(1<<(i%8)) != 0 {
		return ']'
	}
	return '}'
}
