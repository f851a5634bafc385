package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/conformance"
)

func hookCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "hook",
		Usage:     "check hooks: valid, tested, and hard to trick",
		ArgsUsage: "FOLDER...",
		Description: "Says what validate says, plays the hook's own tests (tests/*.txtar) through\n" +
			"the runner, says what they prove, and runs it in ways that break hooks.\n" +
			"Exit 1 if a check failed; warnings do not fail. --hostile plays what it\n" +
			"blocks in other words. --agent says what agents can make of it, and plays\n" +
			"its tests by their own tools.",
		Flags: []cli.Flag{
			cli.Offer(&cli.StringSliceFlag{Name: "agent", Aliases: []string{"agents"}, Usage: "show `AGENT`, several with commas, or all"}, agentarg.Words),
			&cli.BoolFlag{Name: "hostile", Usage: "look for ways around what it blocks"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the seed (`NUMBER`) of random choices"},
			&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "show everything, not only problems"},
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readHook(sh, c)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(c.Context, os.Interrupt)
			defer stop()
			reports, err := checkHooks(ctx, sh, o)
			if err != nil {
				return err
			}
			err = sh.Answer(o.json, map[string]any{"schema": 1, "hooks": reports}, func() {
				for _, r := range reports {
					r.Text(sh.Screen(), o.verbose)
				}
			})
			if slices.ContainsFunc(reports, func(r *conformance.HookReport) bool { return r.Err() != nil }) {
				err = errors.Join(err, shell.ErrReported)
			}
			return err
		},
	}
}

type hookOptions struct {
	folders []string
	check   conformance.HookOptions
	verbose bool
	json    bool
}

func readHook(sh *shell.Shell, c *cli.Context) (hookOptions, error) {
	o := hookOptions{
		check:   conformance.HookOptions{Agents: c.StringSlice("agent"), Hostile: c.Bool("hostile"), Seed: c.Uint64("seed")},
		verbose: c.Bool("verbose"), json: c.Bool("json"),
	}
	words, err := shell.Args(c, 1, -1, "the folder of a hook")
	if err != nil {
		return o, err
	}
	for _, id := range shell.SplitCommas(o.check.Agents) {
		if _, err := agentarg.LookupFormat(id); err != nil && id != "all" {
			return o, err
		}
	}
	for _, word := range words {
		dir, err := sh.Folder("conformance hook", word)
		if err != nil {
			return o, err
		}
		o.folders = append(o.folders, dir)
	}
	return o, nil
}

// checkHooks checks one hook after another, and reports each failure at once.
func checkHooks(ctx context.Context, sh *shell.Shell, o hookOptions) ([]*conformance.HookReport, error) {
	var reports []*conformance.HookReport
	for _, dir := range o.folders {
		r, err := conformance.CheckHook(ctx, sh.Host.Self, dir, o.check)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("conformance: %w", shell.ErrStopped)
		}
		if err != nil {
			return nil, fmt.Errorf("conformance: %s: %w", sh.Short(dir), err)
		}
		reports = append(reports, r)
		if err := r.Err(); err != nil {
			sh.Say("conformance: %s: %v", r.Name, err)
		}
	}
	return reports, nil
}
