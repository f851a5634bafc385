package trust

import (
	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/approval"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func trustCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "trust",
		Usage:     "look at a project's hooks and skills and approve them",
		ArgsUsage: "[NAME...]",
		Description: "Shows what is new or changed in this project since the last approval, and\n" +
			"asks. Only what was approved is run, and only as it was approved: any other\n" +
			"byte needs a new approval. It is refused inside a hook, and where an agent\n" +
			"may be typing.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "show", Usage: "only show, ask nothing"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "approve without asking"},
			&cli.BoolFlag{Name: "keep", Usage: "what was approved before stays so, too: for branches"},
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readTrust(sh, c)
			if err != nil {
				return err
			}
			f, err := approval.Look(sh, o.dir, o.names)
			if err != nil {
				return err
			}
			if o.approves() && len(f.Pending()) > 0 {
				if err := sh.OnlyPerson("trust"); err != nil {
					return err
				}
			}
			if f.Unread != nil {
				sh.Say("trust: %s", f.Unread)
			}
			if !o.json {
				approval.Print(sh, f)
			}
			var approved []string
			if o.approves() {
				approved, err = approval.Approve(sh, f, approval.Options{Yes: o.yes, Keep: o.keep})
			}
			if o.json {
				if jerr := sh.JSON(f.Doc(approved)); err == nil {
					err = jerr
				}
			} else if len(approved) > 0 {
				sh.Printf("approved %s\n", text.Count(len(approved), "item"))
			}
			return err
		},
	}
}

type trustOptions struct {
	dir             string   // where the project is looked for
	names           []string // only these
	show, yes, json bool
	keep            bool // what is approved already stands
}

// approves reports whether anything is approved, by an answer or unasked. With
// --json nobody is asked.
func (o trustOptions) approves() bool { return !o.show && (o.yes || !o.json) }

func readTrust(sh *shell.Shell, c *cli.Context) (trustOptions, error) {
	dir, err := hookset.LookFrom(sh, c)
	return trustOptions{dir: dir, names: c.Args().Slice(), show: c.Bool("show"), yes: c.Bool("yes"), json: c.Bool("json"), keep: c.Bool("keep")}, err
}
