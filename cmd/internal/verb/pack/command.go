// Package pack reads the command lines of add, update, remove and verify. Package
// cmd/internal/packs does the work.
package pack

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/packs"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/pack/store"
)

// Command is the group: its words are top-level commands.
func Command(sh *shell.Shell) *cli.Command {
	return shell.Group(addCommand(sh), updateCommand(sh), removeCommand(sh), verifyCommand(sh))
}

// flags are the flags of all four, after their own.
func flags(own ...cli.Flag) []cli.Flag {
	return append(own, &cli.BoolFlag{Name: "user", Usage: "yours, for all projects, not this project's"}, hookset.DirFlag(), shell.JSONFlag())
}

// changing are the flags of commands that add hooks.
func changing(own ...cli.Flag) []cli.Flag {
	return flags(append(own,
		&cli.BoolFlag{Name: "show", Usage: "only show, change nothing"},
		&cli.BoolFlag{Name: "no-test", Usage: "do not run tests"},
		&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "without asking"})...)
}

func howOf(c *cli.Context) packs.HowOptions {
	return packs.HowOptions{Show: c.Bool("show"), Quick: c.Bool("no-test"), Yes: c.Bool("yes"), JSON: c.Bool("json")}
}

// placeOf is the place that a command line is about.
func placeOf(sh *shell.Shell, c *cli.Context) (packs.PlaceOptions, error) {
	from, err := hookset.LookFrom(sh, c)
	if err != nil {
		return packs.PlaceOptions{}, err
	}
	p, err := packs.PlaceOf(sh, from, c.Bool("user"))
	if errors.Is(err, packs.ErrHome) {
		return p, shell.WithHint(shell.Usagef("%s: %v", c.Command.Name, err), sh.Name+" "+c.Command.Name+" --user …")
	}
	return p, err
}

// interruptible ends what a command waits for on an interrupt; whatever is being written is
// still completed or undone.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt)
}

// packWords completes the name of a pack that is installed here.
func packWords(sh *shell.Shell) cli.Words {
	return func(cli.Line) (list []cli.Suggestion, kind cli.Kind) {
		for _, agents := range placesHere(sh) {
			lock, err := agents.Read()
			if err != nil {
				continue
			}
			for _, p := range lock.Packs {
				list = append(list, cli.Suggestion{Word: p.Name, Text: p.Source})
			}
		}
		return list, ""
	}
}

// placesHere are the places of packs, as seen from here.
func placesHere(sh *shell.Shell) (list []store.Place) {
	if project, _ := discovery.FindProject(sh.Host.WorkDir, sh.Host.Home); project != "" {
		list = append(list, store.Place{Agents: filepath.Join(project, ".agents"), In: beneath.At(project), State: sh.Host.State})
	}
	return append(list, store.Place{Agents: sh.Host.Config, State: sh.Host.State})
}
