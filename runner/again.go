package runner

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
)

// A judged hook is a locked one that had its turn.
type judged struct {
	hook    *discovery.Hook
	changes int // how often the input had been changed until then
}

// again asks the locked hooks once more where a hook after them changed the input:
// what they judge is what happens. Only what they decide counts then, and of one
// that is asked for the first time what it says; the input stays as it is.
func (c *chain) again() {
	for _, j := range c.held {
		if j.changes == c.changes || j.hook.Async {
			continue
		}
		h := j.hook
		m := h.Match(c.ev, &c.budget, false)
		if m.Warning != "" {
			c.warn(h.Name, "match", m.Warning)
		}
		if !m.OK {
			continue // broken ones have blocked, or may fail
		}
		c.ev = deed.Tell(c.ev)
		r := c.turn(h)
		if r.Outcome.ModifiedInput != nil {
			r.Outcome.ModifiedInput = nil
			c.warn(h.Name, "again", "changed the input once more when it was asked about the changed one; that is left out")
		}
		if slices.ContainsFunc(c.rep.Results, func(before Result) bool { return before.Hook == h }) {
			r.Outcome = protocol.Outcome{Decision: r.Outcome.Decision, Reason: r.Outcome.Reason}
		}
		if r.Warning != "" {
			c.warn(h.Name, r.kind(), r.Warning)
		}
		if c.take(r) {
			return
		}
	}
}
