package ops

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A workspace and a node can be named by its id, by the short id that its folder ends
// in, by the beginning of that, or by what it is called. What names two is refused.

// shortest is how many characters of a short id, or of a title, name something.
const shortest = 4

// space replaces what the caller called a workspace with its id.
func (c *call) space(name string) (string, error) {
	list, err := c.Place.Index()
	if err != nil || slices.ContainsFunc(list, func(e workspace.Entry) bool { return e.ID == name }) {
		return name, nil // whoever opens it says what is wrong
	}
	if dir := cmp.Or(c.Dir, c.Project); dir != "" {
		for _, s := range c.Place.Arrived(dir) {
			if s.Was == "" {
				list = append(list, s.Entry)
			}
		}
	}
	found := named(name, list, func(e workspace.Entry) (string, string) { return e.ID, e.Name })
	if here := slices.DeleteFunc(slices.Clone(found), func(e workspace.Entry) bool { return e.Status != workspace.Active || c.Place.Dir(e) == "" }); len(found) > 1 && len(here) > 0 {
		found = here
	}
	switch len(found) {
	case 0:
		return name, nil
	case 1:
		return found[0].ID, nil
	}
	var names []string
	for _, e := range found {
		names = append(names, e.ID+" ("+protocol.Plain(e.Name)+")")
	}
	return "", refusal("AMBIGUOUS", c.sayf("%q names %d workspaces: %s", "%q 对应 %d 个工作区：%s", name, len(found), strings.Join(names, ", ")), c.say("name it by its id", "请使用 id"))
}

// Space is the id of what a person called a workspace.
func (d *Operator) Space(name string) (string, error) {
	return (&call{Operator: d, now: d.Now()}).space(name)
}

// find is the node of a name, nil if there is none.
func (c *call) find(s *workspace.Store, name string) (*workspace.Node, error) {
	name = strings.TrimSpace(target(strings.TrimSpace(name)))
	if n := s.Graph.Node(name); n != nil || name == "" {
		return n, nil
	}
	titles := map[*workspace.Node]string{}
	found := named(name, s.Graph.Nodes(), func(n *workspace.Node) (string, string) { return n.ID(), "" })
	if found == nil {
		found = named(name, s.Graph.Nodes(), func(n *workspace.Node) (string, string) {
			titles[n] = s.Title(n)
			return "", titles[n]
		})
	}
	if len(found) > 1 { // of two with one title the one that is open is meant
		if open := slices.DeleteFunc(slices.Clone(found), func(n *workspace.Node) bool { return workspace.Terminal(n.Status()) }); len(open) == 1 {
			found = open
		}
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], nil
	}
	var names []string
	for _, n := range found[:min(5, len(found))] {
		names = append(names, s.Graph.Short(n)+" ("+protocol.Plain(s.Title(n))+")")
	}
	return nil, refusal("AMBIGUOUS", c.sayf("%q names %d nodes: %s", "%q 对应 %d 个节点：%s", name, len(found), strings.Join(names, ", ")), c.say("name it by its id", "请使用 id"))
}

// named are the things of a name: by their short id, else by their whole title, else
// by the beginning of either.
func named[T any](name string, list []T, of func(T) (id, title string)) []T {
	name = plainer(name)
	pick := func(fits func(id, title string) bool) (out []T) {
		for _, t := range list {
			id, title := of(t)
			if fits(plainer(workspace.ShortID(id)), plainer(title)) {
				out = append(out, t)
			}
		}
		return out
	}
	if found := pick(func(id, title string) bool { return name != "" && (id == name || title == name) }); found != nil {
		return found
	}
	if len(name) < shortest {
		return nil
	}
	return pick(func(id, title string) bool {
		return strings.HasPrefix(id, name) || strings.HasPrefix(title, name)
	})
}

func plainer(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
