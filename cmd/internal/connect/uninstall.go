package connect

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// Uninstall removes our entry from the configuration of each agent.
func Uninstall(sh *shell.Shell, o Options) []Installed {
	var list []Installed
	for _, d := range o.Agents {
		list = append(list, uninstallAgent(sh, d, o))
	}
	if !o.Dry {
		for _, file := range setup.Forsake(sh.Host, o.Project) {
			sh.Say("%s is left, because it is running: remove it once it has ended", sh.Short(file))
		}
	}
	return list
}

// uninstallAgent removes the entry from one agent's configuration. The change depends
// on the receipts, so it is planned under their lock.
func uninstallAgent(sh *shell.Shell, d *protocol.Dialect, o Options) Installed {
	h, site := sh.Host, o.Site(sh.Host)
	res := newInstalled(d, o.Scope)
	var err error
	if o.Dry {
		var r *setup.Receipts
		if r, err = setup.PeekReceipts(h.State, setup.ProjectOf(site)); err == nil {
			err = res.planLeaving(h, d, site, r)
		}
		res.Diff = diffOf(h, res.Files)
	} else {
		err = setup.WithReceipts(h.State, setup.ProjectOf(site), func(r *setup.Receipts) error {
			if err := res.planLeaving(h, d, site, r); err != nil {
				return err
			}
			return r.ReleaseAll(setup.By(d, site), res.Files)
		})
		if err == nil && d.MCP != nil {
			err = tellHooks(sh, d, site)
		}
	}
	if err != nil {
		return res.failed(sh, err)
	}
	if res.Changed {
		res.Notes = append(res.Notes, left(h, d, o)...)
	}
	other := otherScope(o.Scope)
	if e, ok := setup.EntryIn(d, setup.Site(h, other, o.Project)); ok {
		res.Notes = append(res.Notes, fmt.Sprintf("another entry stands in %s: --%s takes it out", h.Short(e.File), other))
	}
	return res
}

// planLeaving plans the removal of our entry, server and guides from an agent: edits
// that remove them or, if a receipt allows it, restore the original bytes.
func (res *Installed) planLeaving(h host.Host, d *protocol.Dialect, site protocol.Site, r *setup.Receipts) error {
	edits, err := install.Remove(d, site)
	if err != nil {
		return err
	}
	if edits, err = withoutServer(d, site, edits); err != nil {
		return err
	}
	files := []setup.ChangedFile{}
	for _, e := range edits {
		f, err := r.Leaving(e, setup.By(d, site))
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	guides, err := withoutGuides(h, d, site, r)
	if err != nil {
		return err
	}
	for _, e := range guides.edits {
		f := setup.Changed(e)
		f.Restored, f.Guide = true, true
		files = append(files, f)
	}
	res.Files, res.Changed = files, len(files) > 0
	res.Notes = append(res.Notes, guides.notes...)
	return nil
}

func otherScope(scope protocol.Scope) protocol.Scope {
	if scope == protocol.ProjectScope {
		return protocol.UserScope
	}
	return protocol.ProjectScope
}
