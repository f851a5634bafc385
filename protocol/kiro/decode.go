package kiro

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/qlike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	return qlike.Decode(in, id, "", natives, tools), nil
}

// detect recognises Kiro by the names of its events and the session, which Amazon Q
// does not give.
func detect(p protocol.Object) bool {
	return qlike.Named(p) && p.Text("hook_event_name") != "agentSpawn" && p.Text("session_id") != ""
}
