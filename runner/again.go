package runner

import (
	"bytes"
	"slices"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
)

// A judge is a sync hook that had its turn, whether it was due then or not.
type judge struct {
	hook    *discovery.Hook
	changes int // how often the input had been changed by then
	async   int // how many async hooks had their place before it
}

// again asks the hooks that ran before the input was changed once more, so that they
// judge what really happens. Of a hook that ran already only the decision counts, never
// a further change: two that rewrite each other would never end. If one blocks, the
// async hooks after it are not started.
func (c *chain) again() {
	for _, j := range c.judges {
		if j.changes == c.changes {
			return // those after it saw the input as it is
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
		if in := r.Outcome.ModifiedInput; in != nil {
			r.Outcome.ModifiedInput = nil
			if _, new := changed(c.ev, in); new {
				c.warn(h.Name, "again", "changed the input once more when it was asked about the changed one; that is left out")
				if r.Outcome.Decision == protocol.Allow {
					r.Outcome.Decision, r.Outcome.Reason = protocol.NoOpinion, "" // it allowed what does not run
				}
			}
		}
		if slices.ContainsFunc(c.rep.Results, func(before Result) bool { return before.Hook == h }) {
			r.Outcome = protocol.Outcome{Decision: r.Outcome.Decision, Reason: r.Outcome.Reason}
		}
		c.told(&r)
		if c.take(r) {
			c.rep.Async = c.rep.Async[:j.async]
			return
		}
	}
}

// changed is the event with another input, and whether that differs from the one it
// had.
func changed(ev *protocol.Event, input protocol.Object) (_ *protocol.Event, new bool) {
	after := ev.Clone()
	after.SetInput(input)
	return after, !bytes.Equal(ev.Call.Input.Raw(), after.Call.Input.Raw())
}

// asIs reports whether a call already has everything that a hook wants of it; what a
// modified input leaves out stays as it is. A call that the agent makes because a hook
// asked for it would otherwise be refused for ever.
func asIs(ev *protocol.Event, input protocol.Object) bool {
	return ev.Call != nil && !slices.ContainsFunc(input, func(m protocol.Member) bool {
		have := ev.Call.Input.Get(m.Name)
		return have == nil || !bytes.Equal(protocol.AppendValue(nil, have), protocol.AppendValue(nil, m.Value))
	})
}
