package setup

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// A Standing entry is one that exists in an agent's configuration, in one of its
// scopes.
type Standing struct {
	Agent *protocol.Dialect
	Scope protocol.Scope
	protocol.Registered
}

// Uninstall is the command that removes it.
func (s Standing) Uninstall() string {
	return fmt.Sprintf("agents-hooks uninstall %s --%s", s.Agent.ID, s.Scope)
}

// Entries are our entries on this machine, one for each agent and scope; an
// unreadable configuration has none.
func Entries(h host.Host, project string) []Standing {
	var out []Standing
	for _, d := range agentarg.Installable() {
		user, ok := EntryIn(d, Site(h, protocol.UserScope, project))
		if ok {
			out = append(out, Standing{d, protocol.UserScope, user})
		}
		if e, ok := EntryIn(d, Site(h, protocol.ProjectScope, project)); ok && e.File != user.File {
			out = append(out, Standing{d, protocol.ProjectScope, e})
		}
	}
	return out
}

// EntryIn is our first entry in a configuration.
func EntryIn(d *protocol.Dialect, site protocol.Site) (protocol.Registered, bool) {
	if site.Scope == protocol.ProjectScope && site.Project == "" || d.Config.File(site) == "" {
		return protocol.Registered{}, false
	}
	found, err := install.Inspect(d, site)
	if err != nil || len(found.Entries) == 0 {
		return protocol.Registered{}, false
	}
	return found.Entries[0], true
}

// OnlyIf is the condition on which an agent without an entry of its own runs hooks.
// Nothing on this machine says whether it holds; if it does not, no hook runs.
func OnlyIf(d *protocol.Dialect) string {
	if d.AlsoReadsIf == "" {
		return ""
	}
	return "; no hook runs in it unless " + d.AlsoReadsIf
}

// EventsIn are the agent's events on which a configuration calls us.
func EventsIn(d *protocol.Dialect, site protocol.Site) (events []string) {
	found, err := install.Inspect(d, site)
	if err != nil {
		return nil
	}
	for _, e := range found.Entries {
		events = append(events, e.Event)
	}
	return events
}
