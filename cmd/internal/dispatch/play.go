package dispatch

import (
	"context"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Played is the result of events that were played.
type Played struct {
	Answer record.Answer
	Async  []string // hooks that run would have started now
	// Echo is set if the agent seems to repeat what we told it to go on with: then no hook is
	// asked.
	Echo bool
}

// Play runs the events of one native event through the hooks, as run would: the hooks really
// run. State is only kept below h.State, for which the caller provides its own directory. Async
// hooks are not started, nothing is written to files that the agent reads, and nothing is
// recorded. Ending ctx stops the running hook.
func Play(ctx context.Context, h host.Host, d *protocol.Dialect, events []*protocol.Event, trustAlways bool) Played {
	c := call{host: h.At(host.Entry{TrustAlways: trustAlways}), opt: options{agent: d.ID}, start: h.Now()}
	from := spoken(d).at(events[0].NativeEvent)
	ctx, cancel := c.deadline(ctx, from)
	defer cancel()
	a := c.events(ctx, decoded{from: from, events: events}, nil)
	if a.decided == nil {
		return Played{Answer: record.NewAnswer(a.reply, protocol.Outcome{}), Echo: true}
	}
	p := Played{Answer: a.told()}
	for _, l := range a.decided.report.Async {
		p.Async = append(p.Async, l.Hook.Name)
	}
	return p
}
