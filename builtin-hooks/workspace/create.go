package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/worktree"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A New is a workspace that is to be.
type New struct {
	Name, Goal, ProjectRoot, Scenario string
	Rules                             []string
	Docs                              []Doc
	Opened                            string // the first row of its log
	Random                            uint64
}

// Create makes a workspace. It is there once it stands in the index, which comes
// last.
func (p Place) Create(w New, now time.Time) (*Store, error) {
	stamp := Stamp(now)
	id := NewID("ws", now, w.Random)
	e := Entry{ID: id, Name: w.Name, DirName: DirName(w.Name, id), ProjectRoot: w.ProjectRoot, Status: Active, CreatedAt: stamp, UpdatedAt: stamp}
	base := p.ProjectDir(w.ProjectRoot)
	in := p.Below(w.ProjectRoot)
	if err := in.MkdirAll(base, 0o700); err != nil {
		return nil, err
	}
	// Two of one millisecond would have the same short id, by which folders that
	// somebody renamed are found (BW-STO-03).
	taken := map[string]bool{}
	shorts(in, base, taken)
	shorts(in, filepath.Join(base, Archive), taken)
	index, _ := p.Index()
	for _, old := range index { // also one whose folder is not there now
		taken[ShortID(old.ID)] = true
	}
	for try := 1; ; try++ {
		err := fs.ErrExist
		if !taken[ShortID(e.ID)] {
			err = in.Mkdir(filepath.Join(base, e.DirName), 0o700)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrExist) || try > 1000 {
			return nil, err
		}
		e.ID = NewID("ws", now.Add(time.Duration(try)*time.Millisecond), w.Random)
		e.DirName = DirName(w.Name, e.ID)
	}
	s := &Store{Place: p, Entry: e, Dir: filepath.Join(base, e.DirName), In: in, read: p.reader(w.ProjectRoot), Graph: NewGraph(stamp), Now: now}
	Exclude(w.ProjectRoot, base)
	s.Config = s.config(w.Scenario)
	if err := s.first(w); err != nil {
		return nil, fmt.Errorf("creating the workspace in %s: %w", s.Dir, err)
	}
	kept, err := p.UpdateIndex(now, func(list []protocol.Object) []protocol.Object {
		var o protocol.Object
		for _, f := range [][2]string{{"id", e.ID}, {"name", e.Name}, {"dirName", e.DirName}, {"projectRoot", e.ProjectRoot}, {"status", e.Status}, {"createdAt", stamp}, {"updatedAt", stamp}} {
			o.SetText(f[0], f[1])
		}
		return append(list, o)
	})
	s.Kept = kept
	return s, err
}

func (s *Store) config(scenario string) (o protocol.Object) {
	e := s.Entry
	for _, f := range [][2]string{{"id", e.ID}, {"name", e.Name}, {"dirName", e.DirName}, {"status", e.Status}, {"createdAt", e.CreatedAt}, {"updatedAt", e.UpdatedAt}, {"rootNodeId", RootID}} {
		o.SetText(f[0], f[1])
	}
	o.PutText("scenario", scenario)
	return o
}

// first writes all files of a new workspace.
func (s *Store) first(w New) error {
	var b strings.Builder
	b.WriteString("---\nname: \ncreatedAt: " + s.Entry.CreatedAt + "\nupdatedAt: " + s.Entry.UpdatedAt + "\n---\n\n")
	b.WriteString("## " + secRules + "\n\n" + noteRules + "\n\n\n\n## " + secDocs + "\n\n" + noteDocs + "\n\n" + docLines(w.Docs) + "\n\n## " + secGoal + "\n\n" + w.Goal + "\n")
	page := ParsePage([]byte(b.String()))
	page.was = ""
	page.SetField("name", w.Name)
	page.SetRules(w.Rules)
	for _, f := range []struct {
		name string
		text []byte
	}{{PageFile, s.read.noted(page)}, {LogFile, []byte(logHead)}, {ProblemFile, []byte(emptyProblem)}, {ConfigFile, pretty(s.Config)}} {
		if err := s.Files().ReplaceHeld(filepath.Join(s.Dir, f.name), false, f.text); err != nil {
			return err
		}
	}
	if _, err := s.Log(nil, AI, w.Opened); err != nil {
		return err
	}
	if err := s.NewInfo(s.Graph.Root(), Info{Title: w.Name, Requirement: w.Goal}); err != nil {
		return err
	}
	return s.SaveGraph()
}

// Errors of Archive and Restore.
var (
	ErrArchived = errors.New("the workspace is archived")
	ErrActive   = errors.New("the workspace is not archived")
)

// Archive moves a workspace into the archive of its project, and returns where it
// is then.
func (s *Store) Archive() (string, error) {
	if s.Entry.Status == Archived {
		return "", ErrArchived
	}
	return s.moveTo(filepath.Join(s.base(), Archive, filepath.Base(s.Dir)), Archived)
}

// Restore moves it back.
func (s *Store) Restore() (string, error) {
	if s.Entry.Status != Archived {
		return "", ErrActive
	}
	return s.moveTo(filepath.Join(s.base(), filepath.Base(s.Dir)), Active)
}

// base is the folder of all workspaces of the project.
func (s *Store) base() string {
	base := filepath.Dir(s.Dir)
	if filepath.Base(base) == Archive {
		base = filepath.Dir(base)
	}
	return base
}

// moveTo moves the folder first: wherever it lies, it is found (see [Place.Dir]).
func (s *Store) moveTo(dir, status string) (string, error) {
	if dir != s.Dir {
		if _, err := s.In.Lstat(dir); err == nil {
			return "", fmt.Errorf("%s already exists", dir)
		}
		if err := s.In.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
			return "", err
		}
		if err := s.In.Rename(s.Dir, dir); err != nil {
			return "", err
		}
		s.Dir = dir
	}
	s.Config.SetText("status", status)
	s.Config.SetText("updatedAt", Stamp(s.Now))
	if err := s.SaveConfig(); err != nil {
		return "", err
	}
	return dir, s.Place.UpdateEntry(s.Entry.ID, s.Now, func(o *protocol.Object) {
		o.SetText("status", status)
		o.SetText("updatedAt", Stamp(s.Now))
	})
}

// Delete removes a workspace: from the index, the bindings, and its folder if
// that is still there.
func (p Place) Delete(e Entry, now time.Time) error {
	remove := func() error {
		_, err := p.UpdateIndex(now, func(list []protocol.Object) []protocol.Object {
			var kept []protocol.Object
			for _, o := range list {
				if o.Text("id") != e.ID {
					kept = append(kept, o)
				}
			}
			return kept
		})
		if err == nil {
			_, err = p.Unbind(now, func(b Binding) bool { return b.Workspace == e.ID })
		}
		return err
	}
	dir := p.Dir(e)
	if dir == "" {
		return remove()
	}
	release, err := p.Lock(e)
	if err != nil {
		return err
	}
	defer release()
	if err := remove(); err != nil {
		return err
	}
	return p.Below(e.ProjectRoot).RemoveAll(dir)
}

// Exclude keeps a folder of workspaces out of commits by the .git/info/exclude of
// the repository that the project lies in, never by its .gitignore (BW-STO-07). That
// file is one for all worktrees. A project without git needs nothing, and a file
// that cannot be written is no reason to fail.
func Exclude(project, folder string) {
	root, git := repository(project)
	if git == "" {
		return
	}
	rel, err := filepath.Rel(root, folder)
	if err != nil || !filepath.IsLocal(rel) {
		return
	}
	if shared(beneath.At(project), folder) {
		return
	}
	line := "/" + filepath.ToSlash(rel) + "/"
	path := filepath.Join(git, "info", "exclude")
	in := beneath.At(git) // nothing of a repository's own is a link
	old, err := in.Read(path, 0)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return
	}
	for have := range strings.Lines(string(old)) {
		if strings.Trim(strings.TrimSpace(have), "/") == strings.Trim(line, "/") {
			return
		}
	}
	if n := len(old); n > 0 && old[n-1] != '\n' {
		line = "\n" + line
	}
	if in.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return
	}
	f, err := in.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return
	}
	_, _ = f.WriteString(line + "\n")
	_ = f.Close()
}

// pointerMax bounds a file that contains nothing but a path.
const pointerMax = 16 << 10

// repository is the root of the working tree that a folder lies in, and the git
// directory that all its worktrees have in common; "" if there is none, or one that
// does not know of the working tree.
func repository(dir string) (root, git string) {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir, worktree.Common(dir)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", ""
		}
		dir = up
	}
}

// InWorktree is a project as it lies in the worktree that a folder is in, if that is one
// of the same repository; else the project.
func InWorktree(project, folder string) string {
	root, git := repository(project)
	other, same := repository(folder)
	if git == "" || same != git || other == root {
		return project
	}
	rel, err := filepath.Rel(root, project)
	if err != nil || !filepath.IsLocal(rel) {
		return project
	}
	if dir := filepath.Join(other, rel); isDir(nil, dir) {
		return dir
	}
	return project
}
