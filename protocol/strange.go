package protocol

import "slices"

// A Strange is something in a payload that the dialect does not know, or an answer that
// the agent rejected: the agent has changed, or this program is older than it.
type Strange struct {
	Kind  string // "event", "field"; "answer" if the agent rejected ours
	Event string // the agent's own name
	Field string // the format's name of a missing or wrong field; for an answer the agent's own
}

// Strange returns what is strange in a payload, given the events that it was decoded
// into. It checks the fields by which hooks are chosen and guards judge: without one of
// them, a guard is bypassed silently.
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

// knows reports whether an event is in the dialect's tables.
func (d *Dialect) knows(name string) bool {
	return slices.Contains(d.Others, name) || slices.ContainsFunc(d.NativeEvents, func(n Native) bool { return n.Name == name || n.Key() == name })
}

// missing is the first required field that an event lacks or that has the wrong type;
// "" if all are there.
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
	case ev.Call != nil && ev.Call.Name == Shell && lacks("tool_input.command", ev.Call.Input.Has("command")):
		return "tool_input.command"
	case ev.Type == PostToolCall && lacks("tool_response", ev.Fields.Has("tool_response")):
		return "tool_response"
	}
	return ""
}

// A Refusal is an answer of ours that the agent rejected.
type Refusal struct {
	Event  string // the agent's own name
	Field  string // the wrong member, by the agent's name; "" if it does not say
	Answer Object // the answer, nil if it is not shown
}

// Strange is how a refusal is counted.
func (r Refusal) Strange() Strange {
	if !isPath(r.Field) {
		r.Field = ""
	}
	return Strange{Kind: "answer", Event: r.Event, Field: r.Field}
}

// isPath reports whether a text is a member or a path of members, and not prose.
func isPath(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '_' && c != '.' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return len(s) <= 64
}
