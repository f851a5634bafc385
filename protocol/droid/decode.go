package droid

import (
	"cmp"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	p := in.Payload
	if name := p.Text("hookEventName"); name != "" && p.Text("hook_event_name") == "" {
		in.Event = name // factory-droid/2
	}
	events := claudelike.Decode(in, id, natives, tools)
	for _, ev := range events {
		ev.SessionID = cmp.Or(ev.SessionID, p.Text("sessionId"))
		if ev.Type == protocol.PreAgentTurnStop || ev.Type == protocol.PostSubagent {
			takeElse(ev, "stop_active", p, "stopHookActive")
		}
		takeElse(ev, "transcript_path", p, "transcriptPath")
		takeElse(ev, "permission_mode", p, "permissionMode")
		switch {
		case ev.Call != nil:
			result(ev, p)
		case ev.Type == protocol.PreSession:
			session(ev, in)
		case ev.Type == protocol.PreAgentTurn && strings.HasPrefix(p.Text("prompt"), "# Task Tool Invocation\n"):
			ev.Fields.SetText("source", "subagent") // factory-droid/15
		case ev.Type == protocol.PostSubagent:
			ev.TakeAs("task_description", p, "task_name")
			ev.PutFinal(p.Text("task_result"))
		}
	}
	return events, nil
}

// session tells a session's start from a subagent's.
func session(ev *protocol.Event, in protocol.Input) {
	if caller := in.Text("calling_session_id"); caller != "" {
		ev.Type, ev.SessionID = protocol.PreSubagent, caller // factory-droid/13
		ev.Fields.Delete("source")
		ev.Put("agent_id", in.Text("session_id"))
	}
}

// takeElse takes a member in its other spelling, unless the field is already set.
func takeElse(ev *protocol.Event, name string, p protocol.Object, other string) {
	if !ev.Fields.Has(name) {
		ev.TakeAs(name, p, other)
	}
}

// result adds what a patch touches, and recognises a failed call.
func result(ev *protocol.Event, p protocol.Object) {
	if ev.Call.NativeName == "ApplyPatch" {
		claudelike.AddPatch(ev, ev.Call.NativeInput.Text("input")) // factory-droid/10
	}
	r := p.Sub("tool_response")
	message := claudelike.Said(r.Get("error"))
	if ev.Type == protocol.PostToolCall && (message != "" && message != "false" || string(r.Get("success")) == "false") {
		ev.Type = protocol.PostToolCallFailure // factory-droid/7
		if message == "" {
			message = claudelike.Said(p.Get("tool_response"))
		}
		ev.Put("error", message)
	}
}

// detect recognises Droid by its permission modes, which no other agent has, or by
// its transcript.
func detect(p protocol.Object) bool {
	mode := cmp.Or(p.Text("permission_mode"), p.Text("permissionMode"))
	switch mode {
	case "off", "spec", "auto-low", "auto-medium", "auto-high":
		return p.Text("hook_event_name") != "" || p.Text("hookEventName") != ""
	}
	return p.Text("hook_event_name") != "" && claudelike.TranscriptIn(p, ".factory")
}

// eventName is the event that a payload names, in either spelling.
func eventName(p protocol.Object) string {
	return cmp.Or(p.Text("hook_event_name"), p.Text("hookEventName"))
}
