package doctor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/bring"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// elsewhere reports hooks in the settings of agents that could be imported, those that were
// imported and also still run there, and those that run nowhere: they are left out for an agent
// that no longer has them.
func elsewhere(p place, dir string) (list []check) {
	h := p.Host
	h.WorkDir = dir
	plan, err := bring.Make(h, bring.Options{})
	if err != nil {
		return nil
	}
	could := map[string]bool{}
	var agents []string
	doubled := map[string]*twin{} // by agent
	for _, r := range plan.Rows {
		if r.State == bring.New {
			could[r.Folder] = true
			agents = with(agents, nameOf(r.Agent))
			continue
		}
		for _, a := range r.Twice {
			if doubled[a] == nil {
				doubled[a] = &twin{}
			}
			doubled[a].add(r.Name, fmt.Sprintf("%s:%d", h.Short(r.Source), r.Line))
		}
	}
	if n := len(could); n > 0 {
		hooks := "hooks that you have"
		if n == 1 {
			hooks = "hook that you have"
		}
		list = append(list, row("import", checkOff, "agents-hooks import", "%d %s for %s could run in every agent", n, hooks, strings.Join(agents, ", ")))
	}
	for _, d := range agentarg.Installable() {
		if t := doubled[d.ID]; t != nil {
			fix := "agents-hooks disable --agent " + d.ID
			for _, name := range t.names {
				fix += " " + h.Word(name)
			}
			list = append(list, row("import", checkWarn, fix, "%s runs %s twice: by itself (%s) and by us", d.Name, strings.Join(t.names, ", "), strings.Join(t.places, ", ")))
		}
	}
	for _, lost := range plan.Lost(p.set.Hooks, agentarg.Installable()) {
		d := lost.Agent
		list = append(list, row("import", checkError, "agents-hooks enable --agent "+d.ID+" "+h.Word(lost.Name),
			"%s does not run in %s: it is left out there, and %s does not have it by itself any more", lost.Name, d.Name, d.Name))
	}
	return list
}

// A twin is what runs twice in an agent: hooks, and where their originals are.
type twin struct{ names, places []string }

func (t *twin) add(name, place string) {
	t.names, t.places = with(t.names, name), with(t.places, place)
}

// with appends a word to a list that does not have it.
func with(list []string, word string) []string {
	if slices.Contains(list, word) {
		return list
	}
	return append(list, word)
}

func nameOf(id string) string {
	all := agentarg.Installable()
	if i := slices.IndexFunc(all, func(d *protocol.Dialect) bool { return d.ID == id }); i >= 0 {
		return all[i].Name
	}
	return id
}
