package amazonq

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/qlike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	if in.Payload.Has("hook_events") && !in.Payload.Has("tool_name") {
		return nil, nil // calls of a whole turn, told once more to an entry that asks for it
	}
	dir := in.Text("cwd")
	if dir == "" {
		dir = in.WorkDir
	}
	session := protocol.StableID(id, dir, in.Getenv("QTERM_SESSION_ID"), in.Getenv("TERM_SESSION_ID")) // amazon-q/3
	return qlike.Decode(in, id, session, natives, tools), nil
}

// detect tells Amazon Q by the names of its events; Kiro has most of them, with a
// session.
func detect(p protocol.Object) bool {
	return qlike.Named(p) && (p.Text("hook_event_name") == "agentSpawn" || !p.Has("session_id") && p.Text("hook_event_name") != "sessionStart")
}
