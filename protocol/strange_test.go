package protocol_test

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Whatever an agent's dialect does not know is reported by its kind, and by the field
// or event concerned.
func TestStrangeNamesWhatIsUnknown(t *testing.T) {
	t.Parallel()
	d := &protocol.Dialect{Others: []string{"Ping"}, NativeEvents: []protocol.Native{{Name: "Stop"}}, Untold: []string{"post-tool-call.tool_response"}}
	payload := func(name string) (o protocol.Object) {
		o.SetText("hook_event_name", name)
		return o
	}
	event := func(typ protocol.EventType, set func(*protocol.Event)) []*protocol.Event {
		ev := &protocol.Event{Type: typ, NativeEvent: "Native", SessionID: "s", Fields: protocol.Object{}}
		ev.Fields.SetText("prompt", "p")
		ev.Call = &protocol.Call{NativeName: "Bash"}
		set(ev)
		return []*protocol.Event{ev}
	}
	as := func(*protocol.Event) {}
	for _, c := range []struct {
		name    string
		payload protocol.Object
		events  []*protocol.Event
		want    protocol.Strange
	}{
		{"an event of no table", payload("New"), nil, protocol.Strange{Kind: "event", Event: "New"}},
		{"an event that is no hook's business", payload("Ping"), nil, protocol.Strange{}},
		{"a payload without a name", nil, nil, protocol.Strange{}},
		{"all there", nil, event(protocol.PreToolCall, as), protocol.Strange{}},
		{"no session", nil, event(protocol.PreToolCall, func(ev *protocol.Event) { ev.SessionID = "" }), protocol.Strange{Kind: "field", Event: "Native", Field: "session_id"}},
		{"a prompt that is no text", nil, event(protocol.PreAgentTurn, func(ev *protocol.Event) { ev.Fields.Set("prompt", protocol.Raw("1")) }), protocol.Strange{Kind: "field", Event: "Native", Field: "prompt"}},
		{"no prompt at an event without one", nil, event(protocol.PreToolCall, func(ev *protocol.Event) { ev.Fields.Delete("prompt") }), protocol.Strange{}},
		{"a call without a tool", nil, event(protocol.PreToolCall, func(ev *protocol.Event) { ev.Call.NativeName = "" }), protocol.Strange{Kind: "field", Event: "Native", Field: "tool_name"}},
		{"no call at a tool's event", nil, event(protocol.PreToolCall, func(ev *protocol.Event) { ev.Call = nil }), protocol.Strange{Kind: "field", Event: "Native", Field: "tool_name"}},
		{"no call elsewhere", nil, event(protocol.PreAgentTurn, func(ev *protocol.Event) { ev.Call = nil }), protocol.Strange{}},
		{"no result, which this agent never tells", nil, event(protocol.PostToolCall, as), protocol.Strange{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, is := d.Strange(c.payload, c.events); is != (c.want != protocol.Strange{}) || is && got != c.want {
				t.Errorf("got %+v %v, want %+v", got, is, c.want)
			}
		})
	}
	other := &protocol.Dialect{}
	if got, is := other.Strange(nil, event(protocol.PostToolCall, as)); !is || got.Field != "tool_response" {
		t.Errorf("no result, which the agent should tell: %+v %v", got, is)
	}
	own := &protocol.Dialect{EventName: func(protocol.Object) string { return "Own" }}
	if got, is := own.Strange(payload("Stop"), nil); !is || got.Event != "Own" {
		t.Errorf("a name in a place of the agent's own: %+v %v", got, is)
	}
}
