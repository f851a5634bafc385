package workspace

import (
	"strconv"
	"strings"
)

// A Sight is what a session saw of a workspace: for each node its state, how many
// children it has, whose child it is and when it last changed. Of two of them a
// session is told what changed in between, whoever changed it.
type Sight struct{ nodes map[string]seenNode }

type seenNode struct{ status, kids, parent, at string }

// Sight is that of a state.
func (s State) Sight() Sight {
	out := Sight{make(map[string]seenNode, len(s.Graph.nodes))}
	for _, n := range s.Graph.nodes {
		at := strconv.FormatInt(max(0, timeOf(n.Get("updatedAt")).UnixMilli()), 36)
		out.nodes[n.id] = seenNode{n.Status(), strconv.Itoa(len(n.Children())), n.Text("parentId"), at}
	}
	return out
}

// String is a Sight as a state file keeps it: a line for each node.
func (s Sight) String() string {
	var b strings.Builder
	for id, n := range s.nodes {
		b.WriteString(id + "\t" + n.status + "\t" + n.kids + "\t" + n.parent + "\t" + n.at + "\n")
	}
	return b.String()
}

// ParseSight reads it.
func ParseSight(text string) Sight {
	s := Sight{map[string]seenNode{}}
	for line := range strings.Lines(text) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 5 {
			s.nodes[f[0]] = seenNode{f[1], f[2], f[3], f[4]}
		}
	}
	return s
}

// A News is what became of a node.
type News struct {
	Node *Node
	What string // a state, "new", "moved", "approved" or "changed"
}

// Since are the news against what a session saw before, and how many nodes are gone.
func (s Sight) Since(old Sight, g *Graph) (list []News, gone int) {
	for _, n := range g.Below(g.Root()) {
		is := s.nodes[n.id]
		was, known := old.nodes[n.id]
		switch {
		case n.id == RootID && was.status == is.status:
		case !known:
			list = append(list, News{n, "new"})
		case was.status != is.status:
			list = append(list, News{n, is.status})
		case was.parent != is.parent:
			list = append(list, News{n, "moved"})
		case was.at != is.at && n.Has(memberApproved) && n.Text(memberApproved) == n.Text("updatedAt"):
			list = append(list, News{n, "approved"})
		case was.at != is.at && was.kids == is.kids:
			list = append(list, News{n, "changed"})
		}
	}
	for id := range old.nodes {
		if _, is := s.nodes[id]; !is {
			gone++
		}
	}
	return list, gone
}

// Short is the short id of a node, or its whole id if another one has the same.
func (g *Graph) Short(n *Node) string {
	short := ShortID(n.id)
	for _, o := range g.nodes {
		if o != n && ShortID(o.id) == short {
			return n.id
		}
	}
	if short == "" || g.byID[short] != nil && short != n.id {
		return n.id
	}
	return short
}
