package kiro

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
	"github.com/agents-hooks/agents-hooks/protocol/internal/qlike"
)

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	var a claudelike.Answer
	var r protocol.Reply
	switch ev.Type {
	case protocol.PreAgentTurnStop:
		a.Stop("block", o)
		r = a.Reply(ev.NativeEvent, "") // kiro/4
	case protocol.PreToolCall, protocol.PreAgentTurn, protocol.PreSession:
		if o.Decision == protocol.Block {
			r = qlike.Deny(&a, o.Reason)
		} else {
			r = qlike.Context(&a, o.AdditionalContext)
		}
	}
	return r
}
