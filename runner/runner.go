package runner

import (
	"context"
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
	Grace time.Duration // between SIGTERM and SIGKILL; 0: 500 ms
	Drain time.Duration // how long open pipes may outlive a hook; 0: 200 ms
}

// A Report is what became of one event.
type Report struct {
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
}

// Run runs the hooks of set that are due for ev: in order, until the first
// block. It never fails; what went wrong is in the report.
func (r *Runner) Run(ctx context.Context, ev *protocol.Event, set *discovery.Set) Report {
	panic("runner: not written yet")
}

// Start starts the async hooks of a report under a detached supervisor and
// returns at once. It is called after the answer was written.
func (r *Runner) Start(launches []Launch, set *discovery.Set) []Warning {
	panic("runner: not written yet")
}
