package doctor

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// twice reports each pair of entries that an agent runs both of: in its two scopes, its own and
// one of another agent whose entries it reads, or of two such agents.
func twice(p place, a *protocol.Dialect) (list []check) {
	var run []setup.Standing
	for _, s := range p.entries {
		if a.Reads(s.Agent.ID, s.Scope) {
			run = append(run, s)
		}
	}
	for i, one := range run {
		for _, two := range run[i+1:] {
			status, fix := checkError, two.Uninstall()
			switch {
			case one.Agent != a && two.Agent != a:
				status = checkWarn
			case one.Agent == a && two.Agent != a:
				fix = one.Uninstall()
			}
			list = append(list, row("twice", status, fix, "every hook runs twice: %s runs the entries in %s and in %s; only tool calls with an id are answered once", a.Name, p.Short(one.File), p.Short(two.File)))
		}
	}
	return list
}
