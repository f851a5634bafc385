package copilot

import (
	"strings"

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
		name = before + strings.ToUpper(after[:1]) + after[1:]
	}
}

// renewed is the program's own payload in the first form, with what hooks have changed
// since. We are called in the second, but for some events.
func renewed(ev *protocol.Event, native string, own protocol.Object) protocol.Object {
	var p protocol.Object
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
			r := protocol.ObjectOf(v).Clone()
			for i := range r {
				r[i].Name = memberOf(r[i].Name)
			}
			if r != nil {
				v = r.Raw()
			}
		}
		p = append(p, protocol.Member{Name: name, Value: v})
	}
	changed(ev, native, &p)
	return p
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
