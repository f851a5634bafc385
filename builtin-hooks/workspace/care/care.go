// Package care checks and repairs the files of workspaces: what cannot be read, what is
// of a newer version, and what killed processes left behind. doctor reports that, and
// repairs it on request.
//
// [Look] only reads. [Finding.Mend] repairs, under the locks that every other process
// takes, and discards nothing that somebody may have written: an unreadable file is set
// aside beside itself, a folder without a node is moved to the folder "orphans" of its
// workspace, and only unfinished temporary files of killed processes are deleted.
package care

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Orphans is the folder of a workspace for folders that no node has.
const Orphans = "orphans"

// A Finding is something that is not as it should be.
type Finding struct {
	Path string
	What string
	Fix  string // what a person can do; "" if Mend does it
	Bad  bool   // somebody is kept from working
	mend func() (said string, err error)
}

// Mends reports whether Mend does something about it.
func (f Finding) Mends() bool { return f.mend != nil }

// Mend mends it, and says what it did.
func (f Finding) Mend() (said string, err error) { return f.mend() }

// Look looks at the files of a person, and at the workspaces of a project; project ""
// stands for all that are there.
func Look(p workspace.Place, project string, now time.Time) (list []Finding) {
	if err := p.Damage(); err != nil {
		f := Finding{Path: p.Home, What: err.Error(), Bad: true}
		if errors.Is(err, workspace.ErrNewer) {
			f.Fix = "update agents-hooks, or use the program that wrote it"
		} else {
			f.mend = func() (string, error) {
				return "kept aside, and goes on with what of it was whole", p.MendFiles(now)
			}
		}
		list = append(list, f)
	}
	index, err := p.Index()
	if err != nil {
		return list
	}
	seen := map[string]bool{}
	for _, e := range index {
		if project != "" && e.ProjectRoot != project {
			continue
		}
		dir := p.Dir(e)
		if dir == "" {
			if f, ok := gone(p, e); ok {
				list = append(list, f)
			}
			continue
		}
		seen[dir] = true
		list = append(list, inside(p, e, dir, now)...)
	}
	return list
}

// gone reports a workspace whose folder is missing although its project is there: if
// the whole disk is missing, nothing can be said.
func gone(p workspace.Place, e workspace.Entry) (f Finding, ok bool) {
	in := p.Below(e.ProjectRoot)
	if info, err := in.Stat(e.ProjectRoot); err != nil || !info.IsDir() {
		return f, false
	}
	for _, base := range bases(p, e.ProjectRoot) {
		for _, folder := range []string{base, filepath.Join(base, workspace.Archive)} {
			dir := filepath.Join(folder, e.DirName)
			if info, err := in.Stat(dir); err != nil || !info.IsDir() || !filepath.IsLocal(e.DirName) {
				continue
			}
			f := Finding{Path: filepath.Join(dir, workspace.GraphFile), What: "it is not there, so workspace " + e.Name + " cannot be opened", Bad: true}
			f.mend = func() (string, error) { return regraph(p, e, dir, nil) }
			return f, true
		}
	}
	return Finding{Path: e.ProjectRoot, What: "the folder of workspace " + e.Name + " is gone", Fix: "bring it back, or agents-hooks workspace delete --force --workspace " + e.ID}, true
}

func bases(p workspace.Place, root string) []string {
	return []string{filepath.Join(root, p.Folder), filepath.Join(root, filepath.FromSlash(workspace.Ours))}
}

// inside looks at the files of one workspace.
func inside(p workspace.Place, e workspace.Entry, dir string, now time.Time) (list []Finding) {
	in := p.Below(e.ProjectRoot)
	b, err := in.Read(filepath.Join(dir, workspace.GraphFile), 0)
	if err != nil {
		return []Finding{{Path: filepath.Join(dir, workspace.GraphFile), What: err.Error(), Fix: "let it be read", Bad: true}}
	}
	g, err := workspace.ParseGraph(b)
	switch {
	case errors.Is(err, workspace.ErrNewer):
		list = append(list, Finding{Path: filepath.Join(dir, workspace.GraphFile), What: err.Error(), Fix: "update agents-hooks, or use the program that wrote it", Bad: true})
	case err != nil:
		f := Finding{Path: filepath.Join(dir, workspace.GraphFile), What: err.Error(), Bad: true}
		f.mend = func() (string, error) { return regraph(p, e, dir, b) }
		list = append(list, f)
	default:
		list = append(list, orphans(p, e, in, dir, g)...)
		list = append(list, shut(in, dir, g)...)
		if f, ok := torn(p, e, dir, b); ok {
			list = append(list, f)
		}
	}
	if b, err := in.Read(filepath.Join(dir, workspace.ConfigFile), 0); err == nil {
		if _, err := protocol.ParseObject(b); err != nil {
			f := Finding{Path: filepath.Join(dir, workspace.ConfigFile), What: err.Error()}
			f.mend = func() (string, error) {
				return "kept aside, and made anew", p.Change(e.ID, now, func(s *workspace.Store) error { return s.SaveConfig() })
			}
			list = append(list, f)
		}
	}
	return append(list, temporary(p, e, in, dir)...)
}

// orphans are folders that belong to no node and no memo.
func orphans(p workspace.Place, e workspace.Entry, in *beneath.Root, dir string, g *workspace.Graph) (list []Finding) {
	for _, name := range nobodys(in, dir, g) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		f := Finding{Path: path, What: "a folder that no node has"}
		f.mend = func() (string, error) { return putAside(p, e, dir, name) }
		list = append(list, f)
	}
	return list
}

// nobodys are the names of such folders, below the workspace's.
func nobodys(in *beneath.Root, dir string, g *workspace.Graph) (list []string) {
	used := map[string]bool{workspace.NodesDir + "/" + workspace.RootID: true}
	for _, n := range g.All() {
		used[workspace.NodesDir+"/"+filepath.Base(workspace.FolderOf(in, dir, n))] = true
	}
	for _, m := range g.Memos() {
		used[workspace.MemosDir+"/"+m.Text("dirName")] = true
		used[workspace.MemosDir+"/"+m.Text("id")] = true
	}
	for _, parent := range []string{workspace.NodesDir, workspace.MemosDir} {
		entries, _ := in.List(filepath.Join(dir, parent))
		for _, e := range entries {
			if name := parent + "/" + e.Name(); e.IsDir() && !used[name] {
				list = append(list, name)
			}
		}
	}
	return list
}

// shut are files of a workspace and its nodes that exist and cannot be read, such as a
// link that leads out, a folder in the place of a file, or one that is too large.
func shut(in *beneath.Root, dir string, g *workspace.Graph) (list []Finding) {
	look := func(path string) {
		if _, err := in.Read(path, 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
			list = append(list, Finding{Path: path, What: "it cannot be read: " + strings.TrimPrefix(err.Error(), path+": "), Fix: "put a file there that can be, or take it away", Bad: true})
		}
	}
	for _, name := range []string{workspace.PageFile, workspace.LogFile, workspace.ProblemFile} {
		look(filepath.Join(dir, name))
	}
	for _, n := range g.All() {
		for _, name := range []string{workspace.InfoFile, workspace.LogFile, workspace.ProblemFile} {
			look(filepath.Join(workspace.FolderOf(in, dir, n), name))
		}
	}
	return list
}

// putAside moves a folder that no node has out of the way, if that is still so under
// the lock; one without a file is removed.
func putAside(p workspace.Place, e workspace.Entry, dir, name string) (string, error) {
	release, err := p.Lock(e)
	if err != nil {
		return "", err
	}
	defer release()
	in := p.Below(e.ProjectRoot)
	b, err := in.Read(filepath.Join(dir, workspace.GraphFile), 0)
	if err != nil {
		return "", err
	}
	g, err := workspace.ParseGraph(b)
	if err != nil {
		return "", err
	}
	if !slices.Contains(nobodys(in, dir, g), name) {
		return "a node has it now", nil
	}
	from := filepath.Join(dir, filepath.FromSlash(name))
	if entries, err := in.List(from); err == nil && len(entries) == 0 {
		return "removed: it was empty", in.Remove(from)
	}
	to := filepath.Join(dir, Orphans)
	if err := in.MkdirAll(to, 0o700); err != nil {
		return "", err
	}
	to = filepath.Join(to, filepath.Base(from))
	for i := 2; ; i++ {
		if _, err := in.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			break
		}
		to = filepath.Join(dir, Orphans, filepath.Base(from)+"-"+itoa(i))
	}
	return "moved to " + to, in.Rename(from, to)
}

// tempMark stands in the names of files that are not whole yet, see package statefile.
const tempMark = ".tmp-"

// temporary are files that nobody gave their name any more.
func temporary(p workspace.Place, e workspace.Entry, in *beneath.Root, dir string) []Finding {
	left := unnamed(in, dir)
	if len(left) == 0 {
		return nil
	}
	f := Finding{Path: left[0], What: "a file that a process had not finished when it was killed"}
	if len(left) > 1 {
		f.What = itoa(len(left)) + " files that processes had not finished when they were killed, this one first"
	}
	f.mend = func() (string, error) {
		release, err := p.Lock(e)
		if err != nil {
			return "", err
		}
		defer release()
		var errs []error
		for _, path := range unnamed(in, dir) {
			errs = append(errs, in.Remove(path))
		}
		return "removed", errors.Join(errs...)
	}
	return []Finding{f}
}

// unnamed are those files. Whoever has the lock of the workspace is the only one who
// writes such a name there.
func unnamed(in *beneath.Root, dir string) (list []string) {
	_ = in.Walk(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && strings.Contains(e.Name(), tempMark) {
			list = append(list, path)
		}
		return nil
	})
	return list
}
