package droid

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	var a claudelike.Answer
	a.Message(o.UserMessage)
	switch ev.Type {
	case protocol.PreToolCall:
		if o.Decision == protocol.Block {
			a.Permission("deny", claudelike.Reason(o.Reason))
		} else {
			if o.Decision == protocol.Allow {
				a.Permission("allow", o.Reason) // factory-droid/1
			}
			a.Input(ev, "updatedInput", o.ModifiedInput)
		}
	case protocol.PreAgentTurn:
		if o.Decision == protocol.Block {
			a.Block("block", o.Reason)
		}
		a.Context(o.AdditionalContext)
	case protocol.PreAgentTurnStop:
		switch {
		case o.Decision == protocol.Block:
			a.GoOn("block", o.Reason)
		case o.FollowupMessage != "":
			a.GoOn("block", o.FollowupMessage)
		}
	default:
		a.Context(o.AdditionalContext)
	}
	return a.Reply(ev.NativeEvent, "")
}
