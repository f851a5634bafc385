package dispatch

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/strange"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// An oddity is what of a payload its agent's dialect does not know, if anything.
type oddity struct {
	protocol.Strange
	is      bool
	payload protocol.Object
	version string
}

// strange reports what was strange. The format's own form is written by hand, and has
// its own words for that (doubts).
func (in decoded) strange() (o oddity) {
	if in.from.specForm() || in.from.dialect.Decode == nil {
		return o
	}
	if o.Strange, o.is = in.from.dialect.Strange(in.payload, in.events); o.is {
		o.payload = in.payload
		if len(in.events) > 0 {
			o.version = in.events[0].Context.Text("agent_version")
		}
	}
	return o
}

// noteStrange counts it, once the answer is out. What cannot be kept is in the log.
func (c *call) noteStrange(a answer) {
	o := a.strange
	if !o.is {
		return
	}
	if err := strange.Note(c.host.State, a.from.dialect.ID, o.Strange, o.version, o.payload, c.start); err != nil {
		c.log(a.from, runner.LogLine{}, []runner.Warning{note("strange", "what was strange in this event is not counted: %v", err)})
	}
}
