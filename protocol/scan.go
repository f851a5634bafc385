package protocol

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a payload: far above what any agent sends,
// far below what would exhaust a stack.
const maxDepth = 1000

// MaxEventDepth is how deep an event may be nested: hooks read it with whatever their
// language has, and wrap it in two more levels. .NET reads 64, Ruby 100, Rust's serde 127
// and jq 1.6 255, and a guard whose reader gives up has judged nothing.
const MaxEventDepth = 60

// What of an event hooks do not get, in words.
const (
	TooDeep = "what is nested deeper than 60 levels"
	Twice   = "all but the last value of a name that stands twice"
)

// A SyntaxError says where a JSON text becomes one that we reject.
type SyntaxError struct {
	Offset int // in bytes, from the start of the text
	Msg    string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Msg) }

// ParseObject reads b as exactly one JSON object. It is stricter than
// encoding/json, because a guard and the program it guards must not read the
// same bytes differently: text that is not UTF-8, a name that stands twice in
// one object (at any depth) and nesting deeper than 1,000 levels are errors. A
// byte order mark before the object and white space around it are accepted.
// The values of the result are parts of b.
func ParseObject(b []byte) (Object, error) {
	s := scanner{b: b}
	return s.whole(true)
}

// ParseEvent is [ParseObject] for an event, whose depth its sender decides: of what is
// nested deeper than [MaxEventDepth] levels nothing is kept, and unread says so. There the
// names of an object are not compared. It overwrites that part of b.
func ParseEvent(b []byte) (o Object, unread string, err error) {
	s := scanner{b: b, hollows: true}
	if o, err = s.whole(true); s.deep {
		o = ObjectOf(o.Raw()) // without the blanks, which each later step would read again
		unread = TooDeep
	}
	return o, unread, err
}

// Walk reads b by the rules of [ParseObject] in one pass, for large texts of which
// only a little is needed. It calls f with each member and each element, at any
// depth, after those inside it: depth is 1 for the members of b itself, name is nil
// for the elements of an array. f must not rely on anything before Walk has returned
// without an error.
func Walk(b []byte, f func(depth int, name []byte, value Raw)) error {
	s := scanner{b: b, part: f}
	_, err := s.whole(false)
	return err
}

// whole passes over a text that is one object and, if keep is set, returns its members.
func (s *scanner) whole(keep bool) (Object, error) {
	if bytes.HasPrefix(s.b, []byte("\xef\xbb\xbf")) {
		s.i = 3
	}
	if !utf8.Valid(s.b) {
		return nil, &SyntaxError{invalidUTF8At(s.b), "not UTF-8"}
	}
	s.space()
	if s.i == len(s.b) {
		return nil, s.errorf("empty, want a JSON object")
	}
	if s.b[s.i] != '{' {
		return nil, s.errorf("want a JSON object, have %q", s.b[s.i])
	}
	o, err := s.object(1, keep)
	if err != nil {
		return nil, err
	}
	s.space()
	if s.i != len(s.b) {
		return nil, s.errorf("text after the JSON object")
	}
	return o, nil
}

// ValidValue reports whether raw is exactly one JSON value by the rules of
// [ParseObject].
func ValidValue(raw []byte) error {
	if !utf8.Valid(raw) {
		return &SyntaxError{invalidUTF8At(raw), "not UTF-8"}
	}
	s := scanner{b: raw}
	s.space()
	if err := s.value(1); err != nil {
		return err
	}
	s.space()
	if s.i != len(raw) {
		return &SyntaxError{s.i, "text after the JSON value"}
	}
	return nil
}

// A scanner walks one JSON text, checking it as it goes. The text is valid
// UTF-8 already.
type scanner struct {
	b    []byte
	i    int
	leaf func(string) bool                       // called for each leaf; false ends the walk
	part func(depth int, name []byte, value Raw) // called for each member and element

	hollows bool // nothing is kept inside an object or array of MaxEventDepth
	deep    bool // something was there
	lenient bool // of a name that stands twice the last value counts
	twice   bool // one does
}

var errStop = &SyntaxError{0, "stopped"}

func (s *scanner) errorf(format string, args ...any) error {
	return &SyntaxError{s.i, fmt.Sprintf(format, args...)}
}

// peek is the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

// value passes over one value.
func (s *scanner) value(depth int) error {
	if depth > maxDepth {
		return s.errorf("nested deeper than %d levels", maxDepth)
	}
	if s.i >= len(s.b) {
		return s.errorf("ends where a value is due")
	}
	start := s.i
	switch c := s.b[s.i]; {
	case s.hollows && depth == MaxEventDepth && (c == '{' || c == '['):
		return s.hollow()
	case c == '{':
		_, err := s.object(depth, false)
		return err
	case c == '[':
		return s.array(depth, nil)
	case c == '"':
		if err := s.str(); err != nil {
			return err
		}
		return s.found(func() string { return unquote(s.b[start:s.i]) })
	case c == 't':
		return s.word("true", true)
	case c == 'f':
		return s.word("false", true)
	case c == 'n':
		return s.word("null", false)
	case c == '-' || c >= '0' && c <= '9':
		if err := s.number(); err != nil {
			return err
		}
		return s.found(func() string { return string(s.b[start:s.i]) })
	default:
		return s.errorf("unexpected %q where a value is due", c)
	}
}

func (s *scanner) found(text func() string) error {
	if s.leaf != nil && !s.leaf(text()) {
		return errStop
	}
	return nil
}

// next passes over what stands before the nth member or element: its comma, or the bracket
// that ends all.
func (s *scanner) next(n int, end byte, within, after string) (ends bool, err error) {
	s.space()
	switch c := s.peek(); {
	case s.i >= len(s.b):
		return false, s.errorf("ends inside %s", within)
	case c == end:
		s.i++
		return true, nil
	case n == 0:
	case c != ',':
		return false, s.errorf("unexpected %q after %s", c, after)
	default:
		s.i++
		s.space()
	}
	return false, nil
}

// object passes over one object and, if keep is set, returns its members.
func (s *scanner) object(depth int, keep bool) (Object, error) {
	s.i++ // {
	var o Object
	if keep {
		o = make(Object, 0, 4)
	}
	var names seen
	for n := 0; ; n++ {
		if ends, err := s.next(n, '}', "an object", "a member"); ends || err != nil {
			return o, err
		}
		name, err := s.name(&names)
		if err != nil {
			return nil, err
		}
		start := s.i
		if err := s.value(depth + 1); err != nil {
			return nil, err
		}
		if s.part != nil {
			s.part(depth, name, s.b[start:s.i:s.i])
		}
		if keep {
			o = append(o, Member{string(name), Raw(s.b[start:s.i:s.i])})
		}
	}
}

// name passes over a member's name and colon.
func (s *scanner) name(names *seen) ([]byte, error) {
	start := s.i
	if s.i >= len(s.b) || s.b[s.i] != '"' {
		return nil, s.errorf("want a name in double quotes")
	}
	if err := s.str(); err != nil {
		return nil, err
	}
	name := s.b[start+1 : s.i-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		name = []byte(unquote(s.b[start:s.i]))
	}
	if names != nil && !names.add(name, len(s.b)-s.i) {
		if s.twice = true; !s.lenient {
			return nil, &SyntaxError{start, fmt.Sprintf("name %q stands twice in one object", name)}
		}
	}
	s.space()
	if s.i >= len(s.b) || s.b[s.i] != ':' {
		return nil, s.errorf("want a colon after the name %q", name)
	}
	s.i++
	s.space()
	return name, nil
}

func (s *scanner) array(depth int, out *[]Raw) error {
	s.i++ // [
	for n := 0; ; n++ {
		if ends, err := s.next(n, ']', "an array", "an element"); ends || err != nil {
			return err
		}
		start := s.i
		if err := s.value(depth + 1); err != nil {
			return err
		}
		if s.part != nil {
			s.part(depth, nil, s.b[start:s.i:s.i])
		}
		if out != nil {
			*out = append(*out, Raw(s.b[start:s.i:s.i]))
		}
	}
}

func (s *scanner) word(w string, leaf bool) error {
	if len(s.b)-s.i < len(w) || string(s.b[s.i:s.i+len(w)]) != w {
		return s.errorf("want %s", w)
	}
	s.i += len(w)
	if leaf {
		return s.found(func() string { return w })
	}
	return nil
}

func (s *scanner) number() error {
	if s.b[s.i] == '-' {
		s.i++
	}
	switch {
	case s.i < len(s.b) && s.b[s.i] == '0':
		s.i++
	case s.digits() == 0:
		return s.errorf("want a digit")
	}
	if s.i < len(s.b) && s.b[s.i] == '.' {
		s.i++
		if s.digits() == 0 {
			return s.errorf("want a digit after the decimal point")
		}
	}
	if s.i < len(s.b) && (s.b[s.i] == 'e' || s.b[s.i] == 'E') {
		s.i++
		if s.i < len(s.b) && (s.b[s.i] == '+' || s.b[s.i] == '-') {
			s.i++
		}
		if s.digits() == 0 {
			return s.errorf("want a digit in the exponent")
		}
	}
	return nil
}

func (s *scanner) digits() int {
	start := s.i
	for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		s.i++
	}
	return s.i - start
}

// str passes over one string in quotes.
func (s *scanner) str() error {
	start := s.i
	s.i++
	for {
		s.i += plainBytes(s.b[s.i:])
		if s.i >= len(s.b) {
			s.i = start
			return s.errorf("string without an end")
		}
		c := s.b[s.i]
		s.i++
		if c == '"' {
			return nil
		}
		if c != '\\' {
			s.i--
			return s.errorf("control character %#02x in a string", c)
		}
		if s.i >= len(s.b) {
			return s.errorf("ends inside a string")
		}
		switch s.b[s.i] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		case 'u':
			if _, ok := hex4(s.b[s.i+1:]); !ok {
				return s.errorf("want four hexadecimal digits after \\u")
			}
			s.i += 4
		default:
			return s.errorf("unknown escape \\%c in a string", s.b[s.i])
		}
		s.i++
	}
}

// plainBytes is how many bytes at the start of b stand for themselves in a string:
// neither its end, nor an escape, nor a control character. It looks at eight at a time:
// the lowest bit that is left belongs to the first byte that does not.
func plainBytes(b []byte) int {
	const each, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; len(b)-i >= 8; i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, escape := x^each*'"', x^each*'\\'
		odd := ((x-each*' ')&^x | (quote-each)&^quote | (escape-each)&^escape) & high
		if odd != 0 {
			return i + bits.TrailingZeros64(odd)/8
		}
	}
	for i < len(b) && b[i] >= ' ' && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

func invalidUTF8At(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}
