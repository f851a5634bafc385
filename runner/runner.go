package runner

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
)

// A Runner runs the hooks of events. The zero values of its durations are the
// format's own limits.
type Runner struct {
	Env            []string      // what hooks inherit; AGENTS_HOOKS_… are set on top
	State          string        // state directory, for per-hook state and async output
	Self           string        // the dispatcher's own executable: AGENTS_HOOKS_BIN, and the async supervisor
	SupervisorArgs []string      // arguments of the supervisor's verb: what its main must know beside the job
	Shell          []string      // runs a hook of sh where no sh is on the PATH, its arguments behind these; nil: nothing does
	Home           string        // the person's, for what a confined hook reads of it
	Alone          bool          // nothing else runs below this process: what a stopped hook left behind can be told, and ended
	Nested         int           // how many live dispatchers this one stands in
	Grace          time.Duration // between SIGTERM and SIGKILL; 0: 500 ms
	Drain          time.Duration // how long open pipes may outlive a hook; 0: 200 ms

	// Builtin returns the function of a built-in hook by name, nil if there is none.
	// nil: there are no built-in hooks.
	Builtin func(name string) Builtin

	// Session counts for the loop guard; nil: no loop guard. StopMax is how often in a
	// row the agent itself lets a hook make it go on at a stop, 0 if it has no limit.
	Session *Session
	StopMax int

	// EncodeEvent writes an event for a hook's stdin; nil: Event.JSON, which the format
	// specifies. Trials of a hook write it in other ways.
	EncodeEvent func(*protocol.Event) []byte
}

// Run runs the hooks of set that are due for ev, in order, until the first block. It
// never fails; problems are in the report.
//
// The answer is due at the deadline of ctx. The running hook is asked to end a little
// earlier (the grace, at most a tenth of the event's time), is killed at the deadline,
// and the hooks after it are skipped. Ending ctx in another way stops the running hook
// and skips the rest.
//
// A block of a session or a prompt that its event cannot carry is stored in the
// session, and applied at its next event that can carry it; no hook runs for that
// event.
func (r *Runner) Run(ctx context.Context, ev *protocol.Event, set *discovery.Set) Report {
	if set.Settings.Enabled {
		list := slices.DeleteFunc(r.Session.owing(ev), func(o owed) bool { return !set.Has(o.at, o.hook, ev.WorkDir) })
		if len(list) > 0 {
			return given(ev, list)
		}
	}
	r = r.under(&set.Settings)
	c := chain{Runner: r, ctx: ctx, set: set, ev: ev, rep: Report{ID: newID()}}
	if last, ok := ctx.Deadline(); ok {
		c.last = last
		c.margin = max(0, min(r.grace(), time.Until(last)/10))
	}
	blocked := false
	for h := range set.Due(ev.Type) {
		if c.guard == nil && r.Session != nil && canGoOn(ev.Type) {
			c.guard = r.guard(ev, set)
			c.ev = c.guard.annotate(ev)
		}
		if blocked = c.step(h); blocked {
			c.unasked()
			break
		}
		if ev.Call != nil && !h.Async {
			c.judges = append(c.judges, judge{h, c.changes, len(c.rep.Async)})
		}
	}
	if !blocked && c.changes > 0 {
		c.again()
	}
	c.rep.Outcome = Fold(c.ev, c.rep.Results)
	if in := c.rep.Outcome.ModifiedInput; in != nil && !ev.Modifiable() && asIs(ev, in) {
		c.rep.Outcome.ModifiedInput = nil
	}
	if c.rep.Outcome.Decision == protocol.Allow {
		c.rep.Allowed = c.permitted()
	}
	if c.guard != nil {
		if told := c.guard.commit(c.ev, &c.rep.Outcome, c.rep.Results); told != "" {
			c.warn("", "loop", told)
		}
	}
	c.rep.Event = c.ev
	c.keep()
	return c.rep
}

// keep has the session remember a block that this event cannot carry.
func (c *chain) keep() {
	t := c.ev.Type
	if t != protocol.PreSession && t != protocol.PreAgentTurn || c.ev.Can.Has(protocol.CanBlock) {
		return
	}
	o := owed{at: t}
	if c.rep.Outcome.Decision == protocol.Block {
		o.hook, o.reason = c.rep.Results[len(c.rep.Results)-1].Hook.Name, c.rep.Outcome.Reason
	}
	c.rep.Owed = c.Session.owe(o) && o.reason != ""
}

// newID names an event in the log.
func newID() string {
	id := strconv.FormatUint(rand.Uint64(), 16)
	return "0000000000000000"[len(id):] + id
}

// The format's own limits.
const (
	defaultTimeout = 30 * time.Second
	defaultGrace   = 500 * time.Millisecond
	defaultDrain   = 200 * time.Millisecond
)

// A chain is the hooks of one event, one after another.
type chain struct {
	*Runner
	ctx     context.Context
	set     *discovery.Set
	ev      *protocol.Event // as the next hook sees it
	rep     Report
	guard   *loopGuard
	shared  *hookEnv // made for the first hook that runs
	stdin   []byte   // ev in wire form, made for the first hook that reads it
	budget  discovery.Budget
	judges  []judge       // the sync hooks that had their turn
	changes int           // how often a hook changed the input
	last    time.Time     // when the answer is due; zero if never
	margin  time.Duration // how long before that a running hook is told to end
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
	c.ev = deed.Tell(c.ev)
	if h.Async {
		c.rep.Async = append(c.rep.Async, Launch{Hook: h, Event: c.ev, Ref: c.rep.ID, told: c.spoken(h)})
		return false
	}
	r := c.turn(h)
	c.told(&r)
	return c.take(r)
}

// told warns of what the person should know of a result. It may quote what the
// hook wrote, and goes to an agent.
func (c *chain) told(r *Result) {
	if r.Warning != "" {
		r.Warning = redact.Log.Text(r.Warning)
		c.warn(r.Hook.Name, r.kind(), r.Warning)
	}
}

// turn runs a sync hook, if there is time for it.
func (c *chain) turn(h *discovery.Hook) Result {
	start := time.Now()
	t := c.allot(h, start)
	if c.ctx.Err() != nil || !start.Before(t.limit) {
		return Result{Hook: h, Verdict: Skipped, Exit: -1, Warning: "was skipped: the time of the whole event was over before its turn"}
	}
	if c.shared == nil {
		c.shared = c.newHookEnv(c.ev, c.set.Project, c.set.Root)
	}
	if h.Tongue != nil {
		return c.speak(h)
	}
	if c.stdin == nil {
		c.stdin = c.spell(c.ev)
	}
	e, err := c.Runner.turn(c.ctx, h, c.shared, told{stdin: c.stdin}, t)
	if err != nil {
		c.warn(h.Name, "state", "its state directory cannot be made: "+err.Error())
	}
	if e.note != "" {
		c.warn("", "sandbox", e.note)
	}
	r := interpret(h, c.ev, e, &c.set.Settings)
	r.Duration = time.Since(start)
	return r
}

// take adds a result to the report: what it changes is what the next hook sees.
func (c *chain) take(r Result) (blocked bool) {
	if c.ev.Unread != "" && r.Outcome.Decision != protocol.Block && !r.Verdict.noVerdict() {
		if why, _ := r.Hook.FailureBlocks(c.ev.Type, c.set.Settings.OnError); why != "" {
			r.Verdict, r.Warning = Failed, "did not get all of this call: not "+c.ev.Unread
		}
	}
	r.applyPolicy(c.ev.Type, c.set.Settings.OnError)
	if c.guard != nil {
		if told := c.guard.check(c.ev, &r); told != "" {
			c.warn(r.Hook.Name, "loop", told)
		}
	}
	if r.Outcome.Decision == protocol.Allow {
		c.permission(&r)
	}
	if in := r.Outcome.ModifiedInput; in != nil && r.Outcome.Decision != protocol.Block && c.ev.Modifiable() {
		ev, new := changed(c.ev, in)
		if new {
			c.changes++
			r.before, r.after = c.ev.Call.Input, ev.Call.Input
		}
		c.ev, c.stdin = ev, nil
	}
	if out := r.Outcome.ModifiedOutput; out != "" {
		c.replace(out)
	}
	r.judged = c.changes
	c.rep.Results = append(c.rep.Results, r)
	return r.Outcome.Decision == protocol.Block
}

// allot gives a hook its time: its own limit, or what is left of the event.
func (c *chain) allot(h *discovery.Hook, now time.Time) deadlines {
	t := deadlines{limit: now.Add(timeLimit(h)), grace: c.grace(), last: c.last}
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

// unasked tells of the hooks that cannot run and might have served an event that
// another one has blocked already.
func (c *chain) unasked() {
	for _, h := range c.set.Broken(c.ev.Type) {
		if !slices.ContainsFunc(c.rep.Results, func(r Result) bool { return r.Hook == h }) {
			c.warn(h.Name, "broken", brokenText(h))
		}
	}
}

// fail counts a broken hook as one that failed: it may block like any that does.
func (c *chain) fail(h *discovery.Hook) (blocked bool) {
	r := Result{Hook: h, Verdict: NotStarted, Exit: -1, Warning: brokenText(h)}
	c.warn(h.Name, "broken", r.Warning)
	return c.take(r)
}

// warn adds a warning, each text of a hook once.
func (c *chain) warn(hook, kind, text string) {
	w := Warning{Hook: hook, Kind: kind, Text: protocol.Plain(text)}
	if slices.Contains(c.rep.Warnings, w) {
		return
	}
	c.rep.Warnings = append(c.rep.Warnings, w)
}

// turn runs one hook to its end, a process or a built-in. err is what kept its
// state directory from being made.
func (r *Runner) turn(ctx context.Context, h *discovery.Hook, s *hookEnv, in told, t deadlines) (e exitState, err error) {
	env, err := s.of(h)
	stdin := in.stdin
	if in.env != nil {
		env = overlaid(env, in.env)
	}
	if h.Entry.Builtin && r.Builtin != nil {
		if f := r.Builtin(h.Name); f != nil {
			return runBuiltin(ctx, f, env, stdin, t), err
		}
	}
	argv, perr := program(h.Entry, env, r.Shell)
	if perr != nil {
		return notStarted(perr), err
	}
	c := command{argv: argv, dir: s.dir, env: env, stdin: stdin, time: t, drain: r.drain(), alone: r.Alone}
	if h.Sandbox != nil {
		return r.confined(ctx, &c, h, s), err
	}
	return c.started(ctx), err
}

// started runs a command, and says why in our words if it did not start.
func (c *command) started(ctx context.Context) exitState {
	e := c.run(ctx)
	if _, loose := errors.AsType[*looseError](e.err); loose {
		return e
	}
	if e.err != nil {
		if sh := shell(c.argv[0], e.err, c.env); sh != nil {
			c.argv = sh
			e = c.run(ctx)
		}
	}
	var said *launchError
	if e.err != nil && !errors.As(e.err, &said) {
		e.err = cmp.Or(c.unreachable(e.err), explain(c.argv, e.err))
	}
	if e.exit == 126 || e.exit == 127 {
		// Nothing of a script ran whose interpreter env could not find.
		e.err = missing(c.argv[0], c.env)
		if e.err == nil && c.within != nil {
			e.err = c.hidden()
		}
	}
	return e
}

func (r *Runner) spell(ev *protocol.Event) []byte {
	if r.EncodeEvent != nil {
		return r.EncodeEvent(ev)
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

// under is the runner as it is under some settings.
func (r *Runner) under(s *discovery.Settings) *Runner {
	if r.Shell == nil || !s.NoShell {
		return r
	}
	without := *r
	without.Shell = nil
	return &without
}
