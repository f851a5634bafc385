package install

import (
	"errors"
	"fmt"
	"slices"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// guidesNow are the guides of all behaviours that have one, those that are on
// with their text. with are those that are being switched on.
func (in *installing) guidesNow(with []string) []setup.Guide {
	from := in.Host.WorkDir
	if in.scope == protocol.UserScope {
		from = in.Host.Home // a project's own switch is none of the user's
	}
	set := hookset.All(in.Host, from)
	var list []setup.Guide
	for _, b := range builtinhooks.Behaviours() {
		text := builtinhooks.Guide(&b, in.Host.Getenv, set.Settings.Builtin[b.Name])
		if text == nil {
			continue
		}
		on := slices.Contains(with, b.Name) || slices.ContainsFunc(hookset.BehaviourHooks(set, b.Name), func(h *discovery.Hook) bool { return h.Status != discovery.Disabled })
		if !on {
			text = nil
		}
		list = append(list, setup.Guide{Behaviour: b.Name, Text: text})
	}
	return list
}

// putGuides is what makes the guides in an agent's skills those of the behaviours
// that are on. A file that is not ours, or that somebody has edited, is refused.
func (in *installing) putGuides(d *protocol.Dialect, site protocol.Site) (s setup.GuideShelf, err error) {
	if in.guides == nil {
		return s, nil
	}
	skills := d.Skills.Dir(site)
	if skills == "" {
		s.Notes = append(s.Notes, d.Name+" reads no skills, so no guide was written")
		return s, nil
	}
	for _, g := range in.guides {
		path := setup.GuideFile(skills, g.Behaviour)
		f, err := setup.OpenConfig(path)
		if err != nil {
			return s, err
		}
		ours, untouched := builtinhooks.IsGuide(f.Content)
		switch {
		case f.Content == nil && g.Text == nil, g.Text == nil && !ours:
		case f.Content != nil && !ours:
			return s, shell.WithHint(fmt.Errorf("%s is not of this program; nothing was written", in.Short(path)), "move it away, or install without --guides")
		case !untouched && ours && g.Text == nil:
			s.Notes = append(s.Notes, in.Short(path)+" was edited, so it stays")
		case !untouched && ours:
			return s, shell.WithHint(fmt.Errorf("%s was edited; nothing was written", in.Short(path)), "keep a copy of it and remove it, or install without --guides")
		case setup.Same(f.Content, g.Text):
			s.Standing = append(s.Standing, path)
		default:
			s.Edits = append(s.Edits, protocol.Edit{Path: path, Before: f.Content, After: g.Text})
		}
	}
	if !slices.ContainsFunc(in.guides, func(g setup.Guide) bool { return g.Text != nil }) {
		return s, shell.WithHint(errors.New("--guides: no built-in behaviour is on"), "agents-hooks install "+d.ID+" --with memory --guides")
	}
	return s, nil
}

// takeGuides is what takes the guides out of an agent's skills: what we wrote and
// nobody edited, unless another agent reads it there.
func (in *installing) takeGuides(d *protocol.Dialect, site protocol.Site, r *setup.Receipts) (s setup.GuideShelf, err error) {
	skills := d.Skills.Dir(site)
	if skills == "" {
		return s, nil
	}
	for _, b := range builtinhooks.Behaviours() {
		path := setup.GuideFile(skills, b.Name)
		f, err := setup.OpenConfig(path)
		if err != nil {
			return s, err
		}
		ours, untouched := builtinhooks.IsGuide(f.Content)
		rec := r.Files[f.Real]
		switch {
		case !ours:
		case rec != nil && slices.ContainsFunc(rec.By, func(by2 string) bool { return by2 != setup.By(d, site) }):
			s.Notes = append(s.Notes, in.Short(path)+" stays: another agent reads it there")
		case !untouched:
			s.Notes = append(s.Notes, in.Short(path)+" was edited, so it stays")
		default:
			s.Edits = append(s.Edits, protocol.Edit{Path: path, Before: f.Content})
		}
	}
	return s, nil
}
