// Package hooktest is the test command: it runs a hook's own tests and shows what they
// cover, runs one event and shows what each agent would be told, and with --hostile
// tries what breaks hooks and bypasses guards.
//
//	test.go       the command; which hook, which event
//	bench.go      runs the hook, on the real runner
//	proof.go      the hook's own tests, and what they cover
//	trial.go      ways to run it that have broken others
//	spelling.go   the event in other bytes, and with additions
//	place.go      the hook in another place, the process in another environment
//	disguised.go  what it stops, done in other forms
//	cause.go      why it misses what it misses, and what to change
//	played.go     what it matches, done by the tools of each agent
//	judge.go      what a trial shows
package hooktest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/habits"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/requirements"
	"github.com/agents-hooks/agents-hooks/cmd/internal/sample"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/conformance"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/runner"
)

// Command is the test command.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "test",
		Usage:     "run a hook's own tests, and say what they prove",
		ArgsUsage: "FOLDER",
		Complete:  shell.First(hookset.NamesOrFolders(sh)),
		Description: "Runs the hook in FOLDER, whether it is trusted or not: on its own tests\n" +
			"(tests/*.txtar), or on one event that is given. Exit 1 if a test is not as\n" +
			"wanted, if the tests prove nothing (none reaches the hook, or none is\n" +
			"blocked though it could block), or if it ended without a verdict. With\n" +
			"--hostile it is also run in ways that break hooks, and what it blocks is\n" +
			"played in other words and by the tools of each agent; exit 1 if that gets\n" +
			"through.",
		Flags: append(eventarg.Flags(),
			&cli.BoolFlag{Name: "hostile", Usage: "try what breaks hooks, and look for holes"},
			cli.Offer(&cli.StringSliceFlag{Name: "agents", Usage: "those `IDS` only, joined by commas"}, agentarg.Words),
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the seed (`NUMBER`) of random choices"},
			&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "show everything, not only problems"},
			hookset.DirFlag(), shell.JSONFlag(),
		),
		Action: func(c *cli.Context) error {
			o, err := readTest(sh, c)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(c.Context, os.Interrupt)
			defer stop()
			done, err := test(ctx, sh, o)
			if err != nil {
				return err
			}
			return errors.Join(sh.Answer(o.json, done, func() { printTested(sh, done, o) }), done.failure())
		},
	}
}

type testOptions struct {
	hook    string // its folder or name, as typed
	input   eventarg.Options
	agents  []*protocol.Dialect
	from    string // the folder in which a sample happens, and whose settings apply
	seed    uint64
	hostile bool
	verbose bool
	json    bool
}

func readTest(sh *shell.Shell, c *cli.Context) (testOptions, error) {
	o := testOptions{
		input: eventarg.OptionsOf(c), seed: c.Uint64("seed"),
		hostile: c.Bool("hostile"), verbose: c.Bool("verbose"), json: c.Bool("json"),
	}
	words, err := shell.Args(c, 1, 1, "the folder of one hook")
	if err != nil {
		return o, err
	}
	o.hook = words[0]
	if o.agents, err = agentsOf(c.StringSlice("agents")); err != nil {
		return o, err
	}
	o.from, err = hookset.LookFrom(sh, c)
	return o, err
}

// agentsOf are the agents with some ids; without any, or with all, every agent.
func agentsOf(ids []string) (list []*protocol.Dialect, err error) {
	if len(ids) == 0 || slices.Contains(ids, "all") {
		return agents.All(), nil
	}
	for _, id := range ids {
		d, err := agentarg.Lookup(strings.TrimSpace(id))
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

func test(ctx context.Context, sh *shell.Shell, o testOptions) (*tested, error) {
	hook, err := hookToTest(sh, o)
	if err != nil {
		return nil, err
	}
	b, err := newBench(sh.Host, hook, o.from)
	if err != nil {
		return nil, err
	}
	defer b.close()
	var done *tested
	var scenes []scene
	if o.input.Given {
		done, scenes, err = testGiven(ctx, sh, o, b)
	} else {
		done, scenes, err = testOwn(ctx, sh, o, b)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range habits.Of(sh.Host, hook, false) {
		if p.Field != "entry" { // the test has just shown whether that starts
			done.Warnings = append(done.Warnings, habitText(hook, p))
		}
		if p.Field == "script" && p.Severity == discovery.Error && done.Proof != nil && done.Proof.Unproven == "" {
			done.Proof.Unproven = habitText(hook, p)
		}
	}
	if done.Proof != nil && done.Proof.Unproven == "" && done.unseenByAll() {
		done.Proof.Unproven = "no agent makes a call that reaches it: what its tests send is by a tool that none has"
	}
	if o.hostile && ended(done.result) {
		done.Seed = o.seed
		done.Hostile = append(b.hostile(ctx, scenes), b.disguised(ctx, scenes, o.seed)...)
		done.Played = b.play(ctx, scenes, o.agents)
		done.Causes = b.causes(done, scenes)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("test: %w", shell.ErrStopped)
	}
	return done, nil
}

// unseenByAll reports whether the hook sees the call of the event in none of the agents that
// have such an event.
func (d *tested) unseenByAll() bool {
	for id := range d.Agents {
		if !slices.Contains(d.Unseen, id) {
			return false
		}
	}
	return len(d.Agents) > 0
}

// habitText is validate's warning about a hook's script: a guard that expects another name of
// the tool, or refuses with exit 1, lets many events pass.
func habitText(hook *discovery.Hook, p discovery.Problem) string {
	file := strings.TrimPrefix(p.File, hook.Dir+string(filepath.Separator))
	return fmt.Sprintf("%s:%d: %s; %s", file, p.Line, p.Message, p.Fix)
}

// testGiven runs the hook on the given event.
func testGiven(ctx context.Context, sh *shell.Shell, o testOptions, b *bench) (*tested, []scene, error) {
	ev, err := givenEvent(sh, o, b.hook)
	if err != nil {
		return nil, nil, err
	}
	done := b.test(ctx, ev, o.agents)
	done.source = "as given"
	return done, []scene{done.scene()}, nil
}

// scene is the event that is shown, as if a test had sent it.
func (d *tested) scene() scene {
	return scene{ev: d.event, reached: d.Matches || d.event.Type == d.hook.Trigger, base: d.result}
}

// testOwn runs the hook's own tests, and shows the event that tells most: one that it stops,
// else one that reaches it. For a hook without tests it uses a sample.
func testOwn(ctx context.Context, sh *shell.Shell, o testOptions, b *bench) (*tested, []scene, error) {
	if o.input.Told {
		if err := o.input.Named(); err != nil {
			return nil, nil, err
		}
		return nil, nil, shell.Usagef("test: --agent and --event need --input: they say what is in it")
	}
	var cases []conformance.Case
	if !b.hook.Entry.Builtin {
		var err error
		if cases, err = conformance.HookTests(b.hook.Dir); err != nil {
			return nil, nil, fmt.Errorf("test: reading the hook's own tests: %w", err)
		}
	}
	p, err := b.prove(ctx, cases)
	if err != nil {
		return nil, nil, err
	}
	scenes, err := b.scenes(ctx, cases)
	if err != nil {
		return nil, nil, err
	}
	if len(scenes) > 0 && scenes[0].reached {
		done := b.test(ctx, scenes[0].ev, o.agents)
		done.Proof, done.source = p, "of the test "+scenes[0].name
		return done, scenes, nil
	}
	ev, _, err := sample.For(sh.Host, b.hook, o.from)
	if err != nil {
		return nil, nil, err
	}
	done := b.test(ctx, ev, o.agents)
	done.source = "a sample"
	if b.hook.Entry.Builtin {
		return done, []scene{done.scene()}, nil
	}
	done.Proof = p
	if len(cases) == 0 {
		p.sampled(done)
	}
	return done, []scene{done.scene()}, nil
}

// sampled takes the sample as the only test of a hook without tests: it shows something, if the
// hook sees it and does what it can.
func (p *proof) sampled(d *tested) {
	if d.Matches && (p.MayBlock == "" || stops(d.result)) {
		p.Unproven = ""
	}
	if d.Matches && !ended(d.result) && !stops(d.result) && requirements.Decides(d.hook) {
		p.Unproven = fmt.Sprintf("on the sample it ended without a verdict (%s, exit %d)", d.Verdict, d.Exit)
		if d.Verdict == runner.Failed {
			p.Unproven += onlyTwo
		}
	}
	if stops(d.result) && d.Matches {
		p.Blocked = 1
	}
}

// noHookIn is the error for a folder without a HOOK.md, which may contain hooks.
func noHookIn(sh *shell.Shell, dir string) error {
	err := fmt.Errorf("test: no HOOK.md in %s", sh.Short(dir))
	if below := foldersIn(dir); len(below) > 0 {
		return shell.WithHint(err, "agents-hooks test "+sh.Shown(filepath.Join(dir, below[0])))
	}
	return shell.WithHint(err, "agents-hooks new NAME writes a hook; agents-hooks list shows those that are here")
}

// foldersIn are the folders with a HOOK.md inside a folder.
func foldersIn(dir string) (names []string) {
	folders, _ := hookset.HookFolders(dir)
	for _, f := range folders {
		names = append(names, filepath.Base(f))
	}
	return names
}

// hookToTest is the hook in a folder, or with a name. If it does not run, its problems are
// reported at once.
func hookToTest(sh *shell.Shell, o testOptions) (*discovery.Hook, error) {
	dir, err := sh.Abs(o.hook)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		named := hookset.HookNamed(hookset.All(sh.Host, o.from), o.hook)
		switch {
		case named != nil && named.Entry.Builtin:
			return named, nil
		case named != nil:
			dir = named.Dir
		case err != nil:
			return nil, shell.NotHere("test", "hook or folder", o.hook, append(hookset.Names(hookset.All(sh.Host, o.from)), foldersIn(sh.Host.WorkDir)...), "agents-hooks list --all")
		default:
			return nil, shell.WithHint(fmt.Errorf("test: %s is not a folder; want the folder of one hook", sh.Short(dir)), "agents-hooks test "+sh.Shown(filepath.Dir(dir)))
		}
	}
	if hookset.HookFile(dir) == "" {
		return nil, noHookIn(sh, dir)
	}
	h := hookset.HookAt(sh.Host, dir)
	if h.Status == discovery.Broken || h.Status == discovery.Foreign {
		for _, p := range h.Problems {
			sh.Problem(p)
		}
		return nil, shell.WithHint(fmt.Errorf("test: the hook in %s is %s and does not run", sh.Short(dir), h.Status), "agents-hooks validate "+sh.Shown(dir))
	}
	return h, nil
}

// givenEvent is the event of --input; of several, the one that the hook waits for.
func givenEvent(sh *shell.Shell, o testOptions, h *discovery.Hook) (*protocol.Event, error) {
	events, err := o.input.Read(sh, "")
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		if e.Type == h.Trigger {
			return e, nil
		}
	}
	return events[0], nil
}
