package trust

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills/hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/approval"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func trustCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "trust",
		Usage:     "show a project's hooks and skills, and approve them",
		ArgsUsage: "[NAME...]",
		Description: "Shows what is new or changed in this project since the last approval, and\n" +
			"asks. Only what was approved is run, and only as it was approved: any other\n" +
			"byte needs a new approval. With --refuse it asks for a no. A path in place of\n" +
			"a name is a project. It is refused inside a hook, and where an agent may be\n" +
			"typing.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "show", Usage: "only show, ask nothing"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "approve without asking"},
			&cli.BoolFlag{Name: "refuse", Usage: "refuse: no event mentions these bytes any more"},
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
			if (o.approves() || o.refuse) && len(f.Pending()) > 0 {
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
			if o.refuse {
				return refuse(sh, f, o)
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

// refuse records that the user refused what is pending, as it was shown.
func refuse(sh *shell.Shell, f approval.Found, o trustOptions) error {
	pending := len(f.Pending())
	if pending > 0 {
		if err := sh.Confirm(o.yes, "refuse "+text.Count(pending, "item")+" as shown?", "trust"); err != nil {
			return err
		}
		if _, err := approval.Refuse(sh, f); err != nil {
			return err
		}
	}
	if o.json {
		now, err := approval.Look(sh, o.dir, o.names)
		if err != nil {
			return err
		}
		return sh.JSON(now.Doc(nil))
	}
	sh.Printf("refused %s\n", text.Count(pending, "item"))
	return nil
}

type trustOptions struct {
	dir             string   // the folder whose project is meant
	names           []string // only these
	show, yes, json bool
	keep            bool // earlier approvals stay valid
	refuse          bool
}

// approves reports whether anything is approved, by an answer or without asking. With --json
// nobody is asked.
func (o trustOptions) approves() bool { return !o.show && (o.yes || !o.json) }

func readTrust(sh *shell.Shell, c *cli.Context) (o trustOptions, err error) {
	o = trustOptions{refuse: c.Bool("refuse"), names: c.Args(), show: c.Bool("show"), yes: c.Bool("yes"), json: c.Bool("json"), keep: c.Bool("keep")}
	if o.refuse && (o.show || o.keep) {
		return o, shell.Usagef("trust: --refuse cannot be used with --show or --keep")
	}
	if len(o.names) == 1 && isPath(o.names[0]) && !c.IsSet("dir") { // no hook has such a name: a project is meant
		o.dir, err = sh.Folder("trust", o.names[0])
		o.names = nil
		return o, err
	}
	o.dir, err = hookset.LookFrom(sh, c)
	return o, err
}

func isPath(word string) bool {
	return word == "." || word == ".." || strings.ContainsAny(word, `/\`) && !strings.HasPrefix(word, hooks.TrustName(""))
}
