package agents

import (
	"slices"

	skills "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A row is what is known about one agent. Its JSON form is stable.
type row struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Observed string            `json:"observed"` // proven on this version
	Version  string            `json:"version"`  // the version installed here
	Config   config            `json:"config"`
	Events   []event           `json:"events"`
	Skills   []skills.Fidelity `json:"skills"` // how well the prompts of skills can be given
	Quirks   []quirk           `json:"quirks"`
	Facts    string            `json:"facts"`
}

type config struct {
	User    string `json:"user"`
	Project string `json:"project"`
}

type event struct {
	Native  string   `json:"native"`
	Event   string   `json:"event"`
	Can     []string `json:"can"`
	Source  string   `json:"source"`
	LimitMS int64    `json:"limit_ms"` // the time limit that install writes, 0 if it does not register the event
}

type quirk struct {
	ID   string `json:"id"`
	Seen string `json:"seen"`
	Text string `json:"text"`
}

// rowsOf has a row for each agent, with the version installed here.
func rowsOf(h host.Host, agents []*protocol.Dialect) []row {
	project := setup.Project(h)
	rows := []row{}
	for _, d := range agents {
		r := row{
			ID: d.ID, Name: d.Name, Observed: d.Observed, Facts: d.Doc,
			Version: setup.InstalledVersion(setup.PresenceOf(h, d).Program),
			Config: config{
				User:    d.Config.File(setup.Site(h, protocol.UserScope, "")),
				Project: d.Config.File(setup.Site(h, protocol.ProjectScope, project)),
			},
			Events: eventsOf(d),
			Skills: skills.FidelityOf(d),
			Quirks: []quirk{},
		}
		for _, q := range d.Quirks {
			r.Quirks = append(r.Quirks, quirk{q.ID, q.Seen, q.Text})
		}
		rows = append(rows, r)
	}
	return rows
}

// eventsOf are an agent's events in the order of a session. An event that merely follows
// another one of the same native event decides nothing.
func eventsOf(d *protocol.Dialect) []event {
	events := []event{}
	for _, n := range d.NativeEvents {
		limit := n.Limit.Milliseconds()
		if n.Manual {
			limit = 0
		}
		for _, e := range n.Events() {
			events = append(events, event{n.Name, string(e), n.CanOf(e).Words(), n.Source, limit})
		}
	}
	types := protocol.EventTypes()
	order.By(events, func(a, b event) int {
		return slices.Index(types, protocol.EventType(a.Event)) - slices.Index(types, protocol.EventType(b.Event))
	})
	return events
}
