package devin

import (
	"cmp"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	events := claudelike.Decode(in, id, natives, tools)
	for _, ev := range events {
		ev.WorkDir = cmp.Or(in.Text("cwd"), in.Getenv("DEVIN_PROJECT_DIR"), in.WorkDir) // devin-cli/1
		if ev.Call != nil && ev.Call.NativeName == "apply_patch" {
			for _, name := range []string{"patch", "input", "command"} { // the first that holds one (devin-cli/7)
				claudelike.AddPatch(ev, ev.Call.NativeInput.Text(name))
			}
		}
		response := in.Payload.Sub("tool_response")
		if ev.Type == protocol.PostToolCall && string(response.Get("success")) == "false" {
			ev.Type = protocol.PostToolCallFailure // devin-cli/4
			said := claudelike.Said(response.Get("error"))
			if said == "" {
				said = claudelike.Said(response.Get("output"))
			}
			ev.Put("error", said)
		}
	}
	return events, nil
}

// detect recognises Devin by prompt_id without the transcript that Claude Code would
// send with it (devin-cli/5); the start of a session has no prompt yet, and only the
// entry tells whose it is.
func detect(p protocol.Object) bool {
	if p.Text("hook_event_name") == "" || p.Text("session_id") == "" || p.Has("transcript_path") || p.Has("conversation_id") {
		return false
	}
	return p.Text("prompt_id") != ""
}
