package bring

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// twice lists, for each row, the agents that run both the original and, through our entry, the
// hook.
func (f *finder) twice(p *Plan) {
	standing := setup.Entries(f.h, f.project)
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Result == NotBrought && r.Name == "" {
			continue
		}
		for _, s := range standing {
			if r.runsIn(s.Agent) && !slices.Contains(r.Twice, s.Agent.ID) && !f.leftOut(r.Name, s.Agent.ID) {
				r.Twice = append(r.Twice, s.Agent.ID)
			}
		}
	}
}

// runsIn reports whether an agent runs the original by itself. It does not know the plugins of
// other agents.
func (r *Row) runsIn(d *protocol.Dialect) bool {
	return r.agent != nil && (r.agent == d || r.Plugin == "" && d.Reads(r.agent.ID, r.scope))
}

// leftOut reports whether an active hook is left out for an agent.
func (f *finder) leftOut(name, agent string) bool {
	return slices.ContainsFunc(f.set().Hooks, func(h *discovery.Hook) bool {
		return (&Row{Name: name}).isOf(h) && slices.ContainsFunc(h.LeftOut, func(o discovery.LeftOut) bool { return o.In(agent) })
	})
}

// source is the pattern for all hooks of a plugin that a hooks.toml lists as a source, "" if none
// does: a plugin in that folder, or in another one of the same name.
func (f *finder) source(p *Plugin) string {
	for _, h := range f.set().Hooks {
		if h.Plugin != "" && (h.Dir == p.Dir || bare(h.Plugin) == bare(kebab(p.Name))) {
			return h.Plugin + "/*"
		}
	}
	return ""
}

func bare(name string) string { return strings.ReplaceAll(name, "-", "") }

// A Loss is a name that is left out for an agent which no longer has the original: its hooks do not
// run there at all.
type Loss struct {
	Name  string
	Agent *protocol.Dialect
}

// Lost are the losses among some hooks. An original is known only of those that were imported or
// come from a plugin, and only if all settings could be read.
func (p *Plan) Lost(hooks []*discovery.Hook, agents []*protocol.Dialect) (list []Loss) {
	if len(p.Problems) > 0 {
		return nil
	}
	for _, h := range hooks {
		brought := slices.ContainsFunc(p.made, func(x *existing) bool { return x.name == h.FolderName() })
		if h.Status != discovery.Ready || !brought && h.Plugin == "" {
			continue
		}
		for _, o := range h.LeftOut {
			for _, d := range agents {
				loss := Loss{o.Name, d}
				if o.Name != "" && o.In(d.ID) && !slices.ContainsFunc(p.Rows, func(r Row) bool { return r.isOf(h) && r.runsIn(d) }) && !slices.Contains(list, loss) {
					list = append(list, loss)
				}
			}
		}
	}
	return list
}

// isOf reports whether a row is the original of a hook.
func (r *Row) isOf(h *discovery.Hook) bool {
	return r.Name == h.Name || h.Plugin != "" && r.Name == h.Plugin+"/*"
}
