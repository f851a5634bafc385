package codex

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	events := claudelike.Decode(in, id, natives, toolsFor(in.Text("tool_name")))
	for _, ev := range events {
		switch {
		case ev.Call != nil && ev.Call.NativeName == "apply_patch":
			claudelike.AddPatch(ev, ev.Call.NativeInput.Text("command")) // codex/7
		case ev.Type == protocol.PreSession && in.Text("source") == "compact":
			ev.SetCan(ev.Can &^ protocol.CanBlock) // codex/11
		}
	}
	return events, nil
}

// toolsFor is the table of tools, with an entry for a tool of the collaboration set,
// whose name is joined to the set's (codex/8).
func toolsFor(name string) protocol.Tools {
	if _, ok := tools.Find(name); ok {
		return tools
	}
	for _, set := range []string{"collaboration", "multi_agent_v1", "multi_agent_v2", "multi_agent"} {
		switch tool, ok := strings.CutPrefix(name, set); {
		case !ok:
		case strings.TrimLeft(tool, "._") == "spawn_agent":
			return protocol.Tools{{Native: name, Name: protocol.Task, Also: spawnNames, Keys: spawnKeys}}
		default:
			return protocol.Tools{{Native: name, Name: name, Also: []string{strings.TrimLeft(tool, "._")}}}
		}
	}
	return tools
}

// detect recognises Codex by its transcript, a rollout file, or by turn_id and model
// together; Claude Code has a turn_id as well, on an event without a model.
func detect(p protocol.Object) bool {
	if p.Text("hook_event_name") == "" || p.Text("session_id") == "" || p.Has("prompt_id") || p.Has("timestamp") || p.Has("cursor_version") {
		return false
	}
	if p.Text("turn_id") != "" && p.Text("model") != "" {
		return true
	}
	if p.Text("hook_event_name") == "SessionStart" && p.Has("transcript_path") && p.Has("permission_mode") &&
		!claudelike.TranscriptIn(p, ".factory") && !claudelike.TranscriptIn(p, ".qoder") {
		return true // Claude Code has no permission_mode yet at that point
	}
	return strings.HasPrefix(claudelike.TranscriptBase(p), "rollout-") || claudelike.TranscriptIn(p, ".codex")
}
