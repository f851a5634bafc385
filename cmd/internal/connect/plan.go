package connect

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// A plan is what an install changes in one agent.
type plan struct {
	edits    []protocol.Edit // of the entry, then of the MCP server
	entry    bool            // the entry is among them
	clean    bool            // the configuration has nothing of ours yet
	guides   []protocol.Edit
	standing []string // guides that are already up to date
	covered  bool     // another agent's entry serves it
	notes    []string
}

// files describes the edits.
func (p plan) files() []setup.ChangedFile {
	files := []setup.ChangedFile{}
	for _, e := range p.edits {
		files = append(files, setup.Changed(e))
	}
	for _, e := range p.guides {
		f := setup.Changed(e)
		f.Guide = true
		files = append(files, f)
	}
	return files
}

// planInstall plans what an install changes in one agent. The plan's notes are set
// even if there is an error.
func planInstall(h host.Host, d *protocol.Dialect, o InstallOptions, served []*discovery.Hook, texts []guide) (p plan, err error) {
	site := o.Site(h)
	if d.Config.File(site) == "" {
		return p, fmt.Errorf("%s has no %s configuration", d.Name, o.Scope)
	}
	if p.covered, p.notes, err = notTwice(h, d, o.Scope, o.Project); err != nil {
		return p, err
	}
	if p.covered && !o.MCP {
		return p, nil
	}
	p.clean = true
	if !p.covered {
		if p.edits, p.clean, err = planEntry(h, d, site, o, served); err != nil {
			return p, err
		}
		p.entry = len(p.edits) > 0
	}
	if o.MCP {
		server, err := planServer(h, d, site, o, p.edits)
		if err != nil {
			return p, err
		}
		p.edits, p.clean = server.edits, p.clean && server.clean
		p.notes = append(p.notes, server.notes...)
	}
	guides, err := planGuides(h, d, site, texts)
	p.guides, p.standing = guides.edits, guides.standing
	p.notes = append(p.notes, guides.notes...)
	return p, err
}

// planEntry plans the change of the entry. clean says that the agent's configuration
// has nothing of ours yet.
func planEntry(h host.Host, d *protocol.Dialect, site protocol.Site, o InstallOptions, served []*discovery.Hook) (edits []protocol.Edit, clean bool, err error) {
	entry := protocol.Entry{Argv: setup.EntryArgv(h, o.programs, d, o.Trust), Gone: setup.Gone(d)}
	if o.Lean {
		if entry.Events = setup.ServedEvents(d, served); len(entry.Events) == 0 {
			return nil, false, shell.WithHint(errors.New("no hook here serves an event of this agent, so --lean would register nothing"), "agents-hooks new NAME", "agents-hooks install "+d.ID)
		}
	}
	if d.Config.Closed != "" {
		entry.Closed = setup.ClosedEvents(d, site.Scope, hookset.Set(h, cmp.Or(site.Project, h.WorkDir)))
	}
	removals, err := install.Remove(d, site)
	if err != nil {
		return nil, false, err
	}
	edits, err = install.Add(d, site, entry)
	return edits, !slices.ContainsFunc(removals, holdsSomething), err
}

// holdsSomething reports whether an edited file has any content. One without content
// has nothing of ours, whatever removing that would do to it.
func holdsSomething(e protocol.Edit) bool {
	switch text := bytes.TrimSpace(bytes.TrimPrefix(e.Before, []byte("\xef\xbb\xbf"))); string(text) {
	case "", "{}", "[]":
		return false
	}
	return true
}

// entryNotes is what a user should know once an entry is installed.
func entryNotes(h host.Host, d *protocol.Dialect, site protocol.Site) []string {
	notes := slices.Clone(d.Notes)
	if d.Observed == "" {
		notes = append(notes, "made from its source and documentation, and not observed on the running program: look whether agents-hooks doctor "+d.ID+" hears from it")
	}
	if file := d.Config.File(site); site.Shares(file) {
		notes = append(notes, fmt.Sprintf("%s is shared through the repository, but the entry names a program of this machine: do not commit it", h.Short(file)))
	}
	return notes
}

// readAfter reads files as they will be after edits.
func readAfter(read func(string) ([]byte, error), edits []protocol.Edit) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		for _, e := range edits {
			if e.Path == path && e.After != nil {
				return e.After, nil
			}
		}
		return read(path)
	}
}

// merged combines edits with later ones to the same files.
func merged(edits, more []protocol.Edit) []protocol.Edit {
	edits = slices.Clone(edits)
	for _, m := range more {
		if i := slices.IndexFunc(edits, func(e protocol.Edit) bool { return e.Path == m.Path }); i >= 0 {
			edits[i].After = m.After
		} else {
			edits = append(edits, m)
		}
	}
	return edits
}

// diffOf shows what changes in files.
func diffOf(h host.Host, files []setup.ChangedFile) string {
	var b strings.Builder
	for _, f := range files {
		b.WriteString(shell.UnifiedDiff(h.Short(f.Path), f.Edit.Before, f.Edit.After))
	}
	return b.String()
}
