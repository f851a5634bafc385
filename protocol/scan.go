package protocol

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A scanner walks one JSON text, checking it as it goes. The text is valid
// UTF-8 already.
type scanner struct {
	b    []byte
	i    int
	leaf func(string) bool // called for each leaf; false ends the walk
}

var errStop = &SyntaxError{0, "stopped"}

func (s *scanner) errorf(format string, args ...any) error {
	return &SyntaxError{s.i, fmt.Sprintf(format, args...)}
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

// object passes over one object and, if keep is set, returns its members.
func (s *scanner) object(depth int, keep bool) (Object, error) {
	s.i++ // {
	var o Object
	if keep {
		o = Object{}
	}
	var names seen
	for n := 0; ; n++ {
		s.space()
		if s.i >= len(s.b) {
			return nil, s.errorf("ends inside an object")
		}
		if n == 0 && s.b[s.i] == '}' {
			s.i++
			return o, nil
		}
		if n > 0 {
			if s.b[s.i] == '}' {
				s.i++
				return o, nil
			}
			if s.b[s.i] != ',' {
				return nil, s.errorf("unexpected %q after a member", s.b[s.i])
			}
			s.i++
			s.space()
		}
		name, err := s.name(&names)
		if err != nil {
			return nil, err
		}
		start := s.i
		if err := s.value(depth + 1); err != nil {
			return nil, err
		}
		if keep {
			o = append(o, Member{name, Raw(s.b[start:s.i:s.i])})
		}
	}
}

// name passes over a member's name and colon.
func (s *scanner) name(names *seen) (string, error) {
	start := s.i
	if s.i >= len(s.b) || s.b[s.i] != '"' {
		return "", s.errorf("want a name in double quotes")
	}
	if err := s.str(); err != nil {
		return "", err
	}
	name := unquote(s.b[start:s.i])
	if !names.add(name) {
		return "", &SyntaxError{start, fmt.Sprintf("name %q stands twice in one object", name)}
	}
	s.space()
	if s.i >= len(s.b) || s.b[s.i] != ':' {
		return "", s.errorf("want a colon after the name %q", name)
	}
	s.i++
	s.space()
	return name, nil
}

func (s *scanner) array(depth int, out *[]Raw) error {
	s.i++ // [
	for n := 0; ; n++ {
		s.space()
		if s.i >= len(s.b) {
			return s.errorf("ends inside an array")
		}
		if s.b[s.i] == ']' && n == 0 {
			s.i++
			return nil
		}
		if n > 0 {
			if s.b[s.i] == ']' {
				s.i++
				return nil
			}
			if s.b[s.i] != ',' {
				return s.errorf("unexpected %q after an element", s.b[s.i])
			}
			s.i++
			s.space()
		}
		start := s.i
		if err := s.value(depth + 1); err != nil {
			return err
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
	for s.i++; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; {
		case c == '"':
			s.i++
			return nil
		case c < ' ':
			return s.errorf("control character %#02x in a string", c)
		case c == '\\':
			s.i++
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
		}
	}
	s.i = start
	return s.errorf("string without an end")
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

// seen is a set of names that costs nothing for small objects.
type seen struct {
	few  [16]string
	n    int
	many map[string]struct{}
}

func (s *seen) add(name string) bool {
	if s.many == nil {
		for _, x := range s.few[:s.n] {
			if x == name {
				return false
			}
		}
		if s.n < len(s.few) {
			s.few[s.n] = name
			s.n++
			return true
		}
		s.many = make(map[string]struct{}, 64)
		for _, x := range s.few {
			s.many[x] = struct{}{}
		}
	}
	if _, ok := s.many[name]; ok {
		return false
	}
	s.many[name] = struct{}{}
	return true
}

// unquote decodes a checked JSON string. A surrogate without its other half
// becomes U+FFFD.
func unquote(raw []byte) string {
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			continue
		}
		i++
		switch raw[i] {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, size := escapedRune(raw[i+1:])
			i += size
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, raw[i])
		}
	}
	return string(out)
}

// escapedRune decodes what follows \u, and says how many bytes it took: 4, or
// 10 for a pair of surrogates. Half a pair is U+FFFD.
func escapedRune(b []byte) (rune, int) {
	r, _ := hex4(b)
	if !utf16.IsSurrogate(r) {
		return r, 4
	}
	if len(b) >= 10 && b[4] == '\\' && b[5] == 'u' {
		if low, ok := hex4(b[6:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 10
			}
		}
	}
	return utf8.RuneError, 4
}

// AppendValue appends one valid JSON value in the wire spelling of
// [Object.Append].
func AppendValue(dst []byte, raw Raw) []byte {
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; c {
		case ' ', '\t', '\r', '\n':
		case ':', ',':
			dst = append(dst, c, ' ')
		case '"':
			end, plain := stringEnd(raw, i)
			if plain {
				dst = append(dst, raw[i:end]...)
			} else {
				dst = appendRespelled(dst, raw[i:end])
			}
			i = end - 1
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// stringEnd is the end of the string that begins at i, and whether it holds no
// escapes.
func stringEnd(raw []byte, i int) (end int, plain bool) {
	i++
	if n := bytes.IndexByte(raw[i:], '"'); n >= 0 && bytes.IndexByte(raw[i:i+n], '\\') < 0 {
		return i + n + 1, true
	}
	for ; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1, false
		}
	}
	return len(raw), false
}

// appendRespelled appends a quoted string with only the escapes that JSON
// demands. Half a surrogate pair has no UTF-8 form and stays an escape, so that
// the value does not change.
func appendRespelled(dst, quoted []byte) []byte {
	for i := 0; i < len(quoted); i++ {
		n := bytes.IndexByte(quoted[i:], '\\')
		if n < 0 {
			return append(dst, quoted[i:]...)
		}
		dst = append(dst, quoted[i:i+n]...)
		i += n + 1
		switch quoted[i] {
		case '/':
			dst = append(dst, '/')
		case 'u':
			r, size := escapedRune(quoted[i+1:])
			if half, _ := hex4(quoted[i+1:]); r == utf8.RuneError && utf16.IsSurrogate(half) {
				dst = append(dst, quoted[i-1:i+1+size]...)
			} else {
				dst = appendRune(dst, r)
			}
			i += size
		default:
			dst = append(dst, '\\', quoted[i])
		}
	}
	return dst
}

// AppendString appends s as a JSON string with only the escapes that JSON
// demands; bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for len(s) > 0 {
		n := plainLen(s)
		dst, s = append(dst, s[:n]...), s[n:]
		if s == "" {
			break
		}
		r, size := utf8.DecodeRuneInString(s)
		dst, s = appendRune(dst, r), s[size:]
	}
	return append(dst, '"')
}

// plainLen is the length of the start of s that stands in a JSON string as it is.
func plainLen(s string) int {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return i
		}
	}
	return len(s)
}

func appendRune(dst []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r == '\b':
		return append(dst, `\b`...)
	case r == '\f':
		return append(dst, `\f`...)
	case r < ' ':
		dst = append(dst, `\u00`...)
		if r < 16 {
			dst = append(dst, '0')
		}
		return strconv.AppendInt(dst, int64(r), 16)
	default:
		return utf8.AppendRune(dst, r)
	}
}
