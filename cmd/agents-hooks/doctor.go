package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func (t *tool) doctorCommand() *cli.Command {
	return &cli.Command{
		Name:      "doctor",
		Usage:     "is everything there, connected and alive",
		ArgsUsage: "[AGENT...]",
		Description: "Looks at the program, its directories, the hooks that count here, and each\n" +
			"agent's entry; changes none of them. --probe starts each entry as its agent\n" +
			"would, with an event that runs no hook, and asks agents for their version.\n" +
			"Exit 1 if one of the checks is an error.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "self-test", Usage: "say a word as sessions begin; run again to look for it in them"},
			&cli.BoolFlag{Name: "probe", Usage: "fire each entry once, and say how long it took"},
			dirFlag(),
			jsonFlag(),
		},
		Action: t.doctor,
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
	*tool
	set    *discovery.Set
	from   string // where it looks from
	probe  bool
	agent  string // whose checks are being made
	checks []check

	skillShelf *skillShelf // nil until it is asked for
}

func (t *tool) doctor(c *cli.Context) error {
	list, err := chosen(c.Args().Slice())
	if err != nil {
		return err
	}
	dir, err := t.lookFrom(c)
	if err != nil {
		return err
	}
	d := &doctor{tool: t, set: t.set(dir), from: dir, probe: c.Bool("probe"), checks: []check{}}
	if c.Bool("self-test") {
		if len(list) == 0 {
			list = installable()
		}
		if err := d.selfTest(list); err != nil {
			return err
		}
		return d.report(c.Bool("json"))
	}
	if len(list) == 0 {
		list = installable()
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
	d.checks = append(d.checks, check{id, d.agent, status, plain(fmt.Sprintf(format, args...)), plain(fix)})
}

func (d *doctor) report(asJSON bool) error {
	errors := 0
	for _, c := range d.checks {
		if c.Status == checkError {
			errors++
		}
	}
	if asJSON {
		if err := d.json(map[string]any{"schema": 1, "checks": d.checks}); err != nil {
			return err
		}
	} else {
		d.print()
	}
	if errors > 0 {
		return errReported
	}
	return nil
}

func (d *doctor) print() {
	last := "-"
	for _, c := range d.checks {
		if c.Agent != last {
			if last != "-" {
				d.printf("\n")
			}
			d.printf("%s\n", d.paint(bold, d.title(c.Agent)))
			last = c.Agent
		}
		d.printf("  %s %-11s %s\n", d.mark(c.Status), c.ID, wrap(c.Message, 59, "                    "))
		if c.Fix != "" {
			d.printf("                    %s\n", wrap("fix: "+c.Fix, 59, "                    "))
		}
	}
}

func (d *doctor) title(agent string) string {
	if agent == "" {
		return "agents-hooks " + programVersion()
	}
	for _, a := range installable() {
		if a.ID == agent {
			return a.Name
		}
	}
	return agent
}

func (d *doctor) mark(s verdict) string {
	c := map[verdict]colour{checkOK: green, checkWarn: yellow, checkError: red, checkOff: dim}[s]
	return d.paint(c, fmt.Sprintf("%-5s", s))
}

// scopes are where an agent may have an entry of ours.
func (d *doctor) sites(a *protocol.Dialect) []protocol.Site {
	sites := []protocol.Site{d.site(protocol.UserScope, "")}
	if p := d.site(protocol.ProjectScope, d.set.Root); d.set.Root != "" && a.Config.File(p) != "" && a.Config.File(p) != a.Config.File(sites[0]) {
		sites = append(sites, p)
	}
	return sites
}
