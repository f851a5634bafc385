// Package install is install and uninstall: the dispatcher's entry in an agent's
// configuration, with its MCP server and guides. It touches nothing else in these files.
//
// Package connect plans and makes the changes; this package reads the command line and prints
// the result (print.go).
package install

import (
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/commits"
	"github.com/agents-hooks/agents-hooks/cmd/internal/connect"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/takeover"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Command is the group: its words are top-level commands.
func Command(sh *shell.Shell) *cli.Command {
	return shell.Group(installCommand(sh), uninstallCommand(sh))
}

func installCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "install",
		Usage:     "write the one entry into the configuration of agents",
		ArgsUsage: "AGENT...",
		Complete:  shell.Each(agentarg.Words),
		Description: "Adds our entries behind those of others and changes nothing else; doing it\n" +
			"again changes nothing. A backup goes into the state directory; uninstall gives\n" +
			"the bytes back. Where your hooks and the state lie stands in the entry, so\n" +
			"that a repository cannot move them.",
		Flags: append(scopeFlags(),
			&cli.BoolFlag{Name: "dry-run", Usage: "show what would change, and change nothing"},
			&cli.BoolFlag{Name: "lean", Usage: "only the events that a hook serves now"},
			&cli.StringFlag{Name: "with", Usage: "also switch on built-in `BEHAVIOURS` such as memory"},
			&cli.BoolFlag{Name: "guides", Usage: "tell the agent how to use what is on: one skill per behaviour"},
			cli.Offer(&cli.StringFlag{Name: "trust", Usage: "run the hooks of any project without asking: `always`"}, shell.Fixed("always")),
			&cli.BoolFlag{Name: "yes", Usage: "do not ask, of --all and --trust always"},
			&cli.BoolFlag{Name: "mcp", Usage: "also register the MCP server: agents-hooks mcp"},
			&cli.StringSliceFlag{Name: "mcp-tools", Usage: "with --mcp: its `SETS`, such as memory,workspace:full"},
			&cli.BoolFlag{Name: "managed", Usage: "print an administrator's file for the agent, and write nothing"},
			&cli.StringFlag{Name: "program", Usage: "with --managed: the dispatcher's `PATH` on the machines"},
			takeover.Flag(),
			shell.JSONFlag(),
		),
		Action: func(c *cli.Context) error {
			o, err := readInstall(sh, c)
			if err != nil {
				return err
			}
			if c.Bool("managed") || c.IsSet("program") {
				m, err := readManaged(sh, c, o.Agents)
				if err != nil {
					return err
				}
				return printManaged(sh, m)
			}
			if err := setup.OwnPlaces(sh.Host); err != nil {
				return fmt.Errorf("install: %w", err)
			}
			for _, why := range setup.Steered(sh.Host) {
				sh.Say("install: warning: %s: who can write there decides which hooks run", shell.Plain(why))
			}
			if c.Bool("all") && !o.Dry && len(o.Agents) > 0 {
				if err := askAll(sh, c.Bool("yes"), "install", "one entry goes into the configuration of:", o.Agents); err != nil {
					return err
				}
			}
			if o.Trust {
				err := sh.Confirm(c.Bool("yes"), "the hooks of every repository will run unasked in this agent; go on?", "--trust always")
				if err != nil {
					return err
				}
			}
			done, err := connect.Install(sh, o)
			if err != nil {
				return err
			}
			if !o.Dry && len(done.With) > 0 {
				if err := commits.Settle(sh, commits.Options{Command: "install", Names: done.With, Dir: sh.Host.WorkDir, Project: o.Scope == protocol.ProjectScope}); err != nil {
					return err
				}
			}
			return report(sh, "install", done, o.Dry, c.Bool("json"))
		},
	}
}

func uninstallCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "uninstall",
		Usage:     "remove the entry from the configuration of agents",
		ArgsUsage: "AGENT...",
		Complete:  shell.Each(agentarg.Words),
		Description: "Removes our entries and guides, and nothing else. A file that nobody else has\n" +
			"touched since the install becomes what it was before, to the byte. It is\n" +
			"refused inside a hook, and where an agent may be typing.",
		Flags: append(scopeFlags(),
			&cli.BoolFlag{Name: "purge", Usage: "with --all: forget approvals, logs and receipts, too"},
			cli.Offer(&cli.StringSliceFlag{Name: "also", Usage: "with --purge: remove your `hooks`, or data, as well"}, shell.Fixed(setup.Also()...)),
			&cli.BoolFlag{Name: "yes", Usage: "do not ask, of --all"},
			&cli.BoolFlag{Name: "dry-run", Usage: "show what would change, and change nothing"},
			shell.JSONFlag(),
		),
		Action: func(c *cli.Context) error {
			o, err := readUninstall(sh, c)
			if err != nil {
				return err
			}
			if !o.Dry {
				if err := sh.OnlyPerson("uninstall"); err != nil {
					return err
				}
			}
			all, purge, also := c.Bool("all"), c.Bool("purge"), shell.SplitCommas(c.StringSlice("also"))
			if err := fitting(all, purge, also); err != nil {
				return err
			}
			list := []connect.Options{o}
			if all && !c.Bool("user") && !c.Bool("project") {
				list = everywhere(sh, o)
			}
			if all && !o.Dry {
				if err := askLeaving(sh, c.Bool("yes"), list, purge, also); err != nil {
					return err
				}
			}
			var done connect.Outcome
			for _, o := range list {
				done.Agents = append(done.Agents, connect.Uninstall(sh, o)...)
			}
			if err := report(sh, "uninstall", done, o.Dry, c.Bool("json")); err != nil || !purge {
				return err
			}
			if o.Dry {
				sh.Say("would be forgotten: %s", setup.Purged(sh.Host, also))
				return nil
			}
			kept, err := setup.Purge(sh.Host, also)
			tellKept(sh, kept, c.Bool("json"))
			return err
		},
	}
}

// scopeFlags choose one of an agent's configurations.
func scopeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "user", Usage: "the agent's configuration of the user (default)"},
		&cli.BoolFlag{Name: "project", Usage: "the agent's configuration of this project"},
		&cli.BoolFlag{Name: "all", Usage: "in place of names: every installed agent"},
	}
}

func readInstall(sh *shell.Shell, c *cli.Context) (o connect.InstallOptions, err error) {
	if o.Scope, err = scopeOf(c.Command.Name, c.Bool("user"), c.Bool("project")); err != nil {
		return o, err
	}
	o.TakeOver = c.Bool(takeover.FlagName)
	o.Dry, o.Lean, o.Guides, o.MCP = c.Bool("dry-run"), c.Bool("lean"), c.Bool("guides"), c.Bool("mcp")
	o.With = strings.FieldsFunc(c.String("with"), func(r rune) bool { return r == ',' || r == ' ' })
	if o.MCPTools = shell.SplitCommas(c.StringSlice("mcp-tools")); len(o.MCPTools) > 0 && !o.MCP {
		return o, shell.Usagef("install: --mcp-tools needs --mcp")
	}
	if _, err := connect.ServerTools(sh, o.MCPTools); err != nil {
		return o, shell.Usagef("install: --mcp-tools: %v", err)
	}
	switch c.String("trust") {
	case "":
	case "always":
		o.Trust = true
	default:
		return o, shell.Usagef("install: --trust %q: want \"always\"", c.String("trust"))
	}
	if o.Project, err = projectFor(sh.Host, o.Scope); err != nil {
		return o, err
	}
	o.Agents, err = chosen("install", c.Args(), c.Bool("all"), func(d *protocol.Dialect) bool { return setup.PresenceOf(sh.Host, d).Found() })
	return o, err
}

func readUninstall(sh *shell.Shell, c *cli.Context) (o connect.Options, err error) {
	if o.Scope, err = scopeOf(c.Command.Name, c.Bool("user"), c.Bool("project")); err != nil {
		return o, err
	}
	o.Dry = c.Bool("dry-run")
	if o.Project, err = projectFor(sh.Host, o.Scope); err != nil {
		return o, err
	}
	site := o.Site(sh.Host)
	o.Agents, err = chosen("uninstall", c.Args(), c.Bool("all"), func(d *protocol.Dialect) bool { return stands(d, site) })
	return o, err
}

func scopeOf(command string, user, project bool) (protocol.Scope, error) {
	switch {
	case user && project:
		return "", shell.Usagef("%s: --user and --project cannot be used together", command)
	case project:
		return protocol.ProjectScope, nil
	}
	return protocol.UserScope, nil
}

// projectFor is the project of the working directory, which a scope may need.
func projectFor(h host.Host, scope protocol.Scope) (string, error) {
	project := setup.Project(h)
	if scope == protocol.ProjectScope && project == "" {
		return "", shell.WithHint(fmt.Errorf("install: --project: %w", host.ErrGone), "cd to the project")
	}
	return project, nil
}

// chosen are the agents that are named or, with --all, those that fit.
func chosen(command string, words []string, all bool, fits func(*protocol.Dialect) bool) (list []*protocol.Dialect, err error) {
	if len(words) == 1 && words[0] == "all" {
		return nil, shell.WithHint(shell.Usagef("no such agent: %q", "all"), "agents-hooks "+command+" --all")
	}
	list, err = agentarg.LookupAll(words)
	switch {
	case err != nil:
		return nil, err
	case all && len(list) > 0:
		return nil, shell.Usagef("%s: --all cannot be used with the names of agents", command)
	case all:
		for _, d := range agentarg.Installable() {
			if fits(d) {
				list = append(list, d)
			}
		}
		return list, nil
	case len(list) == 0:
		return nil, whichAgents(command, fits)
	}
	return list, nil
}

// whichAgents is the error for a command without agents; it suggests those that fit.
func whichAgents(command string, fits func(*protocol.Dialect) bool) error {
	var here, all []string
	for _, d := range agentarg.Installable() {
		all = append(all, d.ID)
		if fits(d) {
			here = append(here, d.ID)
		}
	}
	err := shell.Usagef("%s: want one or more agents: %s", command, strings.Join(all, ", "))
	if len(here) == 0 {
		return shell.WithHint(err, "none of them was found on this machine; agents-hooks agents shows where it looked")
	}
	return shell.WithHint(err, fmt.Sprintf("found here: agents-hooks %s %s", command, strings.Join(here, " ")), fmt.Sprintf("all of these: agents-hooks %s --all", command))
}
