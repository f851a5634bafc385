package install

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

func uninstallCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "uninstall",
		Usage:        "take the entry out of the configuration of agents",
		ArgsUsage:    "AGENT...",
		BashComplete: shell.Arguments(shell.Each(agentarg.Words)),
		Description: "Removes our entries and guides, and nothing else. A file that nobody else has\n" +
			"touched since the install becomes what it was before, to the byte.",
		Flags: append(setup.ScopeFlags(),
			&cli.BoolFlag{Name: "dry-run", Usage: "show what would change, and change nothing"},
			shell.JSONFlag(),
		),
		Action: func(c *cli.Context) error { return uninstallAgents(sh, c) },
	}
}

func uninstallAgents(sh *shell.Shell, c *cli.Context) error {
	in, err := newInstalling(sh, c)
	if err != nil {
		return err
	}
	list, err := agentarg.LookupAll(c.Args().Slice())
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return whichAgents(sh, "uninstall", func(d *protocol.Dialect) bool {
			site := setup.Site(in.Shell, in.scope, in.project)
			_, ok := setup.EntryIn(in.Shell, d, site)
			if !ok {
				_, ok, _ = install.InspectMCP(d, site)
			}
			return ok
		})
	}
	var results []installed
	for _, d := range list {
		results = append(results, in.uninstall(d))
	}
	return in.answer(c, results)
}

// uninstall takes the entry out of one agent's configuration.
func (in *installing) uninstall(d *protocol.Dialect) installed {
	res := installed{Agent: d.ID, Scope: string(in.scope), Events: []string{}, Files: []setup.ChangedFile{}, Notes: []string{}, name: d.Name}
	site := setup.Site(in.Shell, in.scope, in.project)
	work := func(r *setup.Receipts) error {
		files, err := in.leaving(d, site, r)
		if err != nil {
			return err
		}
		guides, err := in.takeGuides(d, site, r)
		if err != nil {
			return err
		}
		res.Notes = append(res.Notes, guides.Notes...)
		for _, e := range guides.Edits {
			files = append(files, setup.ChangedFile{Path: e.Path, Action: actionOf(e), Edit: e, Restored: true, Guide: true})
		}
		for _, f := range files {
			res.Files = append(res.Files, f)
			if in.dry {
				res.Diff += shell.UnifiedDiff(in.Short(f.Path), f.Edit.Before, f.Edit.After)
			}
		}
		res.Changed = len(files) > 0
		if in.dry {
			return nil
		}
		return r.ReleaseAll(setup.By(d, site), site, files)
	}
	if err := in.onReceipts(work); err != nil {
		res.fail(err)
		return res
	}
	if d.MCP != nil && !in.dry {
		if err := in.noteMCP(d, site); err != nil {
			res.fail(err)
			return res
		}
	}
	if res.Changed {
		res.Notes = append(res.Notes, in.left(d)...)
	}
	if e, ok := setup.EntryIn(in.Shell, d, setup.Site(in.Shell, in.otherScope(), in.project)); ok {
		res.Notes = append(res.Notes, fmt.Sprintf("another entry stands in %s: --%s takes it out", in.Short(e.File), in.otherScope()))
	}
	return res
}

// onReceipts gives the receipts to work: under their lock, or for a dry run
// without writing anything, not even the lock.
func (in *installing) onReceipts(work func(r *setup.Receipts) error) error {
	if !in.dry {
		return setup.WithReceipts(in.Host.State, work)
	}
	b, err := statefile.Read(filepath.Join(in.Host.State, "install.json"))
	if err != nil {
		return err
	}
	r, err := setup.ReadReceipts(in.Host.State, b)
	if err != nil {
		r, _ = setup.ReadReceipts(in.Host.State, nil)
	}
	return work(r)
}

// leaving is what uninstalling changes: the edits that take our entries out,
// where a receipt allows it replaced by the way back to the byte.
func (in *installing) leaving(d *protocol.Dialect, site protocol.Site, r *setup.Receipts) ([]setup.ChangedFile, error) {
	edits, err := install.Remove(d, site)
	if err != nil {
		return nil, err
	}
	if edits, err = takeMCP(d, site, edits); err != nil {
		return nil, err
	}
	var files []setup.ChangedFile
	for _, e := range edits {
		f, err := setup.OpenConfig(e.Path)
		if err != nil {
			return nil, err
		}
		content, restored, err := r.After(f, e.After, setup.By(d, site))
		if err != nil {
			return nil, err
		}
		e.Before, e.After = f.Content, content
		file := setup.ChangedFile{Path: e.Path, Action: actionOf(e), Edit: e, Restored: restored}
		if restored && content != nil {
			file.Action = "restore"
		}
		files = append(files, file)
	}
	return files, nil
}
