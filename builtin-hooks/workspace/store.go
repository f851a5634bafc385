package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
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
	Graph  *Graph
	Config protocol.Object // workspace.json
	Now    time.Time
	// Kept is where [Place.Create] put an index that it could not continue; "" as
	// a rule.
	Kept string
}

// Errors of Open and Change.
var (
	ErrNoWorkspace = errors.New("there is no such workspace")
	ErrNoFolder    = errors.New("the folder of the workspace is gone")
	ErrDamaged     = errors.New("the workspace cannot be read")
	ErrIndex       = errors.New("the index of workspaces cannot be read")
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
	s := &Store{Place: p, Entry: e, Dir: p.Dir(e), In: p.Below(e.ProjectRoot)}
	if s.Dir == "" {
		return nil, fmt.Errorf("%w: %q in %s", ErrNoFolder, e.ID, e.ProjectRoot)
	}
	g, err := readGraph(s.In, s.Dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	s.Graph = g
	if b, err := s.In.Read(filepath.Join(s.Dir, ConfigFile), 0); err == nil {
		s.Config, _ = protocol.ParseObject(b)
	}
	if s.Config == nil {
		s.Config = s.config("")
	}
	return s, nil
}

// Change reads a workspace and lets do change it, while no other process of ours
// changes it too (WS-26). What do wrote with the methods of the Store is written
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
	return s.Files().ReplaceHeld(filepath.Join(s.Dir, GraphFile), true, s.Graph.Bytes())
}

// SaveConfig writes workspace.json.
func (s *Store) SaveConfig() error {
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
func (s *Store) NodeDir(n *Node) string { return nodeDir(s.In, s.Dir, n) }

// An Info is what Info.md says about a node.
type Info struct {
	Title, Requirement, Notes, Conclusion string
	CreatedAt                             string
	Docs                                  []Doc
	Acceptance                            []Criterion
}

// A Criterion says what has to happen when.
type Criterion struct{ When, Then string }

// Info reads the Info.md of a node. A node without one has an empty Info.
func (s *Store) Info(n *Node) Info {
	page, err := readPage(s.In, filepath.Join(s.NodeDir(n), InfoFile))
	if err != nil {
		return Info{Conclusion: n.Conclusion()}
	}
	in := Info{
		Title: page.Field("title"), Requirement: page.Section(secNeed), Notes: page.Section(secNotes),
		Conclusion: page.Section(secConclusion), CreatedAt: page.Field("createdAt"), Docs: parseDocs(page.Section(secNodeDocs)),
		Acceptance: parseCriteria(page.Section(secAcceptance)),
	}
	if c := n.Conclusion(); c != "" {
		in.Conclusion = c
	}
	return in
}

// Title is that of a node; its id if there is none.
func (s *Store) Title(n *Node) string {
	if t := s.Info(n).Title; t != "" {
		return t
	}
	return n.id
}

func parseCriteria(text string) []Criterion {
	var out []Criterion
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") || strings.Trim(line, "|-: ") == "" {
			continue
		}
		parts := strings.Split(strings.Trim(line, "|"), "|")
		if len(parts) < 2 || strings.Contains(parts[0], "(WHEN)") {
			continue
		}
		out = append(out, Criterion{uncell(strings.TrimSpace(parts[0])), uncell(strings.TrimSpace(parts[1]))})
	}
	return out
}

// NewInfo makes the folder of a new node with its three files.
func (s *Store) NewInfo(n *Node, in Info) error {
	stamp := n.Text("createdAt")
	label := "执行节点"
	if n.Type() == Planning {
		label = "规划节点"
	}
	var b strings.Builder
	b.WriteString("---\nid: " + n.id + "\ntype: " + n.Type() + "\ntitle: \nstatus: " + n.Status() + "\ncreatedAt: " + stamp + "\nupdatedAt: " + stamp + "\n---\n\n")
	b.WriteString("## " + secType + "\n\n" + label + "\n\n## " + secNeed + "\n\n" + in.Requirement + "\n\n")
	if len(in.Acceptance) > 0 {
		b.WriteString("## " + secAcceptance + "\n\n| 条件 (WHEN) | 期望结果 (THEN) |\n|-------------|-----------------|\n")
		for _, c := range in.Acceptance {
			b.WriteString("| " + cell(c.When) + " | " + cell(c.Then) + " |\n")
		}
		b.WriteString("\n")
	}
	b.WriteString("## " + secNodeDocs + "\n\n> 格式：- [文件名](路径) - 说明 (状态)\n\n" + docLines(in.Docs) + "\n\n")
	b.WriteString("## " + secNotes + "\n\n" + in.Notes + "\n\n## " + secConclusion + "\n\n> 节点完成时填写\n\n\n")
	page := ParsePage([]byte(b.String()))
	page.SetField("title", in.Title)
	dir := s.NodeDir(n)
	for _, f := range []struct {
		name string
		text []byte
	}{{InfoFile, page.Bytes()}, {logFile, []byte(logHead)}, {problemFile, []byte(emptyProblem)}} {
		if err := s.Files().ReplaceHeld(filepath.Join(dir, f.name), false, f.text); err != nil {
			return err
		}
	}
	return nil
}

const emptyProblem = "## " + secProblem + "\n\n" + none + "\n\n## " + secNext + "\n\n" + none + "\n"

func docLines(docs []Doc) string {
	var lines []string
	for _, d := range docs {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// SetInfo changes the Info.md of a node; change gets the page, whose sections are
// set by the functions below. The front matter follows the graph.
func (s *Store) SetInfo(n *Node, change func(*Page)) error {
	path := filepath.Join(s.NodeDir(n), InfoFile)
	page, err := readPage(s.In, path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.NewInfo(n, Info{Title: n.id}); err != nil {
			return err
		}
		page, err = readPage(s.In, path)
	}
	if err != nil {
		return err
	}
	page.SetField("status", n.Status())
	page.SetField("type", n.Type())
	page.SetField("updatedAt", Stamp(s.Now))
	if page.Has(secType) {
		label := "执行节点"
		if n.Type() == Planning {
			label = "规划节点"
		}
		page.SetSection(secType, label)
	}
	if change != nil {
		change(page)
	}
	return s.Files().ReplaceHeld(path, false, page.Bytes())
}

// Parts of Info.md that are set.
func (p *Page) SetTitle(s string)       { p.SetField("title", s) }
func (p *Page) SetRequirement(s string) { p.SetSection(secNeed, s) }
func (p *Page) SetNotes(s string)       { p.SetSection(secNotes, s) }
func (p *Page) SetConclusion(s string)  { p.SetSection(secConclusion, s) }

// Docs are the documents of an Info.md or a Workspace.md.
func (p *Page) Docs() []Doc {
	if p.Has(secNodeDocs) {
		return parseDocs(p.Section(secNodeDocs))
	}
	return parseDocs(p.Section(secDocs))
}

// SetDocs changes the lines of documents, and leaves what else stands between
// them alone.
func (p *Page) SetDocs(docs []Doc) {
	name := secDocs
	if p.Has(secNodeDocs) || !p.Has(secDocs) {
		name = secNodeDocs
	}
	p.setItems(name, func(item string) bool { _, ok := parseDoc(item); return ok }, strings.Split(docLines(docs), "\n"))
}

// Rules are those of a Workspace.md.
func (p *Page) Rules() []string { return items(p.Section(secRules)) }

// SetRules changes them, and leaves what else stands between them alone.
func (p *Page) SetRules(rules []string) {
	var lines []string
	for _, r := range rules {
		lines = append(lines, "- "+r)
	}
	p.setItems(secRules, func(string) bool { return true }, lines)
}

// setItems puts lines in the place of the items of a section that are meant.
func (p *Page) setItems(section string, meant func(item string) bool, lines []string) {
	var kept []string
	at := -1
	for line := range strings.Lines(p.Section(section)) {
		line = strings.TrimRight(line, "\n")
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && meant(strings.TrimSpace(item)) {
			if at < 0 {
				at = len(kept)
			}
			continue
		}
		kept = append(kept, line)
	}
	if at < 0 {
		at = len(kept)
	}
	all := append(append(append([]string{}, kept[:at]...), lines...), kept[at:]...)
	p.SetSection(section, strings.Join(all, "\n"))
}

// Page reads the Workspace.md.
func (s *Store) Page() *Page {
	page, err := readPage(s.In, filepath.Join(s.Dir, PageFile))
	if err != nil {
		return ParsePage(nil)
	}
	return page
}

// SavePage writes it.
func (s *Store) SavePage(p *Page) error {
	p.SetField("updatedAt", Stamp(s.Now))
	return s.Files().ReplaceHeld(filepath.Join(s.Dir, PageFile), false, p.Bytes())
}

// Goal is what the workspace is for.
func (s *Store) Goal() string {
	if goal := s.Page().Section(secGoal); goal != "" {
		return goal
	}
	return rootNeed(s.In, s.Dir)
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
	b, err := s.In.Read(filepath.Join(s.folder(n), logFile), 0)
	if err != nil {
		return nil
	}
	return ParseLog(b, s.Place.Zone)
}

// Log adds a row to the log of a node, or of the workspace itself if n is nil.
func (s *Store) Log(n *Node, operator, event string) (Row, error) {
	return s.Place.appendLog(s.In, s.folder(n), operator, event, s.Now)
}

// Problem is what holds a node up, and what is to be done next; both are empty
// where the placeholder stands.
func (s *Store) Problem(n *Node) (problem, next string) {
	page, err := readPage(s.In, filepath.Join(s.folder(n), problemFile))
	if err != nil {
		return "", ""
	}
	return real(page.Section(secProblem)), real(page.Section(secNext))
}

// SetProblem changes that; empty texts become the placeholder.
func (s *Store) SetProblem(n *Node, problem, next string) error {
	path := filepath.Join(s.folder(n), problemFile)
	page, err := readPage(s.In, path)
	if errors.Is(err, fs.ErrNotExist) {
		page, err = ParsePage([]byte(emptyProblem)), nil
	}
	if err != nil {
		return err
	}
	for _, f := range []struct{ name, text string }{{secProblem, problem}, {secNext, next}} {
		if f.text == "" {
			f.text = none
		}
		page.SetSection(f.name, f.text)
	}
	return s.Files().ReplaceHeld(path, false, page.Bytes())
}
