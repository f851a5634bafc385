package connect

import (
	"errors"
	"fmt"
	"slices"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A guide is an agent's instructions for one behaviour.
type guide struct {
	behaviour string
	text      []byte // nil for a behaviour that is off
}

// A guidePlan is what happens to the guides in one agent's skills.
type guidePlan struct {
	edits    []protocol.Edit
	standing []string // files that are already up to date
	notes    []string
}

// guidesNow are the guides of all behaviours that have one; those that are on have
// their text. with are those that are being switched on.
func guidesNow(sh *shell.Shell, scope protocol.Scope, with []string) []guide {
	from := sh.Host.WorkDir
	if scope == protocol.UserScope {
		from = sh.Host.Home // a project's own switch does not count for the user
	}
	set := hookset.All(sh.Host, from)
	list := []guide{}
	for _, b := range sh.Host.Behaviours() {
		text := builtinhooks.Guide(&b, sh.Host.Getenv, set.Settings.Builtin[b.Name])
		if text == nil {
			continue
		}
		on := slices.Contains(with, b.Name) || slices.ContainsFunc(hookset.BehaviourHooks(set, b.Name), func(h *discovery.Hook) bool { return h.Status != discovery.Disabled })
		if !on {
			text = nil
		}
		list = append(list, guide{b.Name, text})
	}
	return list
}

// planGuides updates the guides in an agent's skills to the behaviours that are on;
// it does nothing if there are no texts. It refuses a file that is not ours or that
// somebody has edited.
func planGuides(h host.Host, d *protocol.Dialect, site protocol.Site, texts []guide) (p guidePlan, err error) {
	if texts == nil {
		return p, nil
	}
	skills := d.Skills.Dir(site)
	if skills == "" {
		p.notes = append(p.notes, d.Name+" reads no skills, so no guide was written")
		return p, nil
	}
	for _, g := range texts {
		path := setup.GuideFile(skills, g.behaviour)
		f, err := setup.OpenConfig(path, setup.ProjectOf(site))
		if err != nil {
			return p, err
		}
		ours, untouched := builtinhooks.IsGuide(f.Content)
		switch {
		case f.Content == nil && g.text == nil, g.text == nil && !ours:
		case f.Content != nil && !ours:
			return p, shell.WithHint(fmt.Errorf("%s does not belong to this program; nothing was written", h.Short(path)), "move it away, or install without --guides")
		case !untouched && ours && g.text == nil:
			p.notes = append(p.notes, h.Short(path)+" was edited, so it stays")
		case !untouched && ours:
			return p, shell.WithHint(fmt.Errorf("%s was edited; nothing was written", h.Short(path)), "keep a copy of it and remove it, or install without --guides")
		case setup.Same(f.Content, g.text):
			p.standing = append(p.standing, path)
		default:
			p.edits = append(p.edits, protocol.Edit{Path: path, Before: f.Content, After: g.text})
		}
	}
	if !slices.ContainsFunc(texts, func(g guide) bool { return g.text != nil }) {
		return p, shell.WithHint(errors.New("--guides: no built-in behaviour is on"), "agents-hooks install "+d.ID+" --with memory --guides")
	}
	return p, nil
}

// withoutGuides removes the guides from an agent's skills: those that we wrote and
// nobody edited, unless another agent reads them there.
func withoutGuides(h host.Host, d *protocol.Dialect, site protocol.Site, r *setup.Receipts) (p guidePlan, err error) {
	skills := d.Skills.Dir(site)
	if skills == "" {
		return p, nil
	}
	for _, b := range h.Behaviours() {
		path := setup.GuideFile(skills, b.Name)
		f, err := setup.OpenConfig(path, setup.ProjectOf(site))
		if err != nil {
			return p, err
		}
		ours, untouched := builtinhooks.IsGuide(f.Content)
		switch {
		case !ours:
		case r.Others(f, setup.By(d, site)):
			p.notes = append(p.notes, h.Short(path)+" stays: another agent reads it there")
		case !untouched:
			p.notes = append(p.notes, h.Short(path)+" was edited, so it stays")
		default:
			p.edits = append(p.edits, protocol.Edit{Path: path, Before: f.Content})
		}
	}
	return p, nil
}
