package doctor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/bring"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// elsewhere tells of hooks in the settings of agents that could be brought, and of
// those that were and run there as well.
func elsewhere(h host.Host, dir string) (list []check) {
	h.WorkDir = dir
	plan, err := bring.Make(h, bring.Options{})
	if err != nil {
		return nil
	}
	could := map[string]bool{}
	var agents, twice, places []string
	add := func(list *[]string, s string) {
		if !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for _, r := range plan.Rows {
		switch {
		case r.State == bring.New:
			could[r.Folder] = true
			add(&agents, nameOf(r.Agent))
		case r.State != bring.None && len(r.Twice) > 0:
			add(&twice, r.Name)
			add(&places, fmt.Sprintf("%s:%d", h.Short(r.Source), r.Line))
		}
	}
	if n := len(could); n > 0 {
		hooks := "hooks that you have"
		if n == 1 {
			hooks = "hook that you have"
		}
		list = append(list, row("import", checkOff, "agents-hooks import", "%d %s for %s could run in every agent", n, hooks, strings.Join(agents, ", ")))
	}
	if len(twice) > 0 {
		list = append(list, row("import", checkWarn, "take out "+strings.Join(places, ", "), "%s: the original runs as well", strings.Join(twice, ", ")))
	}
	return list
}

// nameOf is an agent's name by its id.
func nameOf(id string) string {
	all := agentarg.Installable()
	if i := slices.IndexFunc(all, func(d *protocol.Dialect) bool { return d.ID == id }); i >= 0 {
		return all[i].Name
	}
	return id
}
