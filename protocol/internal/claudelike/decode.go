package claudelike

import (
	"path"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Decode turns a payload into the events that natives says it feeds; none if
// its event is not in natives (R7).
func Decode(in protocol.Input, agent string, natives []protocol.Native, tools protocol.Tools) []*protocol.Event {
	n, ok := protocol.FindNative(natives, in.NativeName())
	if !ok {
		return nil
	}
	events := make([]*protocol.Event, len(n.Feeds))
	for i := range events {
		events[i] = in.NewEvent(agent, n, i)
		fill(events[i], in.Payload, tools)
		common(events[i], in.Payload)
	}
	return events
}

// fill adds the fields of the event's kind, in the order in which a hook sees
// them.
func fill(ev *protocol.Event, p protocol.Object, tools protocol.Tools) {
	switch ev.Type {
	case protocol.PreSession:
		ev.Take(p, "source")
	case protocol.PostSession:
		ev.Put("exit_reason", ExitReason(p.Text("reason")))
	case protocol.PreAgentTurn:
		ev.Take(p, "prompt")
		ev.Put("source", promptSource(p))
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		stop(ev, p)
	case protocol.PreToolCall, protocol.PostToolCall, protocol.PostToolCallFailure:
		call := tools.NewCall(p.Text("tool_name"), p.Get("tool_input"))
		call.ID = p.Text("tool_use_id")
		ev.PutCall(call, CallID(ev, call))
		ev.Take(p, "tool_response")
		ev.Take(p, "error")
		ev.Take(p, "duration_ms")
	case protocol.PostSubagent:
		ev.Put("status", "completed")
		ev.PutFinal(p.Text("last_assistant_message"))
		ev.TakeAs("stop_active", p, "stop_hook_active")
	case protocol.PreContextCompact, protocol.PostContextCompact:
		ev.Take(p, "trigger")
	}
}

// stop adds what is known of the end of a turn. Which end it was is in the name
// of the agent's event.
func stop(ev *protocol.Event, p protocol.Object) {
	switch ev.NativeEvent {
	case "StopFailure":
		ev.Put("status", "error")
		ev.Put("error", joined(p.Text("error"), p.Text("error_details")))
	case "Interrupt":
		ev.Put("status", "aborted")
	default:
		ev.Put("status", "completed")
		ev.Put("stop_reason", "no_tool_calls")
	}
	ev.PutFinal(p.Text("last_assistant_message"))
	if ev.Type == protocol.PreAgentTurnStop {
		ev.TakeAs("stop_active", p, "stop_hook_active")
	}
}

// common adds what any event may have: which transcript, which mode, which
// model, and which subagent it happened in.
func common(ev *protocol.Event, p protocol.Object) {
	ev.Take(p, "transcript_path")
	ev.Take(p, "permission_mode")
	ev.Take(p, "model")
	ev.Put("subagent_type", p.Text("agent_type"))
	ev.Put("agent_id", p.Text("agent_id"))
}

// CallID is the tool_use_id of a call: the agent's own, else one made of what
// was called, so that the events before and after the call agree.
func CallID(ev *protocol.Event, c *protocol.Call) string {
	if c.ID != "" {
		return c.ID
	}
	input := protocol.AppendValue(nil, c.NativeInput.Raw())
	return "call-" + protocol.StableID(ev.SessionID, c.NativeName, string(input))[:16]
}

// promptSource says who a prompt is from. Agents report some of their own
// messages as prompts: the notice that a background task is done, and the task
// that a subagent is given.
func promptSource(p protocol.Object) string {
	switch {
	case strings.HasPrefix(strings.TrimLeft(p.Text("prompt"), " \t\r\n"), "<task-notification>"):
		return "notification"
	case p.Text("agent_id") != "":
		return "subagent"
	}
	return "user"
}

// ExitReason is why a session ended, in the format's words where it has one.
func ExitReason(reason string) string {
	if reason == "prompt_input_exit" {
		return "user_close"
	}
	return reason
}

// TranscriptBase is the file name of a payload's transcript, written with either
// kind of slash.
func TranscriptBase(p protocol.Object) string {
	name := strings.ReplaceAll(p.Text("transcript_path"), `\`, "/")
	if name == "" {
		return ""
	}
	return path.Base(name)
}

// TranscriptIn reports whether a payload's transcript lies below a folder of
// that name.
func TranscriptIn(p protocol.Object, folder string) bool {
	name := strings.ReplaceAll(p.Text("transcript_path"), `\`, "/")
	return strings.Contains(name, "/"+folder+"/")
}

// Said is what a member says: the text of a string, the JSON of anything else,
// nothing if it is not there or null.
func Said(raw protocol.Raw) string {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case raw[0] == '"':
		return protocol.TextOf(raw)
	}
	return string(protocol.AppendValue(nil, raw))
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ": " + b
}
