// Package agents is the agents command: what each agent can say and do, as a table
// and as the pages below docs/agents.
package agents

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	skills "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "agents",
		Usage:        "what each agent sends, and what an answer to it can carry",
		ArgsUsage:    "[AGENT...]",
		BashComplete: shell.Arguments(shell.Each(agentarg.Words)),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "markdown", Usage: "print what stands in docs/agents.md, or of\none AGENT in its page below docs/agents"},
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return showAgents(sh, c) },
	}
}

// An agentRow is what is known of one agent. Its JSON form is pinned (RULINGS 8).
type agentRow struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Observed string            `json:"observed"` // proven on this version
	Version  string            `json:"version"`  // found here
	Config   agentConfig       `json:"config"`
	Events   []agentEvent      `json:"events"`
	Skills   []skills.Fidelity `json:"skills"` // how well prompts of skills can be given
	Quirks   []agentQuirk      `json:"quirks"`
	Facts    string            `json:"facts"`
}

type agentConfig struct {
	User    string `json:"user"`
	Project string `json:"project"`
}

type agentEvent struct {
	Native  string   `json:"native"`
	Event   string   `json:"event"`
	Can     []string `json:"can"`
	Source  string   `json:"source"`
	LimitMS int64    `json:"limit_ms"` // the time limit that install writes, 0 if it registers nothing
}

type agentQuirk struct {
	ID   string `json:"id"`
	Seen string `json:"seen"`
	Text string `json:"text"`
}

func showAgents(sh *shell.Shell, c *cli.Context) error {
	list, err := agentarg.LookupAll(c.Args().Slice())
	if err != nil {
		return err
	}
	if len(list) == 0 {
		list = agentarg.Installable()
	}
	if c.Bool("markdown") {
		if c.Bool("json") {
			return shell.Usagef("agents: --markdown and --json at once")
		}
		if c.Args().Present() {
			for _, d := range list {
				sh.Printf("%s", agentPage(d))
			}
			return nil
		}
		sh.Printf("%s", agentsMarkdown(list))
		return nil
	}
	rows := []agentRow{}
	for _, d := range list {
		rows = append(rows, rowOf(sh, d))
	}
	if c.Bool("json") {
		return sh.JSON(map[string]any{"schema": 1, "agents": rows})
	}
	if !c.Args().Present() {
		printMatrix(sh, list)
		return nil
	}
	for i, r := range rows {
		if i > 0 {
			sh.Printf("\n")
		}
		printAgent(sh, r)
	}
	sh.Printf("\nby: o observed on the running agent, s read in its source, d documented\n")
	return nil
}

func rowOf(sh *shell.Shell, d *protocol.Dialect) agentRow {
	r := agentRow{
		ID: d.ID, Name: d.Name, Observed: d.Observed, Facts: d.Doc,
		Version: setup.InstalledVersion(setup.PresenceOf(sh.Host, d).Program),
		Config: agentConfig{
			User:    d.Config.File(setup.Site(sh.Host, protocol.UserScope, "")),
			Project: d.Config.File(setup.Site(sh.Host, protocol.ProjectScope, setup.Project(sh.Host))),
		},
		Events: agentEvents(d),
		Skills: skills.FidelityOf(d),
		Quirks: []agentQuirk{},
	}
	for _, q := range d.Quirks {
		r.Quirks = append(r.Quirks, agentQuirk{q.ID, q.Seen, q.Text})
	}
	return r
}

// agentEvents are the events of an agent in the order of a session. An event
// that only follows another one of the same native event decides nothing.
func agentEvents(d *protocol.Dialect) []agentEvent {
	events := []agentEvent{}
	for _, n := range d.Natives {
		limit := n.Limit.Milliseconds()
		if n.Manual {
			limit = 0
		}
		for _, e := range n.Events() {
			events = append(events, agentEvent{n.Name, string(e), n.CanOf(e).Words(), n.Source, limit})
		}
	}
	order := protocol.EventTypes()
	slices.SortStableFunc(events, func(a, b agentEvent) int {
		return slices.Index(order, protocol.EventType(a.Event)) - slices.Index(order, protocol.EventType(b.Event))
	})
	return events
}

func printAgent(sh *shell.Shell, r agentRow) {
	sh.Printf("%s (%s)\n", r.Name, r.ID)
	sh.Printf("  proven on  %s\n", setup.OrElse(r.Observed, "nothing yet: from its documentation alone"))
	if r.Version != "" {
		sh.Printf("  found here %s\n", shell.Plain(r.Version))
	}
	sh.Printf("  user       %s\n", sh.Short(r.Config.User))
	sh.Printf("  project    %s\n", sh.Short(setup.OrElse(r.Config.Project, "none")))
	width, native := len("event"), len("native")
	for _, e := range r.Events {
		width, native = max(width, len(e.Event)), max(native, len(e.Native))
	}
	sh.Printf("  %-*s %-*s by can\n", width, "event", native, "native")
	for _, e := range r.Events {
		can := setup.OrElse(strings.Join(e.Can, " "), "-")
		sh.Printf("  %-*s %-*s %-2.1s %s\n", width, e.Event, native, e.Native, e.Source, can)
	}
	for i, f := range r.Skills {
		sh.Printf("  %-10s %-18s %s: %s\n", []string{"skills", ""}[min(i, 1)], f.Timing, f.Fidelity, f.Detail)
	}
}
