package protocol

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

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
//
// Those of its methods that every dialect calls dozens of times are not copied into
// their callers, which the compiler would do: the copies of Get and Set alone were
// a twentieth of the dispatcher (go run ./bench/size -inlined agents-hooks-run).
type Object []Member

// Has reports whether o has a member of that name.
//
//go:noinline
func (o Object) Has(name string) bool { return o.index(name) >= 0 }

// Get returns the value of a member, nil if o has none of that name.
//
//go:noinline
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
//
//go:noinline
func (o Object) Bool(name string) bool { return string(o.Get(name)) == "true" }

// Sub returns a member that is an object, nil if it is absent or anything else.
func (o Object) Sub(name string) Object { return ObjectOf(o.Get(name)) }

// Set replaces the value of a member in place, or adds the member at the end.
//
//go:noinline
func (o *Object) Set(name string, value Raw) {
	if i := o.index(name); i >= 0 {
		(*o)[i].Value = value
		return
	}
	*o = append(*o, Member{name, value})
}

// SetText is Set with a string.
func (o *Object) SetText(name, value string) { o.Set(name, Quote(value)) }

// PutText is SetText, unless the text is empty.
func (o *Object) PutText(name, value string) {
	if value != "" {
		o.SetText(name, value)
	}
}

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
//
//go:noinline
func (o Object) Raw() Raw { return o.Append(nil) }

// Append appends o in the wire spelling: one line, ", " and ": " between
// members, strings as UTF-8 without needless escapes, numbers as they came.
// That spelling is a promise: shell hooks grep for it.
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

// Quote returns s as a JSON string in the wire spelling.
func Quote(s string) Raw { return AppendString(nil, s) }

// TextList is a JSON array of strings in the wire spelling.
func TextList(words []string) Raw { return ListOf(words, Quote) }

// ListOf is a JSON array of what one makes of each item, as that is spelled.
func ListOf[T any](items []T, one func(T) Raw) Raw {
	b := Raw{'['}
	for i, item := range items {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, one(item)...)
	}
	return append(b, ']')
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
//
//go:noinline
func TextOf(raw Raw) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	return unquote(raw)
}

// TextsOf returns the strings of an array, "" for each element that is none.
func TextsOf(raw Raw) (list []string) {
	for _, e := range ElementsOf(raw) {
		list = append(list, TextOf(e))
	}
	return list
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
