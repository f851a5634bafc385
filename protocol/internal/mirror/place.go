package mirror

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Same reports whether two values are the same JSON, whatever their spelling.
func Same(a, b protocol.Raw) bool {
	return bytes.Equal(protocol.AppendValue(nil, a), protocol.AppendValue(nil, b))
}

// CallID is the agent's own id of the call, never one that we derived.
func CallID(ev *protocol.Event) string {
	if ev.Call != nil && ev.Agent != "" {
		return ev.Call.ID
	}
	return ev.Fields.Text("tool_use_id")
}

// Taker copies fields of an event into a payload, each under the program's name for it.
func Taker(ev *protocol.Event, p *protocol.Object) func(name, field string) {
	return func(name, field string) {
		if v := ev.Fields.Get(field); v != nil && string(v) != "null" {
			p.Set(name, v)
		}
	}
}

// Place is the input of a call as a hook changed it that was sent another one in a
// payload: each changed member goes where the calling agent keeps it. keys are the program's names of
// members, by the portable ones, where they differ. unplaced is a member that has no
// place there; then nothing is changed.
func Place(ev *protocol.Event, said protocol.Said, sent, updated protocol.Object, keys []protocol.Key) (modified protocol.Object, unplaced string) {
	c := ev.Call
	if c == nil {
		return nil, ""
	}
	out := c.Input.Clone()
	changed := false
	for _, m := range updated {
		if Same(sent.Get(m.Name), m.Value) {
			continue
		}
		name := m.Name
		for _, k := range keys {
			if k.Native == m.Name {
				m.Name = k.Portable
			}
		}
		if said.Parts > 1 || !place(&out, c, m, sent) {
			return nil, name
		}
		changed = true
	}
	if !changed {
		return nil, ""
	}
	return out, ""
}

// place puts a changed member into the input of another agent's call, if it has a
// place there.
func place(out *protocol.Object, c *protocol.Call, m protocol.Member, sent protocol.Object) bool {
	if m.Name == "command" && sent.Has("command") {
		name := lineMember(c)
		if name == "" {
			return placeWord(out, c, m) || placeOnly(out, c, m)
		}
		out.Set(name, m.Value)
		return true
	}
	if !c.Input.Has(m.Name) || c.Derived(m.Name) {
		return false
	}
	out.Set(m.Name, m.Value)
	return true
}

// placeWord puts a line into the words "bash -lc LINE".
func placeWord(out *protocol.Object, c *protocol.Call, m protocol.Member) bool {
	for _, in := range c.Input {
		list := protocol.ElementsOf(in.Value)
		if !protocol.IsCommand(in.Name) || len(list) != 3 || bytes.ContainsRune(m.Value, 0) {
			continue
		}
		words := []string{protocol.TextOf(list[0]), protocol.TextOf(list[1]), protocol.TextOf(list[2])}
		if lineWord(words) != 2 {
			continue
		}
		words[2] = protocol.TextOf(m.Value)
		out.Set(in.Name, protocol.TextList(words))
		return true
	}
	return false
}

// placeOnly replaces a list of commands, each of which is a line, by the one line.
func placeOnly(out *protocol.Object, c *protocol.Call, m protocol.Member) bool {
	list := protocol.ElementsOf(c.Input.Get("commands"))
	if len(list) == 0 || slices.ContainsFunc(list, func(e protocol.Raw) bool { return e[0] != '"' }) {
		return false
	}
	out.Set("commands", append(append(protocol.Raw{'['}, m.Value...), ']'))
	return true
}

// ResultText is a result in a tool's shape as one text.
func ResultText(v protocol.Raw) string {
	switch v[0] {
	case '"':
		return protocol.TextOf(v)
	case '[':
		var parts []string
		for _, e := range protocol.ElementsOf(v) {
			if t := protocol.ObjectOf(e).Text("text"); t != "" {
				parts = append(parts, t)
			}
		}
		if len(parts) > 0 {
			return strings.Join(parts, "\n")
		}
	case '{':
		o := protocol.ObjectOf(v)
		if o.Has("stdout") || o.Has("stderr") {
			return strings.TrimSpace(o.Text("stdout") + "\n" + o.Text("stderr"))
		}
		for _, name := range []string{"text", "content", "result"} {
			if c := o.Get(name); len(c) > 0 && (c[0] == '"' || c[0] == '[') {
				return ResultText(c)
			}
		}
	}
	return string(protocol.AppendValue(nil, v))
}
