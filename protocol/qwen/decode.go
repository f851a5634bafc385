package qwen

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	p := in.Payload
	submitted := p.Text("submitted_prompt")
	if in.NativeName() == "UserPromptSubmit" && p.Has("prompt") && p.Text("prompt") == "" && submitted == "" {
		return nil, nil // qwen-code/5
	}
	events := claudelike.Decode(in, id, natives, tools)
	for _, ev := range events {
		claudelike.Clock(ev, p.Get("timestamp"))
		switch {
		case ev.Type == protocol.PreAgentTurn && submitted != "":
			ev.Fields.SetText("prompt", submitted) // qwen-code/14
		case ev.Type == protocol.PreSession && p.Text("source") == "compact":
			ev.SetCan(ev.Can &^ protocol.CanContext) // qwen-code/7
		case p.Has("context_limit"):
			protocol.Usage{ContextTokens: p.Int("input_tokens"), ContextWindow: p.Int("context_limit"), InputTokens: p.Int("input_tokens")}.Put(ev)
		}
	}
	return events, nil
}

// detect recognises Qwen Code by a combination of members that no other agent has, or
// by its transcript.
func detect(p protocol.Object) bool {
	if p.Text("hook_event_name") == "" || p.Text("timestamp") == "" || p.Has("cursor_version") {
		return false
	}
	return p.Has("submitted_prompt") || p.Has("permission_mode") || claudelike.TranscriptIn(p, ".qwen")
}
