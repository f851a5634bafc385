package runner

import (
	"fmt"
	"strconv"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A loopGuard keeps hooks from making an agent go on for ever. It counts every time the
// agent is made to go on, by exit 2 or by a follow-up; a hook that merely failed does
// not count.
type loopGuard struct {
	session *Session
	limits  Limits
	counter string
	counts  map[string]count
}

// guard is the loop guard of an event at which the agent can be made to go on.
func (r *Runner) guard(ev *protocol.Event, set *discovery.Set) *loopGuard {
	g := &loopGuard{
		session: r.Session,
		limits:  Limits{set.Settings.StopRow, set.Settings.StopTotal, r.StopMax},
		counter: stopCounter,
		counts:  r.Session.read().counts,
	}
	if ev.Type == protocol.PostSubagent {
		// Several subagents of one session have a row each, if they can be told
		// apart.
		g.counter = "subagent"
		if id := ev.Fields.Text("agent_id"); id != "" {
			g.counter += "-" + safeName(id)
		}
	}
	return g
}

// annotate puts the state of the loop into the event: whether the agent was made to
// go on before, and how often in a row.
func (g *loopGuard) annotate(ev *protocol.Event) *protocol.Event {
	row := max(g.counts[g.counter].row, number(ev.Fields.Get("loop_count")))
	ev = ev.Clone()
	active := "false"
	if row > 0 || ev.Fields.Bool("stop_active") {
		active = "true"
	}
	ev.Fields.Set("stop_active", protocol.Raw(active))
	ev.Fields.Set("loop_count", protocol.Raw(strconv.Itoa(row)))
	return ev
}

// goesOn reports whether an outcome makes the agent of ev go on.
func goesOn(ev *protocol.Event, o *protocol.Outcome) bool {
	return canGoOn(ev.Type) &&
		(o.Decision == protocol.Block && ev.Can.Has(protocol.CanBlock) ||
			o.FollowupMessage != "" && ev.Can.Has(protocol.CanContinue))
}

// check takes out of a result what would make the agent go on beyond a limit. The hooks
// after it still run, since nothing was blocked.
func (g *loopGuard) check(ev *protocol.Event, r *Result) (told string) {
	if !goesOn(ev, &r.Outcome) {
		return ""
	}
	h := r.Hook
	if n := g.counts[hookCounter(g.counter, h.Name)].row; h.LoopLimit > 0 && n >= h.LoopLimit {
		told = fmt.Sprintf("made the agent go on %s in a row, its own limit; the agent may stop now", text.Count(n, "time"))
	} else if told = g.over(); told == "" {
		return ""
	}
	letStop(&r.Outcome)
	return told
}

// over says which general limit is reached, "" if none is.
func (g *loopGuard) over() string {
	c := g.counts[g.counter]
	switch {
	case g.limits.row() <= 0 || g.limits.Total <= 0:
		return "the stop_limit of 0 lets no hook make the agent go on; it may stop now"
	case c.row >= g.limits.row():
		return fmt.Sprintf("the agent was made to go on %s in a row, which is the limit; it may stop now", text.Count(c.row, "time"))
	case c.total >= g.limits.Total:
		return fmt.Sprintf("the agent was made to go on %s in this session, which is the limit; it may stop now", text.Count(c.total, "time"))
	}
	return ""
}

// commit counts an outcome that makes the agent go on; beyond a limit it takes out what
// does.
func (g *loopGuard) commit(ev *protocol.Event, o *protocol.Outcome, results []Result) (told string) {
	if !goesOn(ev, o) {
		return ""
	}
	var hooks []string
	for i := range results {
		if goesOn(ev, &results[i].Outcome) {
			hooks = append(hooks, results[i].Hook.Name)
		}
	}
	text := o.FollowupMessage
	if o.Decision == protocol.Block {
		text = o.Reason
	}
	if g.session.allow(g.counter, hooks, g.limits, text) {
		return ""
	}
	letStop(o)
	g.counts = g.session.read().counts
	if told = g.over(); told != "" { // somebody else counted meanwhile
		return told
	}
	return "how often the agent was made to go on cannot be counted; it may stop now"
}

func letStop(o *protocol.Outcome) {
	if o.Decision == protocol.Block {
		o.Decision, o.Reason = protocol.NoOpinion, ""
	}
	o.FollowupMessage = ""
}
