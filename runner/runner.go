package runner

import (
	"context"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Runner runs the hooks of events. The zero values of its durations are the
// format's own limits.
type Runner struct {
	Env   []string      // what hooks inherit; AGENTS_HOOKS_… are set on top
	State string        // state directory, for per-hook state and async output
	Self  string        // the dispatcher's own executable: AGENTS_HOOKS_BIN, and the async supervisor
	Brief []string      // arguments of the supervisor's verb: what its main must know beside the job
	Grace time.Duration // between SIGTERM and SIGKILL; 0: 500 ms
	Drain time.Duration // how long open pipes may outlive a hook; 0: 200 ms

	// Builtin is the function of a built-in hook by its name, nil if there is none
	// of that name. nil: there are none at all.
	Builtin func(name string) Builtin

	// Session is what the loop guard counts in; nil: no loop guard. StopMax is
	// how often in a row the agent itself lets a stop be turned into going on, 0
	// if it has no limit.
	Session *Session
	StopMax int

	// Spell writes an event for a hook's stdin; nil: Event.JSON, which is what
	// the format promises. Trials of a hook spell it in other ways.
	Spell func(*protocol.Event) []byte
}

// A Report is what became of one event.
type Report struct {
	ID       string           // of the event in the log, 16 hexadecimal digits
	Event    *protocol.Event  // as the last hook saw it
	Outcome  protocol.Outcome // the fold of all results
	Results  []Result         // one for each hook that was due, in order
	Warnings []Warning        // for the log and the person
	Async    []Launch         // hooks to be started once the answer is out
}

// A Verdict is how a hook ended.
type Verdict string

const (
	OK         Verdict = "ok"
	Blocked    Verdict = "block"
	Failed     Verdict = "failed"      // an exit code that is no verdict, or a signal
	TimedOut   Verdict = "timeout"     // its own limit
	NotStarted Verdict = "not_started" // no interpreter, no permission, no process
	BadOutput  Verdict = "bad_output"  // stdout too large, or not one JSON object
	Skipped    Verdict = "skipped"     // the event's deadline passed before its turn
)

// A Result is what became of one hook.
type Result struct {
	Hook     *discovery.Hook
	Verdict  Verdict
	Exit     int    // exit code; -1 if it has none
	Signal   string // "SIGKILL", if a signal ended it
	Duration time.Duration
	Outcome  protocol.Outcome
	Stderr   string // at most 64 KiB
	Warning  string // what the person should know, "" if all is well
	Async    bool

	deny bool // "decision": "deny" with exit 0, which does not block
}

// A Warning is one thing the person should know, told once a session and kind.
type Warning struct {
	Hook string // "" if it is about no single hook
	Kind string // a short stable word: "failed", "timeout", "untrusted", "override" …
	Text string
}

// A Launch is an async hook with the event as it stood at the hook's place.
type Launch struct {
	Hook  *discovery.Hook
	Event *protocol.Event
	Ref   string // id of the event's report
}

// Run runs the hooks of set that are due for ev: in order, until the first
// block. It never fails; what went wrong is in the report.
//
// The deadline of ctx is when the answer is due: the hook that runs then was
// told to end a little earlier (the grace, at most a tenth of the event's time),
// what is left of it is killed at the deadline, and the hooks after it are
// skipped. Ending ctx in another way stops the running hook and skips the rest.
func (r *Runner) Run(ctx context.Context, ev *protocol.Event, set *discovery.Set) Report {
	c := chain{Runner: r, ctx: ctx, set: set, ev: ev, rep: Report{ID: newID()}}
	if last, ok := ctx.Deadline(); ok {
		c.last = last
		c.margin = max(0, min(r.grace(), time.Until(last)/10))
	}
	ready := set.Ready(ev.Type)
	if len(ready) > 0 {
		if c.guard = r.guard(ev, set); c.guard != nil {
			c.ev = c.guard.tell(ev)
		}
	}
	blocked := false
	for _, h := range ready {
		if blocked = c.step(h); blocked {
			break
		}
	}
	c.broken(blocked)
	c.rep.Outcome = Fold(c.ev, c.rep.Results)
	if told := c.guard.settle(c.ev, &c.rep.Outcome, c.rep.Results); told != "" {
		c.warn("", "loop", told)
	}
	c.rep.Event = c.ev
	return c.rep
}

// newID names an event in the log.
func newID() string {
	id := strconv.FormatUint(rand.Uint64(), 16)
	return "0000000000000000"[len(id):] + id
}

// kind is the word for a result's warning.
func (r *Result) kind() string {
	switch {
	case r.deny:
		return "deny_json"
	case r.Verdict == OK || r.Verdict == Blocked:
		return "answer"
	}
	return string(r.Verdict)
}
