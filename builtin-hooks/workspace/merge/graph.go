package merge

import (
	"errors"
	"fmt"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// lists are the members of a node that are lists of ids.
var lists = []string{"children", "references", "after"}

// Graph merges three versions of a graph.json; base may be nil. notes say, in English,
// what was decided.
func Graph(base, ours, theirs []byte) (merged []byte, notes []string, err error) {
	var docs [3]protocol.Object
	for i, b := range [][]byte{base, ours, theirs} {
		if b == nil {
			continue
		}
		if docs[i], err = protocol.ParseObject(b); err != nil {
			return nil, nil, fmt.Errorf("version %d of the graph: %w", i+1, err)
		}
	}
	m := &merger{}
	out := m.object(docs[0], docs[1], docs[2], "nodes", "memos", "currentFocus")
	out.Set("currentFocus", or(docs[1].Get("currentFocus"), docs[2].Get("currentFocus"), protocol.Raw("null")))
	out.Set("nodes", m.nodes(docs[0].Sub("nodes"), docs[1].Sub("nodes"), docs[2].Sub("nodes")).Raw())
	if docs[1].Has("memos") || docs[2].Has("memos") {
		out.Set("memos", m.nodes(docs[0].Sub("memos"), docs[1].Sub("memos"), docs[2].Sub("memos")).Raw())
	}
	mended, more, err := mend(out)
	return mended, append(m.notes, more...), err
}

type merger struct{ notes []string }

func (m *merger) note(format string, values ...any) {
	m.notes = append(m.notes, fmt.Sprintf(format, values...))
}

func or(list ...protocol.Raw) protocol.Raw {
	for _, raw := range list {
		if raw != nil && string(raw) != "null" {
			return raw
		}
	}
	return list[len(list)-1]
}

// object merges the members of an object, without some that the caller sees to.
func (m *merger) object(base, ours, theirs protocol.Object, without ...string) (out protocol.Object) {
	later := theirs
	if ours.Text("updatedAt") >= theirs.Text("updatedAt") {
		later = ours
	}
	for _, name := range names(ours, theirs) {
		b, o, t := base.Get(name), ours.Get(name), theirs.Get(name)
		switch {
		case slices.Contains(without, name):
		case slices.Contains(lists, name):
			out.Set(name, protocol.TextList(List(protocol.TextsOf(b), protocol.TextsOf(o), protocol.TextsOf(t))))
		case name == "updatedAt":
			out.Set(name, later.Get(name))
		default:
			if raw := three(b, o, t, later.Get(name)); raw != nil {
				out.Set(name, raw)
			}
		}
	}
	return out
}

// three is the version that counts; nil means that there is none.
func three(base, ours, theirs, later protocol.Raw) protocol.Raw {
	switch {
	case string(ours) == string(theirs), string(base) == string(theirs):
		return ours
	case string(base) == string(ours):
		return theirs
	}
	return later
}

// names are those of members, ours first.
func names(ours, theirs protocol.Object) (out []string) {
	for _, o := range []protocol.Object{ours, theirs} {
		for _, m := range o {
			if !slices.Contains(out, m.Name) {
				out = append(out, m.Name)
			}
		}
	}
	return out
}

// nodes merges what goes by an id. What one deleted and the other left alone is gone.
func (m *merger) nodes(base, ours, theirs protocol.Object) (out protocol.Object) {
	for _, id := range names(ours, theirs) {
		b, o, t := base.Get(id), ours.Get(id), theirs.Get(id)
		switch {
		case o == nil && b != nil && string(t) == string(b), t == nil && b != nil && string(o) == string(b):
			continue
		case o == nil, t == nil:
			if b != nil {
				m.note("%s was deleted by one and changed by the other: it stays", id)
			}
			out.Set(id, or(o, t))
		case string(o) == string(t):
			out.Set(id, o)
		default:
			out.Set(id, m.object(base.Sub(id), ours.Sub(id), theirs.Sub(id)).Raw())
		}
	}
	return out
}

// List merges lists: what either took out is out, what either added is in, ours first.
func List(base, ours, theirs []string) []string {
	out := []string{}
	for _, s := range append(slices.Clone(ours), theirs...) {
		both := slices.Contains(ours, s) && slices.Contains(theirs, s)
		if (both || !slices.Contains(base, s)) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// Mend makes one tree of a graph: whose child a node is says the node itself, a node
// whose parent is gone hangs below the root, a way that leads back to where it came
// from is cut, and what is done has nothing open below it.
func Mend(graph []byte) (mended []byte, notes []string, err error) {
	doc, err := protocol.ParseObject(graph)
	if err != nil {
		return nil, nil, err
	}
	return mend(doc)
}

func mend(doc protocol.Object) ([]byte, []string, error) {
	m := &mender{of: map[string]*protocol.Object{}}
	for _, member := range doc.Sub("nodes") {
		o := protocol.ObjectOf(member.Value)
		m.ids, m.of[member.Name] = append(m.ids, member.Name), &o
	}
	if m.of[workspace.RootID] == nil {
		return nil, nil, errors.New("the graph has no root")
	}
	m.parents()
	m.children()
	m.ways()
	m.states()
	var nodes protocol.Object
	for _, id := range m.ids {
		nodes.Set(id, m.of[id].Raw())
	}
	doc.Set("nodes", nodes.Raw())
	if focus := doc.Text("currentFocus"); focus != "" && m.of[focus] == nil {
		doc.Set("currentFocus", protocol.Raw("null"))
		m.note("the focus was on a node that is gone")
	}
	return workspace.Pretty(doc.Raw()), m.notes, nil
}

type mender struct {
	merger
	ids []string
	of  map[string]*protocol.Object
}

// parents puts what has no parent, or is in a circle, below the root.
func (m *mender) parents() {
	for _, id := range m.ids {
		if id == workspace.RootID {
			continue
		}
		seen := map[string]bool{}
		for at := id; at != workspace.RootID; at = m.of[at].Text("parentId") {
			if up := m.of[at].Text("parentId"); seen[at] || m.of[up] == nil {
				m.of[at].SetText("parentId", workspace.RootID)
				m.note("%s hangs below the root: what it hung below is gone", at)
				break
			}
			seen[at] = true
		}
	}
}

// children makes the lists say what the nodes say.
func (m *mender) children() {
	own := map[string][]string{}
	for _, id := range m.ids {
		if id != workspace.RootID {
			up := m.of[id].Text("parentId")
			own[up] = append(own[up], id)
		}
	}
	for _, id := range m.ids {
		var kids []string
		had := protocol.TextsOf(m.of[id].Get("children"))
		listed := map[string]bool{}
		for _, k := range append(slices.Clone(had), own[id]...) {
			if m.of[k] != nil && m.of[k].Text("parentId") == id && !listed[k] {
				listed[k] = true
				kids = append(kids, k)
			}
		}
		if !slices.Equal(kids, had) {
			m.of[id].Set("children", protocol.TextList(append([]string{}, kids...)))
			m.note("the children of %s were listed anew", id)
		}
	}
}

// ways removes from the lists of what a node waits for what is gone, and what would
// make it wait for itself.
func (m *mender) ways() {
	w := roads{map[string]string{}, map[string][]string{}, map[string][]string{}}
	for _, id := range m.ids {
		w.up[id], w.kids[id] = m.of[id].Text("parentId"), protocol.TextsOf(m.of[id].Get("children"))
	}
	for _, id := range m.ids {
		w.after[id] = protocol.TextsOf(m.of[id].Get("after"))
	}
	for _, id := range m.ids {
		had := w.after[id]
		if len(had) == 0 {
			continue
		}
		w.after[id] = nil
		for _, other := range had {
			if m.of[other] != nil && !w.lead(other, id, map[string]bool{}) {
				w.after[id] = append(w.after[id], other)
			} else {
				m.note("%s does not wait for %s any more: it would never have begun", id, other)
			}
		}
		switch kept := w.after[id]; {
		case len(kept) == 0:
			m.of[id].Delete("after")
		case len(kept) < len(had):
			m.of[id].Set("after", protocol.TextList(kept))
		}
	}
}

// Roads are whose child a node is, its children, and what it waits for.
type roads struct {
	up          map[string]string
	kids, after map[string][]string
}

// lead reports whether a node waits for another one, itself or by what is above or
// below it.
func (w roads) lead(from, to string, seen map[string]bool) bool {
	for up := from; up != ""; up = w.up[up] {
		if up == to {
			return true
		}
		if _, is := w.up[up]; seen[up] || !is {
			break
		}
		seen[up] = true
		for _, next := range w.after[up] {
			if _, is := w.up[next]; is && w.lead(next, to, seen) {
				return true
			}
		}
	}
	for _, k := range w.kids[from] {
		if _, is := w.up[k]; is && !seen[k] && w.lead(k, to, seen) {
			return true
		}
	}
	return false
}

// states reopens plans that are done and have something open below them.
func (m *mender) states() {
	for _, id := range m.ids {
		n := m.of[id]
		if workspace.Terminal(n.Text("status")) {
			continue
		}
		for up := n.Text("parentId"); up != "" && m.of[up] != nil; up = m.of[up].Text("parentId") {
			if s := m.of[up].Text("status"); s == workspace.Completed || s == workspace.Cancelled {
				m.of[up].SetText("status", workspace.Monitoring)
				m.note("%s is taken up again: something below it is open", up)
			}
		}
	}
}
