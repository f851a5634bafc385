package hooktest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/dispatch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/scratch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shapes"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// tested is the result of a test. Its JSON form is stable.
type tested struct {
	Schema   int                       `json:"schema"`
	Hook     string                    `json:"hook"`
	Dir      string                    `json:"dir"`
	Matches  bool                      `json:"matches"` // the event would reach the hook
	Gate     string                    `json:"gate"`    // the matcher key that keeps it away, "" if none
	Exit     int                       `json:"exit"`
	Signal   string                    `json:"signal"`
	Duration float64                   `json:"duration_ms"`
	Outcome  protocol.Raw              `json:"outcome"`
	Stderr   string                    `json:"stderr"`
	Verdict  runner.Verdict            `json:"verdict"`
	Warnings []string                  `json:"warnings"`
	Agents   map[string]translate.Told `json:"agents"`
	Unseen   []string                  `json:"unseen"` // agents in which no call that does the same reaches the hook
	Event    protocol.Raw              `json:"event"`
	Proof    *proof                    `json:"proof,omitempty"` // by the hook's own tests; null for an event that was given
	Hostile  []trialResult             `json:"hostile,omitempty"`
	Seed     uint64                    `json:"seed,omitempty"`   // of the disguises
	Played   []playedAgent             `json:"played,omitempty"` // by the tools of each agent
	Causes   []cause                   `json:"causes,omitempty"` // why something got past the hook

	hook   *discovery.Hook
	event  *protocol.Event
	source string // where the event comes from: "a sample"
	result runner.Result
}

// ended reports whether a run of the hook ended with a verdict.
func ended(r runner.Result) bool { return r.Verdict == runner.OK || r.Verdict == runner.Blocked }

// stops reports whether an answer prevents something, or leaves that to the user.
func stops(r runner.Result) bool {
	return r.Outcome.Decision == protocol.Block || r.Outcome.Decision == protocol.Ask
}

// failure makes the command fail.
func (d *tested) failure() error {
	switch {
	case !ended(d.result), d.Proof.failed(),
		slices.ContainsFunc(d.Hostile, func(r trialResult) bool { return r.Class == hole }),
		slices.ContainsFunc(d.Played, func(a playedAgent) bool { return len(a.Missed) > 0 && d.Proof.stops() }):
		return shell.ErrReported
	}
	return nil
}

// A bench runs a hook on the real runner, with a temporary state directory, so that a test
// leaves no trace in the hook's own.
type bench struct {
	host    host.Host
	hook    *discovery.Hook
	from    string // the folder whose settings apply, and in which samples happen
	temp    string
	mark    string                           // in the environment of everything that the hook starts
	builtin func(name string) runner.Builtin // the hook's function, if it is built in
}

// newBench makes a bench for a hook; the settings of the folder from apply.
func newBench(h host.Host, hook *discovery.Hook, from string) (*bench, error) {
	temp, err := os.MkdirTemp("", "agents-hooks-test-")
	if err != nil {
		return nil, fmt.Errorf("test: making a state directory: %w", err)
	}
	b := &bench{host: h, hook: hook, from: from, temp: temp, mark: "AGENTS_HOOKS_TEST=" + temp}
	if hook.Entry.Builtin {
		b.builtin = builtin.Find(h, builtin.Runtime(h, h.State, builtin.SettingsOf(hookset.All(h, from), h.Sources(), h, from)))
	}
	return b, nil
}

func (b *bench) close() { scratch.RemoveAll(b.temp) }

// reaches says whether an event reaches the hook, and what keeps it away.
func (b *bench) reaches(ev *protocol.Event) discovery.Match {
	if b.hook.Trigger != ev.Type {
		return discovery.Match{Gate: "trigger"}
	}
	return b.hook.Match(ev, &discovery.Budget{}, true)
}

// run runs the hook once, alone, even if its matcher excludes the event or it is async: the
// test is about its answer.
func (b *bench) run(ctx context.Context, h *discovery.Hook, ev *protocol.Event, env []string, spell func(*protocol.Event) []byte) (runner.Result, runner.Report) {
	alone := *h
	alone.Matcher, alone.Async, alone.Status, alone.Trigger = discovery.Matcher{}, false, discovery.Ready, ev.Type
	r := runner.Runner{Env: append(env[:len(env):len(env)], b.mark), State: b.temp, Self: b.host.Self, Shell: dispatch.OwnShell(b.host.Self), Home: b.host.Home, Builtin: b.builtin, EncodeEvent: spell}
	rep := r.Run(ctx, ev, &discovery.Set{Hooks: []*discovery.Hook{&alone}, Root: ev.WorkDir})
	if len(rep.Results) == 0 {
		return runner.Result{Hook: &alone, Verdict: runner.NotStarted, Exit: -1, Warning: "did not run"}, rep
	}
	return rep.Results[0], rep
}

// plain runs the hook on an unchanged event.
func (b *bench) plain(ctx context.Context, ev *protocol.Event) runner.Result {
	r, _ := b.run(ctx, b.hook, ev, b.host.Env, nil)
	return r
}

// test runs the hook on an event, and reports the result and what each of some agents would be
// told.
func (b *bench) test(ctx context.Context, ev *protocol.Event, dialects []*protocol.Dialect) *tested {
	match := b.reaches(ev)
	r, rep := b.run(ctx, b.hook, ev, b.host.Env, nil)
	d := &tested{
		Schema: 1, Hook: b.hook.Name, Dir: b.hook.Dir, Matches: match.OK, Gate: match.Gate,
		Exit: r.Exit, Signal: r.Signal, Duration: milliseconds(r.Duration), Stderr: r.Stderr, Verdict: r.Verdict,
		Warnings: []string{}, Agents: map[string]translate.Told{}, Unseen: []string{}, Event: protocol.Raw(bytes.TrimSpace(ev.JSON())),
		hook: b.hook, event: ev, result: r,
	}
	if r.Verdict == runner.OK {
		d.Outcome = protocol.Raw(bytes.TrimSpace(r.Outcome.JSON()))
	}
	for _, w := range rep.Warnings {
		d.Warnings = append(d.Warnings, w.Text)
	}
	if b.hook.Async {
		d.Warnings = append(d.Warnings, "this hook is async: nobody would wait for this answer")
		return d
	}
	all := shapes.All()
	for _, agent := range dialects {
		if answer, ok := translate.Outcome(agent, ev, rep.Outcome); ok {
			d.Agents[agent.ID] = answer
		}
		calls := b.calls(scene{ev: ev}, agent, all)
		if len(calls) > 0 && !slices.ContainsFunc(calls, func(c shaped) bool { return b.reaches(c.ev).OK }) {
			d.Unseen = append(d.Unseen, agent.ID)
		}
	}
	return d
}

func milliseconds(d time.Duration) float64 { return float64(d.Round(time.Microsecond)) / 1e6 }
