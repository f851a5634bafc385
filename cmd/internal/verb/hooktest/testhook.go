// Package hooktest is the test command: one hook with a sample or given event, its
// output checked, what each agent would be told, and hostile input.
package hooktest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/scratch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/runner"
)

func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "test",
		Usage:        "run one hook on a sample event and check its answer",
		ArgsUsage:    "FOLDER",
		BashComplete: shell.Arguments(shell.First(shell.Folders)),
		Description: "Runs the hook in FOLDER, whether it is trusted or not, and shows how it\n" +
			"ended, what it answered, and what each agent would be told. Exit 1 if it\n" +
			"ended without a verdict. With --hostile it is also run in ways that break\n" +
			"hooks; exit 1 then only if a block became an allow, or the hook is broken.",
		Flags: []cli.Flag{
			shell.Offer(&cli.StringFlag{Name: "input", Usage: "the event, from `FILE` (- for stdin)"}, shell.Files),
			hookset.AgentFlag(), hookset.NativeFlag(),
			&cli.BoolFlag{Name: "hostile", Usage: "try what breaks hooks, and look for holes"},
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return test(sh, c) },
	}
}

// A tested hook is what came of the test (RULINGS 8).
type tested struct {
	Schema   int                     `json:"schema"`
	Hook     string                  `json:"hook"`
	Dir      string                  `json:"dir"`
	Event    *protocol.Event         `json:"-"`
	Matches  bool                    `json:"matches"` // the event would reach the hook
	Gate     string                  `json:"gate"`    // what keeps it away, "" if nothing
	Exit     int                     `json:"exit"`
	Signal   string                  `json:"signal"`
	Duration float64                 `json:"duration_ms"`
	Outcome  protocol.Raw            `json:"outcome"`
	Stderr   string                  `json:"stderr"`
	Verdict  runner.Verdict          `json:"verdict"`
	Warnings []string                `json:"warnings"`
	Agents   map[string]hookset.Told `json:"agents"`
	Input    protocol.Raw            `json:"event"`
	Hostile  []trialResult           `json:"hostile,omitempty"`
	hook     *discovery.Hook
	result   runner.Result
	sampled  bool
}

func test(sh *shell.Shell, c *cli.Context) error {
	words, err := shell.Args(c, 1, 1, "the folder of one hook")
	if err != nil {
		return err
	}
	from, err := hookset.LookFrom(sh, c)
	if err != nil {
		return err
	}
	hook, err := hookToTest(sh, words[0], from)
	if err != nil {
		return err
	}
	ev, sampled, err := eventToTest(sh, c, hook, from)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt)
	defer stop()
	b, err := newBench(sh, ctx, hook, ev, from)
	if err != nil {
		return err
	}
	defer b.close()
	done := b.tested(sampled)
	if c.Bool("hostile") && done.verdict() {
		done.Hostile = b.hostile(done.result)
	}
	if ctx.Err() != nil {
		return errors.New("test: interrupted")
	}
	if c.Bool("json") {
		err = sh.JSON(done)
	} else {
		printTested(sh, done, c.Bool("hostile"))
	}
	return errors.Join(err, done.failure(c.Bool("hostile")))
}

// verdict reports whether the hook ended with one.
func (d *tested) verdict() bool { return d.Verdict == runner.OK || d.Verdict == runner.Blocked }

// failure is what makes the command fail.
func (d *tested) failure(hostile bool) error {
	if !d.verdict() {
		return shell.ErrReported
	}
	for _, r := range d.Hostile {
		if hostile && r.Class == hole {
			return shell.ErrReported
		}
	}
	return nil
}

// hookToTest is the hook in a folder, or of a name.
func hookToTest(sh *shell.Shell, word, from string) (*discovery.Hook, error) {
	dir, err := sh.Abs(word)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		if h := hookset.HookNamed(hookset.All(sh, from), word); h != nil && h.Entry.Builtin {
			return h, nil
		} else if h != nil {
			dir = h.Dir
		} else if err != nil {
			return nil, shell.WithHint(fmt.Errorf("test: no hook in %q: there is no such folder", word), "agents-hooks list shows the hooks and their folders")
		} else {
			return nil, shell.Usagef("test: %s is no folder; want the folder of one hook", word)
		}
	}
	h := hookset.HookAt(sh, dir)
	if h.Status == discovery.Broken || h.Status == discovery.Foreign {
		for _, p := range h.Problems {
			sh.Problem(p)
		}
		return nil, shell.WithHint(fmt.Errorf("test: the hook in %s is %s and does not run", sh.Short(dir), h.Status), "agents-hooks validate "+sh.Shown(dir))
	}
	return h, nil
}

// eventToTest is the event that was given, or a sample for the hook.
func eventToTest(sh *shell.Shell, c *cli.Context, h *discovery.Hook, from string) (ev *protocol.Event, sampled bool, err error) {
	if !c.IsSet("input") {
		if c.IsSet("agent") || c.IsSet("event") {
			return nil, false, shell.Usagef("test: --agent and --event say what --input holds; there is no --input")
		}
		ev, err = hookset.SampleFor(sh, h, from)
		return ev, true, err
	}
	events, err := hookset.ReadEvents(sh, c, "")
	if err != nil {
		return nil, false, err
	}
	for _, e := range events {
		if e.Type == h.Trigger {
			return e, false, nil
		}
	}
	return events[0], false, nil
}

// A bench is what a hook is tried on: the real runner, with a state directory
// that is thrown away, so that a test leaves no trace in the hook's own.
type bench struct {
	*shell.Shell
	ctx   context.Context
	hook  *discovery.Hook
	ev    *protocol.Event
	temp  string
	mark  string // in the environment of all that the hook starts
	match discovery.Match

	builtin func(name string) runner.Builtin // its function, if it is built in
}

// newBench makes a bench for a hook; from is where its settings hold.
func newBench(sh *shell.Shell, ctx context.Context, h *discovery.Hook, ev *protocol.Event, from string) (*bench, error) {
	temp, err := os.MkdirTemp("", "agents-hooks-test-")
	if err != nil {
		return nil, fmt.Errorf("test: making a state directory: %w", err)
	}
	b := &bench{Shell: sh, ctx: ctx, hook: h, ev: ev, temp: temp, mark: "AGENTS_HOOKS_TEST=" + temp}
	if h.Entry.Builtin {
		b.builtin = builtin.Find(builtin.World(sh.Host, sh.Host.State, builtin.SettingsOf(hookset.All(sh, from))))
	}
	b.match = discovery.Match{OK: h.Trigger == ev.Type, Gate: "trigger"}
	if b.match.OK {
		b.match = h.Match(ev, &discovery.Budget{}, true)
	}
	return b, nil
}

func (b *bench) close() { scratch.RemoveAll(b.temp) }

// run runs the hook once, alone, whatever its matcher says and though it may be
// async: what is asked is what it answers.
func (b *bench) run(h *discovery.Hook, ev *protocol.Event, env []string, spell func(*protocol.Event) []byte) (runner.Result, runner.Report) {
	alone := *h
	alone.Matcher, alone.Async, alone.Status, alone.Trigger = discovery.Matcher{}, false, discovery.Ready, ev.Type
	r := runner.Runner{Env: append(env[:len(env):len(env)], b.mark), State: b.temp, Self: b.Host.Self, Builtin: b.builtin, Spell: spell}
	rep := r.Run(b.ctx, ev, &discovery.Set{Hooks: []*discovery.Hook{&alone}, Root: ev.WorkDir})
	if len(rep.Results) == 0 {
		return runner.Result{Hook: &alone, Verdict: runner.NotStarted, Exit: -1, Warning: "did not run"}, rep
	}
	return rep.Results[0], rep
}

// tested runs the hook on its event and says what came of it.
func (b *bench) tested(sampled bool) *tested {
	r, rep := b.run(b.hook, b.ev, b.Host.Env, nil)
	d := &tested{
		Schema: 1, Hook: b.hook.Name, Dir: b.hook.Dir, Event: b.ev, Matches: b.match.OK, Gate: b.match.Gate,
		Exit: r.Exit, Signal: r.Signal, Duration: milliseconds(r.Duration), Stderr: r.Stderr, Verdict: r.Verdict,
		Warnings: []string{}, Agents: map[string]hookset.Told{}, Input: protocol.Raw(strings.TrimSpace(string(b.ev.JSON()))),
		hook: b.hook, result: r, sampled: sampled,
	}
	if r.Verdict == runner.OK {
		d.Outcome = protocol.Raw(strings.TrimSpace(string(r.Outcome.JSON())))
	}
	for _, w := range rep.Warnings {
		d.Warnings = append(d.Warnings, w.Text)
	}
	if b.hook.Async {
		d.Warnings = append(d.Warnings, "this hook is async: nobody would wait for this answer")
		return d
	}
	for _, agent := range agents.All() {
		if answer, ok := hookset.Tell(agent, b.ev, rep.Outcome); ok {
			d.Agents[agent.ID] = answer
		}
	}
	return d
}

func milliseconds(d time.Duration) float64 { return float64(d.Round(time.Microsecond)) / 1e6 }
