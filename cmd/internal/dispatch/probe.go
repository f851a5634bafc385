package dispatch

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// ProbePrefix begins the session of an event that doctor --probe made up, to see
// whether an entry is alive. Such an event is read, decoded and logged like any
// other, but runs no hook: a quality gate must not run its tests because
// somebody asked whether it is there. The mark is in the payload, which comes
// from the agent, and not in the environment, which a repository can set.
const ProbePrefix = "agents-hooks-probe-"

func isProbe(ev *protocol.Event) bool { return strings.HasPrefix(ev.SessionID, ProbePrefix) }

// probe answers a made-up event: a line in the log, and no opinion.
func (c *call) probe(ev *protocol.Event) protocol.Reply {
	c.note("probe", "doctor asked whether this entry is alive; no hook was run")
	c.log(&runner.LogLine{Event: string(ev.Type), Session: ev.SessionID, Decision: protocol.NoOpinion.String()})
	return c.noOpinion()
}
