package ops

import (
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// tell adds the result of a transition to an answer, and what comes next.
func (m *move) tell(answer *protocol.Object) error {
	if m.told != nil {
		answer.Set("cascadeUpdates", protocol.TextList(m.told))
	}
	answer.SetText("hint", m.hint())
	if m.action == complete {
		m.tellUnproven(m.s, m.n, answer)
	}
	if workspace.Terminal(m.n.Status()) {
		for _, member := range m.ahead(m.s) {
			if member.Name != "hint" || m.action != fail { // what failed is decided on first
				answer.Set(member.Name, member.Value)
			}
		}
	}
	kind, message, data := m.demand()
	if kind == "" {
		return nil
	}
	action, err := m.require(m.s.Entry.ID, m.n.ID(), kind, message, data)
	if err == nil {
		answer.Set("actionRequired", action.Raw())
	}
	return err
}

func (m *move) hint() string {
	switch {
	case m.n.ID() == workspace.RootID && m.action == start && !m.informed():
		return m.say("Before anything is planned, collect what must be known: a node below the root with role info_collection. What it concludes under the headings Rules and Documents goes into the workspace.",
			"规划之前请先收集信息：在根节点下创建 role=info_collection 的节点；其结论中「规则」「文档」两节会归档到工作区。")
	case len(m.rules)+len(m.docs) > 0:
		return m.sayf("rules: %d, documents: %d: they went into the workspace; its rulesHash has changed.", "已归档 %d 条规则、%d 个文档到工作区；rulesHash 已变化。", len(m.rules), len(m.docs))
	case m.n.Type() == workspace.Execution:
		return m.executionHint()
	}
	switch m.action {
	case start:
		return m.say("Analyse the requirement, and divide it with node_create.", "请分析需求，用 node_create 拆分任务。")
	case reopen:
		return m.say("Look at what is below it first; the old conclusion stays until there is a new one.", "请先查看已有结构；旧结论会保留到新的结论写入为止。")
	case complete:
		return m.say("Go on with what comes next.", "请继续下一个节点。")
	}
	return m.say("Tell the user what was given up, and why.", "请向用户说明取消的内容与原因。")
}

func (m *move) executionHint() string {
	switch m.action {
	case start, retry:
		return m.say("Note what you do with log_append, and what holds you up with problem_update; then complete or fail it.", "请用 log_append 记录过程，用 problem_update 记录问题；结束时 complete 或 fail。")
	case submit:
		return m.say("Check it against the requirement and the acceptance criteria; then complete or fail it.", "请对照需求与验收标准检查，然后 complete 或 fail。")
	case complete:
		return m.say("Go on with what comes next.", "请继续下一个节点。")
	case fail:
		return m.sayf("Decide at the planning node %s: divide it differently, retry, or give it up.", "请在上级规划节点 %s 决定：重新拆分、重试或放弃。", m.n.Text("parentId"))
	}
	return m.say("The old conclusion stays until there is a new one; a changed task goes in with node_update.", "旧结论会保留到新的结论写入为止；需求有变请用 node_update。")
}

// informed reports whether information was collected below the root.
func (m *move) informed() bool {
	for _, k := range m.s.Graph.Kids(m.s.Graph.Root()) {
		if role := k.Role(); (role == "info_collection" || role == "info_summary") && k.Status() == workspace.Completed {
			return true
		}
	}
	return false
}

// demand is what the agent must do now, "" if nothing.
func (m *move) demand() (kind, message string, data protocol.Object) {
	switch {
	case m.n.Type() == workspace.Execution && m.action == complete:
		var docs []protocol.Object
		for _, d := range m.s.Info(m.n).Docs {
			if !d.Expired {
				docs = append(docs, object("path", d.Path, "description", d.Description))
			}
		}
		if docs != nil {
			return "check_docs", m.say("Ask the user whether the documents that this node refers to have to change.", "请向用户确认该节点引用的文档是否需要同步更新。"), object("docs", docs)
		}
	case m.action == reopen && len(m.n.Children()) > 0:
		var kids []protocol.Object
		for _, k := range m.s.Graph.Kids(m.n) {
			kids = append(kids, object("nodeId", k.ID(), "status", k.Status(), "type", k.Type()))
		}
		return "review_structure", m.say("Look at the nodes that are there (node_list) before you add others.", "请先查看已有节点（node_list），再决定是否新增。"), object("childCount", len(kids), "childrenOverview", kids)
	}
	return "", "", nil
}
