package workspace

import (
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// A State is what a session works on, as it stands at this moment (BW-SES-08).
type State struct {
	Binding   Binding
	Workspace Entry
	Dir       string // of the workspace
	Goal      string
	Rules     []string
	RulesHash string
	Focus     *Focus  // nil if nothing is in focus, or what is does not exist
	Foreign   Foreign // what of it is not the user's own
	Ledger    *ledger.Ledger
	Graph     *Graph
	in        reader
}

// A Focus is the node that a session works on.
type Focus struct {
	ID, Type, Title, Status, Requirement string
	ParentIsRoot                         bool
	Children                             int
	AllTerminal                          bool // there are children, and all are done
	Docs                                 int  // references to documents that are not expired
	// StartedAt is when the node was last started, retried or reopened; where
	// nobody kept that, when it last changed.
	StartedAt time.Time
	// Logs counts the rows that somebody wrote (changes of state write their own, which
	// do not count). Of a long Log.md only the end is read: then there are at least as
	// many. LastLog is the time of the last one.
	Logs    int
	LastLog time.Time
	// Problem and NextStep are empty if the placeholder is still there.
	Problem, NextStep string
	// NoProblem says that somebody reported no problem since it was started.
	NoProblem  bool
	Acceptance []Criterion
	Node       *Node
	Dir        string
}

// Bound is what a session works on; ok is false if it is bound to nothing, or to
// a workspace that is gone. One that is archived is told as such. An error is that files cannot be read.
//
// The node in focus is the workspace's own, which commands and other programs
// change, if this is the only window at work there; else the session's.
func (p Place) Bound(session string, now time.Time) (s State, ok bool, err error) {
	b, ok := p.Binding(session, now)
	if !ok {
		return s, false, nil
	}
	e, ok, err := p.Entry(b.Workspace)
	if err != nil || !ok {
		return s, false, err
	}
	dir := p.Dir(e)
	if dir == "" {
		return s, false, nil
	}
	in := p.reader(e.ProjectRoot)
	graph, err := readGraph(in.in, dir)
	if err != nil {
		return s, false, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	s = State{Binding: b, Workspace: e, Dir: dir, Graph: graph, in: in}
	if page, err := in.page(filepath.Join(dir, PageFile)); err == nil {
		s.Goal, s.Rules = page.Section(secGoal), items(page.Section(secRules))
		s.RulesHash = RulesHash(s.Rules)
	}
	if s.Goal == "" {
		s.Goal = rootNeed(in, dir)
	}
	if n := graph.focusOf(b); n != nil && in.tells(nodeKey("node", n.id, n.Object)) && isStatus(n.Status()) {
		s.Focus = p.focus(in, dir, graph, n)
	}
	s.Foreign, s.Ledger = *in.foreign, in.ledger
	return s, true, nil
}

// Known reports whether the log of the node in focus says already what was seen: a
// commit for good, how a command ended as long as it was seen last.
func (s State) Known(one Seen) bool {
	rows := lastRows(s.in.in, filepath.Join(s.Focus.Dir, LogFile), time.UTC)
	for _, r := range slices.Backward(rows) {
		if seen, ok := r.Seen(); ok && seen.What == one.What && (one.Kind == Commit) == (seen.Kind == Commit) {
			return seen == one
		}
		if r.begins() && one.Kind != Commit {
			break
		}
	}
	return false
}

// Waits reports whether a problem of a node was noted.
func (s State) Waits(n *Node) bool {
	page, err := s.in.page(filepath.Join(FolderOf(s.in.in, s.Dir, n), ProblemFile))
	return err == nil && real(page.Section(secProblem)) != ""
}

// Letting reports whether something that was told is the repository's.
func (s State) Letting() bool { return s.in.foreign.Let }

// Title is that of a node; its id if there is none, or nobody has looked at it.
func (s State) Title(n *Node) string {
	if s.in.tells(nodeKey("node", n.id, n.Object)) {
		if page, err := s.in.page(filepath.Join(FolderOf(s.in.in, s.Dir, n), InfoFile)); err == nil && page.Field("title") != "" {
			return page.Field("title")
		}
	}
	return n.id
}

// focusOf is the node that a binding is about.
func (g *Graph) focusOf(b Binding) *Node {
	own, theirs := g.byID[b.Node], g.byID[g.Focus()]
	if theirs != nil && (b.Alone || own == nil) {
		return theirs
	}
	return own
}

// focus reads a node. What cannot be read is empty: each file contributes a part.
func (p Place) focus(in reader, dir string, g *Graph, n *Node) *Focus {
	f := &Focus{
		ID: n.id, Type: n.Type(), Status: n.Status(),
		ParentIsRoot: n.Text("parentId") == RootID, StartedAt: timeOf(n.Get("startedAt")), Node: n, Dir: FolderOf(in.in, dir, n),
	}
	said := timeOf(n.Get(memberNone))
	f.NoProblem = !said.IsZero() && !said.Before(f.StartedAt)
	if f.StartedAt.IsZero() {
		f.StartedAt = timeOf(n.Get("updatedAt"))
	}
	kids := g.Kids(n)
	f.Children, f.AllTerminal = len(kids), len(kids) > 0
	for _, k := range kids {
		f.AllTerminal = f.AllTerminal && Terminal(k.Status())
	}
	if page, err := in.page(filepath.Join(f.Dir, InfoFile)); err == nil {
		f.Title, f.Requirement = page.Field("title"), page.Section(secNeed)
		f.Acceptance = parseCriteria(page.Section(secAcceptance))
		for _, d := range parseDocs(page.Section(secNodeDocs)) {
			if !d.Expired {
				f.Docs++
			}
		}
	}
	if page, err := in.page(filepath.Join(f.Dir, ProblemFile)); err == nil {
		f.Problem, f.NextStep = real(page.Section(secProblem)), real(page.Section(secNext))
	}
	rows := lastRows(in.in, filepath.Join(f.Dir, LogFile), p.Zone)
	for _, r := range rows {
		if _, seen := r.Seen(); !seen && !r.transition() {
			f.Logs++
			f.LastLog = r.Time
		}
	}
	return f
}

// Goal is what a workspace is for, "" if that cannot be read.
func (p Place) Goal(e Entry) string {
	dir := p.Dir(e)
	if dir == "" {
		return ""
	}
	in := p.reader(e.ProjectRoot)
	if page, err := in.page(filepath.Join(dir, PageFile)); err == nil {
		if goal := page.Section(secGoal); goal != "" {
			return goal
		}
	}
	return rootNeed(in, dir)
}

// rootNeed is the requirement of the root, where later versions keep the goal.
func rootNeed(in reader, dir string) string {
	page, err := in.page(filepath.Join(dir, NodesDir, RootID, InfoFile))
	if err != nil {
		return ""
	}
	return page.Section(secNeed)
}

// FolderOf is the folder of a node. If there is none, it is the one that it would
// have.
func FolderOf(in *beneath.Root, dir string, n *Node) string {
	parent := filepath.Join(dir, NodesDir)
	name := n.Text("dirName")
	if n.id == RootID {
		name = RootID
	}
	if found := named(in, parent, name, n.id, InfoFile); found != "" {
		return found
	}
	if !safe(name) {
		name = DirName("", n.id)
	}
	return filepath.Join(parent, name)
}

func readGraph(in *beneath.Root, dir string) (*Graph, error) {
	path := filepath.Join(dir, GraphFile)
	b, err := in.Read(path, 0)
	if err != nil {
		return nil, err
	}
	g, err := ParseGraph(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}

// Lock keeps all other processes off a workspace until release, or the end of
// this one (BW-STO-04).
func (p Place) Lock(e Entry) (release func(), err error) {
	dir := p.Dir(e)
	if dir == "" {
		return nil, fmt.Errorf("the folder of workspace %q is gone", e.ID)
	}
	base := filepath.Dir(dir)
	if filepath.Base(base) == Archive {
		base = filepath.Dir(base)
	}
	name := e.ID
	if !safe(name) {
		name = hex.EncodeToString([]byte(name))
	}
	return statefile.In(p.Below(e.ProjectRoot)).Hold(filepath.Join(base, "."+name), lockWait)
}

// Log adds a row to the log of a node, or of the workspace if node is "".
func (p Place) Log(e Entry, node, operator, event string, now time.Time) (Row, error) {
	release, err := p.Lock(e)
	if err != nil {
		return Row{}, err
	}
	defer release()
	dir := p.Dir(e)
	if dir == "" {
		return Row{}, errors.New("the folder of the workspace is gone")
	}
	in := p.reader(e.ProjectRoot)
	if node != "" {
		g, err := readGraph(in.in, dir)
		if err != nil {
			return Row{}, err
		}
		n := g.Node(node)
		if n == nil {
			return Row{}, fmt.Errorf("no such node: %q", node)
		}
		dir = FolderOf(in.in, dir, n)
	}
	return p.appendLog(in, dir, operator, event, now)
}

// appendLog is Log for a caller that has the lock.
func (p Place) appendLog(in reader, dir, operator, event string, now time.Time) (Row, error) {
	r := Row{Time: now, Stamp: now.In(p.Zone).Format(logTime), Operator: operator, Event: event}
	in.ledger.NoteLine(nil, []byte(r.line()))
	return r, appendRow(in.in, filepath.Join(dir, LogFile), r)
}
