package setup

import (
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// ServedEvents are the native events of an agent that a hook serves now, for
// install --lean. Two more come along because others lean on them: the prompt
// ends a row of continuations, and a tool call tells what its subagent is for.
func ServedEvents(d *protocol.Dialect, hooks []*discovery.Hook) []string {
	served := map[protocol.EventType]bool{}
	for _, h := range hooks {
		if h.Status == discovery.Ready || h.Status == discovery.Untrusted {
			served[h.Trigger] = true
		}
	}
	if served[protocol.PreAgentTurnStop] {
		served[protocol.PreAgentTurn] = true
	}
	if served[protocol.PreSubagent] {
		served[protocol.PreToolCall] = true
	}
	var names []string
	for _, n := range d.Natives {
		for _, e := range n.Events() {
			if served[e] && !n.Manual {
				names = append(names, n.Name)
				break
			}
		}
	}
	return names
}
