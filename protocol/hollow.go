package protocol

import "bytes"

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

// peek is the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
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
