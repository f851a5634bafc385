package discovery

import (
	"cmp"
	"errors"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/trust"
)

// record is the record of approvals, read on first use. If it cannot be read, nothing
// is trusted, and a problem says so.
func (l *loader) record() *trust.Record {
	if l.approved == nil {
		var err error
		if m := l.src.Memo; m != nil {
			l.approved, err = m.approved(l.src.State)
		} else {
			l.approved, err = trust.Read(l.src.State)
		}
		if err != nil {
			l.problem(unreadable(err))
		}
	}
	return l.approved
}

// refused lists what the user refused, read when something waits for approval.
func (l *loader) refused() trust.Nos {
	if !l.nosRead {
		l.nosRead, l.nos = true, trust.ReadNos(l.src.State)
	}
	return l.nos
}

// askRefused finds out which untrusted hooks the user refused in their current state.
// If nothing was ever refused, this takes one look at a file.
func (l *loader) askRefused(hooks []*Hook) {
	for _, h := range hooks {
		if h.Status != Untrusted || len(l.refused()) == 0 {
			continue
		}
		thing := h.thing()
		if h.Plugin != "" {
			thing = (&plugin{project: h.Project, dir: h.Dir}).thing()
		}
		h.Refused = l.refused().WhenOf(l.owed(), h.Project, thing)
	}
}

// unreadable is the problem with a record of approvals.
func unreadable(err error) Problem {
	p := Problem{Severity: Error, Message: err.Error()}
	if e, ok := errors.AsType[*trust.Unreadable](err); ok {
		p.File, p.Message, p.Fix = e.File, e.Message(), e.Fix()
	}
	return p
}

// thing identifies a project's hook in the record of approvals.
func (h *Hook) thing() trust.Thing { return trust.Thing{ID: trust.HookID(h.folder), Path: h.Dir} }

// trusts reports whether a project's hook may be run: it and all its links lie where
// they must, and the user approved its current state. At an event it is then run from
// the approved copy.
func (l *loader) trusts(h *Hook) bool {
	trusted := l.approves(h)
	h.Changed = !trusted && l.record().Knows(h.Project, h.thing().ID)
	return trusted
}

func (l *loader) approves(h *Hook) bool {
	ctx := l.owed()
	if l.always {
		others, err := trust.Contained(ctx, h.Project, h.Dir)
		if err != nil {
			h.breakWith(Problem{File: h.Dir, Severity: Error, Fatal: true, Message: "is not run: " + beneath.Why(err), Fix: "keep all files of the hook in its folder"})
		}
		if others == nil || l.src.AnyOwner || err != nil {
			return true
		}
		if !l.record().Approves(ctx, h.Project, h.thing()) {
			l.tellOthers(h.Dir, others)
			return false
		}
	}
	if l.event == "" {
		return l.record().Approves(ctx, h.Project, h.thing())
	}
	dir, ok, err := l.record().Admit(ctx, h.Project, h.thing(), h.start.of())
	if err != nil {
		h.breakWith(Problem{File: h.Dir, Severity: Error, Fatal: true, Message: "is not run: what was approved cannot be kept: " + err.Error(), Fix: "make room in " + l.src.State})
	}
	h.Copy = dir
	return ok
}

// tellOthers reports what others can change, though the user trusts all projects.
func (l *loader) tellOthers(path string, others error) {
	l.problem(Problem{File: path, Severity: Warning, Message: "is not trusted though [trust] project is \"always\", since somebody else may change it: " + others.Error(),
		Fix: "make it yours alone, or approve it with `agents-hooks trust`"})
}

// ToApprove returns the things of a project that take effect only after an approval:
// its hooks.toml, and its hooks, which are read completely.
func ToApprove(src Sources, project string) (things []trust.Thing, hooks []*Hook) {
	if path := settingsPath(project); beneath.Exists(path) {
		things = append(things, trust.Thing{ID: trust.SettingsID, Path: path})
	}
	l := newLoader(src, "")
	hooks = l.projectHooks(project)
	l.settings() // that will restrict them
	for _, h := range hooks {
		things = append(things, h.thing())
	}
	for _, p := range l.sourcesToApprove(project) {
		things, hooks = append(things, p.thing()), append(hooks, p.read()...)
	}
	for _, h := range hooks {
		l.confine(h)
	}
	return things, hooks
}

// ApprovedCopy reports whether something in a project other than hooks and settings
// ("skills/NAME") is approved in its current state, or needs no approval, and where to
// read it: an approved one has a copy that no change of the folder can reach. The
// folder must be in the project.
func (s *Set) ApprovedCopy(name, dir string) (from string, ok bool) {
	l := s.loader
	if l.src.NoProject {
		return "", false
	}
	project := cmp.Or(s.Project, s.Root)
	if l.always {
		if others, err := trust.Contained(l.src.ctx(), project, dir); err != nil || others == nil || l.src.AnyOwner {
			return dir, err == nil
		}
	}
	from, ok, err := l.record().Admit(l.src.ctx(), project, trust.Thing{ID: name, Path: dir}, trust.Start{})
	return from, ok && err == nil
}

// Always reports whether a project's contents apply without an approval.
func (s *Set) Always() bool { return s.loader.always && !s.loader.src.NoProject }
