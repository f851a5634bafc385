package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/protocol"
)

func (t *tool) agentsCommand() *cli.Command {
	return &cli.Command{
		Name:      "agents",
		Usage:     "what each agent sends, and what an answer to it can carry",
		ArgsUsage: "[AGENT...]",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "markdown", Usage: "print what stands in docs/agents.md, or of\none AGENT in its page below docs/agents"},
			jsonFlag(),
		},
		Action: t.agents,
	}
}

// An agentRow is what is known of one agent. Its JSON form is pinned (RULINGS 8).
type agentRow struct {
	ID       string       `json:"id"`
	Name     string       `json:"name"`
	Observed string       `json:"observed"` // proven on this version
	Version  string       `json:"version"`  // found here
	Config   agentConfig  `json:"config"`
	Events   []agentEvent `json:"events"`
	Skills   []fidelity   `json:"skills"` // how well prompts of skills can be given
	Quirks   []agentQuirk `json:"quirks"`
	Facts    string       `json:"facts"`
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

func (t *tool) agents(c *cli.Context) error {
	list, err := chosen(c.Args().Slice())
	if err != nil {
		return err
	}
	if len(list) == 0 {
		list = installable()
	}
	if c.Bool("markdown") {
		if c.Bool("json") {
			return usagef("agents: --markdown and --json at once")
		}
		if c.Args().Present() {
			for _, d := range list {
				t.printf("%s", agentPage(d))
			}
			return nil
		}
		t.printf("%s", agentsMarkdown(list))
		return nil
	}
	rows := []agentRow{}
	for _, d := range list {
		rows = append(rows, t.agentRow(d))
	}
	if c.Bool("json") {
		return t.json(map[string]any{"schema": 1, "agents": rows})
	}
	if !c.Args().Present() {
		t.printMatrix(list)
		return nil
	}
	for i, r := range rows {
		if i > 0 {
			t.printf("\n")
		}
		t.printAgent(r)
	}
	t.printf("\nby: o observed on the running agent, s read in its source, d documented\n")
	return nil
}

func (t *tool) agentRow(d *protocol.Dialect) agentRow {
	r := agentRow{
		ID: d.ID, Name: d.Name, Observed: d.Observed, Facts: d.Doc,
		Version: installedVersion(t.presence(d).program),
		Config: agentConfig{
			User:    d.Config.File(t.site(protocol.UserScope, "")),
			Project: d.Config.File(t.site(protocol.ProjectScope, t.project())),
		},
		Events: agentEvents(d),
		Skills: fidelityOf(d),
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

func (t *tool) printAgent(r agentRow) {
	t.printf("%s (%s)\n", r.Name, r.ID)
	t.printf("  proven on  %s\n", orElse(r.Observed, "nothing yet: from its documentation alone"))
	if r.Version != "" {
		t.printf("  found here %s\n", plain(r.Version))
	}
	t.printf("  user       %s\n", t.short(r.Config.User))
	t.printf("  project    %s\n", t.short(orElse(r.Config.Project, "none")))
	width, native := len("event"), len("native")
	for _, e := range r.Events {
		width, native = max(width, len(e.Event)), max(native, len(e.Native))
	}
	t.printf("  %-*s %-*s by can\n", width, "event", native, "native")
	for _, e := range r.Events {
		can := orElse(strings.Join(e.Can, " "), "-")
		t.printf("  %-*s %-*s %-2.1s %s\n", width, e.Event, native, e.Native, e.Source, can)
	}
	for i, f := range r.Skills {
		t.printf("  %-10s %-18s %s: %s\n", []string{"skills", ""}[min(i, 1)], f.Timing, f.Fidelity, f.Detail)
	}
}

// isVersion reports whether a name is a version: three numbers with dots, and
// what may follow them.
func isVersion(name string) bool {
	parts := strings.SplitN(strings.TrimPrefix(name, "v"), ".", 3)
	if len(parts) < 3 {
		return false
	}
	last, _, _ := strings.Cut(strings.ReplaceAll(parts[2], "+", "-"), "-")
	for _, n := range []string{parts[0], parts[1], last} {
		if n == "" || strings.Trim(n, "0123456789") != "" {
			return false
		}
	}
	return true
}

// installedVersion tells the version of an installed agent without starting it:
// from the package.json that its program lies under, or from a folder or file
// that is named after the version. "" if neither is there.
func installedVersion(program string) string {
	if program == "" {
		return ""
	}
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	at := real
	for range 6 {
		if name := filepath.Base(at); isVersion(name) {
			return strings.TrimPrefix(name, "v")
		}
		at = filepath.Dir(at)
		if v := packageVersion(filepath.Join(at, "package.json")); v != "" {
			return v
		}
	}
	return ""
}

// packageVersion is the version of a package that brings a program along.
func packageVersion(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	var p struct {
		Version string          `json:"version"`
		Bin     json.RawMessage `json:"bin"`
	}
	if json.Unmarshal(bytes.TrimSpace(b), &p) != nil || len(p.Bin) == 0 {
		return ""
	}
	return p.Version
}
