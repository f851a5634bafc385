package builtin

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func listCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:        "list",
		Usage:       "show the built-in hooks and which of them are on",
		Description: "enable NAME switches a behaviour on, disable NAME off; both with --project.",
		Flags:       []cli.Flag{hookset.DirFlag(), shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			dir, err := hookset.LookFrom(sh, c)
			if err != nil {
				return err
			}
			rows := list(sh.Host.Behaviours(), hookset.All(sh.Host, dir))
			return sh.Answer(c.Bool("json"), map[string]any{"schema": 1, "behaviours": rows}, func() { printList(sh, rows) })
		},
	}
}

// A behaviour in builtin list --json.
type behaviour struct {
	Name    string `json:"name"`
	Purpose string `json:"purpose"`
	Enabled bool   `json:"enabled"`
	By      string `json:"disabled_by"` // the file that switches it off, "" if it was never switched on
	Hooks   []hook `json:"hooks"`
}

type hook struct {
	Name        string             `json:"name"`
	Description string             `json:"description"`
	Trigger     protocol.EventType `json:"trigger"`
	Timeout     int64              `json:"timeout_ms"`
	Priority    int                `json:"priority"`
	Status      discovery.Status   `json:"status"`
}

// list has a row for each behaviour, with the state of its hooks in a set.
func list(behaviours builtinhooks.List, set *discovery.Set) []behaviour {
	rows := []behaviour{}
	for _, b := range behaviours {
		row := behaviour{Name: b.Name, Purpose: b.Purpose, Hooks: []hook{}}
		for _, h := range b.Hooks {
			l := hook{h.Name, h.Description, h.Trigger, h.Timeout.Milliseconds(), h.Priority, ""}
			for _, have := range set.Hooks {
				if have.Layer == discovery.BuiltinLayer && have.Name == h.Name {
					l.Status = have.Status
					row.Enabled = row.Enabled || have.Status != discovery.Disabled
					row.By = have.DisabledBy
				}
			}
			row.Hooks = append(row.Hooks, l)
		}
		if row.Enabled {
			row.By = ""
		}
		rows = append(rows, row)
	}
	return rows
}

func printList(sh *shell.Shell, rows []behaviour) {
	for _, row := range rows {
		state := "off: agents-hooks enable " + row.Name
		switch {
		case row.Enabled:
			state = "on"
		case row.By != "":
			state = "off, by " + sh.Short(row.By)
		}
		about, state := row.Name+": "+row.Purpose, "("+state+")"
		if columns := sh.Columns(); text.Width(about+" "+state) <= columns {
			sh.Printf("%s %s\n", about, state)
		} else { // the command in it is for copying
			sh.Printf("%s\n  %s\n", text.Wrap(about, columns-2, "  "), state)
		}
		for _, h := range row.Hooks {
			sh.Printf("  %-22s %-20s %s\n", h.Name, h.Trigger, h.Status)
		}
	}
}
