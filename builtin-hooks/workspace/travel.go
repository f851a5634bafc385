package workspace

import (
	"cmp"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Stray is a workspace that lies in a project and that the person's index does not
// have there: it came with a clone, its project was moved, or it is a copy.
type Stray struct {
	Entry
	// Was is where the index has it, "" if it does not. Gone says that it is not there
	// any more.
	Was  string
	Gone bool
	// Mine says that this machine wrote it, here or where it was; only then, or once
	// its user let it in, is anything of it told.
	Mine bool
}

// strayMost bounds how many folders of a project are looked into.
const strayMost = 64

// Strays are those of a project.
func (p Place) Strays(root string) (list []Stray) {
	index, err := p.Index()
	if err != nil {
		return nil
	}
	in := p.Below(root)
	for _, base := range []string{filepath.Join(root, p.Folder), filepath.Join(root, filepath.FromSlash(Ours))} {
		folders, _ := in.List(base)
		for i, f := range folders {
			if i == strayMost {
				break
			}
			if s, ok := p.stray(index, root, filepath.Join(base, f.Name())); ok {
				list = append(list, s)
			}
		}
	}
	return list
}

// stray is what is in a folder, if that is a workspace that the index does not have
// there.
func (p Place) stray(index []Entry, root, dir string) (s Stray, ok bool) {
	in := p.Below(root)
	if !isFile(in, filepath.Join(dir, GraphFile)) {
		return s, false
	}
	b, err := in.Read(filepath.Join(dir, ConfigFile), 0)
	if err != nil {
		return s, false
	}
	o, err := protocol.ParseObject(b)
	if err != nil {
		return s, false
	}
	s.Entry = Entry{ID: o.Text("id"), DirName: filepath.Base(dir), ProjectRoot: root, Status: Active, CreatedAt: o.Text("createdAt"), UpdatedAt: o.Text("updatedAt")}
	if !safe(s.ID) || !ledger.Token(s.ID) || o.Text("status") == Archived {
		return s, false
	}
	known := root
	for _, e := range index {
		if e.ID != s.ID {
			continue
		}
		if p.Dir(e) == dir {
			return s, false
		}
		s.Was, s.Gone = e.ProjectRoot, p.Dir(e) == ""
		if s.Gone && e.CreatedAt == s.CreatedAt {
			known = e.ProjectRoot
		}
	}
	if s.Name, s.Mine = p.nameBy(root, s.Entry); !s.Mine && known != root {
		s.Name, s.Mine = p.nameBy(known, s.Entry)
	}
	s.Name = cmp.Or(s.Name, s.ID)
	return s, true
}

// nameBy is what a workspace is called, if the ledger of a project knows the
// workspace.
func (p Place) nameBy(project string, e Entry) (name string, known bool) {
	r := p.reader(e.ProjectRoot)
	r.foreign = new(Foreign)
	if p.Known != nil {
		r.ledger = p.Known(project)
	}
	dir := p.Dir(e)
	g, err := readGraph(r.in, dir)
	if err != nil {
		return "", false
	}
	if g.hide(r); g.Root() == nil {
		return "", false
	}
	if page, err := r.page(filepath.Join(dir, PageFile)); err == nil {
		name = page.Field("name")
	}
	return name, true
}

// Adopt puts a stray into the index, in the place of what that had. What this machine
// wrote where the project was it wrote here.
func (p Place) Adopt(s Stray, now time.Time) (Entry, error) {
	if s.Gone && s.Mine && p.Known != nil {
		if err := p.Known(s.ProjectRoot).Take(p.Known(s.Was)); err != nil {
			return s.Entry, err
		}
	}
	_, err := p.UpdateIndex(now, func(list []protocol.Object) []protocol.Object {
		set := func(o *protocol.Object, fresh bool) {
			o.SetText("dirName", s.DirName)
			o.SetText("projectRoot", s.ProjectRoot)
			o.SetText("status", Active)
			if fresh {
				o.SetText("createdAt", s.CreatedAt)
				o.SetText("updatedAt", s.UpdatedAt)
			}
		}
		for i := range list {
			if list[i].Text("id") == s.ID {
				set(&list[i], false)
				return list
			}
		}
		var o protocol.Object
		o.SetText("id", s.ID)
		o.SetText("name", s.Name)
		set(&o, true)
		return append(list, o)
	})
	return s.Entry, err
}

// around are the folders that a workspace of a directory could be in: the directory and
// those above it, up to the root of its repository; in a linked worktree those of the
// repository's own tree.
func around(dir string) (list []string) {
	if t, ok := linkedTree(dir); ok {
		dir = t.counterpart(dir)
	}
	root, _ := repository(dir)
	for {
		list = append(list, dir)
		up := filepath.Dir(dir)
		if dir == root || root == "" || up == dir {
			return list
		}
		dir = up
	}
}

// StraysAt are those around a directory.
func (p Place) StraysAt(dir string) (list []Stray) {
	for _, root := range around(dir) {
		list = append(list, p.Strays(root)...)
	}
	return list
}

// Arrived are those that may be offered, and worked on, as if the index had them: a
// person let them in, or wrote them. A copy of what the index has elsewhere is none.
func (p Place) Arrived(dir string) (list []Stray) {
	for _, s := range p.StraysAt(dir) {
		if s.Mine && (s.Was == "" || s.Gone) {
			list = append(list, s)
		}
	}
	return list
}
