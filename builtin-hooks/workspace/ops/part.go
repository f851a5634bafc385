package ops

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// treeSize is how many nodes of a tree are shown unless more are asked for: an agent
// pays for every word of a tree, and of 500 nodes it needs those that are open.
const treeSize = 16

// partArgs ask for another part of a tree.
func partArgs() []op.Arg {
	return []op.Arg{
		{Name: "depth", Kind: op.Count, Plain: true, Model: op.Text{English: "levels below", Chinese: "最大深度"}},
		{Name: "filter", Model: op.Text{English: "part of a title, or: open, ready, waiting, at-work, mine, or a state", Chinese: "标题的一部分，或：open、ready、waiting、at-work、mine，或某个状态"}},
		argPage(),
	}
}

// A Part is the part of a tree that is shown.
type Part struct {
	shown map[*workspace.Node]bool
	Left  int // nodes that are not shown, and could be with the next page
	held  map[string]workspace.Claim
}

// shows reports whether a node is in it; the zero Part has all.
func (p Part) shows(n *workspace.Node) bool { return p.shown == nil || p.shown[n] }

// hidden counts what is not shown of the nodes below one.
func (p Part) hidden(g *workspace.Graph, n *workspace.Node) (count int) {
	if p.shown == nil {
		return 0
	}
	for _, k := range g.Below(n)[1:] {
		if !p.shown[k] {
			count++
		}
	}
	return count
}

// part is what a call asks for; of a large tree, if it asks for nothing in particular:
// what is in focus, what comes next, and then what is open, from above.
func (c *call) part(s *workspace.Store, from *workspace.Node) Part {
	held := c.held(s)
	all := s.Graph.Below(from)
	asked := c.has("depth") || c.has("filter") || c.has("page")
	if !asked && len(all) <= treeSize {
		return Part{held: held}
	}
	p := Part{shown: map[*workspace.Node]bool{from: true}, held: held}
	if !asked {
		p.essential(c, s, from, all)
		return p
	}
	var list []*workspace.Node
	fits := c.filter(s, held)
	depth := c.number("depth", 1<<20)
	base := len(s.Graph.Chain(from))
	for _, n := range all[1:] {
		if len(s.Graph.Chain(n))-base <= depth && fits(n) {
			list = append(list, n)
		}
	}
	part, left := page(c, list)
	for _, n := range part {
		for _, up := range s.Graph.Chain(n) {
			p.shown[up] = p.shown[up] || slices.Contains(all, up)
		}
	}
	p.Left = left
	return p
}

// essential fills a part with what matters most.
func (p *Part) essential(c *call, s *workspace.Store, from *workspace.Node, all []*workspace.Node) {
	add := func(n *workspace.Node) {
		if n == nil || !slices.Contains(all, n) {
			return
		}
		for _, up := range s.Graph.Chain(n) {
			if len(p.shown) < treeSize && slices.Contains(all, up) {
				p.shown[up] = true
			}
		}
	}
	add(s.Graph.Node(s.Graph.Focus()))
	course := c.course(s, p.held)
	if step := course.Next(); step != nil {
		add(step.Node)
	}
	for _, n := range course.Held {
		add(n)
	}
	for _, open := range []bool{true, false} {
		for level := []*workspace.Node{from}; len(level) > 0 && len(p.shown) < treeSize; {
			var below []*workspace.Node
			for _, n := range level {
				for _, k := range s.Graph.Kids(n) {
					if workspace.Terminal(k.Status()) != open {
						add(k)
					}
					below = append(below, k)
				}
			}
			level = below
			if len(level) > len(all) {
				break // a circle in a damaged file
			}
		}
	}
	p.Left = len(all) - len(p.shown)
}

// filter reports which nodes fit the words of a call.
func (c *call) filter(s *workspace.Store, held map[string]workspace.Claim) func(*workspace.Node) bool {
	word := strings.ToLower(strings.TrimSpace(c.text("filter")))
	course := func() workspace.Course { return c.course(s, held) }
	among := func(list []*workspace.Node) func(*workspace.Node) bool {
		return func(n *workspace.Node) bool { return slices.Contains(list, n) }
	}
	switch word {
	case "":
		return func(*workspace.Node) bool { return true }
	case "open":
		return func(n *workspace.Node) bool { return !workspace.Terminal(n.Status()) }
	case "at-work", "at work":
		return atWork
	case "mine":
		return func(n *workspace.Node) bool {
			claim, is := held[n.ID()]
			return is && claim.Session == c.who() || atWork(n) && !c.others(held, n.ID())
		}
	case "ready":
		var list []*workspace.Node
		for _, step := range course().Ready {
			list = append(list, step.Node)
		}
		return among(list)
	case "waiting", "blocked":
		var list []*workspace.Node
		for _, w := range course().Waiting {
			list = append(list, w.Node)
		}
		return among(list)
	case workspace.Pending, workspace.Implementing, workspace.Validating, workspace.Planning, workspace.Monitoring, workspace.Completed, workspace.Failed, workspace.Cancelled:
		return func(n *workspace.Node) bool { return n.Status() == word }
	}
	return func(n *workspace.Node) bool {
		return strings.Contains(strings.ToLower(protocol.Plain(s.Title(n))), word)
	}
}

// rest says how to see what a part leaves out.
func (c *call) rest(p Part) string {
	switch {
	case p.Left == 0:
		return ""
	case c.has("depth") || c.has("filter") || c.has("page"):
		return c.sayf("%d more: page %d", "还有 %d 个：第 %d 页", p.Left, max(1, c.number("page", 1))+1)
	}
	return c.sayf("%d more nodes: depth, filter (open, ready, a word) or page shows others", "还有 %d 个节点：用 depth、filter（open、ready 或关键词）或 page 查看", p.Left)
}
