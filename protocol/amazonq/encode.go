package amazonq

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
	"github.com/agents-hooks/agents-hooks/protocol/internal/qlike"
)

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	a := claudelike.Answer{Max: fieldMax}
	switch ev.Type {
	case protocol.PreToolCall:
		if o.Decision == protocol.Block {
			return qlike.Deny(&a, o.Reason)
		}
	case protocol.PreSession, protocol.PreAgentTurn:
		return qlike.Context(&a, o.AdditionalContext)
	}
	return protocol.Reply{}
}
