package conformance

import (
	"fmt"
	"time"

	"github.com/agents-hooks/agents-hooks/spec"
)

// How a case ended.
const (
	Passed  = "pass"
	Failed  = "fail"
	Skipped = "skip"   // not claimed, not possible on this machine, or left out
	Broken  = "broken" // the case itself could not be run: a fault of the suite
)

// A Result is the result of one case.
type Result struct {
	ID       string        `json:"id"`
	Title    string        `json:"title"`
	Profile  Profile       `json:"profile"`
	Agent    string        `json:"agent,omitempty"`
	Spec     []string      `json:"spec"`
	Result   string        `json:"result"`
	Reason   string        `json:"reason,omitempty"` // of a skip
	Problems []Problem     `json:"problems,omitempty"`
	Duration time.Duration `json:"-"`
	Millis   int64         `json:"duration_ms"`

	// Of the step that failed.
	Stdin  string `json:"stdin,omitempty"`
	Stdout string `json:"stdout,omitempty"`
	Stderr string `json:"stderr,omitempty"`

	hung   bool     // the last step had to be ended
	played []played // every step, where that is asked for
}

func newResult(c *Case) Result {
	return Result{ID: c.ID, Title: c.Title, Profile: c.Profile, Agent: c.Agent, Spec: c.Spec}
}

// onlyLate reports whether a case missed time bounds and nothing else.
func (r Result) onlyLate() bool {
	for _, p := range r.Problems {
		if !p.late {
			return false
		}
	}
	return r.Result == Failed
}

// A Report is the result of all cases.
type Report struct {
	Schema  int            `json:"schema"`
	Suite   string         `json:"suite"` // version of the suite
	Hash    string         `json:"hash"`  // of its cases and scripts
	Spec    string         `json:"spec"`  // version of the specification
	Subject Summary        `json:"subject"`
	Totals  map[string]int `json:"totals"` // by result
	Skips   map[string]int `json:"skips"`  // by reason
	Cases   []Result       `json:"cases"`
}

// A Summary is what a report says about its subject.
type Summary struct {
	Name    string            `json:"name"`
	Version string            `json:"version"`
	Claims  []Profile         `json:"claims"`
	Agents  []string          `json:"agents,omitempty"`
	Without map[string]string `json:"without,omitempty"`
}

func newReport(s Subject, results []Result) *Report {
	r := &Report{
		Schema: 1, Suite: Version, Hash: Hash(), Spec: spec.Version,
		Subject: Summary{s.Name, s.Version, s.Claims(), s.Agents, s.Without},
		Totals:  map[string]int{Passed: 0, Failed: 0, Skipped: 0, Broken: 0},
		Skips:   map[string]int{}, Cases: results,
	}
	for i := range results {
		results[i].Millis = results[i].Duration.Milliseconds()
		r.Totals[results[i].Result]++
		if results[i].Result == Skipped {
			r.Skips[results[i].Reason]++
		}
	}
	return r
}

// Err is nil if the subject passed: nothing failed, no case was broken, and at
// least one case was played at all.
func (r *Report) Err() error {
	switch {
	case r.Totals[Broken] > 0:
		return fmt.Errorf("%s could not be run", counted(r.Totals[Broken], "case"))
	case r.Totals[Failed] > 0:
		return fmt.Errorf("%d of %d cases failed", r.Totals[Failed], r.Totals[Failed]+r.Totals[Passed])
	case r.Totals[Passed] == 0:
		return fmt.Errorf("no case was run: all %d were skipped", r.Totals[Skipped])
	}
	return nil
}

// A Coverage is one requirement with the cases that name it.
type Coverage struct {
	spec.Requirement
	Cases []string `json:"cases"`
}

// Cover lists all requirements of the specification with their cases, in the
// order of SPEC.md.
func Cover(cases []Case) []Coverage {
	by := map[string][]string{}
	for _, c := range cases {
		for _, id := range c.Spec {
			by[id] = append(by[id], c.ID)
		}
	}
	var out []Coverage
	for _, r := range spec.Requirements() {
		out = append(out, Coverage{r, by[r.ID]})
	}
	return out
}
