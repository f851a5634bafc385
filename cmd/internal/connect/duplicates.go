package connect

import (
	"fmt"
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// notTwice finds out what else would serve the same calls as an entry that is about
// to be written: two entries would run every hook twice. covered says that the agent
// already runs another agent's entry and needs none of its own; an error names what
// has to be removed first; everything else becomes notes.
func notTwice(h host.Host, d *protocol.Dialect, scope protocol.Scope, project string) (covered bool, notes []string, err error) {
	all := setup.Entries(h, project)
	for _, s := range all {
		if s.Agent == d && s.Scope != scope {
			return false, nil, shell.WithHint(fmt.Errorf("there is an entry in %s already: with both, every hook would run twice", h.Short(s.File)), s.Uninstall())
		}
	}
	for _, s := range all {
		if s.Agent != d && d.Reads(s.Agent.ID, s.Scope) {
			if s.Scope == protocol.ProjectScope && scope == protocol.UserScope {
				return false, nil, shell.WithHint(fmt.Errorf("%s also runs the entry of %s in %s: every hook would run twice in this project", d.Name, s.Agent.Name, h.Short(s.File)), s.Uninstall())
			}
			return true, []string{fmt.Sprintf("it runs the entry of %s in %s as well, and is known there by what it sends; with one of its own every hook would run twice%s", s.Agent.Name, h.Short(s.File), setup.OnlyIf(d))}, nil
		}
	}
	for _, s := range all {
		if s.Agent != d && s.Agent.Reads(d.ID, scope) {
			return false, nil, shell.WithHint(fmt.Errorf("%s, which has an entry in %s, would run this one as well: every hook would run twice there", s.Agent.Name, h.Short(s.File)),
				s.Uninstall(), "it is served by this one then: agents-hooks install "+d.ID)
		}
	}
	for _, r := range agentarg.Installable() {
		for _, s := range all {
			if r != d && r != s.Agent && s.Agent != d && r.Reads(d.ID, scope) && r.Reads(s.Agent.ID, s.Scope) && setup.PresenceOf(h, r).Found() {
				notes = append(notes, fmt.Sprintf("%s is here too, and runs this entry and that of %s: its tool calls are answered once, its other events twice; agents-hooks doctor %s tells more", r.Name, s.Agent.Name, r.ID))
			}
		}
	}
	return false, notes, nil
}

// left reports agents on this machine that ran an entry which was removed, and have
// no other; not those that are to have none.
func left(h host.Host, d *protocol.Dialect, o Options) (notes []string) {
	all := setup.Entries(h, o.Project)
	for _, r := range agentarg.Installable() {
		if slices.Contains(o.Agents, r) || !r.Reads(d.ID, o.Scope) || !setup.PresenceOf(h, r).Found() {
			continue
		}
		if !slices.ContainsFunc(all, func(s setup.Standing) bool { return s.Agent != d && r.Reads(s.Agent.ID, s.Scope) }) {
			notes = append(notes, fmt.Sprintf("%s ran this entry as well, and has none now: agents-hooks install %s", r.Name, r.ID))
		}
	}
	return notes
}

// readFirst puts agents whose files others read before those others, which then
// need no entry of their own.
func readFirst(list []*protocol.Dialect) []*protocol.Dialect {
	var out []*protocol.Dialect
	for _, d := range list {
		at := len(out)
		for i, o := range out {
			if o.Reads(d.ID, "") && !d.Reads(o.ID, "") {
				at = i
				break
			}
		}
		out = append(out[:at:at], append([]*protocol.Dialect{d}, out[at:]...)...)
	}
	return out
}
