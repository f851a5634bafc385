package doctor

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// read are the entries of other agents that an agent runs.
func (d *doctor) read(a *protocol.Dialect) []setup.Standing {
	var out []setup.Standing
	for _, s := range setup.StandingEntries(d.Shell, d.set.Root) {
		if s.D != a && a.Reads(s.D.ID, s.Scope) {
			out = append(out, s)
		}
	}
	return out
}

// twice tells of each pair of entries that an agent runs both (platforms 1.6): in
// its two scopes, of its own and of an agent that it reads as well, of two such
// agents.
func (d *doctor) twice(a *protocol.Dialect) {
	var run []setup.Standing
	for _, s := range setup.StandingEntries(d.Shell, d.set.Root) {
		if a.Reads(s.D.ID, s.Scope) {
			run = append(run, s)
		}
	}
	for i, one := range run {
		for _, two := range run[i+1:] {
			status, fix := checkError, two.Uninstall()
			switch {
			case one.D != a && two.D != a:
				status = checkWarn
			case one.D == a && two.D != a:
				fix = one.Uninstall()
			}
			d.add("twice", status, fix, "every hook runs twice: %s runs the entries in %s and in %s; only tool calls with an id are answered once", a.Name, d.Short(one.File), d.Short(two.File))
		}
	}
}
