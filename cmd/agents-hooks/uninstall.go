package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

func (t *tool) uninstallCommand() *cli.Command {
	return &cli.Command{
		Name:      "uninstall",
		Usage:     "take the entry out of the configuration of agents",
		ArgsUsage: "AGENT...",
		Description: "Removes our entries and guides, and nothing else. A file that nobody else has\n" +
			"touched since the install becomes what it was before, to the byte.",
		Flags: append(scopeFlags(),
			&cli.BoolFlag{Name: "dry-run", Usage: "show what would change, and change nothing"},
			jsonFlag(),
		),
		Action: t.uninstall,
	}
}

func (t *tool) uninstall(c *cli.Context) error {
	in, err := t.installing(c)
	if err != nil {
		return err
	}
	list, err := chosen(c.Args().Slice())
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return t.whichAgents("uninstall", func(d *protocol.Dialect) bool {
			site := in.site(in.scope, in.project)
			_, ok := in.entryIn(d, site)
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
	res := installed{Agent: d.ID, Scope: string(in.scope), Events: []string{}, Files: []changedFile{}, Notes: []string{}, name: d.Name}
	site := in.site(in.scope, in.project)
	work := func(r *receipts) error {
		files, err := in.leaving(d, site, r)
		if err != nil {
			return err
		}
		guides, err := in.takeGuides(d, site, r)
		if err != nil {
			return err
		}
		res.Notes = append(res.Notes, guides.notes...)
		for _, e := range guides.edits {
			files = append(files, changedFile{Path: e.Path, Action: actionOf(e), edit: e, restored: true, guide: true})
		}
		for _, f := range files {
			res.Files = append(res.Files, f)
			if in.dry {
				res.Diff += unifiedDiff(in.short(f.Path), f.edit.Before, f.edit.After)
			}
		}
		res.Changed = len(files) > 0
		if in.dry {
			return nil
		}
		return r.releaseAll(by(d, site), site, files)
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
	if e, ok := in.entryIn(d, in.site(in.otherScope(), in.project)); ok {
		res.Notes = append(res.Notes, fmt.Sprintf("another entry stands in %s: --%s takes it out", in.short(e.File), in.otherScope()))
	}
	return res
}

// onReceipts gives the receipts to work: under their lock, or for a dry run
// without writing anything, not even the lock.
func (in *installing) onReceipts(work func(r *receipts) error) error {
	if !in.dry {
		return withReceipts(in.host.State, work)
	}
	b, err := statefile.Read(filepath.Join(in.host.State, "install.json"))
	if err != nil {
		return err
	}
	r, err := readReceipts(in.host.State, b)
	if err != nil {
		r, _ = readReceipts(in.host.State, nil)
	}
	return work(r)
}

// leaving is what uninstalling changes: the edits that take our entries out,
// where a receipt allows it replaced by the way back to the byte.
func (in *installing) leaving(d *protocol.Dialect, site protocol.Site, r *receipts) ([]changedFile, error) {
	edits, err := install.Remove(d, site)
	if err != nil {
		return nil, err
	}
	if edits, err = takeMCP(d, site, edits); err != nil {
		return nil, err
	}
	var files []changedFile
	for _, e := range edits {
		f, err := openConfig(e.Path)
		if err != nil {
			return nil, err
		}
		content, restored, err := r.after(f, e.After, by(d, site))
		if err != nil {
			return nil, err
		}
		e.Before, e.After = f.content, content
		file := changedFile{Path: e.Path, Action: actionOf(e), edit: e, restored: restored}
		if restored && content != nil {
			file.Action = "restore"
		}
		files = append(files, file)
	}
	return files, nil
}

// releaseAll makes the changes, and forgets entries that somebody else took out.
func (r *receipts) releaseAll(by string, site protocol.Site, files []changedFile) error {
	for _, file := range files {
		f, err := openConfig(file.Path)
		if err != nil {
			return err
		}
		f.exec = file.edit.Exec
		if file.guide {
			r.gone = append(r.gone, filepath.Dir(file.Path))
		}
		if err := r.release(f, file.edit.After, file.restored, by); err != nil {
			return err
		}
	}
	for path, rec := range r.Files {
		if i := slices.Index(rec.By, by); i >= 0 {
			rec.By = slices.Delete(rec.By, i, i+1)
		}
		if len(rec.By) == 0 {
			r.gone = append(r.gone, rec.Dirs...)
			delete(r.Files, path)
		}
	}
	return nil
}
