package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A guide is what an agent is told about one behaviour: a skill of its own among
// the agent's skills, agents-hooks-NAME/SKILL.md.
type guide struct {
	behaviour string
	text      []byte // nil for a behaviour that is off
}

// guidesNow are the guides of all behaviours that have one, those that are on
// with their text. with are those that are being switched on.
func (in *installing) guidesNow(with []string) []guide {
	from := in.host.WorkDir
	if in.scope == protocol.UserScope {
		from = in.host.Home // a project's own switch is none of the user's
	}
	set := in.all(from)
	var list []guide
	for _, b := range builtinhooks.Behaviours() {
		text := builtinhooks.Guide(&b, in.host.Getenv, set.Settings.Builtin[b.Name])
		if text == nil {
			continue
		}
		on := slices.Contains(with, b.Name) || slices.ContainsFunc(behaviourHooks(set, b.Name), func(h *discovery.Hook) bool { return h.Status != discovery.Disabled })
		if !on {
			text = nil
		}
		list = append(list, guide{b.Name, text})
	}
	return list
}

// guideFile is where a behaviour's guide lies in an agent's skills.
func guideFile(skills, behaviour string) string {
	return filepath.Join(skills, builtinhooks.GuideName(behaviour), "SKILL.md")
}

// A shelf of guides is what of them stands in one agent's skills.
type guideShelf struct {
	edits    []protocol.Edit
	standing []string // files that are right already
	notes    []string
}

// putGuides is what makes the guides in an agent's skills those of the behaviours
// that are on. A file that is not ours, or that somebody has edited, is refused.
func (in *installing) putGuides(d *protocol.Dialect, site protocol.Site) (s guideShelf, err error) {
	if in.guides == nil {
		return s, nil
	}
	skills := d.Skills.Dir(site)
	if skills == "" {
		s.notes = append(s.notes, d.Name+" reads no skills, so no guide was written")
		return s, nil
	}
	for _, g := range in.guides {
		path := guideFile(skills, g.behaviour)
		f, err := openConfig(path)
		if err != nil {
			return s, err
		}
		ours, untouched := builtinhooks.IsGuide(f.content)
		switch {
		case f.content == nil && g.text == nil, g.text == nil && !ours:
		case f.content != nil && !ours:
			return s, withHint(fmt.Errorf("%s is not of this program; nothing was written", in.short(path)), "move it away, or install without --guides")
		case !untouched && ours && g.text == nil:
			s.notes = append(s.notes, in.short(path)+" was edited, so it stays")
		case !untouched && ours:
			return s, withHint(fmt.Errorf("%s was edited; nothing was written", in.short(path)), "keep a copy of it and remove it, or install without --guides")
		case same(f.content, g.text):
			s.standing = append(s.standing, path)
		default:
			s.edits = append(s.edits, protocol.Edit{Path: path, Before: f.content, After: g.text})
		}
	}
	if !slices.ContainsFunc(in.guides, func(g guide) bool { return g.text != nil }) {
		return s, withHint(errors.New("--guides: no built-in behaviour is on"), "agents-hooks install "+d.ID+" --with memory --guides")
	}
	return s, nil
}

// takeGuides is what takes the guides out of an agent's skills: what we wrote and
// nobody edited, unless another agent reads it there.
func (in *installing) takeGuides(d *protocol.Dialect, site protocol.Site, r *receipts) (s guideShelf, err error) {
	skills := d.Skills.Dir(site)
	if skills == "" {
		return s, nil
	}
	for _, b := range builtinhooks.Behaviours() {
		path := guideFile(skills, b.Name)
		f, err := openConfig(path)
		if err != nil {
			return s, err
		}
		ours, untouched := builtinhooks.IsGuide(f.content)
		rec := r.Files[f.real]
		switch {
		case !ours:
		case rec != nil && slices.ContainsFunc(rec.By, func(by2 string) bool { return by2 != by(d, site) }):
			s.notes = append(s.notes, in.short(path)+" stays: another agent reads it there")
		case !untouched:
			s.notes = append(s.notes, in.short(path)+" was edited, so it stays")
		default:
			s.edits = append(s.edits, protocol.Edit{Path: path, Before: f.content})
		}
	}
	return s, nil
}

// share notes one more entry that needs a file which is right already.
func (r *receipts) share(path, by string) error {
	f, err := openConfig(path)
	if err != nil {
		return err
	}
	rec := r.Files[f.real]
	if rec == nil {
		rec = &receipt{Mixed: true, Left: hashOf(f.content)}
		r.Files[f.real] = rec
	}
	if !slices.Contains(rec.By, by) {
		rec.By = append(rec.By, by)
	}
	return nil
}
