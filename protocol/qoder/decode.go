package qoder

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	in.Version = in.Getenv("QODER_HOOK_VERSION")
	events := claudelike.Decode(in, id, natives, tools)
	for _, ev := range events {
		if ev.Type == protocol.PreToolCall && in.Text("permission_mode") == "yolo" {
			ev.SetCan(ev.Can &^ protocol.CanAsk) // qoder/3
		}
	}
	return events, nil
}

// detect recognises Qoder CLI by its transcript, which is in its own folder.
func detect(p protocol.Object) bool {
	return p.Text("hook_event_name") != "" && !p.Has("timestamp") && !p.Has("cursor_version") && claudelike.TranscriptIn(p, ".qoder")
}
