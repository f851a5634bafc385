package hooktest

import (
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// TestJudge holds what a trial is called.
func TestJudge(t *testing.T) {
	ok := runner.Result{Verdict: runner.OK}
	block := runner.Result{Verdict: runner.Blocked, Exit: 2, Outcome: protocol.Outcome{Decision: protocol.Block, Reason: "no"}}
	failed := runner.Result{Verdict: runner.Failed, Exit: 1}
	closed := runner.Result{Verdict: runner.Failed, Exit: 1, Outcome: protocol.Outcome{Decision: protocol.Block}} // on_error
	late := runner.Result{Verdict: runner.TimedOut, Exit: -1}
	loud := runner.Result{Verdict: runner.OK, Stderr: "debug: starting\n"}
	leaky := runner.Result{Verdict: runner.OK, Outcome: protocol.Outcome{UserMessage: "got " + canary}}
	lazy := runner.Result{Verdict: runner.OK, Duration: 600 * time.Millisecond}
	for _, tc := range []struct {
		name      string
		base, got runner.Result
		cut, soft bool
		want      string
	}{
		{"blocks both times", block, block, false, false, passed},
		{"allows both times", ok, ok, false, false, passed},
		{"a block becomes an allow", block, ok, false, false, hole},
		{"a block becomes a failure, which allows", block, failed, false, false, hole},
		{"a block becomes a time-out, which allows", block, late, false, false, hole},
		{"a failure that blocks by on_error", block, closed, false, false, passed},
		{"an allow becomes a block", ok, block, false, false, falseBlock},
		{"an allow becomes a failure", ok, failed, false, false, fragile},
		{"an allow becomes a time-out", ok, late, false, false, fragile},
		{"cut off: to block is careful", ok, block, true, false, passed},
		{"cut off: to fail is honest", block, failed, true, false, passed},
		{"cut off: to allow is not", block, ok, true, false, hole},
		{"cut off: to hang is not", ok, late, true, false, fragile},
		{"cut off: a guard that hangs allows", block, late, true, false, hole},
		{"elsewhere: another answer may be right", block, ok, false, true, fragile},
		{"elsewhere: another answer may be right, the other way", ok, block, false, true, fragile},
		{"stderr without a block", ok, loud, false, false, noisy},
		{"stderr as on the plain event", loud, loud, false, false, passed},
		{"repeats what is none of its business", ok, leaky, false, false, noisy},
		{"more than half of its time", ok, lazy, false, false, slow},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := judge(trial{name: tc.name, cut: tc.cut, soft: tc.soft}, tc.base, tc.got, time.Second)
			if r.Class != tc.want {
				t.Errorf("%s: %s (%s), want %s", tc.name, r.Class, r.Detail, tc.want)
			}
			if (r.Class == passed) != (r.Detail == "") {
				t.Errorf("%s: class %s, detail %q", tc.name, r.Class, r.Detail)
			}
		})
	}
}
