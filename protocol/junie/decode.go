package junie

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	events := claudelike.Decode(in, id, natives, tools)
	for _, ev := range events { // junie/1
		if ev.SessionID == "" {
			ev.SessionID = protocol.StableID(id, ev.WorkDir, in.Getenv("TERM_SESSION_ID"))
		}
	}
	return events, nil
}

// detect never recognises Junie: its payloads have the event's name and the event's
// own members, like anybody's (junie/9).
func detect(protocol.Object) bool { return false }
