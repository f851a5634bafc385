package pack

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/store"
)

func removeCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "remove",
		Usage:        "take a pack's hooks out again",
		ArgsUsage:    "NAME",
		BashComplete: shell.Arguments(shell.First(packWords(sh))),
		Description: "Removes the folders that hooks.lock has under the pack NAME, all or none. A\n" +
			"folder that was changed since is kept, unless --force takes it: then a copy\n" +
			"is left in the state directory.",
		Flags: []cli.Flag{
			userFlag(),
			&cli.BoolFlag{Name: "force", Usage: "remove what somebody changed too; a copy is kept"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "remove without asking"},
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "the name of a pack")
			if err != nil {
				return err
			}
			p, err := placeOf(sh, c)
			if err != nil {
				return err
			}
			o := removeOptions{placeOptions: p, name: words[0], force: c.Bool("force"), yes: c.Bool("yes"), json: c.Bool("json")}
			ctx, stop := interruptible(c.Context)
			defer stop()
			r, err := remove(ctx, sh, o)
			if err != nil {
				return err
			}
			if o.json {
				return sh.JSON(r)
			}
			sh.Printf("removed %s: %s\n", shell.Plain(r.Pack), shell.Plain(strings.Join(r.Removed, ", ")))
			for _, dir := range r.Kept {
				sh.Printf("  what was changed is kept in %s\n", shell.Plain(sh.Short(dir)))
			}
			return nil
		},
	}
}

type removeOptions struct {
	placeOptions
	name  string
	force bool
	yes   bool
	json  bool
}

// removed is what remove says. Its JSON form is stable.
type removed struct {
	Schema  int      `json:"schema"`
	Pack    string   `json:"pack"`
	Lock    string   `json:"lock"`
	Removed []string `json:"removed"` // folders
	Kept    []string `json:"kept"`    // copies of those that had been changed
}

func remove(ctx context.Context, sh *shell.Shell, o removeOptions) (*removed, error) {
	if err := sh.OnlyPerson("remove"); err != nil {
		return nil, err
	}
	lock, err := o.read(ctx, sh)
	if err != nil {
		return nil, err
	}
	list, err := chosen(sh, "remove", o.placeOptions, lock, []string{o.name})
	if err != nil {
		return nil, err
	}
	had := list[0]
	if err := held(sh, o.placeOptions, had); err != nil {
		return nil, err
	}
	if !o.yes && !shell.IsTerminal(sh.In) {
		return nil, shell.WithHint(errors.New("remove: there is no terminal to ask on, so nothing is changed"), sh.Name+" remove "+o.name+o.word()+" --yes")
	}
	question := fmt.Sprintf("remove %s of the pack %s (%s) from %s?", text.Count(len(had.Hooks), "hook"), shell.Plain(o.name), shell.Plain(strings.Join(had.Folders(), ", ")), shell.Plain(sh.Short(o.Hooks())))
	if err := sh.Confirm(o.yes, question, "remove"); err != nil {
		return nil, err
	}
	kept, err := o.Apply(ctx, store.Change{Remove: had.Folders(), Force: o.force, Now: sh.Host.Now(), Lock: func(now *lockfile.Lock) (*lockfile.Lock, error) {
		if is := now.Pack(o.name); is == nil || !samePin(*is, had) {
			return nil, errors.New("somebody changed hooks.lock in between; call it once more")
		}
		return now.Without(o.name), nil
	}})
	if err != nil {
		return nil, fmt.Errorf("remove: %w", err)
	}
	return &removed{1, o.name, o.Lock(), had.Folders(), append([]string{}, kept...)}, nil
}

// held is an error for a pack of which a lock of hooks.toml holds a hook.
func held(sh *shell.Shell, p placeOptions, had lockfile.Pack) error {
	for _, h := range hookset.All(sh.Host, p.from).Hooks {
		if filepath.Dir(h.Dir) == p.Hooks() && had.Hooks[filepath.Base(h.Dir)] != "" && h.Held != nil {
			return shell.WithHint(fmt.Errorf("remove: %s is locked by %s", h.Name, sh.Short(h.Held.At)), "take the lock out first, if it is yours")
		}
	}
	return nil
}
