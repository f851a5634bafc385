package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Store is one workspace, open for reading or, inside [Place.Change], for
// changes.
type Store struct {
	Place  Place
	Entry  Entry
	Dir    string
	In     *beneath.Root // the project that Dir lies in
	read   reader        // of that project
	Graph  *Graph
	Config protocol.Object // workspace.json
	Now    time.Time
	// Kept is where [Place.Create] put an index that it could not continue; "" as
	// a rule.
	Kept string

	damaged []byte          // workspace.json as it was, where it cannot be read
	taken   map[string]bool // short ids of nodes, memos and folders
}

// Fresh is an id for a new node or memo. Neither another one nor a folder has its short
// id, also none that nobody has looked at, or that a killed process left behind.
func (s *Store) Fresh(kind string, random func() uint64) string {
	if s.taken == nil {
		s.taken = map[string]bool{}
		for _, n := range s.Graph.nodes {
			s.taken[ShortID(n.id)] = true
		}
		for _, list := range []protocol.Object{s.Graph.doc.Sub("memos"), s.Graph.memos} {
			for _, m := range list {
				s.taken[ShortID(m.Name)] = true
			}
		}
		shorts(s.In, filepath.Join(s.Dir, NodesDir), s.taken)
		shorts(s.In, filepath.Join(s.Dir, MemosDir), s.taken)
	}
	for at := s.Now; ; at = at.Add(time.Millisecond) {
		if id := NewID(kind, at, random()); !s.taken[ShortID(id)] {
			s.taken[ShortID(id)] = true
			return id
		}
	}
}

// NewFolder makes the folder of a new node with its files. That there is one already is
// an error: nothing of it is touched.
func (s *Store) NewFolder(n *Node, in Info) error {
	dir := filepath.Join(s.Dir, NodesDir, n.Text("dirName"))
	if err := s.In.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := s.In.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("the folder of a new node: %w", err)
	}
	return s.NewInfo(n, in)
}

// Errors of Open and Change.
var (
	ErrNoWorkspace = errors.New("there is no such workspace")
	ErrNoFolder    = errors.New("the folder of the workspace is gone")
	ErrDamaged     = errors.New("the workspace cannot be read")
	ErrIndex       = errors.New("the index of workspaces cannot be read")
	ErrWaiting     = errors.New("the workspace was not written on this machine and nobody has approved it: agents-hooks trust, or agents-hooks workspace accept")
)

// Open reads a workspace as it stands. It takes no lock: each file is whole.
func (p Place) Open(id string) (*Store, error) {
	e, ok, err := p.Entry(id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrNoWorkspace, id)
	}
	return p.open(e)
}

func (p Place) open(e Entry) (*Store, error) {
	r := p.reader(e.ProjectRoot)
	s := &Store{Place: p, Entry: e, Dir: p.Dir(e), In: r.in, read: r}
	if s.Dir == "" {
		return nil, fmt.Errorf("%w: %q in %s", ErrNoFolder, e.ID, e.ProjectRoot)
	}
	g, err := readGraph(s.In, s.Dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if g.hide(r); g.Root() == nil {
		return nil, fmt.Errorf("%w: %q", ErrWaiting, e.ID)
	}
	s.Graph = g
	if b, err := s.In.Read(filepath.Join(s.Dir, ConfigFile), 0); err == nil {
		if s.Config, err = protocol.ParseObject(b); err != nil {
			s.damaged = b
		}
	}
	if s.Config == nil {
		s.Config = s.config("")
	}
	return s, nil
}

// Change reads a workspace and lets do change it, while no other process of ours
// changes it too (BW-STO-04). What do wrote with the methods of the Store is written
// when they return; an error of do takes nothing back.
func (p Place) Change(id string, now time.Time, do func(*Store) error) error {
	e, ok, err := p.Entry(id)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%w: %q", ErrNoWorkspace, id)
	}
	if p.Dir(e) == "" {
		return fmt.Errorf("%w: %q in %s", ErrNoFolder, e.ID, e.ProjectRoot)
	}
	release, err := p.Lock(e)
	if err != nil {
		return err
	}
	defer release()
	// What it was may have changed while we waited.
	if e, ok, err = p.Entry(id); err != nil || !ok {
		return errors.Join(err, fmt.Errorf("%w: %q", ErrNoWorkspace, id))
	}
	s, err := p.open(e)
	if err != nil {
		return err
	}
	s.Now = now
	return do(s)
}

// Files is how the small files of the workspace are kept.
func (s *Store) Files() statefile.Store { return statefile.In(s.In) }

// SaveGraph writes graph.json, which is what makes a change count.
func (s *Store) SaveGraph() error {
	if s.read.ledger != nil {
		if err := s.read.ledger.Note(s.Graph.keys(s.read)...); err != nil && s.read.ledger.Failed != nil {
			s.read.ledger.Failed(err)
		}
	}
	return s.Files().ReplaceHeld(filepath.Join(s.Dir, GraphFile), true, s.Graph.Bytes())
}

// SaveConfig writes workspace.json.
func (s *Store) SaveConfig() error {
	if s.damaged != nil {
		if _, err := s.Files().Keep(filepath.Join(s.Dir, ConfigFile), s.Now, s.damaged); err != nil {
			return err
		}
		s.damaged = nil
	}
	return s.Files().ReplaceHeld(filepath.Join(s.Dir, ConfigFile), false, pretty(s.Config))
}

// Touch notes in workspace.json and in the index that the workspace changed.
func (s *Store) Touch() error {
	stamp := Stamp(s.Now)
	s.Config.SetText("updatedAt", stamp)
	return errors.Join(s.SaveConfig(), s.Place.UpdateEntry(s.Entry.ID, s.Now, func(o *protocol.Object) { o.SetText("updatedAt", stamp) }))
}

// UpdateEntry changes the line of a workspace in the index. What is lost of it
// when the power fails is a time; the workspace itself says what it is.
func (p Place) UpdateEntry(id string, now time.Time, change func(*protocol.Object)) error {
	kept := ""
	return statefile.Update(p.indexPath(), lockWait, func(old []byte) ([]byte, error) {
		return p.changeIndex(old, now, &kept, func(list []protocol.Object) []protocol.Object {
			for i := range list {
				if list[i].Text("id") == id {
					change(&list[i])
				}
			}
			return list
		})
	})
}

// NodeDir is the folder of a node.
func (s *Store) NodeDir(n *Node) string { return FolderOf(s.In, s.Dir, n) }

// Page reads the Workspace.md.
func (s *Store) Page() *Page {
	page, err := s.read.page(filepath.Join(s.Dir, PageFile))
	if err != nil {
		return ParsePage(nil)
	}
	return page
}

// SetPage changes it; an error of change leaves it as it is.
func (s *Store) SetPage(change func(*Page) error) error {
	path := filepath.Join(s.Dir, PageFile)
	page, err := s.read.whole(path)
	if errors.Is(err, fs.ErrNotExist) {
		page, err = ParsePage(nil), nil
	}
	if err != nil {
		return err
	}
	if err := change(page); err != nil {
		return err
	}
	page.SetField("updatedAt", Stamp(s.Now))
	return s.Files().ReplaceHeld(path, false, s.read.noted(page))
}

// Text is what of a file of the workspace may be told, by its path.
func (s *Store) Text(path string) (string, error) {
	if filepath.Base(path) != LogFile {
		return s.read.text(path)
	}
	b, err := s.In.Read(path, 0)
	return logHead + string(s.read.rows(b)), err
}

// SetText replaces a page of the workspace that is a text of its own.
func (s *Store) SetText(path, text string) error {
	page := ParsePage([]byte(text))
	if b, err := s.In.Read(path, 0); err == nil {
		page.was = string(b)
	} else {
		page.was = ""
	}
	return s.Files().ReplaceHeld(path, false, s.read.noted(page))
}

// About is workspace.json, without texts that somebody else may have put there:
// what the workspace is called stands in the person's own index.
func (s *Store) About() (o protocol.Object) {
	if s.read.ledger == nil {
		return s.Config
	}
	for _, m := range s.Config {
		switch {
		case m.Name == "name":
			o.SetText("name", s.Entry.Name)
		case m.Name == "dirName":
			o.SetText("dirName", s.Entry.DirName)
		case ledger.Token(m.Name) && plain(m.Value):
			o = append(o, m)
		}
	}
	return o
}

// Goal is what the workspace is for.
func (s *Store) Goal() string {
	if goal := s.Page().Section(secGoal); goal != "" {
		return goal
	}
	return rootNeed(s.read, s.Dir)
}

// folder is that of a node, of the workspace itself if n is nil.
func (s *Store) folder(n *Node) string {
	if n == nil {
		return s.Dir
	}
	return s.NodeDir(n)
}

// Logs are all rows of a node, or of the workspace itself if n is nil.
func (s *Store) Logs(n *Node) []Row {
	b, err := s.In.Read(filepath.Join(s.folder(n), LogFile), 0)
	if err != nil {
		return nil
	}
	return ParseLog(s.read.rows(b), s.Place.Zone)
}

// Log adds a row to the log of a node, or of the workspace itself if n is nil.
func (s *Store) Log(n *Node, operator, event string) (Row, error) {
	return s.Place.appendLog(s.read, s.folder(n), operator, event, s.Now)
}

// Problem is what holds a node up, and what is to be done next; both are empty
// where the placeholder stands.
func (s *Store) Problem(n *Node) (problem, next string) {
	page, err := s.read.page(filepath.Join(s.folder(n), ProblemFile))
	if err != nil {
		return "", ""
	}
	return real(page.Section(secProblem)), real(page.Section(secNext))
}

// SetProblem changes that; empty texts become the placeholder.
func (s *Store) SetProblem(n *Node, problem, next string) error {
	path := filepath.Join(s.folder(n), ProblemFile)
	page, err := s.read.whole(path)
	if errors.Is(err, fs.ErrNotExist) {
		page, err = ParsePage([]byte(emptyProblem)), nil
	}
	if err != nil {
		return err
	}
	for _, f := range []struct{ name, text string }{{secProblem, problem}, {secNext, next}} {
		f.text = cmp.Or(f.text, none)
		page.SetSection(f.name, f.text)
	}
	return s.Files().ReplaceHeld(path, false, s.read.noted(page))
}
