package doctor

import (
	"cmp"

	"github.com/agents-hooks/agents-hooks/cmd/internal/team"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// wantedByTeam reports what the team's manifest requires and this machine lacks: hooks that do
// not run, above all those that somebody switched off.
func wantedByTeam(p place, dir string) (list []check) {
	project := team.Find(dir, p.Home)
	if project == "" {
		return nil
	}
	m := team.Read(project)
	for _, problem := range m.Problems {
		status := checkWarn
		if problem.Severity == discovery.Error {
			status = checkError
		}
		list = append(list, row("team", status, problem.Fix, "%s", problemText(p.Host, problem)))
	}
	wanted := team.HookRows(p.Host, m, p.set)
	for _, r := range wanted {
		if r.Status == team.Differ {
			list = append(list, check{ID: "team", Agent: r.Agent, Status: checkWarn, Message: r.Message, Fix: cmp.Or(r.Fix, "agents-hooks setup --check")})
		}
	}
	if len(list) == 0 {
		return rows("team", checkOK, "", "what %s requires runs: %s", p.Short(m.Path), text.Count(len(m.Hooks), "hook"))
	}
	return list
}
