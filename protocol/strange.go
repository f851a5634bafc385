package protocol

import "slices"

// A Strange is what an agent sent that its dialect does not know: the agent has
// changed since, or what is installed here is older than it.
type Strange struct {
	Kind  string // "event", "field"; "answer" where the agent says that it could not use ours
	Event string // the agent's own name
	Field string // of the format, of a field that is missing or of another type
}

// Strange reports what of a payload is strange, given what it was decoded into.
// The fields that are looked for are those by which hooks are chosen and guards
// judge: without one of them, a guard is passed by and nobody notices.
func (d *Dialect) Strange(p Object, events []*Event) (s Strange, is bool) {
	if len(events) == 0 {
		name := p.Text("hook_event_name")
		if d.EventName != nil {
			name = d.EventName(p)
		}
		return Strange{Kind: "event", Event: name}, name != "" && !d.knows(name)
	}
	ev := events[0]
	if field := d.missing(ev); field != "" {
		return Strange{Kind: "field", Event: ev.NativeEvent, Field: field}, true
	}
	return Strange{}, false
}

// knows reports whether an event is in the dialect's tables, whatever becomes of it.
func (d *Dialect) knows(name string) bool {
	return slices.Contains(d.Others, name) || slices.ContainsFunc(d.Natives, func(n Native) bool { return n.Name == name || n.Key() == name })
}

// missing is the first field that an event of its kind must have and this one has
// not, or not as what it has to be; "" if all are there.
func (d *Dialect) missing(ev *Event) string {
	lacks := func(field string, there bool) bool {
		return !there && !slices.Contains(d.Untold, field) && !slices.Contains(d.Untold, string(ev.Type)+"."+field)
	}
	isText := func(field string) bool { v := ev.Fields.Get(field); return len(v) > 0 && v[0] == '"' }
	switch {
	case lacks("session_id", ev.SessionID != ""):
		return "session_id"
	case ev.Type == PreAgentTurn && lacks("prompt", isText("prompt")):
		return "prompt"
	case !ev.Type.IsTool():
		return ""
	case lacks("tool_name", ev.Call != nil && ev.Call.NativeName != ""):
		return "tool_name"
	case lacks("tool_input", ev.Call != nil && !ev.Call.unsaid && !ev.Call.opaque):
		return "tool_input"
	case ev.Type == PostToolCall && lacks("tool_response", ev.Fields.Has("tool_response")):
		return "tool_response"
	}
	return ""
}
