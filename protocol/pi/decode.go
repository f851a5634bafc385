package pi

import (
	"cmp"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// detect recognises Pi by the frame of our extension, which names its agent.
func detect(p protocol.Object) bool {
	return p.Text("agent") == id && p.Text("hook") != "" && p.Has("event")
}

// A frame is what the extension sends, parsed.
type frame struct {
	protocol.Object
	event, state protocol.Object
}

func decode(in protocol.Input) ([]*protocol.Event, error) {
	f := frame{in.Payload, in.Payload.Sub("event"), in.Payload.Sub("state")}
	name := cmp.Or(f.Text("hook"), in.Event)
	n, ok := protocol.FindNative(natives, name)
	if !ok {
		return nil, nil
	}
	if name == "agent_end" && !f.completed() {
		n.MapsTo, n.Can = n.Instead, n.CanOf(protocol.PostAgentTurn)&^n.Lacks
	}
	in.Version = f.Text("agent_version")
	events := make([]*protocol.Event, len(n.MapsTo))
	for i := range events {
		ev := in.NewEvent(id, n, i)
		f.fill(ev)
		if !ev.Type.IsTool() {
			u := f.state.Sub("usage")
			protocol.Usage{ContextTokens: u.Int("context_tokens"), ContextWindow: u.Int("context_window"),
				InputTokens: u.Int("input_tokens"), OutputTokens: u.Int("output_tokens")}.Put(ev)
		}
		events[i] = ev
	}
	return events, nil
}

// fill adds the fields of the event's kind, in the order in which a hook sees
// them.
func (f *frame) fill(ev *protocol.Event) {
	switch ev.Type {
	case protocol.PreSession:
		ev.Put("source", f.source())
		ev.Put("model", f.Text("model"))
	case protocol.PostSession:
		ev.TakeAs("exit_reason", f.event, "reason")
	case protocol.PreAgentTurn:
		ev.TakeAs("prompt", f.event, "text")
		source := "user"
		if f.event.Text("source") == "extension" {
			source = "notification"
		}
		ev.Put("source", source)
		ev.Put("model", f.Text("model"))
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		f.stop(ev)
	case protocol.PreToolCall, protocol.PostToolCall, protocol.PostToolCallFailure:
		f.call(ev)
	case protocol.PreContextCompact, protocol.PostContextCompact:
		ev.Put("trigger", f.state.Text("trigger"))
	}
	if path := f.Text("session_file"); path != "" {
		ev.Put("transcript_path", path)
	}
}

// source is how a session began (pi/13).
func (f *frame) source() string {
	switch reason := f.event.Text("reason"); {
	case reason == "new":
		return "clear"
	case reason == "resume", reason == "fork", f.state.Bool("resumed"):
		return "resume"
	}
	return "startup"
}

// message is the model's last one in a turn that ended.
func (f *frame) message() protocol.Object {
	list := protocol.ElementsOf(f.event.Get("messages"))
	if len(list) == 0 {
		return nil
	}
	return protocol.ObjectOf(list[len(list)-1])
}

// completed reports whether a turn ended by itself.
func (f *frame) completed() bool {
	reason := f.message().Text("stopReason")
	return reason != "error" && reason != "aborted"
}

// stop adds what is known about the end of a turn.
func (f *frame) stop(ev *protocol.Event) {
	m := f.message()
	switch reason := m.Text("stopReason"); reason {
	case "error", "aborted":
		ev.Put("status", reason)
		ev.Put("error", m.Text("errorMessage"))
	case "length":
		ev.Put("status", "completed")
		ev.Put("stop_reason", reason)
	default:
		ev.Put("status", "completed")
		ev.Put("stop_reason", "no_tool_calls")
	}
	ev.PutFinal(texts(m.Get("content"), ""))
	if ev.Type == protocol.PreAgentTurnStop {
		active := protocol.Raw("false")
		if f.state.Bool("stop_active") {
			active = protocol.Raw("true")
		}
		ev.Fields = append(ev.Fields, protocol.Member{Name: "stop_active", Value: active})
	}
}

// texts joins the texts of a message's or a result's parts.
func texts(content protocol.Raw, between string) string {
	var all []string
	for _, raw := range protocol.ElementsOf(content) {
		if part := protocol.ObjectOf(raw); part.Text("type") == "text" {
			all = append(all, part.Text("text"))
		}
	}
	return strings.Join(all, between)
}

// call adds the tool call and its result.
func (f *frame) call(ev *protocol.Event) {
	c := tools.NewCall(f.event.Text("toolName"), f.event.Get("input"))
	c.ID = f.event.Text("toolCallId")
	if edits := protocol.ElementsOf(c.NativeInput.Get("edits")); c.Name == protocol.EditFile && len(edits) > 0 { // pi/5
		edit := protocol.ObjectOf(edits[0])
		for _, k := range [...]protocol.Key{{Portable: "old_string", Native: "oldText"}, {Portable: "new_string", Native: "newText"}} {
			if v := edit.Get(k.Native); v != nil {
				c.Derive(k.Portable, v)
			}
		}
	}
	ev.PutCall(c, claudelike.CallID(ev, c))
	if ev.NativeEvent != "tool_result" {
		return
	}
	if f.event.Bool("isError") { // pi/6
		ev.Type = protocol.PostToolCallFailure
		text := cmp.Or(texts(f.event.Get("content"), "\n"), "the tool failed")
		ev.Put("error", text)
		return
	}
	response := protocol.Object{}
	for _, name := range [...]string{"content", "details"} {
		if v := f.event.Get(name); v != nil && string(v) != "null" {
			response = append(response, protocol.Member{Name: name, Value: v})
		}
	}
	ev.Fields = append(ev.Fields, protocol.Member{Name: "tool_response", Value: response.Raw()})
}
