package protocol

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a payload: far above what any agent sends,
// far below what would exhaust a stack.
const maxDepth = 1000

// A Raw is one JSON value, as text.
type Raw []byte

// MarshalJSON makes a Raw usable inside values given to encoding/json, which
// this package does not link: it would cost every event a fifth of a process
// start (performance.md 2).
func (r Raw) MarshalJSON() ([]byte, error) {
	if len(r) == 0 {
		return []byte("null"), nil
	}
	return r, nil
}

// A Member is one name and value of an [Object]. Value is valid JSON.
type Member struct {
	Name  string
	Value Raw
}

// An Object is a JSON object that keeps the order of its members and the
// literal spelling of its numbers.
type Object []Member

// A SyntaxError says where a JSON text stops being one we accept.
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
	if bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
		s.i = 3
	}
	if !utf8.Valid(b) {
		return nil, &SyntaxError{invalidUTF8At(b), "not UTF-8"}
	}
	s.space()
	if s.i == len(b) {
		return nil, &SyntaxError{s.i, "empty, want a JSON object"}
	}
	if b[s.i] != '{' {
		return nil, &SyntaxError{s.i, fmt.Sprintf("want a JSON object, have %q", b[s.i])}
	}
	o, err := s.object(1, true)
	if err != nil {
		return nil, err
	}
	s.space()
	if s.i != len(b) {
		return nil, &SyntaxError{s.i, "text after the JSON object"}
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

// Has reports whether o has a member of that name.
func (o Object) Has(name string) bool { return o.index(name) >= 0 }

// Get returns the value of a member, nil if o has none of that name.
func (o Object) Get(name string) Raw {
	if i := o.index(name); i >= 0 {
		return o[i].Value
	}
	return nil
}

func (o Object) index(name string) int {
	for i := range o {
		if o[i].Name == name {
			return i
		}
	}
	return -1
}

// Text returns a member that is a string, "" if it is absent or anything else.
func (o Object) Text(name string) string { return TextOf(o.Get(name)) }

// Bool returns a member that is true; anything else is false.
func (o Object) Bool(name string) bool { return string(o.Get(name)) == "true" }

// Sub returns a member that is an object, nil if it is absent or anything else.
func (o Object) Sub(name string) Object { return ObjectOf(o.Get(name)) }

// Set replaces the value of a member in place, or adds the member at the end.
func (o *Object) Set(name string, value Raw) {
	if i := o.index(name); i >= 0 {
		(*o)[i].Value = value
		return
	}
	*o = append(*o, Member{name, value})
}

// SetText is Set with a string.
func (o *Object) SetText(name, value string) { o.Set(name, Quote(value)) }

// Delete removes a member.
func (o *Object) Delete(name string) {
	if i := o.index(name); i >= 0 {
		*o = append((*o)[:i:i], (*o)[i+1:]...)
	}
}

// Clone returns a copy whose members can be set without changing o; nil if o is.
func (o Object) Clone() Object {
	if o == nil {
		return nil
	}
	return append(Object{}, o...)
}

// Raw returns o as one JSON value in the wire spelling.
func (o Object) Raw() Raw { return o.Append(nil) }

// Append appends o in the wire spelling: one line, ", " and ": " between
// members, strings as UTF-8 without needless escapes, numbers as they came.
// That spelling is a promise (DESIGN 5): shell hooks grep for it.
func (o Object) Append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = AppendString(dst, m.Name)
		dst = append(dst, ": "...)
		dst = AppendValue(dst, m.Value)
	}
	return append(dst, '}')
}

// verbatim returns o as one JSON value, its members as they came: cheaper than
// Raw where the value will be spelled out later anyway.
func (o Object) verbatim() Raw {
	size := 2
	for i := range o {
		size += len(o[i].Name) + len(o[i].Value) + 8
	}
	dst := append(make([]byte, 0, size), '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, m.Name), ':')
		dst = append(dst, m.Value...)
	}
	return append(dst, '}')
}

// MarshalJSON makes an Object usable inside values given to encoding/json.
func (o Object) MarshalJSON() ([]byte, error) { return o.Append(nil), nil }

// ObjectOf returns raw as an object, nil if it is none.
func ObjectOf(raw Raw) Object {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	s := scanner{b: raw}
	o, err := s.object(1, true)
	if err != nil {
		return nil
	}
	return o
}

// ElementsOf returns the elements of raw, none if it is no array.
func ElementsOf(raw Raw) []Raw {
	if len(raw) == 0 || raw[0] != '[' {
		return nil
	}
	var out []Raw
	s := scanner{b: raw}
	if err := s.array(1, &out); err != nil {
		return nil
	}
	return out
}

// TextOf returns raw as a string, "" if it is none.
func TextOf(raw Raw) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	return unquote(raw)
}

// Leaves calls f with every string, number and boolean in raw, at any depth,
// in order, until f returns false. Strings come decoded, numbers and booleans
// in their JSON spelling; null and names are no leaves.
func Leaves(raw Raw, f func(leaf string) bool) {
	s := scanner{b: raw, leaf: f}
	s.space()
	// The value was checked when it was parsed; an error here ends the walk.
	_ = s.value(1)
}

// Quote returns s as a JSON string in the wire spelling.
func Quote(s string) Raw { return AppendString(nil, s) }

// TextList is a JSON array of strings in the wire spelling.
func TextList(words []string) Raw {
	b := []byte{'['}
	for i, w := range words {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = AppendString(b, w)
	}
	return append(b, ']')
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
