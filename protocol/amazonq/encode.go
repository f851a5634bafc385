package amazonq

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
	"github.com/agents-hooks/agents-hooks/protocol/internal/qlike"
)

func noOpinion(string) protocol.Reply { return protocol.Reply{} }

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	r, _ := say(ev, o)
	return r
}

func cuts(ev *protocol.Event, o protocol.Outcome) []string {
	_, cut := say(ev, o)
	return cut
}

// say is what the agent is told, and the names of the texts that are cut.
func say(ev *protocol.Event, o protocol.Outcome) (r protocol.Reply, cut []string) {
	a := claudelike.Answer{Max: fieldMax}
	switch ev.Type {
	case protocol.PreToolCall:
		if o.Decision == protocol.Block {
			r = qlike.Deny(&a, o.Reason)
		}
	case protocol.PreSession, protocol.PreAgentTurn:
		r = qlike.Context(&a, o.AdditionalContext)
	}
	return r, a.Cuts
}
