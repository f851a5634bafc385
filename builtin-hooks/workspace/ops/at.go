package ops

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// At is the operator for a call: the same for commands and the MCP server as for the
// hooks.
func At(w *behaviour.Runtime, c op.Call) *Operator {
	set := setting.Reader{Behaviour: "workspace", Table: workspace.Settings(), Files: w.Settings}.For(c.Dir, c.Env)
	place := workspace.Find(w.Home, w.Data, set.Of("data_dir").Text, w.Now().Location(), c.Getenv)
	place.Opener, place.Known = w.Below(context.Background(), nil), w.Ledger(c.Dir, nil)
	place.Foreign = new(workspace.Foreign)
	shell := w.Shell
	if !set.Of("run_checks").Bool {
		shell = nil
	}
	return &Operator{
		Shell: shell, CheckTime: time.Duration(set.Of("check_seconds").Int) * time.Second,
		Place: place, Project: c.Project, Home: w.Home, State: filepath.Join(w.State, "workspace"), Program: w.Program(),
		Chinese: locale.Of(set.Of("language").Text, c.Getenv) == locale.Chinese,
		Session: c.Session, Person: c.Person, Now: w.Now, Random: w.Random, Env: c.Env,
		Sessions: w.Session, Lease: time.Duration(set.Of("lease_minutes").Int) * time.Minute,
		Dir: c.Dir,
	}
}

// offer lists what an argument may be, by where its declaration says that this
// is found. Of what was said already, workspaceId tells whose nodes are meant.
func (d *Operator) offer(from string, given protocol.Object) (list []op.Word) {
	switch from {
	case workspaces:
		entries, _ := d.Place.Index()
		for _, e := range entries {
			list = append(list, op.Word{Word: e.ID, Text: protocol.Plain(e.Name)})
		}
	case Sessions:
		for _, b := range d.Place.Bindings() {
			list = append(list, op.Word{Word: b.Session, Text: b.Workspace})
		}
	case nodes:
		id := given.Text("workspaceId")
		if here := d.Place.At(d.Project); id == "" && len(here) == 1 {
			id = here[0].ID
		}
		s, err := d.Place.Open(id)
		if err != nil {
			return nil
		}
		for _, n := range s.Graph.Nodes() {
			list = append(list, op.Word{Word: n.ID(), Text: n.Status() + ": " + protocol.Plain(s.Title(n))})
		}
	}
	return slices.Clip(list)
}

// Texts are what of the project's workspaces this machine did not write.
func (d *Operator) Texts() (list []ledger.Item, err error) {
	roots := []string{}
	files := map[string][]ledger.File{}
	entries := d.Place.At(d.Project)
	for _, s := range d.Place.StraysAt(d.Project) {
		if !s.Mine && (s.Was == "" || s.Gone) {
			entries = append(entries, s.Entry)
		}
	}
	for _, e := range entries {
		more, err := d.Place.Unapproved(e)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(roots, e.ProjectRoot) {
			roots = append(roots, e.ProjectRoot)
		}
		files[e.ProjectRoot] = append(files[e.ProjectRoot], more...)
	}
	for _, root := range roots {
		list = append(list, d.Place.Known(root).Item(ledger.Workspace, workspace.TrustName, d.Place.ProjectDir(root), files[root]))
	}
	return list, nil
}
