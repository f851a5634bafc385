package windsurf

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// encode writes the only thing that can be said (windsurf/1).
func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	if o.Decision != protocol.Block || !ev.Can.Has(protocol.CanBlock) {
		return protocol.Reply{}
	}
	return protocol.Reply{Exit: 2, Stderr: []byte(claudelike.Reason(o.Reason) + "\n")}
}
