package devin

import (
	"cmp"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
	"github.com/agents-hooks/agents-hooks/protocol/internal/patch"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	events := claudelike.Decode(in, id, natives, tools)
	for _, ev := range events {
		ev.WorkDir = cmp.Or(ev.WorkDir, in.Getenv("DEVIN_PROJECT_DIR")) // devin-cli/1
		ev.WorkDir = cmp.Or(ev.WorkDir, in.WorkDir)
		if ev.Call != nil && ev.Call.NativeName == "apply_patch" {
			addPaths(ev)
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

// addPaths adds the files that a patch touches, from whichever member holds the patch
// (devin-cli/7).
func addPaths(ev *protocol.Event) {
	for _, name := range []string{"patch", "input", "command"} {
		paths := patch.Files(ev.Call.NativeInput.Text(name))
		if len(paths) == 0 {
			continue
		}
		ev.Call.Derive("file_path", protocol.Quote(paths[0]))
		ev.Call.Derive("file_paths", protocol.TextList(paths))
		ev.Fields = ev.Fields.Clone()
		ev.Fields.Set("tool_input", ev.Call.Input.Raw())
		return
	}
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
