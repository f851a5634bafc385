package builtin

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/commits"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/takeover"
)

func enableCommand(sh *shell.Shell) *cli.Command {
	c := switchCommand(sh, false)
	c.Usage = "let hooks run again, or switch built-in ones on"
	c.Description = "NAME is a hook that disable switched off, or a built-in behaviour such as\n" +
		"memory (builtin list shows them). Edits your hooks.toml, or the project's.\n" +
		"What your shell's variables say of a behaviour agents do not read: it asks\n" +
		"whether that goes into your hooks.toml, which nobody else may read then."
	c.Flags = append(c.Flags, takeover.Flag(),
		cli.Offer(&cli.StringFlag{Name: "git", Usage: "what memory does in commits (`WORD`): commit, ignore"}, shell.Fixed(commits.Commit, commits.Ignore)))
	return c
}

func disableCommand(sh *shell.Shell) *cli.Command {
	c := switchCommand(sh, true)
	c.Usage = "switch hooks off, for you or with --project here"
	c.Description = "NAME is a hook, or a built-in behaviour. What is not built in is for a person\n" +
		"to switch: refused inside a hook, and where an agent may be typing."
	return c
}

func switchCommand(sh *shell.Shell, off bool) *cli.Command {
	return &cli.Command{
		Name:      switchOptions{off: off}.command(),
		ArgsUsage: "NAME...",
		Complete:  switchable(sh),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "project", Usage: "in the project's .agents/hooks.toml, for everyone who trusts it"},
			cli.Offer(&cli.StringSliceFlag{Name: "agent", Usage: "only in this `AGENT`; then NAME may be PLUGIN/*"}, agentarg.Words),
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readSwitch(sh, c, off)
			if err != nil {
				return err
			}
			git := c.String("git")
			if git != "" && git != commits.Commit && git != commits.Ignore {
				return shell.Usagef("enable: --git %q: want commit or ignore", git)
			}
			if !o.project {
				if err := setup.OwnPlaces(sh.Host); err != nil {
					return fmt.Errorf("%s: %w", o.command(), err)
				}
			}
			done, err := switchHooks(sh, o)
			if err != nil {
				return err
			}
			if !off {
				if err := commits.Settle(sh, commits.Options{Command: "enable", Names: o.names, Dir: o.dir, Project: o.project, Said: git}); err != nil {
					return err
				}
				if err := takeover.Ask(sh, o.names, c.Bool(takeover.FlagName)); err != nil {
					return fmt.Errorf("enable: %w", err)
				}
			}
			return sh.Answer(c.Bool("json"), map[string]any{"schema": 1, "file": done.file, "hooks": done.hooks}, func() { printSwitched(sh, done) })
		},
	}
}

type switchOptions struct {
	names   []string
	off     bool
	agents  []string // only in these
	project bool     // edit the project's file
	dir     string   // the folder whose hooks are meant
}

// command is the word that the user typed.
func (o switchOptions) command() string {
	if o.off {
		return "disable"
	}
	return "enable"
}

func readSwitch(sh *shell.Shell, c *cli.Context, off bool) (switchOptions, error) {
	names, err := shell.Args(c, 1, -1, "the names of hooks")
	if err != nil {
		return switchOptions{}, err
	}
	o := switchOptions{names: names, off: off, project: c.Bool("project")}
	if words := c.StringSlice("agent"); len(words) > 0 {
		dialects, err := agentarg.LookupAll(words)
		if err != nil {
			return o, err
		}
		for _, d := range dialects {
			o.agents = append(o.agents, d.ID)
		}
	}
	o.dir, err = hookset.LookFrom(sh, c)
	return o, err
}

func printSwitched(sh *shell.Shell, done edited) {
	for _, r := range done.hooks {
		sh.Printf("%s: %s\n", shell.Plain(r.Name), shell.Plain(r.Detail))
	}
	if done.notYet {
		sh.Hints([]string{"agents-hooks trust: settings of a project count once they are approved"})
	}
}

// switchable completes what enable and disable take: hooks and behaviours, each only once.
func switchable(sh *shell.Shell) cli.Words {
	return shell.Each(func(l cli.Line) ([]cli.Suggestion, cli.Kind) {
		list, kind := hookset.Words(sh)(l)
		for _, b := range sh.Host.Behaviours() {
			list = append(list, cli.Suggestion{Word: b.Name, Text: b.Purpose})
		}
		return list, kind
	})
}
