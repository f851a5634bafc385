package hooktest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// What a trial can show, the worst first.
const (
	hole       = "hole"        // a block became an allow
	around     = "around"      // another way to the same result was allowed
	falseBlock = "false_block" // an allow became a block
	fragile    = "fragile"     // it ended without a verdict, or with a different one
	leftBehind = "left_behind" // a process that it started is still alive
	slow       = "slow"        // more than half of its time limit
	noisy      = "noisy"       // it prints what it should not
	passed     = "ok"
)

// rank is the position of a class among them; "ok" comes last.
func rank(class string) int {
	if i := slices.Index(classes(), class); i >= 0 {
		return i
	}
	return len(classes())
}

func classes() []string { return []string{hole, around, falseBlock, fragile, leftBehind, slow, noisy} }

// A trialResult is the result of a trial.
type trialResult struct {
	Trial    string         `json:"trial"`
	Test     string         `json:"test,omitempty"` // the hook's own test that the event comes from
	What     string         `json:"what"`
	Class    string         `json:"class"`
	Detail   string         `json:"detail"`
	Cause    string         `json:"cause,omitempty"` // why it gets past the hook
	Verdict  runner.Verdict `json:"verdict"`
	Exit     int            `json:"exit"`
	Duration float64        `json:"duration_ms"`
	Payload  protocol.Raw   `json:"payload,omitempty"` // the event that got through
}

// of names the scene that a result is about.
func (r trialResult) of(s scene) trialResult {
	r.Test = s.name
	return r
}

// judge compares the end of a trial with that of the plain event. limit is the hook's own time
// limit.
func judge(tr trial, base, got runner.Result, limit time.Duration) trialResult {
	r := trialResult{Trial: tr.name, What: tr.what, Class: passed, Verdict: got.Verdict, Exit: got.Exit, Duration: milliseconds(got.Duration)}
	set := func(class, format string, args ...any) { r.Class, r.Detail = class, fmt.Sprintf(format, args...) }
	switch {
	case stops(base) && stops(got):
	case stops(base) && tr.cut && !ended(got) && got.Verdict != runner.TimedOut:
		// It cannot know, and says so: on_error decides.
	case stops(base) && tr.soft:
		set(fragile, "it blocked, and does not block here%s", because(got))
	case stops(base):
		set(hole, "it blocked, and does not block here%s", because(got))
	case !ended(got) && tr.cut && got.Verdict != runner.TimedOut:
	case !ended(got):
		set(fragile, "it ended without a verdict%s", because(got))
	case stops(got) && tr.cut: // blocking what cannot be read is careful
	case stops(got) && tr.soft:
		set(fragile, "it did not block, and blocks here%s", because(got))
	case stops(got):
		set(falseBlock, "it did not block, and blocks here%s", because(got))
	}
	if r.Class != passed {
		return r
	}
	said := string(got.Outcome.JSON()) + got.Stderr
	switch {
	case limit > 0 && got.Duration > limit/2:
		set(slow, "it took %s of its %s", got.Duration.Round(time.Millisecond), limit)
	case strings.Contains(said, canary):
		set(noisy, "it repeats a field that is none of its business, on stdout or stderr")
	case got.Verdict == runner.OK && strings.TrimSpace(got.Stderr) != "" && strings.TrimSpace(base.Stderr) == "":
		set(noisy, "it writes to stderr and blocks nothing: %s", text.Clip(shell.Plain(got.Stderr), 80))
	}
	return r
}

// lastWord is the last line that a failing program writes, if it begins with a stack trace: an
// exception says what it is at the end.
func lastWord(stderr string) string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	if len(lines) < 3 || !strings.HasPrefix(lines[0], "Traceback") {
		return ""
	}
	return " " + strings.TrimSpace(lines[len(lines)-1])
}

// because says how a hook ended, for the end of a sentence.
func because(r runner.Result) string {
	switch {
	case r.Warning != "":
		return ": it " + text.Clip(shell.Plain(r.Warning+lastWord(r.Stderr)), 160)
	case strings.TrimSpace(r.Stderr) != "":
		return ": " + text.Clip(shell.Plain(r.Stderr), 160)
	}
	return fmt.Sprintf(": exit %d", r.Exit)
}
