package dispatch

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// taken is the event that decided, and what came of it.
type taken struct {
	event   *protocol.Event
	root    string
	outcome protocol.Outcome
	results []runner.Result
	async   []string // hooks that wait until the answer is out
}

// take remembers the event that decided, for a recording. It copies nothing.
func (c *call) take(ev *protocol.Event, rep runner.Report, set *discovery.Set, o protocol.Outcome) {
	c.taken = &taken{event: ev, root: set.Root, outcome: o, results: rep.Results}
	for _, l := range rep.Async {
		c.taken.async = append(c.taken.async, l.Hook.Name)
	}
}

// record keeps the event if its user said so for this project. The answer is out
// already. A dispatcher inside a hook is no session of an agent, and is left out.
func (c *call) record(r protocol.Reply) {
	store := record.Store{State: c.opt.state}
	if c.taken == nil || !store.On(c.taken.root) || c.host.Getenv("AGENTS_HOOKS_DEPTH") != "" {
		return
	}
	ev := c.taken.event
	err := store.Add(c.taken.root, record.Entry{
		Time: c.start, Agent: c.dialect.ID, NativeEvent: c.native, Event: string(ev.Type),
		Session: ev.SessionID, Project: c.taken.root, WorkDir: c.host.WorkDir, Flag: c.opt.event, EnvFile: ev.EnvFile != "",
		Payload: c.payload.Raw(),
		Answer:  c.taken.answer(r),
	})
	if err != nil {
		c.note("record", "this event is not in the recording: %v", err)
		c.log(&runner.LogLine{Event: string(ev.Type), Session: ev.SessionID, Decision: c.taken.outcome.Decision.String()})
	}
}

// answer is what the agent was told, and by which hooks.
func (t *taken) answer(r protocol.Reply) record.Answer {
	a := record.NewAnswer(r, t.outcome)
	for _, res := range t.results {
		a.Hooks = append(a.Hooks, record.Hook{Name: res.Hook.Name, Result: string(res.Verdict)})
	}
	return a
}
