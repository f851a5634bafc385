package junie

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	events := claudelike.Decode(in, id, natives, tools)
	for _, ev := range events { // junie/1
		if ev.WorkDir == "" {
			ev.WorkDir = in.WorkDir
		}
		if ev.SessionID == "" {
			ev.SessionID = protocol.StableID(id, ev.WorkDir, in.Getenv("TERM_SESSION_ID"))
		}
	}
	return events, nil
}

// detect tells Junie by what its payloads leave out: they have the event's name
// and the event's own members, and nothing else.
func detect(p protocol.Object, _ func(string) string) bool {
	for _, m := range p {
		switch m.Name {
		case "hook_event_name", "source", "reason", "prompt", "tool_name", "tool_input", "stop_hook_active", "last_assistant_message", "error", "error_details":
		default:
			return false
		}
	}
	switch p.Text("hook_event_name") {
	case "SessionStart":
		return p.Has("source")
	case "SessionEnd":
		return p.Has("reason")
	case "UserPromptSubmit":
		return p.Has("prompt")
	case "PreToolUse", "PermissionRequest":
		return p.Has("tool_name") && p.Has("tool_input")
	case "Stop":
		return p.Has("stop_hook_active")
	case "StopFailure":
		return p.Has("error")
	}
	return false
}
