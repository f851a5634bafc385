package main

import (
	"fmt"
	"slices"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// A standing entry is one that the configuration of an agent holds, in one of its
// scopes.
type standing struct {
	d     *protocol.Dialect
	scope protocol.Scope
	protocol.Registered
}

// uninstall is the command that takes it out.
func (s standing) uninstall() string {
	return fmt.Sprintf("agents-hooks uninstall %s --%s", s.d.ID, s.scope)
}

// standing are our entries on this machine, one for each agent and scope; a
// configuration that cannot be read has none.
func (t *tool) standing(project string) []standing {
	var out []standing
	for _, d := range installable() {
		user, ok := t.entryIn(d, t.site(protocol.UserScope, project))
		if ok {
			out = append(out, standing{d, protocol.UserScope, user})
		}
		if e, ok := t.entryIn(d, t.site(protocol.ProjectScope, project)); ok && e.File != user.File {
			out = append(out, standing{d, protocol.ProjectScope, e})
		}
	}
	return out
}

// entryIn is the first entry of ours that stands in a configuration.
func (t *tool) entryIn(d *protocol.Dialect, site protocol.Site) (protocol.Registered, bool) {
	if site.Scope == protocol.ProjectScope && site.Project == "" || d.Config.File(site) == "" {
		return protocol.Registered{}, false
	}
	found, err := install.Inspect(d, site)
	if err != nil || len(found.Entries) == 0 {
		return protocol.Registered{}, false
	}
	return found.Entries[0], true
}

// notTwice finds out what else would serve the same calls as an entry that is
// about to be written (platforms 1.6): two entries would run every hook twice.
// covered says that the agent runs the entry of another one already, which makes
// its own needless; an error is what has to be taken out first; the rest is told.
func (in *installing) notTwice(d *protocol.Dialect) (covered bool, notes []string, err error) {
	all := in.standing(in.project)
	for _, s := range all {
		if s.d == d && s.scope != in.scope {
			return false, nil, withHint(fmt.Errorf("an entry stands in %s already, and both would fire: every hook would run twice", in.short(s.File)), s.uninstall())
		}
	}
	for _, s := range all {
		if s.d != d && d.Reads(s.d.ID, s.scope) {
			if s.scope == protocol.ProjectScope && in.scope == protocol.UserScope {
				return false, nil, withHint(fmt.Errorf("%s also runs the entry of %s in %s: every hook would run twice in this project", d.Name, s.d.Name, in.short(s.File)), s.uninstall())
			}
			return true, []string{fmt.Sprintf("it runs the entry of %s in %s as well, and is known there by what it sends; with one of its own every hook would run twice%s", s.d.Name, in.short(s.File), onlyIf(d))}, nil
		}
	}
	for _, s := range all {
		if s.d != d && s.d.Reads(d.ID, in.scope) {
			return false, nil, withHint(fmt.Errorf("%s, which has an entry in %s, would run this one as well: every hook would run twice there", s.d.Name, in.short(s.File)),
				s.uninstall(), "it is served by this one then: agents-hooks install "+d.ID)
		}
	}
	for _, r := range installable() {
		for _, s := range all {
			if r != d && r != s.d && s.d != d && r.Reads(d.ID, in.scope) && r.Reads(s.d.ID, s.scope) && in.presence(r).found() {
				notes = append(notes, fmt.Sprintf("%s is here too, and runs this entry and that of %s: its tool calls are answered once, its other events twice; agents-hooks doctor %s tells more", r.Name, s.d.Name, r.ID))
			}
		}
	}
	return false, notes, nil
}

// onlyIf says on what an agent without an entry of its own depends. Nothing on
// this machine tells whether it holds, and where it does not no hook runs.
func onlyIf(d *protocol.Dialect) string {
	if d.AlsoReadsIf == "" {
		return ""
	}
	return "; no hook runs in it unless " + d.AlsoReadsIf
}

// left tells of agents here that ran an entry which was taken out, and have no
// other.
func (in *installing) left(d *protocol.Dialect) (notes []string) {
	all := in.standing(in.project)
	for _, r := range installable() {
		if r == d || !r.Reads(d.ID, in.scope) || !in.presence(r).found() {
			continue
		}
		if !slices.ContainsFunc(all, func(s standing) bool { return s.d != d && r.Reads(s.d.ID, s.scope) }) {
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

// read are the entries of other agents that an agent runs.
func (d *doctor) read(a *protocol.Dialect) []standing {
	var out []standing
	for _, s := range d.standing(d.set.Root) {
		if s.d != a && a.Reads(s.d.ID, s.scope) {
			out = append(out, s)
		}
	}
	return out
}

// twice tells of each pair of entries that an agent runs both (platforms 1.6): in
// its two scopes, of its own and of an agent that it reads as well, of two such
// agents.
func (d *doctor) twice(a *protocol.Dialect) {
	var run []standing
	for _, s := range d.standing(d.set.Root) {
		if a.Reads(s.d.ID, s.scope) {
			run = append(run, s)
		}
	}
	for i, one := range run {
		for _, two := range run[i+1:] {
			status, fix := checkError, two.uninstall()
			switch {
			case one.d != a && two.d != a:
				status = checkWarn
			case one.d == a && two.d != a:
				fix = one.uninstall()
			}
			d.add("twice", status, fix, "every hook runs twice: %s runs the entries in %s and in %s; only tool calls with an id are answered once", a.Name, d.short(one.File), d.short(two.File))
		}
	}
}
