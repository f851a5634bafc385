package view

import (
	"cmp"
	_ "embed"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/page"
	"github.com/agents-hooks/agents-hooks/protocol"
)

var (
	//go:embed workspace.css
	style string
	//go:embed workspace.js
	script string
	//go:embed answer.css
	answerStyle string
	//go:embed answer.js
	answerScript string
	//go:embed still.js
	stillScript string
)

// A Page is what one page shows.
type Page struct {
	Language string    `json:"language"` // zh or en, which the page begins in
	Name     string    `json:"name"`     // of the workspace
	Dir      string    `json:"dir"`      // of it, as people write it
	Made     string    `json:"made"`     // RFC 3339
	ID       string    `json:"id"`
	Status   string    `json:"status"`
	Goal     string    `json:"goal"`
	Rules    []string  `json:"rules"`
	Docs     []Doc     `json:"docs"`
	Focus    string    `json:"focus"` // id of a node; "" if there is none
	Problem  string    `json:"problem"`
	Next     string    `json:"next"`
	Nodes    []Node    `json:"nodes"` // parents first, each before its next sibling
	Logs     []Log     `json:"logs"`  // the newest first
	Memos    []Memo    `json:"memos"`
	Sessions []Session `json:"sessions"` // that are bound to it
	Waits    []Wait    `json:"waits"`    // for a person
	May      string    `json:"may"`      // why nothing can be answered there; "-" of a page that is none's to answer on
}

// A Wait is something that a person has to say; of a page that is no file it has what
// the answer needs.
type Wait struct {
	Kind  string   `json:"kind"` // plan, problem or dispatch
	Node  string   `json:"node"`
	Token string   `json:"token"`
	Ways  []string `json:"ways"`
}

// A Node is one node of the tree.
type Node struct {
	ID          string      `json:"id"`
	Parent      string      `json:"parent"` // "" of the root, and of what hangs in the air
	Type        string      `json:"type"`
	Title       string      `json:"title"`
	Status      string      `json:"status"`
	Role        string      `json:"role"`
	Isolated    bool        `json:"isolated"`
	Requirement string      `json:"requirement"`
	Conclusion  string      `json:"conclusion"`
	Notes       string      `json:"notes"`
	Problem     string      `json:"problem"`
	Next        string      `json:"next"`
	Acceptance  []Criterion `json:"acceptance"`
	Docs        []Doc       `json:"docs"`
	References  []string    `json:"references"`
	Time        string      `json:"time"` // when it last changed
	Priority    string      `json:"priority"`
	Owner       string      `json:"owner"`   // session that has it, "" if none
	Agent       string      `json:"agent"`   // of that session, as far as is known
	Started     string      `json:"started"` // by whom; "" if nobody noted it
	Done        string      `json:"done"`
	Waits       []string    `json:"waits"`    // ids of nodes that have to be completed first
	Unproven    []int       `json:"unproven"` // places of the criteria, from 1, without evidence
}

// A Criterion says what has to happen when.
type Criterion struct {
	When string `json:"when"`
	Then string `json:"then"`
}

// A Doc is a document that is referred to.
type Doc struct {
	Path    string `json:"path"`
	About   string `json:"about"`
	Expired bool   `json:"expired"`
}

// A Log is one row of a log.
type Log struct {
	Node     string `json:"node"` // "" if it is the workspace's own
	Time     string `json:"time"` // RFC 3339; "" if the row has none
	Operator string `json:"operator"`
	Text     string `json:"text"`
}

// A Memo is a draft beside the tree.
type Memo struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Summary string   `json:"summary"`
	Text    string   `json:"text"`
	Tags    []string `json:"tags"`
	Time    string   `json:"time"`
}

// A Session is bound to the workspace.
type Session struct {
	ID   string `json:"id"`
	Node string `json:"node"`
	Time string `json:"time"` // when it was last seen
	Over bool   `json:"over"`
}

// Of is the page of a workspace. It lacks Language and Dir.
func Of(s *workspace.Store) Page {
	about := s.Page()
	p := Page{
		Name: s.Entry.Name, Made: workspace.Stamp(s.Now), ID: s.Entry.ID, Status: s.Entry.Status,
		Goal: s.Goal(), Rules: filled(about.Rules()), Docs: docs(about.Docs()), Focus: s.Graph.Focus(),
		Nodes: []Node{}, Logs: []Log{}, Memos: memos(s), Sessions: sessions(s), Waits: []Wait{}, May: "-",
	}
	held := s.Place.Claims(s.Entry.ID, s.Now)
	p.Problem, p.Next = s.Problem(nil)
	p.Logs = append(p.Logs, logs(s, nil)...)
	for _, n := range ordered(s.Graph) {
		one := node(s, n)
		if c, is := held[n.ID()]; is {
			b, _ := s.Place.Binding(c.Session, s.Now)
			one.Owner, one.Agent = c.Session, b.Agent
		}
		p.Nodes = append(p.Nodes, one)
		p.Logs = append(p.Logs, logs(s, n)...)
	}
	order.By(p.Logs, func(a, b Log) int { return cmp.Compare(b.Time, a.Time) })
	return p
}

// ordered are all nodes: the tree, and what a damaged file left without a way to
// the root.
func ordered(g *workspace.Graph) (list []*workspace.Node) {
	seen := map[string]bool{}
	add := func(from *workspace.Node) {
		for _, n := range g.Below(from) {
			if !seen[n.ID()] {
				seen[n.ID()] = true
				list = append(list, n)
			}
		}
	}
	if root := g.Root(); root != nil {
		add(root)
	}
	for _, n := range g.Nodes() {
		if !seen[n.ID()] {
			add(n)
		}
	}
	return list
}

func node(s *workspace.Store, n *workspace.Node) Node {
	in := s.Info(n)
	out := Node{
		ID: n.ID(), Type: n.Type(), Title: in.Title, Status: n.Status(), Role: n.Role(), Isolated: n.Isolated(),
		Requirement: in.Requirement, Conclusion: in.Conclusion, Notes: in.Notes, Acceptance: []Criterion{},
		Docs: docs(in.Docs), References: filled(n.References()), Time: n.Text("updatedAt"),
	}
	if parent := s.Graph.Parent(n); parent != nil && slices.Contains(parent.Children(), n.ID()) {
		out.Parent = parent.ID()
	}
	out.Title = cmp.Or(out.Title, n.ID())
	for _, c := range in.Acceptance {
		out.Acceptance = append(out.Acceptance, Criterion{c.When, c.Then})
	}
	out.Problem, out.Next = s.Problem(n)
	out.Priority, out.Waits, out.Unproven = n.Priority(), []string{}, []int{}
	out.Started, out.Done = n.By()
	if !workspace.Terminal(n.Status()) {
		for _, other := range s.Graph.Blockers(n) {
			out.Waits = append(out.Waits, other.ID())
		}
	}
	if len(in.Acceptance) > 0 && n.Status() != workspace.Pending {
		out.Unproven = append(out.Unproven, s.Proof(n).Lacks(in.Acceptance)...)
	}
	return out
}

func logs(s *workspace.Store, n *workspace.Node) (list []Log) {
	id := ""
	if n != nil {
		id = n.ID()
	}
	// Rows of one second stand in their order; the page begins with the last.
	for _, r := range slices.Backward(s.Logs(n)) {
		l := Log{Node: id, Operator: r.Operator, Text: r.Event}
		if !r.Time.IsZero() {
			l.Time = r.Time.UTC().Format(time.RFC3339)
		}
		list = append(list, l)
	}
	return list
}

func memos(s *workspace.Store) []Memo {
	out := []Memo{}
	for _, m := range s.Graph.Doc().Sub("memos") {
		o := protocol.ObjectOf(m.Value)
		memo := Memo{ID: m.Name, Title: o.Text("title"), Summary: o.Text("summary"), Tags: []string{}, Time: o.Text("updatedAt")}
		memo.Tags = append(memo.Tags, protocol.TextsOf(o.Get("tags"))...)
		if dir := o.Text("dirName"); dir != "" && filepath.IsLocal(dir) && !strings.ContainsAny(dir, `/\`) {
			b, _ := s.Text(filepath.Join(s.Dir, workspace.MemosDir, dir, workspace.MemoFile))
			memo.Text = string(b)
		}
		out = append(out, memo)
	}
	order.By(out, func(a, b Memo) int { return cmp.Compare(b.Time, a.Time) })
	return out
}

func sessions(s *workspace.Store) []Session {
	out := []Session{}
	for _, b := range s.Place.Bindings() {
		if b.Workspace != s.Entry.ID {
			continue
		}
		at := b.BoundAt
		if b.LastSeen.After(at) {
			at = b.LastSeen
		}
		out = append(out, Session{b.Session, b.Node, workspace.Stamp(at), b.Ended})
	}
	order.By(out, func(a, b Session) int { return cmp.Compare(b.Time, a.Time) })
	return out
}

func docs(list []workspace.Doc) []Doc {
	out := []Doc{}
	for _, d := range list {
		out = append(out, Doc{d.Path, d.Description, d.Expired})
	}
	return out
}

func filled(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// Part is the page as a part of a larger one. No token stands in it: whoever reads a
// file is not asked.
func (p Page) Part() page.Part {
	p = p.Still()
	return page.Part{Name: "workspace", English: "Workspaces", Chinese: "工作区", Count: 1, Style: style, Script: stillScript + script, Docs: []any{p}}
}

// Still is the page for a file.
func (p Page) Still() Page {
	p.May, p.Waits = "-", slices.Clone(p.Waits)
	for i := range p.Waits {
		p.Waits[i].Token = ""
	}
	return p
}

// Editor is the part of a page that is served, on which a person answers.
func (p Page) Editor() page.Part {
	part := p.Part()
	part.Docs, part.Style, part.Script = []any{p}, style+answerStyle, answerScript+script
	return part
}

// Write writes the page.
func (p Page) Write(w io.Writer) error {
	return page.One(p.Language, p.Name, "workspace", p.Dir, p.Made, p.Part()).Write(w)
}
