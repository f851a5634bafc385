package install

import (
	"errors"
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/takeover"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// An outcome is what became of a command.
type outcome struct {
	with   []string // behaviours that were switched on
	file   string   // where
	agents []installed
}

// An installed agent is what became of one. Its JSON form is stable.
type installed struct {
	Agent   string              `json:"agent"`
	Scope   string              `json:"scope"`
	Changed bool                `json:"changed"`
	Events  []string            `json:"events"` // native ones that are registered now
	Files   []setup.ChangedFile `json:"files"`
	Notes   []string            `json:"notes"`
	Error   string              `json:"error"` // why nothing was done, "" if it was
	Diff    string              `json:"diff"`  // of a dry run

	name    string
	hints   []string
	covered bool // another agent's entry serves it
}

func newInstalled(d *protocol.Dialect, scope protocol.Scope) installed {
	return installed{Agent: d.ID, Scope: string(scope), Events: []string{}, Files: []setup.ChangedFile{}, Notes: []string{}, name: d.Name}
}

// failed is what became of an agent with which something went wrong.
func (res installed) failed(err error) installed {
	res.Error, res.Changed = err.Error(), false
	var h shell.Hinted
	if errors.As(err, &h) {
		res.hints = h.Hints
	}
	return res
}

// installAgents puts our entry into the configuration of each agent, after
// switching on what --with names.
func installAgents(sh *shell.Shell, o installOptions) (done outcome, err error) {
	if len(o.with) > 0 && !refused(sh, o) {
		done.with = o.with
		done.file, err = setup.SwitchOn(sh.Host, hookset.All(sh.Host, sh.Host.WorkDir), o.with, o.scope == protocol.ProjectScope, o.dry)
		if err != nil {
			return done, fmt.Errorf("install: --with: %w", err)
		}
	}
	if !o.dry {
		if err := takeover.Ask(sh, behavioursOn(sh), o.takeOver); err != nil {
			return done, fmt.Errorf("install: %w", err)
		}
	}
	var served []*discovery.Hook
	if o.lean {
		served = hookset.Set(sh.Host, sh.Host.WorkDir).Hooks
	}
	var texts []guide
	if o.guides {
		texts = guidesNow(sh, o.scope, o.with)
	}
	for _, d := range readFirst(o.agents) {
		done.agents = append(done.agents, installAgent(sh, d, o, served, texts))
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

// refused reports whether no agent can be installed as things stand: what --with
// names is then left as it is.
func refused(sh *shell.Shell, o installOptions) bool {
	var served []*discovery.Hook
	if o.lean { // as if they were on
		served = hookset.Set(sh.Host, sh.Host.WorkDir).Hooks
		all := hookset.All(sh.Host, sh.Host.WorkDir)
		for _, name := range o.with {
			if !setup.IsBehaviour(all, name) {
				return false // said where it is switched on
			}
			for _, h := range hookset.BehaviourHooks(all, name) {
				on := *h
				on.Status = discovery.Ready
				served = append(served, &on)
			}
		}
	}
	for _, d := range o.agents {
		if _, err := planInstall(sh.Host, d, o, served, nil); err == nil {
			return false
		}
	}
	return len(o.agents) > 0
}

// installAgent puts the entry into one agent's configuration.
func installAgent(sh *shell.Shell, d *protocol.Dialect, o installOptions, served []*discovery.Hook, texts []guide) installed {
	h, site := sh.Host, o.site(sh.Host)
	res := newInstalled(d, o.scope)
	if o.scope == protocol.UserScope {
		if err := setup.OwnConfig(h, d); err != nil {
			return res.failed(err)
		}
	}
	p, err := planInstall(h, d, o, served, texts)
	res.Notes = append(res.Notes, p.notes...)
	if err != nil {
		return res.failed(err)
	}
	if res.covered = p.covered; p.covered && !o.mcp {
		return res
	}
	res.Files = p.files()
	res.Changed = len(res.Files) > 0
	if o.dry {
		res.Diff = diffOf(h, res.Files)
	} else {
		if err := mayChange(sh, d, site, res.Files); err != nil {
			return res.failed(err)
		}
		if err := carryOut(h.State, d, site, p, res.Files); err != nil {
			return res.failed(err)
		}
		if o.mcp && d.MCP != nil {
			if err := tellHooks(sh, d, site); err != nil {
				return res.failed(fmt.Errorf("the MCP server is registered, but hooks could not be told: %w", err))
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
	return res
}

// mayChange refuses to change an entry that stands, where an agent may be typing:
// with a HOME, a PATH or a copy of this program of its own, it would have other
// hooks asked, or none.
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

// carryOut makes the edits of a plan, which files are, under receipts.
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
