package goose

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// encode prints a verdict, a banner or nothing at all (goose/1).
func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	var a claudelike.Answer
	switch ev.Type {
	case protocol.PreToolCall:
		if o.Decision == protocol.Block {
			a.Block("block", o.Reason)
		}
	case protocol.PreAgentTurnStop:
		a.Stop("block", o)
	case protocol.PreSession:
		a.SetText(&a.Top, "banner", o.UserMessage) // goose/5
	}
	return a.Reply(ev.NativeEvent, "")
}
