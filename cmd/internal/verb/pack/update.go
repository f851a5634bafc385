package pack

import (
	"errors"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/packs"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func updateCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "update",
		Usage:     "update packs, and show what changes",
		ArgsUsage: "[NAME...]",
		Complete:  packWords(sh),
		Description: "Fetches each pack of hooks.lock anew, at its branch or tag, shows what is\n" +
			"different, plays the tests of what changed in a sandbox, and asks. The agents\n" +
			"that a pack is for stay. In a project what changed waits for an approval.",
		Flags: changing(
			&cli.StringFlag{Name: "ref", Usage: "switch to this branch, tag or commit `REF`"},
			&cli.BoolFlag{Name: "force", Usage: "replace what somebody changed here; a copy is kept"},
		),
		Action: func(c *cli.Context) error {
			p, err := placeOf(sh, c)
			if err != nil {
				return err
			}
			o := packs.UpdateOptions{PlaceOptions: p, HowOptions: howOf(c), Names: c.Args(), Ref: c.String("ref"), Force: c.Bool("force")}
			ctx, stop := interruptible(c.Context)
			defer stop()
			plans, err := packs.Update(ctx, sh, o)
			if o.JSON && (err == nil || errors.Is(err, shell.ErrReported)) {
				err = errors.Join(err, sh.JSON(map[string]any{"schema": 1, "lock": o.Lock(), "packs": plans}))
			}
			return err
		},
	}
}
