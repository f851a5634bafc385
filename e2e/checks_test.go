//go:build e2e && unix

package e2e

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

// A Check is one capability, proven on one agent.
type Check struct {
	Name  string // the row of the table
	Only  string // the only agent that it is about, "" for all
	Prove func(l *Lab)
}

func checks() []Check {
	return []Check{
		{Name: "runs headless", Prove: proveRuns},
	}
}

// proveRuns is the ground under all others: without us the agent plays the
// script, its tool runs, and its answer is the model's.
func proveRuns(l *Lab) {
	r := l.run(model.Play(calls(l.touch("ran")), says("all is well"))).well()
	r.wantTurns(2)
	r.wantFirst(promptMark, 0)
	if !l.marked("ran") {
		r.errorf("the command did not run")
	}
	if !strings.Contains(r.Stdout, "all is well") {
		r.errorf("the answer is not on stdout")
	}
	l.t.Logf("%s took %v", l.Agent.ID, r.Took)
}
