package doctor

import (
	"context"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/checkup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Health is doctor's result for a folder, in the form in which others show it.
func Health(_ context.Context, sh *shell.Shell, dir string) (h checkup.Health, err error) {
	checks, err := examine(sh, placeAt(sh.Host, dir), doctorOptions{dir: dir})
	if err != nil {
		return h, err
	}
	plain := func(agent string) (list []checkup.Check) {
		for _, c := range checks[1:] {
			if c.Agent == agent {
				list = append(list, checkup.Check{ID: c.ID, Status: string(c.Status), Message: c.Message, Fix: c.Fix})
			}
		}
		return list
	}
	g := checks[0]
	h = checkup.Health{Guards: checkup.Check{ID: g.ID, Status: string(g.Status), Message: g.Message, Fix: g.Fix}, Machine: plain("")}
	for _, a := range agentarg.Installable() {
		if is := holdingOf(a, checks); is.here {
			h.Agents = append(h.Agents, checkup.Agent{ID: a.ID, Name: a.Name, Holds: is.holds, Why: is.why, Checks: plain(a.ID)})
		}
	}
	return h, nil
}
