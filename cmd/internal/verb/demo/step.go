package demo

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/runner"
)

// A script is the content of session.json.
type script struct {
	Home    string `json:"home"`    // in the payloads, to be replaced
	Project string `json:"project"` // in the payloads, to be replaced
	Wrote   string `json:"wrote"`   // by the async hook
	Steps   []step `json:"steps"`
	Others  []step `json:"others"` // the blocked call, as other agents send it
}

// A step is one event: the payload, the changes to it, and the expected result.
type step struct {
	Agent   string `json:"agent"`
	Payload string `json:"payload"`
	Command string `json:"command"` // replaces the captured one
	ID      string `json:"id"`      // the tool call's, replaces the captured one
	Says    string `json:"says"`

	Decision string   `json:"decision"`
	Hook     string   `json:"hook"`
	Result   string   `json:"result"`
	Async    string   `json:"async"`
	Told     []string `json:"told"` // parts of the answer; none: no opinion
}

// A result is the outcome of a step. Its JSON form is stable.
type result struct {
	Agent      string            `json:"agent"`
	Native     string            `json:"native"`
	DurationMS float64           `json:"duration_ms"`
	Exit       int               `json:"exit"`
	Stdout     string            `json:"stdout"`
	Stderr     string            `json:"stderr"`
	Log        []json.RawMessage `json:"log"` // lines of the run log
	Problems   []string          `json:"problems"`

	step  step
	lines []runner.LogLine
	took  time.Duration
}

// check compares a step's result with the expected one.
func (r *result) check() {
	if r.Exit != 0 {
		r.problem("exit %d, want 0; stderr: %s", r.Exit, shell.FirstLine(r.Stderr))
	}
	for _, part := range r.step.Told {
		if !strings.Contains(r.Stdout, part) {
			r.problem("the agent was not told %q but %q", part, r.Stdout)
		}
	}
	if len(r.step.Told) == 0 && !r.noOpinion() {
		r.problem("want no opinion, the agent was told %q", r.Stdout)
	}
	if r.step.Decision == "" {
		return
	}
	if len(r.lines) == 0 {
		r.problem("no line in the run log")
		return
	}
	l := r.lines[0]
	if l.Decision != r.step.Decision {
		r.problem("decision %q, want %q", l.Decision, r.step.Decision)
	}
	if r.step.Async != "" && !slices.Contains(l.Async, r.step.Async) {
		r.problem("hook %s was not started", r.step.Async)
	}
	if r.step.Hook == "" {
		return
	}
	for _, h := range l.Hooks {
		if h.Name == r.step.Hook {
			if string(h.Result) != r.step.Result {
				r.problem("hook %s: %s, want %s: %s", h.Name, h.Result, r.step.Result, h.Warning)
			}
			return
		}
	}
	r.problem("hook %s did not run", r.step.Hook)
}

// noOpinion reports whether the answer is the agent's form of saying nothing.
func (r *result) noOpinion() bool {
	d, ok := agents.Lookup(r.Agent)
	return ok && strings.TrimSpace(r.Stdout) == strings.TrimSpace(string(d.NoOpinion(r.Native).Stdout))
}

func (r *result) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}
