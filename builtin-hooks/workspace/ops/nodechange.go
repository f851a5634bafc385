package ops

import (
	"path/filepath"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func nodeUpdate(c *call) (protocol.Object, error) {
	if !slices.ContainsFunc([]string{"title", "requirement", "note", "conclusion", "after", "priority"}, c.has) {
		return nil, c.invalid("nothing to change: want title, requirement, note, conclusion, after or priority", "没有要更新的字段：title、requirement、note、conclusion、after 或 priority")
	}
	for _, name := range []string{"requirement", "note", "conclusion"} {
		if err := c.lines(name, c.text(name)); err != nil {
			return nil, err
		}
	}
	title := ""
	if c.has("title") {
		var err error
		if title, err = c.title(c.text("title")); err != nil {
			return nil, err
		}
	}
	err := c.change(func(s *workspace.Store) error {
		n, err := c.node(s, "nodeId")
		if err != nil {
			return err
		}
		n.SetText("updatedAt", stamp(c.now))
		if c.has("conclusion") {
			n.SetText("conclusion", c.text("conclusion"))
		}
		if err := c.order(s, n); err != nil {
			return err
		}
		if err := s.SaveGraph(); err != nil {
			return err
		}
		return s.SetInfo(n, func(p *workspace.Page) {
			if title != "" {
				p.SetTitle(title)
			}
			if c.has("requirement") {
				p.SetRequirement(c.text("requirement"))
			}
			if c.has("note") {
				p.SetNotes(c.text("note"))
			}
			if c.has("conclusion") {
				p.SetConclusion(c.text("conclusion"))
			}
		})
	})
	return object("success", true, "updatedAt", stamp(c.now)), err
}

func nodeMove(c *call) (protocol.Object, error) {
	var answer protocol.Object
	err := c.change(func(s *workspace.Store) error {
		n, err := c.node(s, "nodeId")
		if err != nil {
			return err
		}
		if n.ID() == workspace.RootID {
			return c.invalid("the root cannot be moved", "根节点无法移动")
		}
		parent, err := c.parentFor(s, c.text("newParentId"))
		if err != nil {
			return err
		}
		if parent.Status() == workspace.Completed {
			return c.refuse("INVALID_PARENT_STATUS", "node %q is completed", "父节点 %q 已完成", parent.ID())
		}
		if slices.Contains(s.Graph.Below(n), parent) {
			return c.invalid("node %q lies below %q", "节点 %q 位于 %q 之下", parent.ID(), n.ID())
		}
		if atWork(n) {
			if err := c.alone(s, parent, n); err != nil {
				return err
			}
		}
		old := s.Graph.Move(n, parent, stamp(c.now))
		answer = object("success", true, "previousParentId", old, "newParentId", parent.ID())
		if err := s.SaveGraph(); err != nil {
			return err
		}
		_, err = s.Log(n, workspace.AI, c.sayf("moved from %s to %s", "移动节点：%s → %s", old, parent.ID()))
		return err
	})
	return answer, err
}

func nodeDelete(c *call) (protocol.Object, error) {
	var ids []string
	err := c.change(func(s *workspace.Store) error {
		n, err := c.node(s, "nodeId")
		if err != nil {
			return err
		}
		if n.ID() == workspace.RootID {
			return c.refuse("CANNOT_DELETE_ROOT", "the root cannot be deleted", "无法删除根节点")
		}
		var folders []string
		title := s.Title(n)
		parent := s.Graph.Parent(n)
		for _, below := range s.Graph.Below(n) {
			ids = append(ids, below.ID())
			folders = append(folders, s.NodeDir(below))
		}
		s.Graph.Remove(ids, stamp(c.now))
		if err := s.SaveGraph(); err != nil {
			return err
		}
		for _, dir := range folders {
			if filepath.Dir(dir) != filepath.Join(s.Dir, workspace.NodesDir) {
				continue
			}
			if err := s.In.RemoveAll(dir); err != nil {
				return err
			}
		}
		if err := c.forget(s, ids); err != nil || parent == nil {
			return err
		}
		_, err = s.Log(parent, workspace.AI, c.sayf("deleted the node %q (%d in all)", "删除子节点「%s」（共 %d 个）", title, len(ids)))
		return err
	})
	return object("success", true, "deletedNodes", ids), err
}

// forget removes references to things that are gone from the pages of nodes.
func (c *call) forget(s *workspace.Store, ids []string) error {
	for _, n := range s.Graph.Nodes() {
		docs := s.Info(n).Docs
		left := slices.DeleteFunc(slices.Clone(docs), func(d workspace.Doc) bool { return slices.Contains(ids, target(d.Path)) })
		if len(left) == len(docs) {
			continue
		}
		if err := s.SetInfo(n, func(p *workspace.Page) { p.SetDocs(left) }); err != nil {
			return err
		}
	}
	return nil
}
