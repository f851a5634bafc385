package claude

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	p := in.Payload
	if in.NativeName() == "SubagentStop" && p.Has("agent_type") && p.Text("agent_type") == "" {
		return nil, nil // claude-code/3
	}
	in.Version = version(in.Getenv("AI_AGENT"))
	events := claudelike.Decode(in, id, natives, tools)
	if len(events) > 0 && events[0].Type == protocol.PreSession {
		events[0].EnvFile = in.Getenv("CLAUDE_ENV_FILE")
	}
	if len(events) > 0 && events[0].Type == protocol.PostToolCall {
		if _, v := output(events[0], "x"); v == nil {
			events[0].SetCan(events[0].Can &^ protocol.CanOutput) // claude-code/16
		}
	}
	return events, nil
}

// version reads the program's version from its mark in the environment
// (claude-code/13).
func version(mark string) string {
	rest, ok := strings.CutPrefix(mark, "claude-code_")
	if !ok {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "_")
	for _, c := range rest {
		if c != '-' && (c < '0' || c > '9') {
			return ""
		}
	}
	return strings.ReplaceAll(rest, "-", ".")
}

// detect tells Claude Code by its transcript, which is named after the session,
// or by prompt_id. Others have taken over most of its form: Cursor even runs its
// entries, and says so by members of its own.
func detect(p protocol.Object) bool {
	name, session := p.Text("hook_event_name"), p.Text("session_id")
	if name == "" || session == "" || !p.Has("transcript_path") {
		return false
	}
	for _, foreign := range []string{"timestamp", "cursor_version", "generation_id", "client_type", "workspace_roots"} {
		if p.Has(foreign) {
			return false
		}
	}
	if claudelike.TranscriptIn(p, ".factory") {
		return false // Factory Droid, whose transcript is named in the same way
	}
	if p.Text("turn_id") != "" && p.Text("model") != "" || name == "SessionStart" && p.Has("permission_mode") {
		return false // Codex
	}
	if p.Text("prompt_id") != "" {
		return true
	}
	return claudelike.TranscriptBase(p) == session+".jsonl" || claudelike.TranscriptIn(p, ".claude")
}
