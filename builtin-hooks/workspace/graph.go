package workspace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Types of a node.
const (
	Planning  = "planning"
	Execution = "execution"
)

// States of a node. The planning state is spelled like the type.
const (
	Pending      = "pending"
	Implementing = "implementing"
	Validating   = "validating"
	Monitoring   = "monitoring"
	Completed    = "completed"
	Failed       = "failed"
	Cancelled    = "cancelled"
)

func isStatus(s string) bool {
	switch s {
	case Pending, Implementing, Validating, Planning, Monitoring, Completed, Failed, Cancelled:
		return true
	}
	return false
}

// Terminal reports whether a node in this state is done with.
func Terminal(status string) bool {
	return status == Completed || status == Failed || status == Cancelled
}

// A Graph is graph.json: the nodes of a workspace.
type Graph struct {
	doc   protocol.Object
	nodes []*Node
	byID  map[string]*Node // of those that may be told of
	// hidden are nodes and memos that nobody has approved yet: they stay in the file.
	hidden map[*Node]bool
	memos  protocol.Object
}

// A Node is one node of a Graph, with every member that stands there.
type Node struct {
	protocol.Object
	id string
}

// ParseGraph reads a graph.json.
func ParseGraph(b []byte) (*Graph, error) {
	doc, err := protocol.ParseObject(b)
	if err != nil {
		return nil, err
	}
	if newer(doc.Text("version")) {
		return nil, fmt.Errorf("%w: version %q, want at most %s", ErrNewer, doc.Text("version"), Version)
	}
	all := doc.Sub("nodes")
	g := &Graph{doc: doc, nodes: make([]*Node, 0, len(all)), byID: make(map[string]*Node, len(all))}
	for _, m := range all {
		n := &Node{protocol.ObjectOf(m.Value), m.Name}
		if n.Object == nil {
			return nil, fmt.Errorf("node %q is not an object", m.Name)
		}
		g.nodes = append(g.nodes, n)
		g.byID[m.Name] = n
	}
	if g.byID[RootID] == nil {
		return nil, fmt.Errorf("no such node: %q", RootID)
	}
	return g, nil
}

// NewGraph is a graph with a root.
func NewGraph(stamp string) *Graph {
	g := &Graph{byID: map[string]*Node{}}
	g.doc.SetText("version", Version)
	g.doc.Set("currentFocus", protocol.Raw("null"))
	g.doc.Set("nodes", protocol.Raw("{}"))
	g.Add(RootID, Planning, "", RootID, stamp)
	return g
}

// Add adds a node that is pending; its parent's list has it at the end.
func (g *Graph) Add(id, kind, parent, dirName, stamp string) *Node {
	n := &Node{nil, id}
	n.SetText("id", id)
	n.SetText("dirName", dirName)
	n.SetText("type", kind)
	if parent == "" {
		n.Set("parentId", protocol.Raw("null"))
	} else {
		n.SetText("parentId", parent)
	}
	n.Set("children", protocol.Raw("[]"))
	n.SetText("status", Pending)
	n.Set("isolate", protocol.Raw("false"))
	n.Set("references", protocol.Raw("[]"))
	n.Set("conclusion", protocol.Raw("null"))
	n.SetText("createdAt", stamp)
	n.SetText("updatedAt", stamp)
	g.nodes = append(g.nodes, n)
	g.byID[id] = n
	if p := g.byID[parent]; p != nil {
		p.Set("children", protocol.TextList(append(p.Children(), id)))
		p.SetText("updatedAt", stamp)
	}
	return n
}

// Remove takes nodes out of the graph, and out of their parents and references.
func (g *Graph) Remove(ids []string, stamp string) {
	gone := map[string]bool{}
	for _, id := range ids {
		gone[id] = true
		delete(g.byID, id)
	}
	var kept []*Node
	for _, n := range g.nodes {
		if gone[n.id] {
			continue
		}
		kept = append(kept, n)
		for _, name := range []string{"children", "references", memberAfter} {
			old := textsOf(n.Get(name))
			if left := without(old, gone); len(left) < len(old) {
				n.Set(name, protocol.TextList(left))
				n.SetText("updatedAt", stamp)
			}
		}
	}
	g.nodes = kept
	if gone[g.Focus()] {
		g.SetFocus("")
	}
}

// without leaves out ids, which a reference may spell as an address.
func without(list []string, gone map[string]bool) []string {
	var out []string
	for _, s := range list {
		if id := s[strings.Index(s, "://")+1:]; !gone[s] && !gone[strings.TrimPrefix(id, "//")] {
			out = append(out, s)
		}
	}
	return out
}

// hide takes out what may not be told.
func (g *Graph) hide(r reader) {
	if r.ledger == nil {
		return
	}
	r.ledger.About()
	for _, n := range g.nodes {
		if !r.tells(nodeKey("node", n.id, n.Object)) || !isStatus(n.Status()) {
			if g.hidden == nil {
				g.hidden = map[*Node]bool{}
			}
			g.hidden[n] = true
			delete(g.byID, n.id)
		}
	}
	if g.byID[g.Focus()] == nil && g.Focus() != "" && !ledger.Token(g.Focus()) {
		g.SetFocus("")
	}
	var memos protocol.Object
	for _, m := range g.doc.Sub("memos") {
		if r.tells(nodeKey("memo", m.Name, protocol.ObjectOf(m.Value))) {
			memos = append(memos, m)
		} else {
			g.memos = append(g.memos, m)
		}
	}
	if g.memos != nil {
		g.doc.Set("memos", memos.Raw())
	}
}

// keys stand for what the graph tells.
func (g *Graph) keys(r reader) (keys []ledger.Key) {
	add := func(k ledger.Key) {
		if r.ledger.Of(k) == ledger.Nobody {
			keys = append(keys, k)
		}
	}
	for _, n := range g.Nodes() {
		add(nodeKey("node", n.id, n.Object))
	}
	for _, m := range g.doc.Sub("memos") {
		add(nodeKey("memo", m.Name, protocol.ObjectOf(m.Value)))
	}
	return keys
}

// Bytes is the file.
func (g *Graph) Bytes() []byte { return g.bytes(g.nodes, g.memos) }

func (g *Graph) bytes(nodes []*Node, memos protocol.Object) []byte {
	raw := protocol.Raw{'{'}
	for i, n := range nodes {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(protocol.AppendString(raw, n.id), ':')
		raw = n.Append(raw)
	}
	doc := slices.Clone(g.doc)
	doc.Set("nodes", append(raw, '}'))
	if memos != nil {
		doc.Set("memos", append(slices.Clone(doc.Sub("memos")), memos...).Raw())
	}
	return pretty(doc)
}

// Doc is what stands beside the nodes.
func (g *Graph) Doc() *protocol.Object { return &g.doc }

// Node is the node of an id, nil if there is none.
func (g *Graph) Node(id string) *Node { return g.byID[id] }

// Nodes are all nodes that may be told of, in the order of the file.
func (g *Graph) Nodes() []*Node {
	if g.hidden == nil {
		return g.nodes
	}
	return slices.DeleteFunc(slices.Clone(g.nodes), func(n *Node) bool { return g.hidden[n] })
}

// All are all nodes of the file, also those that nobody has looked at.
func (g *Graph) All() []*Node { return g.nodes }

// Memos are all memos of the file, likewise.
func (g *Graph) Memos() (list []protocol.Object) {
	for _, m := range append(slices.Clone(g.doc.Sub("memos")), g.memos...) {
		list = append(list, protocol.ObjectOf(m.Value))
	}
	return list
}

// KnownStatus is a state that a node of a kind may have; pending where it is none.
func KnownStatus(status, kind string) string {
	if isStatus(status) && (kind == Planning || status != Planning && status != Monitoring) {
		return status
	}
	return Pending
}

// Root is the root node.
func (g *Graph) Root() *Node { return g.byID[RootID] }

// Focus is the node that is worked on, "" if there is none.
func (g *Graph) Focus() string { return g.doc.Text("currentFocus") }

// SetFocus changes it.
func (g *Graph) SetFocus(id string) {
	if id == "" {
		g.doc.Set("currentFocus", protocol.Raw("null"))
		return
	}
	g.doc.SetText("currentFocus", id)
}

// Parent is the parent of a node, nil if it is the root or hangs in the air.
func (g *Graph) Parent(n *Node) *Node { return g.byID[n.Text("parentId")] }

// Kids are the children of a node that are there.
func (g *Graph) Kids(n *Node) []*Node {
	var out []*Node
	for _, id := range n.Children() {
		if k := g.byID[id]; k != nil {
			out = append(out, k)
		}
	}
	return out
}

// Chain is the way from the root to a node, both included. A circle in a damaged
// file ends it.
func (g *Graph) Chain(n *Node) []*Node {
	var up []*Node
	seen := map[string]bool{}
	for n != nil && !seen[n.id] {
		seen[n.id] = true
		up = append(up, n)
		n = g.Parent(n)
	}
	for i, j := 0, len(up)-1; i < j; i, j = i+1, j-1 {
		up[i], up[j] = up[j], up[i]
	}
	return up
}

// Below are a node and all that is below it, parents first.
func (g *Graph) Below(n *Node) []*Node {
	seen := map[string]bool{}
	var out []*Node
	var walk func(n *Node)
	walk = func(n *Node) {
		if seen[n.id] {
			return
		}
		seen[n.id] = true
		out = append(out, n)
		for _, k := range g.Kids(n) {
			walk(k)
		}
	}
	walk(n)
	return out
}

// Progress counts the nodes below the root that are done with, and all of them.
func (g *Graph) Progress() (done, all int) {
	for _, n := range g.Nodes() {
		if n.id == RootID {
			continue
		}
		all++
		if Terminal(n.Status()) {
			done++
		}
	}
	return done, all
}

func (n *Node) ID() string           { return n.id }
func (n *Node) Type() string         { return n.Text("type") }
func (n *Node) Status() string       { return n.Text("status") }
func (n *Node) Role() string         { return n.Text("role") }
func (n *Node) Conclusion() string   { return n.Text("conclusion") }
func (n *Node) Children() []string   { return textsOf(n.Get("children")) }
func (n *Node) References() []string { return textsOf(n.Get("references")) }
func (n *Node) Isolated() bool       { return n.Bool("isolate") }

// Raw is what of the graph may be told, as one JSON value.
func (g *Graph) Raw() protocol.Raw { return protocol.Raw(g.bytes(g.Nodes(), nil)) }

// Move hangs a node under another parent, and returns the id of the old one.
func (g *Graph) Move(n, parent *Node, stamp string) (old string) {
	old = n.Text("parentId")
	if p := g.byID[old]; p != nil {
		p.Set("children", protocol.TextList(without(p.Children(), map[string]bool{n.id: true})))
		p.SetText("updatedAt", stamp)
	}
	n.SetText("parentId", parent.id)
	n.SetText("updatedAt", stamp)
	parent.Set("children", protocol.TextList(append(without(parent.Children(), map[string]bool{n.id: true}), n.id)))
	parent.SetText("updatedAt", stamp)
	return old
}
