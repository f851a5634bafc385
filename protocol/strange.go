package protocol

import "slices"

// A Strange is what an agent sent that its dialect does not know, or could not use of
// what it was sent: the agent has changed since, or what is installed here is older than it.
type Strange struct {
	Kind  string // "event", "field"; "answer" where the agent says that it could not use ours
	Event string // the agent's own name
	Field string // of the format, of a field that is missing or of another type; of the agent's own, of an answer
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

// A Refusal is an answer of ours that an agent says it could not use.
type Refusal struct {
	Event  string // the agent's own name
	Field  string // what was wrong with it, as the agent names members; "" if it does not say
	Answer Object // the answer, nil if it is not shown
}

// Strange is what is counted of it.
func (r Refusal) Strange() Strange {
	if !isPath(r.Field) {
		r.Field = ""
	}
	return Strange{Kind: "answer", Event: r.Event, Field: r.Field}
}

// isPath reports whether a text is a member or a path of members, and no prose.
func isPath(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '_' && c != '.' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return len(s) <= 64
}
