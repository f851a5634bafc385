package trace

import (
	"bytes"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// wait is how long a file may be held by another process.
const wait = 2 * time.Second

// EraseFile takes out of a file that the program noted something in what some marks stand for.
func EraseFile(path string, said Marks) error {
	said = said.Anywhere()
	b, err := statefile.Read(path)
	if err != nil || bytes.Equal(Erased(b, said), b) {
		return err
	}
	return statefile.Update(path, wait, func(old []byte) ([]byte, error) {
		if old == nil {
			return nil, nil
		}
		return Erased(old, said), nil
	})
}

// Erased are lines without what some marks stand for: the texts in a line that is an object, or
// the line. It is empty rather than nil.
func Erased(lines []byte, said Marks) []byte {
	out := make([]byte, 0, len(lines))
	for line := range bytes.Lines(lines) {
		o, err := protocol.ParseObject(bytes.TrimSpace(line))
		switch {
		case err != nil:
			out = append(out, said.Without(string(line))...)
		case said.EraseObject(&o):
			out = append(o.Append(out), '\n')
		default:
			out = append(out, line...)
		}
	}
	return out
}

// EraseObject takes it out of all texts in an object, and reports whether there was one.
func (m Marks) EraseObject(o *protocol.Object) (changed bool) {
	for i, member := range *o {
		if now, is := m.eraseValue(member.Value); is {
			(*o)[i].Value, changed = now, true
		}
	}
	return changed
}

// SaidIn reports whether a text in an object says it.
func (m Marks) SaidIn(o protocol.Object) bool {
	o = o.Clone()
	return m.EraseObject(&o)
}

func (m Marks) eraseValue(v protocol.Raw) (protocol.Raw, bool) {
	v = bytes.TrimSpace(v)
	if len(v) == 0 {
		return v, false
	}
	switch v[0] {
	case '"':
		text := protocol.TextOf(v)
		now := m.Without(text)
		if o, err := protocol.ParseObject([]byte(text)); err == nil && len(o) > 0 && m.EraseObject(&o) { // an answer that is kept as a text
			now = string(o.Raw())
		}
		return protocol.Quote(now), now != text
	case '{':
		o := protocol.ObjectOf(v)
		if o == nil || !m.EraseObject(&o) {
			return v, false
		}
		return o.Raw(), true
	case '[':
		list, changed := protocol.ElementsOf(v), false
		for i := range list {
			if now, is := m.eraseValue(list[i]); is {
				list[i], changed = now, true
			}
		}
		if !changed {
			return v, false
		}
		return protocol.ListOf(list, func(r protocol.Raw) protocol.Raw { return r }), true
	}
	return v, false
}
