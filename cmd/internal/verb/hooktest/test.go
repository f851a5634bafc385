// Package hooktest is the test command: one hook with a sample or given event, its
// output checked, what each agent would be told, and hostile input.
//
//	test.go      the command; which hook, which event
//	bench.go     the hook is run, on the real runner
//	trial.go     the ways to run it that have broken others
//	spelling.go  the event in other bytes, and with more in it
//	place.go     the hook in another place, the process in another environment
//	judge.go     what a trial shows
package hooktest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/sample"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Command is test.
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
		Flags: append(eventarg.Flags(),
			&cli.BoolFlag{Name: "hostile", Usage: "try what breaks hooks, and look for holes"},
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
			if o.json {
				err = sh.JSON(done)
			} else {
				printTested(sh, done, o.hostile)
			}
			return errors.Join(err, done.failure())
		},
	}
}

type testOptions struct {
	hook    string // its folder or name, as it was typed
	input   eventarg.Options
	from    string // where a sample happens, and settings are looked up
	hostile bool
	json    bool
}

func readTest(sh *shell.Shell, c *cli.Context) (testOptions, error) {
	o := testOptions{input: eventarg.OptionsOf(c), hostile: c.Bool("hostile"), json: c.Bool("json")}
	words, err := shell.Args(c, 1, 1, "the folder of one hook")
	if err != nil {
		return o, err
	}
	o.hook = words[0]
	o.from, err = hookset.LookFrom(sh, c)
	return o, err
}

func test(ctx context.Context, sh *shell.Shell, o testOptions) (*tested, error) {
	hook, err := hookToTest(sh, o)
	if err != nil {
		return nil, err
	}
	ev, err := eventToTest(sh, o, hook)
	if err != nil {
		return nil, err
	}
	b, err := newBench(sh.Host, hook, ev, o.from)
	if err != nil {
		return nil, err
	}
	defer b.close()
	done := b.test(ctx)
	done.sampled = !o.input.Given
	if o.hostile && done.verdict() {
		done.Hostile = b.hostile(ctx, done.result)
	}
	if ctx.Err() != nil {
		return nil, errors.New("test: interrupted")
	}
	return done, nil
}

// hookToTest is the hook in a folder, or of a name. What is wrong with one that
// does not run is said at once.
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
			return nil, shell.WithHint(fmt.Errorf("test: no hook in %q: there is no such folder", o.hook), "agents-hooks list shows the hooks and their folders")
		default:
			return nil, shell.Usagef("test: %s is no folder; want the folder of one hook", o.hook)
		}
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

// eventToTest is the event that was given, or a sample for the hook.
func eventToTest(sh *shell.Shell, o testOptions, h *discovery.Hook) (*protocol.Event, error) {
	if !o.input.Given {
		if o.input.Told {
			return nil, shell.Usagef("test: --agent and --event say what --input holds; there is no --input")
		}
		return sample.For(sh.Host, h, o.from)
	}
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
