package dispatch

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/runner"
)

// ProbeMember is the member of a payload that doctor --probe made up, to see
// whether an entry is alive; ProbePrefix begins its value, the session of the
// line in the log. Such an event runs no hook: a quality gate must not run its
// tests because somebody asked whether it is there. The mark is in the payload,
// which comes from the agent, and not in the environment, which a repository can
// set.
const (
	ProbeMember = "agents_hooks_probe"
	ProbePrefix = "agents-hooks-probe-"
)

// probed reports whether a payload is a probe of an entry, and takes its agent
// from the entry.
func (c *call) probed(payload protocol.Object) bool {
	if !payload.Has(ProbeMember) {
		return false
	}
	d, ok := agents.Lookup(c.opt.agent)
	if ok {
		c.dialect = d
		c.native = protocol.Input{Payload: payload, Event: c.opt.event}.NativeName()
	}
	return ok
}

// probe answers a made-up event: a line in the log, and no opinion.
func (c *call) probe(session string) protocol.Reply {
	c.note("probe", "doctor asked whether this entry is alive; no hook was run")
	event := ""
	if n, ok := c.dialect.Native(c.native); ok {
		event = string(n.Feeds[0])
	}
	c.log(&runner.LogLine{Event: event, Session: session, Decision: protocol.NoOpinion.String()})
	return c.noOpinion()
}
