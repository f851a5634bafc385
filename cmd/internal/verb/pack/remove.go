package pack

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/packs"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func removeCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "remove",
		Usage:     "remove a pack's hooks",
		ArgsUsage: "NAME",
		Complete:  shell.First(packWords(sh)),
		Description: "Removes the folders that hooks.lock has under the pack NAME, all or none. A\n" +
			"folder that was changed since is kept, unless --force takes it: then a copy\n" +
			"is left in the state directory.",
		Flags: flags(
			&cli.BoolFlag{Name: "force", Usage: "also remove what somebody changed; a copy is kept"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "remove without asking"},
		),
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "the name of a pack")
			if err != nil {
				return err
			}
			p, err := placeOf(sh, c)
			if err != nil {
				return err
			}
			o := packs.RemoveOptions{PlaceOptions: p, Name: words[0], Force: c.Bool("force"), Yes: c.Bool("yes")}
			ctx, stop := interruptible(c.Context)
			defer stop()
			r, err := packs.Remove(ctx, sh, o)
			if err != nil {
				return err
			}
			if c.Bool("json") {
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
