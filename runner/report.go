package runner

import (
	"fmt"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Report is the result of one event.
type Report struct {
	ID       string           // of the event in the log, 16 hexadecimal digits
	Event    *protocol.Event  // as the last hook saw it
	Outcome  protocol.Outcome // the fold of all results
	Results  []Result         // one for each hook that was due, in order
	Allowed  []string         // the hooks that gave the permission of the outcome
	Warnings []Warning        // for the log and the person
	Async    []Launch         // hooks to be started once the answer is out
	Owed     bool             // its block is kept for another event of the session
}

// A Verdict is how a hook ended.
type Verdict string

const (
	OK         Verdict = "ok"
	Blocked    Verdict = "block"
	Failed     Verdict = "failed"      // an exit code that is no verdict, a signal, or not all of the call was there to judge
	TimedOut   Verdict = "timeout"     // its own limit
	NotStarted Verdict = "not_started" // no interpreter, no permission, no process
	BadOutput  Verdict = "bad_output"  // stdout too large, or not one JSON object
	Skipped    Verdict = "skipped"     // the event's deadline passed before its turn
)

// A Result is the result of one hook.
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

	before protocol.Object // the input that it found, where it changed it
	after  protocol.Object // and what it made of it
	deny   bool            // "decision": "deny" with exit 0, which does not block
	judged int             // how often the input had been changed when it said so, its own change included
}

// A Warning is for the user, and shown once a session.
type Warning struct {
	Hook string // "" if it is about no single hook
	Kind string // a short stable word: "failed", "timeout", "untrusted", "override" …
	Text string
}

// A Launch is an async hook with the event as it was at the hook's place.
type Launch struct {
	Hook  *discovery.Hook
	Event *protocol.Event
	Ref   string // id of the event's report
	told  []told // in the hook's own protocol, nil if it speaks the format's
}

// OwedKind is the kind of the warning about a block that is applied at a later event.
const OwedKind = "owed"

// given is a block in place of one that could not be.
func given(ev *protocol.Event, list []owed) Report {
	rep := Report{ID: newID(), Event: ev, Outcome: protocol.Outcome{Decision: protocol.Block}}
	for _, o := range list {
		said := fmt.Sprintf("%s\n(This was said of %s, which cannot be blocked here.)", o.reason, o.at)
		rep.Outcome.Reason = strings.TrimSpace(rep.Outcome.Reason + "\n\n" + said)
		rep.Warnings = append(rep.Warnings, Warning{o.hook, OwedKind, fmt.Sprintf("blocked %s, which cannot be blocked here: this %s was instead", o.at, ev.Type)})
	}
	return rep
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

func brokenText(h *discovery.Hook) string { return "is broken and did not run" + firstProblem(h) }

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
	text := ": " + place(p) + p.Message
	if h.Held != nil && p.Fix != "" {
		text += " (" + p.Fix + ")"
	}
	return text
}
