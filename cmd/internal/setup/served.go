package setup

import (
	"slices"

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
	for _, n := range d.NativeEvents {
		for _, e := range n.Events() {
			if served[e] && !n.Manual {
				names = append(names, n.Name)
				break
			}
		}
	}
	return names
}

// ClosedEvents are the native events of an agent at which a hook blocks where it fails, so
// that a failure of the entry itself has to as well: else whoever ends the dispatcher
// passes the hook. Those at whose end an agent may go on are not among them: a block
// there would hold nobody. A project says nothing for what its user has everywhere.
func ClosedEvents(d *protocol.Dialect, scope protocol.Scope, set *discovery.Set) (names []string) {
	blocks := map[protocol.EventType]bool{}
	for _, h := range set.Hooks {
		if h.Layer == discovery.ProjectLayer && scope != protocol.ProjectScope || h.Async || h.Status != discovery.Ready {
			continue
		}
		blocks[h.Trigger] = blocks[h.Trigger] || h.OnError == discovery.OnErrorBlock ||
			h.OnError == discovery.OnErrorDefault && set.Settings.OnError == discovery.OnErrorBlock
	}
	for _, n := range d.NativeEvents {
		if n.Can.Has(protocol.CanBlock) && !n.Can.Has(protocol.CanContinue) && !n.Manual && slices.ContainsFunc(n.Events(), func(t protocol.EventType) bool { return blocks[t] }) {
			names = append(names, n.Name)
		}
	}
	return names
}
