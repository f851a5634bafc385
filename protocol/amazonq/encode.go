package amazonq

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
	"github.com/agents-hooks/agents-hooks/protocol/internal/qlike"
)

func noOpinion(string) protocol.Reply { return protocol.Reply{} }

func encode(ev *protocol.Event, o protocol.Outcome) (protocol.Reply, []string) {
	a := claudelike.Answer{Max: fieldMax}
	var r protocol.Reply
	switch ev.Type {
	case protocol.PreToolCall:
		if o.Decision == protocol.Block {
			r = qlike.Deny(&a, o.Reason)
		}
	case protocol.PreSession, protocol.PreAgentTurn:
		r = qlike.Context(&a, o.AdditionalContext)
	}
	a.DropEnv(o)
	return r, a.Warnings
}
