package dispatch

import (
	"context"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// Share is how much of an agent's own time limit we use: the answer has to leave
// before the agent kills us.
const Share = 0.9

// deadline bounds the whole event: --deadline, and nine tenths of the agent's
// own limit.
func (c call) deadline(parent context.Context, from speaker) (context.Context, context.CancelFunc) {
	limit := c.opt.deadline
	if n, ok := from.dialect.Native(from.native); ok && n.Limit > 0 {
		if own := time.Duration(float64(n.Limit) * Share); limit == 0 || own < limit {
			limit = own
		}
	}
	if limit == 0 {
		return context.WithCancel(parent)
	}
	return context.WithDeadline(parent, time.Now().Add(limit))
}

// ran is what the hooks of an event did.
type ran struct {
	loaded
	report runner.Report
}

// run runs the hooks.
func (c call) run(ctx context.Context, from speaker, ses *runner.Session, l loaded) ran {
	r := c.runner(from)
	r.Session, r.StopMax, r.Builtin = ses, from.dialect.StopMax, builtin.Find(c.host, l.world)
	rep := r.Run(ctx, l.event, l.set)
	builtin := func(r runner.Result) bool { return r.Hook.Entry.Builtin }
	if rep.Outcome.Decision == protocol.Block && rep.Event.Can.Has(protocol.CanBlock) && slices.ContainsFunc(rep.Results, builtin) {
		l.world.Dropped() // a block drops contexts
	}
	return ran{l, rep}
}

func (c call) runner(from speaker) *runner.Runner {
	return &runner.Runner{Env: c.host.Given, State: c.host.State, Self: c.host.Self, Home: c.host.Home, Brief: c.brief(from.specForm()), Nested: c.nested}
}

// startAsync starts the async hooks of an event. The answer is out.
func (c call) startAsync(from speaker, r ran) {
	if len(r.report.Async) > 0 {
		c.runner(from).Start(r.report.Async, r.set)
	}
}
