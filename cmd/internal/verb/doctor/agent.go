package doctor

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// examineAgent checks one agent. One that is not installed and has no entry of ours gets one
// line if it was asked for, else none.
func examineAgent(p place, a *protocol.Dialect, asked, probe bool) []check {
	here := setup.PresenceOf(p.Host, a)
	entries, list, broken := entriesOf(p, a)
	if !here.Found() && len(entries) == 0 && !broken {
		if asked {
			list = append(list, row("present", checkOff, "", "not on this machine: no program %s on the PATH, no folder of its own", strings.Join(a.Programs, ", ")))
		}
		return list
	}
	if err := setup.OwnConfig(p.Host, a); err != nil {
		list = append(list, row("config", checkWarn, "unset the variable that says so", "%v: the agent takes its own configuration from the repository", err))
	}
	list = slices.Concat(list,
		present(p.Host, a, here, probe),
		strangeOf(p.Host, a),
		policy(p, a),
		server(p.Host, a, setup.Site(p.Host, protocol.UserScope, p.set.Root)),
		server(p.Host, a, setup.Site(p.Host, protocol.ProjectScope, p.set.Root)),
	)
	switch {
	case len(entries) > 0:
		list = append(list, examineEntries(p, a, entries, probe)...)
	case !broken:
		list = append(list, withoutEntry(p, a)...)
	}
	return list
}

// present says where an agent is installed, and which version.
func present(h host.Host, a *protocol.Dialect, here setup.Presence, probe bool) []check {
	version := setup.InstalledVersion(here.Program)
	if probe && here.Program != "" {
		version = cmp.Or(setup.AskVersion(h.Env, here.Program), version)
	}
	proven := cmp.Or(a.Observed, "no version yet")
	switch {
	case !here.Found():
		return rows("present", checkWarn, "", "an entry of ours, but no program %s on the PATH and no folder of its own", strings.Join(a.Programs, ", "))
	case here.Program == "":
		return rows("present", checkWarn, "", "%s is there, but no program %s on the PATH", h.Short(here.Folder), strings.Join(a.Programs, ", "))
	case version == "":
		return rows("present", checkOK, "", "%s; proven on %s", h.Short(here.Program), proven)
	}
	if setup.Newer(version, a.Observed) {
		return rows("present", checkOK, "", "%s, version %s, newer than %s, the last that it was proven on; if something is off: %s", h.Short(here.Program), version, proven, shareWay)
	}
	return rows("present", checkOK, "", "%s, version %s; proven on %s", h.Short(here.Program), version, proven)
}

// sites are where an agent may have an entry of ours.
func sites(p place, a *protocol.Dialect) []protocol.Site {
	user, project := setup.Site(p.Host, protocol.UserScope, ""), setup.Site(p.Host, protocol.ProjectScope, p.set.Root)
	if file := a.Config.File(project); p.set.Root == "" || file == "" || file == a.Config.File(user) {
		return []protocol.Site{user}
	}
	return []protocol.Site{user, project}
}

// withoutEntry checks an agent that has no entry of its own: it may run another agent's.
func withoutEntry(p place, a *protocol.Dialect) []check {
	i := slices.IndexFunc(p.entries, func(s setup.Standing) bool { return s.Agent != a && a.Reads(s.Agent.ID, s.Scope) })
	if i < 0 {
		return rows("entry", checkOff, "agents-hooks install "+a.ID, "no entry of ours: no hook runs in this agent")
	}
	by := p.entries[i]
	lent := entry{setup.Site(p.Host, by.Scope, p.set.Root), by.Registered}
	return slices.Concat(
		programs(p.Host, by.Agent, []entry{lent}),
		rows("entry", checkOK, "", "no entry of its own: it runs that of %s in %s%s", by.Agent.Name, p.Short(by.File), setup.OnlyIf(a)),
		twice(p, a),
		can(p, a),
	)
}

// examineEntries checks an agent's entries, and what depends on them.
func examineEntries(p place, a *protocol.Dialect, entries []entry, probe bool) []check {
	list, working := registered(p, a, entries)
	list = slices.Concat(list,
		programs(p.Host, a, entries),
		lean(p.set, a, entries),
		twice(p, a),
		directories(p.Host, entries[0].Argv),
	)
	if working {
		list = append(list, alive(p, a, entries[0].Argv, probe)...)
	}
	list = slices.Concat(list, limits(p.set, a, entries), can(p, a))
	if probe {
		list = append(list, fire(p.Host, a, entries)...)
	}
	return list
}
