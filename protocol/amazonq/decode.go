package amazonq

import (
	"cmp"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/qlike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	if in.Payload.Has("hook_events") && !in.Payload.Has("tool_name") {
		return nil, nil // all calls of a turn, sent again to an entry that asks for them
	}
	dir := cmp.Or(in.Text("cwd"), in.WorkDir)
	session := protocol.StableID(id, dir, in.Getenv("QTERM_SESSION_ID"), in.Getenv("TERM_SESSION_ID")) // amazon-q/3
	return qlike.Decode(in, id, session, natives, tools), nil
}

// detect recognises Amazon Q by the names of its events; Kiro shares most of them but
// sends a session as well.
func detect(p protocol.Object) bool {
	return qlike.Named(p) && (p.Text("hook_event_name") == "agentSpawn" || !p.Has("session_id") && p.Text("hook_event_name") != "sessionStart")
}
