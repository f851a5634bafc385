// Package bring is the import command: it turns hooks for other programs into hook folders.
// Package cmd/internal/bring does that; this package reads the command line, shows a stranger's
// commands before they are imported, and prints the report.
package bring

import (
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/bring"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/outside"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Command is the import command.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "make hook folders from the hooks in an agent's settings",
		ArgsUsage: "[SOURCE]",
		Description: "Reads the hooks in the settings of agents, of you and of this project, and\n" +
			"writes a folder for each: its command as it is, its matcher translated. SOURCE\n" +
			"is an agent, a settings file, the folder of a plugin, or lefthook, husky or\n" +
			"pre-commit, of which git runs most already. Says of each entry what became of\n" +
			"it. Nothing is run, and the settings stay as they are; doing it again changes\n" +
			"nothing, but for entries that have changed.",
		Complete: shell.First(agentarg.Words),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "user", Usage: "put all into your own hooks, for all projects"},
			&cli.BoolFlag{Name: "project", Usage: "put all into this project, for everybody who works on it"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show what would be imported, and write nothing"},
			&cli.BoolFlag{Name: "yes", Usage: "do not ask before a stranger's hook becomes yours"},
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := read(sh, c)
			if err != nil {
				return err
			}
			p, err := carry(sh, o)
			if err != nil {
				return err
			}
			return report(sh, p, o)
		},
	}
}

type options struct {
	bring.Options
	dry, yes, json bool
}

func read(sh *shell.Shell, c *cli.Context) (o options, err error) {
	words, err := shell.Args(c, 0, 1, "an agent, a file or a folder")
	if err != nil {
		return o, err
	}
	if len(words) == 1 {
		o.From = words[0]
	}
	switch {
	case c.Bool("user") && c.Bool("project"):
		return o, shell.Usagef("import: --user and --project cannot be used together")
	case c.Bool("user"):
		o.Layer = protocol.UserScope
	case c.Bool("project"):
		o.Layer = protocol.ProjectScope
		if sh.Host.WorkDir == "" || setup.Project(sh.Host) == "" {
			return o, shell.WithHint(fmt.Errorf("import: --project: %w", host.ErrGone), "cd to the project")
		}
	}
	o.dry, o.yes, o.json = c.Bool("dry-run"), c.Bool("yes"), c.Bool("json")
	return o, nil
}

// carry makes the plan, and carries it out unless it should only be shown.
func carry(sh *shell.Shell, o options) (*bring.Plan, error) {
	if o.dry {
		p, err := bring.Make(sh.Host, o.Options)
		if err != nil {
			return nil, fmt.Errorf("import: %w", err)
		}
		return p, nil
	}
	p, err := bring.Carry(sh.Host, o.Options, func(p *bring.Plan) error { return agreed(sh, p, o) })
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	return p, nil
}

// agreed asks before commands that somebody else wrote become the user's own hooks, which run
// in every project without approval. A project's hooks still need its approval.
func agreed(sh *shell.Shell, p *bring.Plan, o options) error {
	list := p.Strangers()
	if len(list) == 0 {
		return nil
	}
	fmt.Fprintln(sh.Err, strangers(sh, list))
	return sh.Confirm(o.yes, fmt.Sprintf("bring %s as shown?", text.Count(len(list), "hook")), "bringing hooks of others as yours")
}

// strangers is what somebody has to see of hooks that others wrote before they become their own:
// when each runs, every line of its command, with what is set for it, and what it takes from
// elsewhere.
func strangers(sh *shell.Shell, list []bring.Stranger) string {
	var b strings.Builder
	b.WriteString(text.Wrap("these are not from your own settings, and would run in all your projects, with the files of each of them:", sh.Columns(), ""))
	below := func(line string) {
		b.WriteString("\n" + indent + text.Wrap(text.OneLine(protocol.Visible(line)), sh.Columns()-len(indent), indent+"  "))
	}
	for _, s := range list {
		runs := "runs"
		if s.State == bring.Changed {
			runs = "is yours already, and would run"
		}
		b.WriteString("\n  " + shell.Plain(fmt.Sprintf("%s (%s) %s", s.Name, about(s.Row), runs)))
		command := s.Hook.Command
		for _, word := range s.Hook.Argv {
			command += text.ShellWord(word) + " "
		}
		for line := range strings.Lines(command) {
			if strings.TrimSpace(line) != "" {
				below(line)
			}
		}
		if s.Disguised != "" && protocol.Visible(command) == command { // it has letters that look like others
			below(s.Disguised)
		}
		for _, ref := range outside.OfCommand(s.Hook.Command, s.Hook.Argv, s.Folder, nil) {
			below(ref.Text + ": " + ref.Why)
		}
	}
	return b.String()
}
