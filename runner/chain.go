package runner

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The format's own limits.
const (
	defaultTimeout = 30 * time.Second
	defaultGrace   = 500 * time.Millisecond
	defaultDrain   = 200 * time.Millisecond
)

// A chain is the hooks of one event, one after another.
type chain struct {
	*Runner
	ctx    context.Context
	set    *discovery.Set
	ev     *protocol.Event // as the next hook sees it
	rep    Report
	guard  *loopGuard
	scene  *scene // made for the first hook that runs
	stdin  []byte // ev in wire form, made for the first hook that reads it
	budget discovery.Budget
	last   time.Time     // when the answer is due; zero if never
	margin time.Duration // how long before that a running hook is told to end
}

// step gives one hook its turn, and reports whether it ended the chain.
func (c *chain) step(h *discovery.Hook) (blocked bool) {
	m := h.Match(c.ev, &c.budget, false)
	if m.Warning != "" {
		c.warn(h.Name, "match", m.Warning)
	}
	if !m.OK {
		// Some things are looked at only now that it is due: it may be broken.
		return h.Status == discovery.Broken && c.fail(h)
	}
	c.lenient(h)
	if h.Async {
		c.rep.Async = append(c.rep.Async, Launch{Hook: h, Event: c.ev, Ref: c.rep.ID})
		return false
	}
	r := c.turn(h)
	if r.Warning != "" {
		c.warn(h.Name, r.kind(), r.Warning)
	}
	return c.take(r)
}

// turn runs a sync hook, if there is time for it.
func (c *chain) turn(h *discovery.Hook) Result {
	start := time.Now()
	t := c.allot(h, start)
	if c.ctx.Err() != nil || !start.Before(t.limit) {
		return Result{Hook: h, Verdict: Skipped, Exit: -1, Warning: "was skipped: the time of the whole event was over before its turn"}
	}
	if c.scene == nil {
		c.scene = c.newScene(c.ev, c.set.Project, c.set.Root)
	}
	if c.stdin == nil {
		c.stdin = c.spell(c.ev)
	}
	e, err := c.Runner.turn(c.ctx, h, c.scene, c.stdin, t)
	if err != nil {
		c.warn(h.Name, "state", "its state directory cannot be made: "+err.Error())
	}
	r := interpret(h, c.ev, e, &c.set.Settings)
	r.Duration = time.Since(start)
	return r
}

// take adds a result to the report: what it changes is what the next hook sees.
func (c *chain) take(r Result) (blocked bool) {
	r.applyPolicy(c.ev.Type, c.set.Settings.OnError)
	if told := c.guard.check(c.ev, &r); told != "" {
		c.warn(r.Hook.Name, "loop", told)
	}
	c.rep.Results = append(c.rep.Results, r)
	if in := r.Outcome.ModifiedInput; in != nil && r.Outcome.Decision != protocol.Block {
		c.ev = c.ev.Clone()
		c.ev.SetInput(in)
		c.stdin = nil
	}
	return r.Outcome.Decision == protocol.Block
}

// allot gives a hook its time: its own limit, or what is left of the event.
func (c *chain) allot(h *discovery.Hook, now time.Time) allotment {
	t := allotment{limit: now.Add(timeLimit(h)), grace: c.grace(), last: c.last}
	if !c.last.IsZero() {
		if end := c.last.Add(-c.margin); end.Before(t.limit) {
			t.limit, t.event = end, true
		}
	}
	return t
}

func timeLimit(h *discovery.Hook) time.Duration {
	if h.Timeout > 0 {
		return h.Timeout
	}
	return defaultTimeout
}

// lenient tells what is wrong with a hook that runs all the same: what validate
// calls an error, an entry that was passed over, an old name of its event
// (HM-FMT-12 to HM-FMT-42). What validate only warns of is not for each event.
func (c *chain) lenient(h *discovery.Hook) {
	for _, p := range h.Problems {
		if p.Severity == discovery.Error || p.Field == "entry" || p.Field == "trigger" {
			c.warn(h.Name, "problem", p.String())
		}
	}
}

// broken tells of hooks that cannot run and might have served this event. Where
// another hook has blocked it already, their failure changes nothing.
func (c *chain) broken(blocked bool) {
	for _, h := range c.set.Broken(c.ev.Type) {
		told := slices.ContainsFunc(c.rep.Results, func(r Result) bool { return r.Hook == h })
		if told {
			continue
		}
		if blocked {
			c.warn(h.Name, "broken", brokenText(h))
		} else if c.fail(h) {
			blocked = true
		}
	}
}

func brokenText(h *discovery.Hook) string { return "is broken and did not run" + firstProblem(h) }

// fail counts a broken hook as one that failed: it may block like any that does.
func (c *chain) fail(h *discovery.Hook) (blocked bool) {
	r := Result{Hook: h, Verdict: NotStarted, Exit: -1, Warning: brokenText(h)}
	c.warn(h.Name, "broken", r.Warning)
	return c.take(r)
}

// firstProblem is the problem that keeps a hook from running, else the first
// that it has.
func firstProblem(h *discovery.Hook) string {
	if len(h.Problems) == 0 {
		return ""
	}
	p := h.Problems[0]
	for _, q := range h.Problems {
		if q.Fatal {
			p = q
			break
		}
	}
	return ": " + place(p) + p.Message
}

// warn adds a warning, each text of a hook once.
func (c *chain) warn(hook, kind, text string) {
	w := Warning{Hook: hook, Kind: kind, Text: protocol.Plain(text)}
	for _, have := range c.rep.Warnings {
		if have == w {
			return
		}
	}
	c.rep.Warnings = append(c.rep.Warnings, w)
}

// turn runs one hook to its end, a process or a built-in. err is what kept its
// state directory from being made.
func (r *Runner) turn(ctx context.Context, h *discovery.Hook, s *scene, stdin []byte, t allotment) (e ending, err error) {
	env, err := s.of(h)
	if h.Entry.Builtin && r.Builtin != nil {
		if f := r.Builtin(h.Name); f != nil {
			return runBuiltin(ctx, f, env, stdin, t), err
		}
	}
	argv, perr := program(h.Entry, env)
	if perr != nil {
		return notStarted(perr), err
	}
	c := command{argv: argv, dir: s.dir, env: env, stdin: stdin, time: t, drain: r.drain()}
	e = c.run(ctx)
	if e.err != nil {
		if sh := shell(argv[0], e.err, env); sh != nil {
			c.argv = sh
			e = c.run(ctx)
		}
	}
	var said *launchError
	if e.err != nil && !errors.As(e.err, &said) {
		e.err = explain(c.argv, e.err)
	}
	if e.exit == 126 || e.exit == 127 {
		// Nothing of a script ran whose interpreter env could not find.
		e.err = missing(c.argv[0], env)
	}
	return e, err
}

func (r *Runner) spell(ev *protocol.Event) []byte {
	if r.Spell != nil {
		return r.Spell(ev)
	}
	return ev.JSON()
}

func (r *Runner) grace() time.Duration {
	if r.Grace > 0 {
		return r.Grace
	}
	return defaultGrace
}

func (r *Runner) drain() time.Duration {
	if r.Drain > 0 {
		return r.Drain
	}
	return defaultDrain
}
