package workspace

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Our own members of a node: the ids of those that it waits for, its priority, and when
// somebody said that nothing is in its way. Other programs keep them.
const (
	memberAfter    = "after"
	memberPriority = "priority"
	memberNone     = "noProblemAt"
)

// Priorities of a node; one without a priority comes between them.
const (
	High = "high"
	Low  = "low"
)

// After are the ids of the nodes that a node waits for.
func (n *Node) After() []string { return textsOf(n.Get(memberAfter)) }

// SetAfter changes them.
func (n *Node) SetAfter(ids []string) {
	if len(ids) == 0 {
		n.Delete(memberAfter)
		return
	}
	n.Set(memberAfter, protocol.TextList(ids))
}

// Priority is High, Low or "".
func (n *Node) Priority() string { return n.Text(memberPriority) }

// SetPriority changes it; anything but High and Low is none.
func (n *Node) SetPriority(p string) {
	if p != High && p != Low {
		n.Delete(memberPriority)
		return
	}
	n.SetText(memberPriority, p)
}

// NoProblem notes that nothing is in the way of a node.
func (n *Node) NoProblem(stamp string) { n.SetText(memberNone, stamp) }

// rank orders nodes below one parent.
func (n *Node) rank() int {
	switch n.Priority() {
	case High:
		return 0
	case Low:
		return 2
	}
	return 1
}

// What can be done with a node.
const (
	Begin  = "begin"    // start it
	GoOn   = "go on"    // it is at work, and nobody else's
	Divide = "divide"   // it is a plan without children
	SumUp  = "complete" // all its children are done
)

// A Step is something that can be done now.
type Step struct {
	Node *Node
	Do   string
}

// A Wait is a node that cannot be begun, and what it waits for.
type Wait struct {
	Node *Node
	For  []*Node
}

// A Course is what there is to do in a workspace, in the order in which it is best
// done: what was begun first, then by what depends on what; of nodes that depend on
// nothing open by the order of their parents, and of those below one parent by
// priority and then by their own order.
type Course struct {
	Ready   []Step
	Waiting []Wait
	Held    []*Node // at work or claimed by others
	Failed  []*Node
	Open    int // nodes below the root that are not done
}

// Course finds it. held reports whether a node is somebody else's.
func (g *Graph) Course(held func(id string) bool) Course {
	w := &walk{g: g, held: held, seen: map[*Node]bool{}}
	w.below(g.Root(), nil)
	w.Ready = append(w.begun, w.Ready...)
	return w.Course
}

// Next is the first step, nil if there is none.
func (c Course) Next() *Step {
	if len(c.Ready) == 0 {
		return nil
	}
	return &c.Ready[0]
}

type walk struct {
	Course
	g     *Graph
	held  func(string) bool
	begun []Step
	seen  map[*Node]bool
}

func (w *walk) below(n *Node, inherited []*Node) {
	kids := w.g.Kids(n)
	slices.SortStableFunc(kids, func(a, b *Node) int { return a.rank() - b.rank() })
	for _, k := range kids {
		if !w.seen[k] {
			w.seen[k] = true // a circle in a damaged file ends here
			w.node(k, inherited)
		}
	}
}

func (w *walk) node(n *Node, inherited []*Node) {
	status := n.Status()
	if status == Failed {
		w.Failed = append(w.Failed, n)
	}
	if Terminal(status) {
		return
	}
	w.Open++
	waits := append(slices.Clip(inherited), w.g.blockers(n)...)
	switch kids := w.g.Kids(n); {
	case n.Type() == Execution && status != Pending:
		if w.held(n.id) {
			w.Held = append(w.Held, n)
		} else {
			w.begun = append(w.begun, Step{n, GoOn})
		}
	case n.Type() == Execution || len(kids) == 0:
		switch do := Begin; {
		case len(waits) > 0:
			w.Waiting = append(w.Waiting, Wait{n, waits})
		case w.held(n.id):
			w.Held = append(w.Held, n)
		default:
			if n.Type() == Planning {
				do = Divide
			}
			w.Ready = append(w.Ready, Step{n, do})
		}
	default:
		w.below(n, waits)
		if slices.ContainsFunc(kids, func(k *Node) bool { return !Terminal(k.Status()) }) {
			return
		}
		if w.held(n.id) {
			w.Held = append(w.Held, n)
		} else {
			w.Ready = append(w.Ready, Step{n, SumUp})
		}
	}
}

// Blockers are the nodes that a node waits for, by itself or by a node above it.
func (g *Graph) Blockers(n *Node) (list []*Node) {
	for _, up := range g.Chain(n) {
		list = append(list, g.blockers(up)...)
	}
	return list
}

func (g *Graph) blockers(n *Node) (list []*Node) {
	for _, id := range n.After() {
		if other := g.byID[id]; other != nil && other.Status() != Completed {
			list = append(list, other)
		}
	}
	return list
}

// Circle is a way of dependencies from a node back to itself, if it waited for
// another one; nil if there is none. A node waits for what the nodes above it wait
// for, and one above waits for all below it.
func (g *Graph) Circle(n, other *Node) []*Node {
	if slices.Contains(g.Chain(other), n) || slices.Contains(g.Chain(n), other) {
		return []*Node{n, other}
	}
	seen := map[*Node]bool{}
	var way []*Node
	var find func(at *Node) bool
	find = func(at *Node) bool {
		if at == n || slices.Contains(g.Chain(n), at) {
			way = append(way, at)
			return true
		}
		if seen[at] {
			return false
		}
		seen[at] = true
		var needs []*Node
		for _, up := range g.Chain(at) {
			for _, id := range up.After() {
				if dep := g.byID[id]; dep != nil {
					needs = append(needs, dep)
				}
			}
		}
		if slices.ContainsFunc(append(needs, g.Kids(at)...), find) {
			way = append(way, at)
			return true
		}
		return false
	}
	if !find(other) {
		return nil
	}
	slices.Reverse(way)
	return append([]*Node{n}, way...)
}

// Why says in words why a step comes next. pick chooses the language, and title
// tells what a node is called.
func (g *Graph) Why(s Step, pick func(en, zh string) string, title func(*Node) string) string {
	n := s.Node
	switch s.Do {
	case GoOn:
		return pick("it is at work and not finished", "已经开始，尚未完成")
	case SumUp:
		return pick("all below it is done with", "其下的节点全部结束了")
	case Divide:
		return pick("a plan without tasks: divide it", "尚未拆分的计划：请拆分")
	}
	var done []string
	for _, up := range g.Chain(n) {
		for _, id := range up.After() {
			if other := g.byID[id]; other != nil {
				done = append(done, "“"+title(other)+"”")
			}
		}
	}
	if n := len(done); n > 3 {
		done = append(done[:3], "+"+strconv.Itoa(n-3))
	}
	if done != nil {
		return pick("what it waited for is done: ", "它等待的已完成：") + strings.Join(done, ", ")
	}
	if n.Priority() == High {
		return pick("its priority is high", "优先级高")
	}
	parent := g.Parent(n)
	if parent == nil || parent.id == RootID {
		return pick("it is the next of the plan", "按计划的顺序")
	}
	over, kids := 0, g.Kids(parent)
	for _, k := range kids {
		if Terminal(k.Status()) {
			over++
		}
	}
	return pick("the next of ", "属于") + "“" + title(parent) + "”" + " (" + strconv.Itoa(over) + "/" + strconv.Itoa(len(kids)) + ")"
}

// WaitsFor says in words what a node waits for.
func (w Wait) WaitsFor(pick func(en, zh string) string, title func(*Node) string) string {
	var names []string
	for i, n := range w.For {
		if i == 3 {
			names = append(names, "+"+strconv.Itoa(len(w.For)-i))
			break
		}
		names = append(names, "“"+title(n)+"” ("+n.Status()+")")
	}
	return "“" + title(w.Node) + "”" + pick(" waits for ", " 等待 ") + strings.Join(names, ", ")
}
