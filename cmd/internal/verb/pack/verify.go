package pack

import (
	"errors"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/packs"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func verifyCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "compare hooks with hooks.lock, and hooks.lock with its sources",
		ArgsUsage: "[NAME...]",
		Complete:  packWords(sh),
		Description: "Exit 1 if a folder is not as hooks.lock has it, or if a source does not have\n" +
			"the pinned commit and the same bytes any more; each difference is named. With\n" +
			"--offline no source is asked. It changes nothing, and approves nothing.",
		Flags: flags(
			&cli.BoolFlag{Name: "offline", Usage: "do not contact the sources"},
			cli.Offer(&cli.StringFlag{Name: "sums", Usage: "print pack.sums of the pack in `DIR`, to be signed"}, shell.Folders),
		),
		Action: func(c *cli.Context) error {
			ctx, stop := interruptible(c.Context)
			defer stop()
			if c.IsSet("sums") {
				dir, err := sh.Folder("verify: --sums", c.String("sums"))
				if err != nil {
					return err
				}
				return packs.Sums(ctx, sh, dir)
			}
			p, err := placeOf(sh, c)
			if err != nil {
				return err
			}
			v, err := packs.Verify(ctx, sh, p, c.Args(), c.Bool("offline"))
			if err != nil {
				return err
			}
			err = sh.Answer(c.Bool("json"), v, func() { v.Print(sh) })
			if len(v.Differences) > 0 {
				err = errors.Join(err, shell.ErrReported)
			}
			return err
		},
	}
}
