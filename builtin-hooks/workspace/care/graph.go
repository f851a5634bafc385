package care

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/merge"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func itoa(n int) string { return strconv.Itoa(n) }

// regraph makes a graph.json from what is intact of a damaged one, and from what the
// pages of nodes say of themselves; old is what is there, nil if nothing is. Only the
// graph knows where a node belongs: one that only its page knows of is put below the
// root.
func regraph(p workspace.Place, e workspace.Entry, dir string, old []byte) (string, error) {
	in := p.Below(e.ProjectRoot)
	files := statefile.In(in)
	base := filepath.Dir(dir)
	if filepath.Base(base) == workspace.Archive {
		base = filepath.Dir(base)
	}
	release, err := files.Hold(filepath.Join(base, "."+e.ID), 2*time.Second)
	if err != nil {
		return "", err
	}
	defer release()
	path := filepath.Join(dir, workspace.GraphFile)
	kept := ""
	if old != nil {
		now, err := in.Read(path, 0)
		if err != nil {
			return "", err
		}
		if _, err := workspace.ParseGraph(now); err == nil {
			return "it can be read again", nil
		}
		if kept, err = files.Keep(path, time.Now(), now); err != nil {
			return "", err
		}
		old = now
	}
	nodes, memos := workspace.Salvage(old)
	whole := len(nodes)
	nodes = append(nodes, told(p, e, dir, nodes)...)
	graph := joined(nodes, memos, workspace.Stamp(time.Now()))
	if err := files.ReplaceHeld(path, true, workspace.Pretty(graph.Raw())); err != nil {
		return "", err
	}
	said := "made anew: " + itoa(whole) + " nodes of what was whole, " + itoa(len(nodes)-whole) + " of their own pages"
	if kept != "" {
		said += "; as it was: " + kept
	}
	return said + "; look at it, then agents-hooks workspace accept", nil
}

// torn reports a graph that can be read but is not a usable tree: nodes below none that
// is there, or in a circle, and those that wait for each other.
func torn(p workspace.Place, e workspace.Entry, dir string, b []byte) (Finding, bool) {
	_, notes, err := merge.Mend(b)
	if err != nil || len(notes) == 0 {
		return Finding{}, false
	}
	f := Finding{Path: filepath.Join(dir, workspace.GraphFile), What: notes[0], Bad: true}
	if len(notes) > 1 {
		f.What += ", and " + itoa(len(notes)-1) + " more"
	}
	f.What = "its nodes are not a usable tree; what would be repaired: " + f.What
	f.mend = func() (string, error) {
		release, err := p.Lock(e)
		if err != nil {
			return "", err
		}
		defer release()
		in := p.Below(e.ProjectRoot)
		now, err := in.Read(f.Path, 0)
		if err != nil {
			return "", err
		}
		mended, notes, err := merge.Mend(now)
		if err != nil || len(notes) == 0 {
			return "it is whole again", err
		}
		files := statefile.In(in)
		kept, err := files.Keep(f.Path, time.Now(), now)
		if err != nil {
			return "", err
		}
		return strings.Join(notes, "; ") + "; as it was: " + kept, files.ReplaceHeld(f.Path, true, mended)
	}
	return f, true
}

// told are nodes that only their pages know of.
func told(p workspace.Place, e workspace.Entry, dir string, have []protocol.Object) (list []protocol.Object) {
	in := p.Below(e.ProjectRoot)
	entries, _ := in.List(filepath.Join(dir, workspace.NodesDir))
	for _, f := range entries {
		b, err := in.Read(filepath.Join(dir, workspace.NodesDir, f.Name(), workspace.InfoFile), 0)
		if err != nil {
			continue
		}
		page := workspace.ParsePage(b)
		id := page.Field("id")
		if id == "" || slices.ContainsFunc(have, func(o protocol.Object) bool { return o.Text("id") == id }) {
			continue
		}
		kind, status := page.Field("type"), page.Field("status")
		if id == workspace.RootID {
			kind = workspace.Planning
		} else if kind != workspace.Planning {
			kind = workspace.Execution
		}
		var o protocol.Object
		o.SetText("id", id)
		o.SetText("dirName", f.Name())
		o.SetText("type", kind)
		if o.SetText("parentId", workspace.RootID); id == workspace.RootID {
			o.Set("parentId", protocol.Raw("null"))
		}
		o.SetText("status", workspace.KnownStatus(status, kind))
		o.PutText("createdAt", page.Field("createdAt"))
		list = append(list, o)
	}
	return list
}

// joined is a graph of nodes, each of which is below one that is there.
func joined(nodes, memos []protocol.Object, stamp string) (doc protocol.Object) {
	at := map[string]int{}
	for i, n := range nodes {
		at[n.Text("id")] = i
	}
	if _, ok := at[workspace.RootID]; !ok {
		nodes = append([]protocol.Object{workspace.NewGraph(stamp).Root().Object}, nodes...)
		for i, n := range nodes {
			at[n.Text("id")] = i
		}
	}
	kids := map[string][]string{}
	for i := range nodes {
		id, parent := nodes[i].Text("id"), nodes[i].Text("parentId")
		if id == workspace.RootID || at[id] != i {
			continue
		}
		if _, ok := at[parent]; !ok || circles(nodes, at, id) {
			parent = workspace.RootID
			nodes[i].SetText("parentId", parent)
		}
		kids[parent] = append(kids[parent], id)
	}
	var all, drafts protocol.Object
	for i, n := range nodes {
		id := n.Text("id")
		if at[id] != i {
			continue
		}
		was := protocol.ElementsOf(n.Get("children"))
		place := func(id string) int {
			return slices.IndexFunc(was, func(r protocol.Raw) bool { return protocol.TextOf(r) == id })
		}
		slices.SortStableFunc(kids[id], func(a, b string) int { return place(a) - place(b) })
		n.Set("children", protocol.TextList(append([]string{}, kids[id]...)))
		all.Set(id, n.Raw())
	}
	for _, m := range memos {
		drafts.Set(m.Text("id"), m.Raw())
	}
	doc.SetText("version", workspace.Version)
	doc.Set("currentFocus", protocol.Raw("null"))
	doc.Set("nodes", all.Raw())
	if drafts != nil {
		doc.Set("memos", drafts.Raw())
	}
	return doc
}

// circles reports whether the way up from a node leads back to it.
func circles(nodes []protocol.Object, at map[string]int, id string) bool {
	up := id
	for range nodes {
		i, ok := at[up]
		if !ok || up == workspace.RootID {
			return false
		}
		if up = nodes[i].Text("parentId"); up == id {
			return true
		}
	}
	return up != workspace.RootID
}
