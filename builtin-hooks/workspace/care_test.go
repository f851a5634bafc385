package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/care"
	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// made is a workspace with a plan, two nodes below it and one that waits.
func made(t *testing.T) (p workspace.Place, s *workspace.Store) {
	t.Helper()
	home, project := t.TempDir(), t.TempDir()
	p = workspace.Find(home, filepath.Join(home, "data"), "", time.UTC, func(string) string { return "" })
	s, err := p.Create(workspace.New{Name: "shop", Goal: "sell", ProjectRoot: project, Opened: "made", Random: 7}, noon)
	must.Do(t, err)
	err = p.Change(s.Entry.ID, noon, func(s *workspace.Store) error {
		parent := s.Graph.Root()
		for i, title := range []string{"Plan", "Keys", "Tokens"} {
			kind := workspace.Execution
			if i == 0 {
				kind = workspace.Planning
			}
			id := s.Fresh("node", func() uint64 { return uint64(i) })
			n := s.Graph.Add(id, kind, parent.ID(), workspace.DirName(title, id), workspace.Stamp(noon))
			n.SetText("status", map[string]string{"Plan": workspace.Monitoring, "Keys": workspace.Completed, "Tokens": workspace.Pending}[title])
			if err := s.NewFolder(n, workspace.Info{Title: title, Requirement: "do " + title}); err != nil {
				return err
			}
			if i == 0 {
				parent = n
			}
		}
		return s.SaveGraph()
	})
	if err == nil {
		s, err = p.Open(s.Entry.ID)
	}
	must.Do(t, err)
	return p, s
}

// tree is a workspace as "title<parent" in the order of the tree.
func tree(t *testing.T, p workspace.Place, id string) string {
	t.Helper()
	s, err := p.Open(id)
	must.Do(t, err)
	var list []string
	for _, n := range s.Graph.Below(s.Graph.Root())[1:] {
		list = append(list, s.Title(n)+"<"+s.Title(s.Graph.Parent(n))+" "+n.Status())
	}
	return strings.Join(list, ", ")
}

func mend(t *testing.T, p workspace.Place, project string) (said []string) {
	t.Helper()
	for _, f := range care.Look(p, project, noon) {
		if !f.Mends() {
			continue
		}
		what, err := f.Mend()
		if err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
		said = append(said, what)
	}
	return said
}

// Of a graph that was cut anywhere, overwritten in its middle or taken away, every node
// comes back: whole ones as they were, the others by what their pages say; what stood
// there is kept byte for byte.
// BW-STO-16.
func TestGraphComesBack(t *testing.T) {
	t.Parallel()
	p, s := made(t)
	const want = "Plan<shop monitoring, Keys<Plan completed, Tokens<Plan pending"
	if is := tree(t, p, s.Entry.ID); is != want {
		t.Fatal(is)
	}
	if found := care.Look(p, s.Entry.ProjectRoot, noon); found != nil {
		t.Fatalf("found %+v", found)
	}
	path := filepath.Join(s.Dir, workspace.GraphFile)
	whole := must.Read(t, path)
	for cut := 0; cut < len(whole)-3; cut += 37 {
		must.Write(t, path, whole[:cut])
		found := care.Look(p, s.Entry.ProjectRoot, noon)
		if len(found) != 1 || !found[0].Bad || !found[0].Mends() {
			t.Fatalf("cut at %d: %+v", cut, found)
		}
		if said := mend(t, p, s.Entry.ProjectRoot); !strings.Contains(said[0], "; as it was: "+path+".corrupt-") {
			t.Errorf("cut at %d: %q", cut, said)
		}
		is := tree(t, p, s.Entry.ID)
		for _, title := range []string{"Plan", "Keys", "Tokens"} {
			if strings.Count(is, title+"<") != 1 {
				t.Errorf("cut at %d: %s", cut, is)
			}
		}
		kept, _ := filepath.Glob(path + ".corrupt-*")
		if len(kept) != 1 || must.Read(t, kept[0]) != whole[:cut] {
			t.Fatalf("cut at %d: kept %v", cut, kept)
		}
		os.Remove(kept[0])
	}
	must.Write(t, path, strings.Replace(whole, `"version": "5.0"`, "\x00\x00", 1))
	if mend(t, p, s.Entry.ProjectRoot); tree(t, p, s.Entry.ID) != want {
		t.Errorf("overwritten: %s", tree(t, p, s.Entry.ID))
	}
	must.Do(t, os.Remove(path))
	if said := mend(t, p, s.Entry.ProjectRoot); strings.Count(tree(t, p, s.Entry.ID), "<") != 3 || strings.Contains(said[0], "as it was") {
		t.Errorf("taken away: %s", tree(t, p, s.Entry.ID))
	}
	must.Write(t, path, strings.Replace(whole, `"version": "5.0"`, `"version": "5.1"`, 1))
	if found := care.Look(p, s.Entry.ProjectRoot, noon); len(found) != 1 || found[0].Mends() || !strings.Contains(found[0].Fix, "update") {
		t.Errorf("newer: %+v", found)
	}
}

// Folders that no node has are put aside with all that is in them, empty ones and files
// that were not finished go, and nothing that a node has is touched; a look changes
// nothing.
// BW-STO-17.
func TestLeftoversGo(t *testing.T) {
	t.Parallel()
	p, s := made(t)
	was := tree(t, p, s.Entry.ID)
	must.Write(t, filepath.Join(s.Dir, workspace.NodesDir, "lost_abc", "Info.md"), "a thought")
	must.Write(t, filepath.Join(s.Dir, workspace.MemosDir, "lost_abc", "Content.md"), "a draft")
	must.Write(t, filepath.Join(s.Dir, care.Orphans, "lost_abc", "Info.md"), "an older one")
	must.Write(t, filepath.Join(s.Dir, workspace.GraphFile+".tmp-next"), "{")
	must.Write(t, filepath.Join(s.Dir, workspace.NodesDir, "root", "Info.md.tmp-12-xy"), "half")
	must.Do(t, os.MkdirAll(filepath.Join(s.Dir, workspace.NodesDir, "empty_def"), 0o700))
	found := care.Look(p, "", noon)
	if len(found) != 4 || len(care.Look(p, "/elsewhere", noon)) != 0 {
		t.Fatalf("%+v", found)
	}
	if !slices.ContainsFunc(found, func(f care.Finding) bool { return strings.HasPrefix(f.What, "2 files that processes had not finished") }) {
		t.Errorf("%+v", found)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, workspace.NodesDir, "empty_def")); err != nil {
		t.Error("looking removed it")
	}
	mend(t, p, "")
	for path, want := range map[string]string{
		filepath.Join(care.Orphans, "lost_abc", "Info.md"): "an older one", filepath.Join(care.Orphans, "lost_abc-2", "Info.md"): "a thought", filepath.Join(care.Orphans, "lost_abc-3", "Content.md"): "a draft",
	} {
		t.Run(path, func(t *testing.T) {
			if is := must.Read(t, filepath.Join(s.Dir, path)); is != want {
				t.Errorf("%s: %q", path, is)
			}
		})
	}
	if found := care.Look(p, "", noon); found != nil || tree(t, p, s.Entry.ID) != was {
		t.Errorf("left: %+v\n%s", found, tree(t, p, s.Entry.ID))
	}
}

// The files of the person: damaged ones are mended, with what of them is whole; a
// folder that is gone is said, and its line stays.
// BW-STO-13.
func TestFilesOfThePerson(t *testing.T) {
	t.Parallel()
	p, s := made(t)
	must.Do(t, p.Bind("s-1", s.Entry.ID, "", noon))
	for _, name := range []string{"index.json", "session-bindings.json"} {
		path := filepath.Join(p.Home, name)
		must.Write(t, path, must.Read(t, path)+"}")
	}
	must.Write(t, filepath.Join(p.Home, "claims.json"), "{")
	mend(t, p, s.Entry.ProjectRoot)
	if found := care.Look(p, s.Entry.ProjectRoot, noon); found != nil {
		t.Errorf("left: %+v", found)
	}
	if b, ok := p.Binding("s-1", noon); !ok || b.Workspace != s.Entry.ID {
		t.Errorf("the binding: %+v", b)
	}
	for _, name := range []string{"index.json", "session-bindings.json", "claims.json"} {
		if kept, _ := filepath.Glob(filepath.Join(p.Home, name+".corrupt-*")); len(kept) != 1 {
			t.Errorf("%s: kept %v", name, kept)
		}
	}
	must.Do(t, os.RemoveAll(s.Dir))
	found := care.Look(p, s.Entry.ProjectRoot, noon)
	if len(found) != 1 || found[0].Mends() || !strings.Contains(found[0].What, "gone") {
		t.Errorf("%+v", found)
	}
	must.Do(t, os.RemoveAll(s.Entry.ProjectRoot))
	if found := care.Look(p, s.Entry.ProjectRoot, noon); found != nil {
		t.Errorf("a disk that is not there: %+v", found)
	}
}

// A graph that is no tree is told, and made one; what stood there is kept. A node that
// hung in a circle is offered again.
// BW-STO-19.
func TestGraphIsOneTreeAgain(t *testing.T) {
	t.Parallel()
	p, s := made(t)
	path := filepath.Join(s.Dir, workspace.GraphFile)
	nodes := s.Graph.All()
	plan, keys, tokens := nodes[1].ID(), nodes[2].ID(), nodes[3].ID()
	whole := must.Read(t, path)
	for name, broken := range map[string]string{
		"a circle of parents":   strings.Replace(whole, `"parentId": "root"`, `"parentId": "`+keys+`"`, 1),
		"a parent that is gone": strings.ReplaceAll(whole, `"parentId": "`+plan+`"`, `"parentId": "gone"`),
		"nodes that wait for each other": strings.NewReplacer(
			`"id": "`+keys+`"`, `"id": "`+keys+`", "after": ["`+tokens+`"]`, `"id": "`+tokens+`"`, `"id": "`+tokens+`", "after": ["`+keys+`"]`).Replace(whole),
	} {
		t.Run(name, func(t *testing.T) {
			if broken == whole {
				t.Fatal(name)
			}
			must.Write(t, path, broken)
			found := care.Look(p, s.Entry.ProjectRoot, noon)
			if len(found) != 1 || !found[0].Bad || !found[0].Mends() || found[0].Path != path {
				t.Fatalf("%+v", found)
			}
			said, err := found[0].Mend()
			_, kept, _ := strings.Cut(said, "as it was: ")
			if err != nil || must.Read(t, kept) != broken {
				t.Errorf("%q, %v", said, err)
			}
			if left := care.Look(p, s.Entry.ProjectRoot, noon); left != nil {
				t.Errorf("left %+v", left)
			}
			again, err := p.Open(s.Entry.ID)
			must.Do(t, err)
			if n := len(again.Graph.Below(again.Graph.Root())); n != 4 {
				t.Errorf("%d nodes are below the root", n)
			}
		})
	}
}

// What is there and cannot be read is told, and left where it is.
// BW-STO-20.
func TestFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	p, s := made(t)
	secret := filepath.Join(t.TempDir(), "secret")
	must.Write(t, secret, "elsewhere")
	node := s.NodeDir(s.Graph.All()[2])
	for _, c := range []struct {
		path string
		lay  func(t *testing.T, path string) error
	}{
		{filepath.Join(s.Dir, workspace.LogFile), func(_ *testing.T, path string) error { return os.Mkdir(path, 0o700) }},
		{filepath.Join(node, workspace.LogFile), func(_ *testing.T, path string) error {
			f, err := os.Create(path)
			if err != nil {
				return err
			}
			defer f.Close()
			return f.Truncate(1 << 30)
		}},
		{filepath.Join(node, workspace.ProblemFile), func(t *testing.T, path string) error { linktest.Make(t, secret, path); return nil }},
	} {
		t.Run(strings.TrimPrefix(c.path, s.Dir), func(t *testing.T) {
			before := must.Read(t, c.path)
			defer func() {
				must.Do(t, os.RemoveAll(c.path))
				must.Write(t, c.path, before)
			}()
			must.Do(t, errors.Join(os.Remove(c.path), c.lay(t, c.path)))
			found := care.Look(p, s.Entry.ProjectRoot, noon)
			if len(found) != 1 || found[0].Path != c.path || !found[0].Bad || found[0].Mends() || found[0].Fix == "" {
				t.Errorf("%s: %+v", c.path, found)
			}
		})
	}
	if left := care.Look(p, s.Entry.ProjectRoot, noon); left != nil {
		t.Errorf("left %+v", left)
	}
}
