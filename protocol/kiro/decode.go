package kiro

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/qlike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	return qlike.Decode(in, id, "", natives, tools), nil
}

// detect recognises Kiro by the names of its events together with a session, which
// Amazon Q does not send.
func detect(p protocol.Object) bool {
	return qlike.Named(p) && p.Text("hook_event_name") != "agentSpawn" && p.Text("session_id") != ""
}
