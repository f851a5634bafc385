package install

import (
	"bytes"
	"cmp"

	"github.com/tailscale/hujson"
)

// A sequence is the members of an object or the elements of an array: what comes before
// and after each of them, and before the closing bracket. White space and comments
// between two of them belong to what is around them, and must survive an insertion and
// its removal unchanged.
type sequence struct {
	n      int
	before func(i int) *hujson.Extra
	after  func(i int) *hujson.Extra // not nil for the last one: there is a trailing comma
	end    *hujson.Extra
}

func members(o *hujson.Object) sequence {
	return sequence{len(o.Members),
		func(i int) *hujson.Extra { return &o.Members[i].Name.BeforeExtra },
		func(i int) *hujson.Extra { return &o.Members[i].Value.AfterExtra },
		&o.AfterExtra}
}

func elements(a *hujson.Array) sequence {
	return sequence{len(a.Elements),
		func(i int) *hujson.Extra { return &a.Elements[i].BeforeExtra },
		func(i int) *hujson.Extra { return &a.Elements[i].AfterExtra },
		&a.AfterExtra}
}

// childPrefix is what a new child of the sequence has before it on its line, and
// whether it has a line of its own; prefix is that of the sequence's own line.
func (s sequence) childPrefix(st style, prefix string) (string, bool) {
	if s.n > 0 {
		return lineStart(*s.before(s.n - 1))
	}
	return prefix + st.indent, st.newline != ""
}

// join says what stands before and after a child that is appended. Comments
// behind the last child stay behind it.
func (s sequence) join(st style, prefix string) (before, after hujson.Extra) {
	child, multi := s.childPrefix(st, prefix)
	comments, space := splitTail(*s.end)
	var lead hujson.Extra
	switch {
	case multi:
		lead = hujson.Extra(cmp.Or(st.newline, "\n") + child)
		if s.n == 0 && bytes.IndexByte(space, '\n') < 0 {
			space = hujson.Extra(cmp.Or(st.newline, "\n") + prefix)
		}
	case s.n > 0:
		lead = hujson.Extra(st.colon) // as tight as the rest of the line
	}
	if s.n > 0 && *s.after(s.n - 1) != nil {
		after = hujson.Extra{} // one more trailing comma
	}
	*s.end = space
	return withComments(comments, lead), after
}

// leave hands what is around child i, which is about to go, to its neighbours.
func (s sequence) leave(i int) {
	comments, _ := splitTail(*s.before(i))
	inner, _ := splitTail(*s.after(i))
	comments = append(comments[:len(comments):len(comments)], inner...)
	if i+1 < s.n {
		next := s.before(i + 1)
		*next = withComments(comments, *next)
		return
	}
	trailing := *s.after(i) != nil
	if i > 0 {
		prev := s.after(i - 1)
		switch {
		case trailing && *prev == nil:
			*prev = hujson.Extra{}
		case !trailing && *prev != nil:
			comments = append((*prev)[:len(*prev):len(*prev)], comments...)
			*prev = nil
		}
	}
	*s.end = withComments(comments, *s.end)
	if i == 0 && blank(*s.end) {
		*s.end = nil
	}
}

// splitTail cuts off the white space at the end of what stands between values.
func splitTail(e hujson.Extra) (comments, space hujson.Extra) {
	n := len(bytes.TrimRight(e, " \t\r\n"))
	return e[:n:n], e[n:]
}

// withComments puts comments before what follows them, on a line of their own if
// the last of them would swallow it.
func withComments(comments, rest hujson.Extra) hujson.Extra {
	if bytes.Contains(comments, []byte("//")) && bytes.IndexByte(rest, '\n') < 0 {
		rest = append(hujson.Extra("\n"), rest...)
	}
	return append(comments[:len(comments):len(comments)], rest...)
}

// appendMember adds a member at the end of an object whose line begins with
// prefix.
func appendMember(o *hujson.Object, st style, prefix, name string, v hujson.Value) {
	s := members(o)
	child, multi := s.childPrefix(st, prefix)
	before, after := s.join(st, prefix)
	if !multi {
		st.newline = ""
	}
	layOut(&v, st, child)
	v.BeforeExtra, v.AfterExtra = hujson.Extra(st.colon), after
	o.Members = append(o.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: before, Value: hujson.String(name)},
		Value: v,
	})
}

// appendElement adds an element at the end of an array whose line begins with
// prefix.
func appendElement(a *hujson.Array, st style, prefix string, v hujson.Value) {
	s := elements(a)
	child, multi := s.childPrefix(st, prefix)
	before, after := s.join(st, prefix)
	if !multi {
		st.newline = ""
	}
	layOut(&v, st, child)
	v.BeforeExtra, v.AfterExtra = before, after
	a.Elements = append(a.Elements, v)
}

func removeMember(o *hujson.Object, i int) {
	members(o).leave(i)
	o.Members = append(o.Members[:i], o.Members[i+1:]...)
}

func removeElement(a *hujson.Array, i int) {
	elements(a).leave(i)
	a.Elements = append(a.Elements[:i], a.Elements[i+1:]...)
}

// layOut spaces a new value out in the style of the file; its own line begins
// with prefix.
func layOut(v *hujson.Value, st style, prefix string) {
	child, closing := hujson.Extra(nil), hujson.Extra(nil)
	if st.newline != "" {
		child = hujson.Extra(st.newline + prefix + st.indent)
		closing = hujson.Extra(st.newline + prefix)
	}
	var s sequence
	switch c := v.Value.(type) {
	case *hujson.Object:
		s = members(c)
		for i := range c.Members {
			c.Members[i].Value.BeforeExtra = hujson.Extra(st.colon)
			layOut(&c.Members[i].Value, st, prefix+st.indent)
		}
	case *hujson.Array:
		s = elements(c)
		for i := range c.Elements {
			layOut(&c.Elements[i], st, prefix+st.indent)
		}
	}
	for i := range s.n {
		*s.before(i) = child
		if i > 0 && child == nil {
			*s.before(i) = hujson.Extra(st.colon)
		}
	}
	if s.n > 0 {
		*s.end = closing
	}
}
