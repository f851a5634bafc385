package install

import (
	"fmt"
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// notTwice finds out what else would serve the same calls as an entry that is
// about to be written (platforms 1.6): two entries would run every hook twice.
// covered says that the agent runs the entry of another one already, which makes
// its own needless; an error is what has to be taken out first; the rest is told.
func (in *installing) notTwice(d *protocol.Dialect) (covered bool, notes []string, err error) {
	all := setup.StandingEntries(in.Shell, in.project)
	for _, s := range all {
		if s.D == d && s.Scope != in.scope {
			return false, nil, shell.WithHint(fmt.Errorf("an entry stands in %s already, and both would fire: every hook would run twice", in.Short(s.File)), s.Uninstall())
		}
	}
	for _, s := range all {
		if s.D != d && d.Reads(s.D.ID, s.Scope) {
			if s.Scope == protocol.ProjectScope && in.scope == protocol.UserScope {
				return false, nil, shell.WithHint(fmt.Errorf("%s also runs the entry of %s in %s: every hook would run twice in this project", d.Name, s.D.Name, in.Short(s.File)), s.Uninstall())
			}
			return true, []string{fmt.Sprintf("it runs the entry of %s in %s as well, and is known there by what it sends; with one of its own every hook would run twice%s", s.D.Name, in.Short(s.File), setup.OnlyIf(d))}, nil
		}
	}
	for _, s := range all {
		if s.D != d && s.D.Reads(d.ID, in.scope) {
			return false, nil, shell.WithHint(fmt.Errorf("%s, which has an entry in %s, would run this one as well: every hook would run twice there", s.D.Name, in.Short(s.File)),
				s.Uninstall(), "it is served by this one then: agents-hooks install "+d.ID)
		}
	}
	for _, r := range agentarg.Installable() {
		for _, s := range all {
			if r != d && r != s.D && s.D != d && r.Reads(d.ID, in.scope) && r.Reads(s.D.ID, s.Scope) && setup.PresenceOf(in.Shell, r).Found() {
				notes = append(notes, fmt.Sprintf("%s is here too, and runs this entry and that of %s: its tool calls are answered once, its other events twice; agents-hooks doctor %s tells more", r.Name, s.D.Name, r.ID))
			}
		}
	}
	return false, notes, nil
}

// left tells of agents here that ran an entry which was taken out, and have no
// other.
func (in *installing) left(d *protocol.Dialect) (notes []string) {
	all := setup.StandingEntries(in.Shell, in.project)
	for _, r := range agentarg.Installable() {
		if r == d || !r.Reads(d.ID, in.scope) || !setup.PresenceOf(in.Shell, r).Found() {
			continue
		}
		if !slices.ContainsFunc(all, func(s setup.Standing) bool { return s.D != d && r.Reads(s.D.ID, s.Scope) }) {
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
