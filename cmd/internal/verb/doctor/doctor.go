// Package doctor is the doctor command: checks of the machine, of each agent's entry
// and of the behaviours, each with its fix. It changes nothing.
package doctor

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/skillset"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "doctor",
		Usage:        "is everything there, connected and alive",
		ArgsUsage:    "[AGENT...]",
		BashComplete: shell.Arguments(shell.Each(agentarg.Words)),
		Description: "Looks at the program, its directories, the hooks that count here, and each\n" +
			"agent's entry; changes none of them. --probe starts each entry as its agent\n" +
			"would, with an event that runs no hook, and asks agents for their version.\n" +
			"Exit 1 if one of the checks is an error.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "self-test", Usage: "say a word as sessions begin; run again to look for it in them"},
			&cli.BoolFlag{Name: "probe", Usage: "fire each entry once, and say how long it took"},
			hookset.DirFlag(),
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return examine(sh, c) },
	}
}

// A verdict is how a check came out.
type verdict string

const (
	checkOK    verdict = "ok"
	checkWarn  verdict = "warn"  // it works, but not as somebody may think
	checkError verdict = "error" // it does not work
	checkOff   verdict = "off"   // it is not there, which may be meant
)

// A check is one line of doctor. Its JSON form is pinned (RULINGS 8).
type check struct {
	ID      string  `json:"id"`
	Agent   string  `json:"agent"` // "" if it is about none
	Status  verdict `json:"status"`
	Message string  `json:"message"`
	Fix     string  `json:"fix"`
}

// A doctor is one examination.
type doctor struct {
	*shell.Shell
	set    *discovery.Set
	from   string // where it looks from
	probe  bool
	agent  string // whose checks are being made
	checks []check

	skillShelf *skillset.SkillShelf // nil until it is asked for
}

func examine(sh *shell.Shell, c *cli.Context) error {
	list, err := agentarg.LookupAll(c.Args().Slice())
	if err != nil {
		return err
	}
	dir, err := hookset.LookFrom(sh, c)
	if err != nil {
		return err
	}
	d := &doctor{Shell: sh, set: hookset.Set(sh.Host, dir), from: dir, probe: c.Bool("probe"), checks: []check{}}
	if c.Bool("self-test") {
		if len(list) == 0 {
			list = agentarg.Installable()
		}
		if err := d.selfTest(list); err != nil {
			return err
		}
		return d.report(c.Bool("json"))
	}
	if len(list) == 0 {
		list = agentarg.Installable()
		d.general()
	}
	for _, a := range list {
		d.agent = a.ID
		d.examine(a, c.NArg() > 0)
	}
	return d.report(c.Bool("json"))
}

// add makes a check; fix may be empty.
func (d *doctor) add(id string, status verdict, fix, format string, args ...any) {
	d.checks = append(d.checks, check{id, d.agent, status, shell.Plain(fmt.Sprintf(format, args...)), shell.Plain(fix)})
}

func (d *doctor) report(asJSON bool) error {
	errors := 0
	for _, c := range d.checks {
		if c.Status == checkError {
			errors++
		}
	}
	if asJSON {
		if err := d.JSON(map[string]any{"schema": 1, "checks": d.checks}); err != nil {
			return err
		}
	} else {
		d.print()
	}
	if errors > 0 {
		return shell.ErrReported
	}
	return nil
}

func (d *doctor) print() {
	last := "-"
	for _, c := range d.checks {
		if c.Agent != last {
			if last != "-" {
				d.Printf("\n")
			}
			d.Printf("%s\n", d.Paint(shell.Bold, d.title(c.Agent)))
			last = c.Agent
		}
		d.Printf("  %s %-11s %s\n", d.mark(c.Status), c.ID, shell.Wrap(c.Message, 59, "                    "))
		if c.Fix != "" {
			d.Printf("                    %s\n", shell.Wrap("fix: "+c.Fix, 59, "                    "))
		}
	}
}

func (d *doctor) title(agent string) string {
	if agent == "" {
		return "agents-hooks " + shell.ProgramVersion()
	}
	for _, a := range agentarg.Installable() {
		if a.ID == agent {
			return a.Name
		}
	}
	return agent
}

func (d *doctor) mark(s verdict) string {
	c := map[verdict]shell.Colour{checkOK: shell.Green, checkWarn: shell.Yellow, checkError: shell.Red, checkOff: shell.Dim}[s]
	return d.Paint(c, fmt.Sprintf("%-5s", s))
}

// scopes are where an agent may have an entry of ours.
func (d *doctor) sites(a *protocol.Dialect) []protocol.Site {
	sites := []protocol.Site{setup.Site(d.Shell, protocol.UserScope, "")}
	if p := setup.Site(d.Shell, protocol.ProjectScope, d.set.Root); d.set.Root != "" && a.Config.File(p) != "" && a.Config.File(p) != a.Config.File(sites[0]) {
		sites = append(sites, p)
	}
	return sites
}
