package setup

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// ServedEvents are an agent's native events that some hook uses now, for install
// --lean. Two more are included because others depend on them: the prompt ends a
// series of continuations, and a tool call says what its subagent is for.
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

// ClosedEvents are an agent's native events on which a hook blocks if it fails, because
// somebody said so or the program does that it was written for, so that a failure of the
// entry itself has to block as well: otherwise whoever ends the dispatcher bypasses the hook. Events at whose end an agent may continue are left
// out: a block there would stop nobody. A project does not decide about entries that
// its user has everywhere.
func ClosedEvents(d *protocol.Dialect, scope protocol.Scope, set *discovery.Set) (names []string) {
	blocks := map[protocol.EventType]bool{}
	for _, h := range set.Hooks {
		if h.Layer == discovery.ProjectLayer && scope != protocol.ProjectScope || h.Async || h.Status != discovery.Ready {
			continue
		}
		why, _ := h.FailureBlocks(h.Trigger, set.Settings.OnError)
		blocks[h.Trigger] = blocks[h.Trigger] || why != ""
	}
	for _, n := range d.NativeEvents {
		if n.Can.Has(protocol.CanBlock) && !n.Can.Has(protocol.CanContinue) && !n.Manual && slices.ContainsFunc(n.Events(), func(t protocol.EventType) bool { return blocks[t] }) {
			names = append(names, n.Name)
		}
	}
	return names
}
