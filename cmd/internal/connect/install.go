// Package connect adds our entry to the configuration of agents, with their MCP server
// and guides, and removes it again, restoring the original bytes. It touches nothing
// else in these files.
//
// First it plans edits of files (plan.go, mcp.go, guide.go), then it executes them with
// receipts, all of an agent or nothing. A dry run stops after the plan. The result for
// each agent is a value ([Installed]); nothing is printed.
package connect

import (
	"errors"
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/takeover"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// Options say where an entry is added or removed.
type Options struct {
	Agents  []*protocol.Dialect
	Scope   protocol.Scope
	Project string // root of the repository in the current folder
	Dry     bool
}

// Site is the configuration in question.
func (o Options) Site(h host.Host) protocol.Site { return setup.Site(h, o.Scope, o.Project) }

// InstallOptions are further options of an install.
type InstallOptions struct {
	Options
	Lean     bool
	Trust    bool // run the hooks of any project
	With     []string
	Guides   bool
	MCP      bool
	MCPTools []string
	TakeOver bool // without asking

	programs setup.Programs // the program that the entries name
}

// An Outcome is the result of a command.
type Outcome struct {
	With   []string // behaviours that were switched on
	File   string   // where
	Agents []Installed
}

// An Installed is the result for one agent. Its JSON form is stable.
type Installed struct {
	Agent   string              `json:"agent"`
	Scope   string              `json:"scope"`
	Changed bool                `json:"changed"`
	Events  []string            `json:"events"` // native ones that are now registered
	Files   []setup.ChangedFile `json:"files"`
	Notes   []string            `json:"notes"`
	Error   string              `json:"error"` // why nothing was done, "" if it was
	Diff    string              `json:"diff"`  // of a dry run

	Name    string   `json:"-"`
	Hints   []string `json:"-"`
	Covered bool     `json:"-"` // another agent's entry serves it
}

func newInstalled(d *protocol.Dialect, scope protocol.Scope) Installed {
	return Installed{Agent: d.ID, Scope: string(scope), Events: []string{}, Files: []setup.ChangedFile{}, Notes: []string{}, Name: d.Name}
}

// again carries out the plan for an agent, with a new plan if another install came
// between the plan and the change.
func again(do func() (Installed, error)) (res Installed) {
	for range 5 {
		var err error
		if res, err = do(); !errors.Is(err, setup.ErrEdited) {
			break
		}
	}
	return res
}

// failed is the result for an agent on which something failed.
func (res Installed) failed(sh *shell.Shell, err error) Installed {
	said, fix := sh.Wrong(err)
	res.Error, res.Changed = said, false
	if fix != "" {
		res.Hints = []string{fix}
	}
	if e, ok := errors.AsType[*install.FileError](err); ok {
		res.Hints = append(res.Hints, "fix "+sh.Short(e.Path)+" and repeat the command: nothing was written to it")
	}
	if h, ok := errors.AsType[shell.Hinted](err); ok {
		res.Hints = h.Hints
	}
	return res
}

// Install puts our entry into the configuration of each agent, after
// switching on what --with names.
func Install(sh *shell.Shell, o InstallOptions) (done Outcome, err error) {
	o.programs = setup.Kept(sh.Host)
	refused := refused(sh, o)
	if len(o.With) > 0 && !refused {
		done.With = o.With
		done.File, err = setup.SwitchOn(sh.Host, hookset.All(sh.Host, sh.Host.WorkDir), o.With, o.Scope == protocol.ProjectScope, o.Dry)
		if err != nil {
			return done, fmt.Errorf("install: --with: %w", err)
		}
	}
	if !o.Dry {
		if err := takeover.Ask(sh, behavioursOn(sh), o.TakeOver); err != nil {
			return done, fmt.Errorf("install: %w", err)
		}
	}
	note := ""
	if !o.Dry && !refused {
		if o.programs, note, err = setup.Keep(sh); err != nil {
			return done, fmt.Errorf("install: %w", err)
		}
		defer setup.Forsake(sh.Host, o.Project)
	}
	var served []*discovery.Hook
	if o.Lean {
		served = hookset.Set(sh.Host, sh.Host.WorkDir).Hooks
	}
	var texts []guide
	if o.Guides {
		texts = guidesNow(sh, o.Scope, o.With)
	}
	for _, d := range readFirst(o.Agents) {
		done.Agents = append(done.Agents, again(func() (Installed, error) { return installAgent(sh, d, o, served, texts) }))
	}
	if last := len(done.Agents) - 1; note != "" && last >= 0 {
		done.Agents[last].Notes = append(done.Agents[last].Notes, note)
	}
	return done, nil
}

// behavioursOn are the built-in behaviours that are switched on here.
func behavioursOn(sh *shell.Shell) (names []string) {
	set := hookset.Set(sh.Host, sh.Host.WorkDir)
	for _, b := range sh.Host.Behaviours() {
		if setup.IsBehaviour(set, b.Name) {
			names = append(names, b.Name)
		}
	}
	return names
}

// refused reports whether nothing can be installed in any agent: then what --with
// names is not switched on.
func refused(sh *shell.Shell, o InstallOptions) bool {
	var served []*discovery.Hook
	if o.Lean { // as if they were on
		served = hookset.Set(sh.Host, sh.Host.WorkDir).Hooks
		all := hookset.All(sh.Host, sh.Host.WorkDir)
		for _, name := range o.With {
			if !setup.IsBehaviour(all, name) {
				return false // it is said where it is switched on
			}
			for _, h := range hookset.BehaviourHooks(all, name) {
				on := *h
				on.Status = discovery.Ready
				served = append(served, &on)
			}
		}
	}
	for _, d := range o.Agents {
		if _, err := planInstall(sh.Host, d, o, served, nil); err == nil {
			return false
		}
	}
	return len(o.Agents) > 0
}

// installAgent adds the entry to one agent's configuration.
func installAgent(sh *shell.Shell, d *protocol.Dialect, o InstallOptions, served []*discovery.Hook, texts []guide) (Installed, error) {
	h, site := sh.Host, o.Site(sh.Host)
	res := newInstalled(d, o.Scope)
	if o.Scope == protocol.UserScope {
		if err := setup.OwnConfig(h, d); err != nil {
			return res.failed(sh, err), err
		}
	}
	p, err := planInstall(h, d, o, served, texts)
	res.Notes = append(res.Notes, p.notes...)
	if err != nil {
		return res.failed(sh, err), err
	}
	if res.Covered = p.covered; p.covered && !o.MCP {
		return res, nil
	}
	res.Files = p.files()
	res.Changed = len(res.Files) > 0
	if o.Dry {
		res.Diff = diffOf(h, res.Files)
	} else {
		if err := mayChange(sh, d, site, res.Files); err != nil {
			return res.failed(sh, err), err
		}
		if err := carryOut(h.State, d, site, p, res.Files); err != nil {
			return res.failed(sh, err), err
		}
		if o.MCP && d.MCP != nil {
			if err := tellHooks(sh, d, site); err != nil {
				return res.failed(sh, fmt.Errorf("the MCP server is registered, but not recorded for the hooks: %w", err)), nil
			}
		}
	}
	site.Read = readAfter(site.Read, p.edits)
	if found, err := install.Inspect(d, site); err == nil {
		for _, e := range found.Entries {
			res.Events = append(res.Events, e.Event)
		}
		res.Notes = append(res.Notes, found.Notes...)
	}
	if p.entry {
		res.Notes = append(res.Notes, entryNotes(h, d, site)...)
	}
	return res, nil
}

// mayChange refuses to change an existing entry if an agent may be typing: with a
// HOME, a PATH or a copy of this program of its own, it would make other hooks run,
// or none.
func mayChange(sh *shell.Shell, d *protocol.Dialect, site protocol.Site, files []setup.ChangedFile) error {
	if _, stands := setup.EntryIn(d, site); !stands {
		return nil
	}
	for _, f := range files {
		if !f.Guide {
			return sh.OnlyPerson("the entry that stands would change")
		}
	}
	return nil
}

// carryOut makes the edits of a plan, which files are, with receipts.
func carryOut(state string, d *protocol.Dialect, site protocol.Site, p plan, files []setup.ChangedFile) error {
	if len(files)+len(p.standing) == 0 {
		return nil
	}
	by := setup.By(d, site)
	return setup.WithReceipts(state, setup.ProjectOf(site), func(r *setup.Receipts) error {
		if err := r.ChangeAll(files, by, p.clean); err != nil {
			return err
		}
		for _, path := range p.standing {
			if err := r.Share(path, by); err != nil {
				return err
			}
		}
		return nil
	})
}
