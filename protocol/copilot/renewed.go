package copilot

import (
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mirror"
)

// memberOf is the name of a payload's member in the first form, by that of the second.
func memberOf(name string) string {
	switch name {
	case "last_assistant_message":
		return "response"
	case "stop_hook_active", "notification_type", "hook_event_name": // which both forms have
		return name
	}
	for {
		before, after, ok := strings.Cut(name, "_")
		if !ok || after == "" {
			return name
		}
		_, n := utf8.DecodeRuneInString(after)
		name = before + strings.ToUpper(after[:n]) + after[n:]
	}
}

// A renaming is an object in the first form that is put together of one in the second.
type renaming struct {
	protocol.Object
	at map[string]int // where a name stands
}

// put adds a member that was called so. If the object has both names, that of the second
// form counts, as in decode.
func (r *renaming) put(was, name string, v protocol.Raw) {
	i, there := r.at[name]
	switch {
	case !there:
		r.at[name] = len(r.Object)
		r.Object = append(r.Object, protocol.Member{Name: name, Value: v})
	case was != name:
		r.Object[i].Value = v
	}
}

// renewed is the program's own payload in the first form, with what hooks have changed
// since. We are called in the second, but for some events.
func renewed(ev *protocol.Event, native string, own protocol.Object) protocol.Object {
	p := renaming{at: map[string]int{}}
	for _, m := range own {
		name, v := memberOf(m.Name), m.Value
		switch m.Name {
		case "hook_event_name":
			if native != "notification" {
				continue
			}
		case "timestamp":
			if at := clock(protocol.TextOf(v)); at != nil {
				v = at
			}
		case "tool_input":
			name = argsOf(native)
		case "tool_name":
			v = protocol.Quote(firstName(ev, protocol.TextOf(v)))
		case "tool_result":
			if o := protocol.ObjectOf(v); o != nil {
				r := renaming{at: map[string]int{}}
				for _, m := range o {
					r.put(m.Name, memberOf(m.Name), m.Value)
				}
				v = r.Raw()
			}
		}
		p.put(m.Name, name, v)
	}
	changed(ev, native, &p.Object)
	return p.Object
}

// firstName is a tool's name in the first form, by that of the second (copilot-cli/16).
func firstName(ev *protocol.Event, name string) string {
	if ev.Call != nil && name == "Edit" && ev.Call.NativeInput.Text("input") != "" && !ev.Call.NativeInput.Has("path") {
		return "apply_patch"
	}
	t, ok := tools.Find(name)
	if !ok || strings.ToLower(name) == name {
		return name
	}
	return toolName(mirror.Call{Name: t.Name, Files: name == "Glob"}, "")
}

// changed puts into a payload what hooks have changed since.
func changed(ev *protocol.Event, native string, p *protocol.Object) {
	args := argsOf(native)
	if ev.Call != nil && ev.Call.NativeInput != nil {
		was, inText := p.Get(args), false
		if len(was) > 0 && was[0] == '"' {
			if o, err := protocol.ParseObject([]byte(protocol.TextOf(was))); err == nil {
				was, inText = o.Raw(), true
			}
		}
		if input, _ := ev.Call.NativeInputOf(ev.Call.Input); input != nil && len(was) > 0 && was[0] == '{' && !mirror.Same(was, input.Raw()) {
			if inText {
				p.SetText(args, string(input.Raw()))
			} else {
				p.Set(args, input.Raw())
			}
		}
	}
	if v := ev.Fields.Get("tool_response"); len(v) > 0 && v[0] == '"' && p.Has("toolResult") {
		p.Set("toolResult", result(protocol.TextOf(v)).Raw())
	}
	if ev.Fields.Bool("stop_active") && p.Has("stop_hook_active") {
		p.Set("stop_hook_active", protocol.Raw("true"))
	}
}
