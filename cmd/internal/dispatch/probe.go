package dispatch

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// ProbeMember is the member that marks a payload made by doctor --probe, which checks that an
// entry works; ProbePrefix begins its value, the session in the log line. Such an event runs no
// hook: a quality gate must not run its tests because somebody asked whether it is there. The
// mark is in the payload, which comes from the agent, and not in the environment, which a
// repository can set.
const (
	ProbeMember = "agents_hooks_probe"
	ProbePrefix = "agents-hooks-probe-"
)

// probe answers such an event to the agent that the entry names: a line in the log, and no
// opinion.
func (c call) probe(d *protocol.Dialect, payload protocol.Object) answer {
	from := spoken(d).at(protocol.Input{Payload: payload, Event: c.opt.event}.NativeName())
	line := runner.LogLine{Session: payload.Text(ProbeMember)}
	if n, ok := d.Native(from.native); ok {
		line.Event = string(n.MapsTo[0])
	}
	c.log(from, line, []runner.Warning{note("probe", "doctor asked whether this entry is alive; no hook was run")})
	return answer{reply: from.noOpinion(), from: from}
}
