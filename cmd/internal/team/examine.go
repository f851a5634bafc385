package team

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Status says whether a machine meets one requirement.
type Status string

const (
	OK     Status = "ok"
	Off    Status = "off"    // it does not concern this machine, or cannot be compared here
	Differ Status = "differ" // it is not as the team wants it
)

// A Row is one requirement. Its JSON form is stable.
type Row struct {
	ID      string `json:"id"`    // manifest, version, agent, pack, trust, hook
	Name    string `json:"name"`  // of the agent, the pack, the hook
	Agent   string `json:"agent"` // "" if it is about none
	Status  Status `json:"status"`
	Message string `json:"message"`
	Fix     string `json:"fix"` // "" if there is nothing to do, or nothing that we could do
}

func row(id, name string, status Status, fix, format string, args ...any) Row {
	return Row{ID: id, Name: name, Status: status, Message: shell.Plain(fmt.Sprintf(format, args...)), Fix: shell.Plain(fix)}
}

// VersionRow says whether this program is new enough.
func VersionRow(m *Manifest, have string) []Row {
	if m.Requires == "" {
		return nil
	}
	older, known := keep.Older(have, m.Requires)
	switch {
	case !known:
		return []Row{row("version", "agents-hooks", Off, "", "not compared: this is a development build (%s), and the team wants %s at least", have, m.Requires)}
	case older:
		return []Row{row("version", "agents-hooks", Differ, setup.InstallHint, "%s is older than %s, which the team wants at least", have, m.Requires)}
	}
	return []Row{row("version", "agents-hooks", OK, "", "%s; the team wants %s at least", have, m.Requires)}
}

// AgentRows say for each of the team's agents whether it has our entry.
func AgentRows(h host.Host, m *Manifest) (rows []Row) {
	for _, d := range m.Agents {
		r := agentRow(h, m, d)
		r.Agent = d.ID
		rows = append(rows, r)
	}
	return rows
}

func agentRow(h host.Host, m *Manifest, d *protocol.Dialect) Row {
	entries := setup.Entries(h, m.Project)
	own := slices.IndexFunc(entries, func(s setup.Standing) bool { return s.Agent == d })
	by := slices.IndexFunc(entries, func(s setup.Standing) bool { return s.Agent != d && d.Reads(s.Agent.ID, s.Scope) })
	why, file := setup.KeptOut(h, d)
	switch {
	case own < 0 && by < 0 && !setup.PresenceOf(h, d).Found():
		return row("agent", d.ID, Off, "", "%s is not on this machine", d.Name)
	case why != "":
		return row("agent", d.ID, Differ, "ask whoever runs this machine: docs/team.md, Managed machines", "%s calls no entry of yours: %s: %s", d.Name, h.Short(file), why)
	case own >= 0:
		return row("agent", d.ID, OK, "", "%s has the entry, in %s", d.Name, h.Short(entries[own].File))
	case by >= 0:
		return row("agent", d.ID, OK, "", "%s runs the entry of %s%s", d.Name, entries[by].Agent.Name, setup.OnlyIf(d))
	}
	return row("agent", d.ID, Differ, "agents-hooks install "+d.ID, "%s has no entry of ours: no hook runs in it", d.Name)
}

// HookRows say for each required hook whether it runs: at all, and in each agent on
// this machine in which it is required.
func HookRows(h host.Host, m *Manifest, set *discovery.Set) (rows []Row) {
	for _, q := range m.Hooks {
		state := stateOf(h, m, q, set)
		if rows = append(rows, state); state.Status != OK {
			continue
		}
		hook := ready(set, q.Name)
		agents := q.Agents
		if len(agents) == 0 {
			agents = m.Agents
		}
		for _, d := range agents {
			if r, differs := inAgent(h, m, d, hook); differs {
				r.Agent = d.ID
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// ready is the hook with a name that runs, nil if none does.
func ready(set *discovery.Set, name string) *discovery.Hook {
	for _, h := range set.Hooks {
		if h.Name == name && h.Status == discovery.Ready {
			return h
		}
	}
	return nil
}

// nearest is the hook that a name was probably meant to be, "" if there is none.
func nearest(name string, set *discovery.Set) string {
	var names []string
	for _, k := range set.Hooks {
		names = append(names, k.Name)
	}
	return text.Nearest(name, names, 2)
}

// stateOf says whether a required hook runs, and if not, why and who can change that.
func stateOf(h host.Host, m *Manifest, q Required, set *discovery.Set) Row {
	if hook := ready(set, q.Name); hook != nil {
		where := string(hook.Layer)
		if hook.Dir != "" {
			where += ", " + h.Short(hook.Dir)
		}
		return row("hook", q.Name, OK, "", "%s runs (%s)", q.Name, where)
	}
	at := slices.IndexFunc(set.Hooks, func(k *discovery.Hook) bool { return k.Name == q.Name })
	if at < 0 {
		fix := "put its folder into " + h.Short(m.Project) + "/.agents/hooks, or take it out of " + h.Short(q.At)
		if near := nearest(q.Name, set); near != "" {
			fix = "write " + near + " at " + h.Short(q.At) + ", or " + fix
		}
		return row("hook", q.Name, Differ, fix, "%s is required, and there is no such hook", q.Name)
	}
	switch k := set.Hooks[at]; k.Status {
	case discovery.Disabled:
		by := cmp.Or(k.DisabledBy, "its behaviour, which nobody enabled")
		return row("hook", q.Name, Differ, "agents-hooks enable "+q.Name+", if whoever did that agrees", "%s is required, and disabled by %s", q.Name, h.Tidy(by))
	case discovery.Untrusted:
		return row("hook", q.Name, Differ, "agents-hooks trust", "%s is required, and not approved: it does not run", q.Name)
	case discovery.Broken:
		why := ""
		for _, p := range k.Problems {
			if p.Fatal {
				why = ": " + h.Tidy(p.String())
				break
			}
		}
		return row("hook", q.Name, Differ, "agents-hooks validate", "%s is required, and broken%s", q.Name, why)
	default:
		return row("hook", q.Name, Differ, "", "%s is required, and %s", q.Name, strings.TrimSpace(string(k.Status)+" "+h.Tidy(k.OverriddenBy)))
	}
}

// inAgent says why a hook that runs does not run in one of this machine's agents.
func inAgent(h host.Host, m *Manifest, d *protocol.Dialect, hook *discovery.Hook) (r Row, differs bool) {
	if agentRow(h, m, d).Status != OK {
		return r, false // reported for the agent
	}
	for _, o := range hook.LeftOut {
		if o.In(d.ID) {
			return row("hook", hook.Name, Differ, "agents-hooks enable --agent "+d.ID+" "+hook.Name+", if whoever did that agrees", "%s is required, and left out of %s: %s", hook.Name, d.Name, h.Tidy(o.Text())), true
		}
	}
	has := slices.ContainsFunc(d.NativeEvents, func(n protocol.Native) bool { return !n.Manual && slices.Contains(n.Events(), hook.Trigger) })
	if !has {
		return row("hook", hook.Name, Differ, "require it in the other agents only: agents = […]", "%s has no %s: %s never runs in it", d.Name, hook.Trigger, hook.Name), true
	}
	served := setup.ServedEvents(d, []*discovery.Hook{hook})
	for _, s := range setup.Entries(h, m.Project) {
		if s.Agent != d {
			continue
		}
		registered := setup.EventsIn(d, setup.Site(h, s.Scope, m.Project))
		for _, e := range served {
			if !slices.Contains(registered, e) {
				return row("hook", hook.Name, Differ, "agents-hooks install "+d.ID, "%s does not call us at %s: %s does not run in it", d.Name, e, hook.Name), true
			}
		}
	}
	return r, false
}

// Disabled names hooks that a folder's manifest requires and that somebody switched
// off, and the file: for lists of hooks.
func Disabled(h host.Host, dir string, set *discovery.Set) (list []discovery.Problem) {
	project := Find(dir, h.Home)
	if project == "" {
		return nil
	}
	m := Read(project)
	for _, q := range m.Hooks {
		for _, k := range set.Hooks {
			if k.Name == q.Name && k.Status == discovery.Disabled && ready(set, q.Name) == nil {
				list = append(list, discovery.Problem{File: m.Path, Line: q.Line, Column: 1, Field: "require", Severity: discovery.Warning, Value: q.Name,
					Message: fmt.Sprintf("%s is required, and disabled by %s", q.Name, cmp.Or(k.DisabledBy, "its behaviour, which nobody enabled"))})
			}
		}
	}
	return list
}
