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
		a.Verdict(ev, o) // factory-droid/1
	case protocol.PreAgentTurn:
		a.Prompt(o)
	case protocol.PreAgentTurnStop:
		a.Stop("block", o)
	default:
		a.Context(o.AdditionalContext)
	}
	return a.Reply(ev.NativeEvent, "")
}
