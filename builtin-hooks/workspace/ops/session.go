package ops

import (
	"cmp"
	"errors"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/session"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func sessionTools() []operation {
	return []operation{
		{op.Op{Name: "session_bind", Command: "session bind", People: op.Text{English: "bind a session to a workspace", Chinese: "把会话绑定到工作区"}, Core: true, Idempotent: true, Words: []string{"workspaceId"},
			Model: op.Text{English: "Binds the session to a workspace, if the user wants that; answers with goal, rules, focus and what comes next.", Chinese: "绑定会话到工作区（仅在用户需要时），返回目标、规则、焦点与下一步。"},
			Args:  []op.Arg{argSession(true), {Name: "workspaceId", From: workspaces, Required: true, Plain: true, Model: op.Text{English: "id or name of the workspace", Chinese: "要绑定的工作区 ID 或名称"}}, {Name: "nodeId", From: nodes, Plain: true, Model: op.Text{English: "node to work on", Chinese: "同时聚焦的节点"}}}}, sessionBind},
		{op.Op{Name: "session_unbind", Command: "session unbind", People: op.Text{English: "take that back", Chinese: "解除绑定"}, Core: true, Idempotent: true,
			Model: op.Text{English: "Unbinds the session: hooks are silent.", Chinese: "解除会话绑定，Hook 不再注入上下文。"},
			Args:  []op.Arg{argSession(true)}}, sessionUnbind},
		{op.Op{Name: "session_status", Command: "session status", People: op.Text{English: "what it is bound to, or could be", Chinese: "查看绑定，或可绑定的工作区"}, Core: true, ReadOnly: true, Idempotent: true,
			Model: op.Text{English: "What the session is bound to, or which workspaces it could be.", Chinese: "查询会话绑定状态；未绑定时列出可用的工作区。"},
			Args:  []op.Arg{argSession(true)}}, sessionStatus},
		{op.Op{Name: "get_pending_changes", Command: "changes", People: op.Text{English: "what people changed by hand", Chinese: "用户手动修改的内容"}, ReadOnly: true, Idempotent: true,
			Model: op.Text{English: "What people changed in the files since an agent last read them. context_get and workspace_get take note of it.", Chinese: "用户手动修改而代理尚未看到的内容；context_get 与 workspace_get 会将其标记为已读。"},
			Args:  []op.Arg{argSession(true), {Name: "workspaceId", From: workspaces, Model: op.Text{English: "id of the workspace; default that of the session", Chinese: "工作区 ID，默认为会话绑定的工作区"}}}}, pendingChanges},
	}
}

func sessionBind(c *call) (protocol.Object, error) {
	id := c.text("sessionId")
	if strings.ContainsAny(id, "\r\n\x00") || len(id) > 500 {
		return nil, c.invalid("sessionId is none", "sessionId 不合法")
	}
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	if s.Entry.Status == workspace.Archived {
		return nil, refusal("WORKSPACE_ARCHIVED", c.sayf("workspace %q is archived", "工作区 %q 已归档", s.Entry.Name), c.say("workspace_restore brings it back", "用 workspace_restore 恢复"))
	}
	node := ""
	if c.text("nodeId") != "" {
		n, err := c.node(s, "nodeId")
		if err != nil {
			return nil, err
		}
		node = n.ID()
	} else if n := c.ofHere(s); n != nil {
		node = n.ID()
		c.args.SetText("nodeId", node)
	}
	if err := c.Place.Bind(id, s.Entry.ID, node, c.now); err != nil {
		return nil, err
	}
	if err := c.hush(id, false); err != nil {
		return nil, err
	}
	bound := object("sessionId", id, "workspaceId", s.Entry.ID)
	if node != "" {
		bound.SetText("focusedNodeId", node)
		if err := c.change(func(s *workspace.Store) error {
			if _, err := c.node(s, "nodeId"); err != nil || s.Graph.Focus() == node {
				return err
			}
			s.Graph.SetFocus(node)
			return s.SaveGraph()
		}); err != nil {
			return nil, err
		}
	}
	answer := object("success", true, "message", c.sayf("bound to workspace %q", "已绑定到工作区「%s」", s.Entry.Name), "binding", bound)
	return append(answer, c.briefing(s, node)...), nil
}

// briefing is what a session has to know of a workspace before its next prompt: the
// goal, the rules, the node in focus and what comes next.
func (c *call) briefing(s *workspace.Store, node string) (o protocol.Object) {
	if goal := s.Goal(); goal != "" {
		o.SetText("goal", text.Clip(goal, 600))
	}
	if rules := s.Page().Rules(); rules != nil {
		o.Set("rules", value(rules))
		o.SetText("rulesHash", workspace.RulesHash(rules))
	}
	if n := s.Graph.Node(cmp.Or(node, s.Graph.Focus())); n != nil {
		o.Set("focus", c.card(s, n).Raw())
	}
	return append(o, c.ahead(s)...)
}

// hush remembers that a session was unbound by request, and then hears nothing of
// workspaces until it is bound again.
func (c *call) hush(id string, quiet bool) error {
	if c.Sessions == nil {
		return nil
	}
	dir := session.At(c.Sessions(id))
	if !quiet && dir.Read("workspace") == nil {
		return nil
	}
	return dir.Update("workspace", func(o protocol.Object) protocol.Object {
		if quiet {
			o.Set("unbound", protocol.Raw("true"))
		} else {
			o.Delete("unbound")
		}
		return o
	})
}

func sessionUnbind(c *call) (protocol.Object, error) {
	id := c.text("sessionId")
	_, err := c.Place.Unbind(c.now, func(b workspace.Binding) bool { return b.Session == id })
	err = errors.Join(err, c.Place.Release(c.now, func(_, _ string, held workspace.Claim) bool { return held.Session == id }), c.hush(id, true))
	return object("success", true, "message", c.say("unbound: hooks will be silent", "已解除工作区绑定，Hook 将保持静默")), err
}

func sessionStatus(c *call) (protocol.Object, error) {
	id := c.text("sessionId")
	s, ok, err := c.Place.Bound(id, c.now)
	if err != nil {
		return nil, err
	}
	if !ok || s.Workspace.Status == workspace.Archived {
		// A binding to a workspace that is gone goes too.
		if b, has := c.Place.Binding(id, c.now); has {
			if _, err := c.Place.Unbind(c.now, func(o workspace.Binding) bool { return o.Session == b.Session }); err != nil {
				return nil, err
			}
		}
		return c.unbound()
	}
	answer := object("bound", true, "workspace", object("id", s.Workspace.ID, "name", s.Workspace.Name, "goal", s.Goal))
	if f := s.Focus; f != nil {
		answer.Set("focusedNode", object("id", f.ID, "title", f.Title, "status", f.Status, "requirement", f.Requirement).Raw())
	}
	if s.Rules != nil {
		answer.Set("rules", value(s.Rules))
	}
	return answer, nil
}

func (c *call) unbound() (protocol.Object, error) {
	list, err := c.Place.Index()
	if err != nil {
		return nil, err
	}
	out := []protocol.Object{}
	for _, e := range list {
		if e.Status != workspace.Active {
			continue
		}
		o := object("id", e.ID, "name", e.Name, "status", e.Status)
		s, err := c.Place.Open(e.ID)
		if errors.Is(err, workspace.ErrNoFolder) {
			continue // nothing could be bound to it
		}
		if err == nil {
			done, all := s.Graph.Progress()
			o.Set("progress", object("done", done, "total", all).Raw())
		}
		out = append(out, o)
	}
	return object("bound", false, "availableWorkspaces", out), nil
}

func pendingChanges(c *call) (protocol.Object, error) {
	id := c.text("workspaceId")
	if id == "" {
		id = c.boundWorkspace()
	}
	none := object("hasChanges", false, "reminderText", "")
	if id == "" {
		return none, nil
	}
	s, err := c.Place.Open(id)
	if err != nil {
		return none, nil
	}
	lines := c.pending(s)
	if lines == nil {
		return none, nil
	}
	said := c.say("A person changed these files of the workspace; read them again (context_get):", "用户手动修改了工作区的以下内容，请重新读取（context_get）：") + "\n- " + strings.Join(lines, "\n- ")
	return object("hasChanges", true, "reminderText", said), nil
}
