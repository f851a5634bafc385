package ops

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func contextTools() []operation {
	return []operation{
		{op.Op{Name: "context_get", Command: "context get", People: op.Text{English: "goal, rules, the way to a node, references", Chinese: "目标、规则、到节点的路径、引用"}, ReadOnly: true, Idempotent: true, Words: []string{"nodeId"},
			Model: op.Text{English: "All that is needed to work on a node: goal, rules and rulesHash, the nodes above it (from the last isolated one on), what it refers to, what came of its children.", Chinese: "获取处理节点所需的上下文：目标、规则与 rulesHash、从根（或最近的隔离节点）到该节点的链、引用、子节点结论。"},
			Args: []op.Arg{argWorkspace(), argNode(),
				{Name: "includeLog", Kind: op.Bool, Model: op.Text{English: "with the log; default true", Chinese: "是否包含日志，默认 true"}},
				{Name: "maxLogEntries", Kind: op.Count, Model: op.Text{English: "newest rows of the log; default 20", Chinese: "日志条数上限，默认 20"}},
				{Name: "reverseLog", Kind: op.Bool, Model: op.Text{English: "newest first; default false", Chinese: "是否倒序，默认 false"}},
				{Name: "includeProblem", Kind: op.Bool, Model: op.Text{English: "with problems; default true", Chinese: "是否包含问题，默认 true"}}}}, contextGet},
		{op.Op{Name: "context_focus", Command: "context focus", People: op.Text{English: "make a node the one that is worked on", Chinese: "设为当前节点"}, Idempotent: true, Words: []string{"nodeId"},
			Model: op.Text{English: "Makes a node the one that is worked on.", Chinese: "切换当前聚焦的节点。"},
			Args:  []op.Arg{argWorkspace(), argNode(), argWindow()}}, contextFocus},
		{op.Op{Name: "node_isolate", Command: "node isolate", People: op.Text{English: "cut it off from the nodes above", Chinese: "与上级节点隔离"}, Idempotent: true, Words: []string{"nodeId"},
			Model: op.Text{English: "Cuts a node off from the context of the nodes above it, or takes that back.", Chinese: "设置节点隔离：切断（或恢复）对上级上下文的继承。"},
			Args:  []op.Arg{argWorkspace(), argNode(), {Name: "isolate", Kind: op.Bool, Required: true, Model: op.Text{English: "whether it is cut off", Chinese: "是否隔离"}}}}, nodeIsolate},
		{op.Op{Name: "node_reference", Command: "node reference", People: op.Text{English: "tie documents, nodes and memos to it", Chinese: "关联文档、节点与备忘"}, Words: []string{"nodeId", "action", "targetIdOrPath"},
			Model: op.Text{English: "Adds or removes a reference of a node to a document, another node or a memo (memo://ID), or marks it as expired or active.", Chinese: "管理节点的引用（文档、其他节点、备忘 memo://ID）：添加、移除、标记过期或恢复。"},
			Args: []op.Arg{argWorkspace(), argNode(),
				{Name: "targetIdOrPath", Flags: []string{"target-id-or-path", "target", "targetIdOrPath"}, Required: true, Model: op.Text{English: "path of a document, id of a node, or memo://ID", Chinese: "文档路径、节点 ID 或 memo://ID"}},
				{Name: "action", Required: true, Words: []string{"add", "remove", "expire", "activate"}, Model: op.Text{English: "what to do", Chinese: "操作"}},
				{Name: "description", Model: op.Text{English: "what it is", Chinese: "说明"}}}}, nodeReference},
	}
}

func contextGet(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	n, err := c.node(s, "nodeId")
	if err != nil {
		return nil, err
	}
	page := s.Page()
	rules := page.Rules()
	if rules == nil {
		rules = []string{}
	}
	chain := []protocol.Object{}
	for _, up := range visible(s.Graph.Chain(n)) {
		chain = append(chain, c.link(s, up, up == n))
	}
	kids := []protocol.Object{}
	for _, k := range s.Graph.Kids(n) {
		if text := s.Info(k).Conclusion; text != "" {
			kids = append(kids, object("nodeId", k.ID(), "title", s.Title(k), "status", k.Status(), "conclusion", text))
		}
	}
	answer := object(
		"workspace", object("goal", s.Goal(), "rules", rules, "rulesHash", workspace.RulesHash(rules), "docs", living(page.Docs())),
		"chain", chain, "references", c.references(s, n), "childConclusions", kids, "hint", c.whereabouts(n, len(kids)))
	c.tellPending(s, &answer)
	return answer, c.read(s)
}

// visible is the part of a chain that the last node may know: from the last
// isolated one on.
func visible(chain []*workspace.Node) []*workspace.Node {
	for i := len(chain) - 1; i > 0; i-- {
		if chain[i].Isolated() {
			return chain[i:]
		}
	}
	return chain
}

// living are documents that are not expired.
func living(docs []workspace.Doc) []protocol.Object {
	out := []protocol.Object{}
	for _, d := range docs {
		if !d.Expired {
			out = append(out, object("path", d.Path, "description", d.Description, "status", "active"))
		}
	}
	return out
}

// link is a node as context_get shows it. Its log comes with the node itself, not
// with those above.
func (c *call) link(s *workspace.Store, n *workspace.Node, itself bool) protocol.Object {
	in := s.Info(n)
	o := object("nodeId", n.ID(), "title", s.Title(n), "type", n.Type(), "status", n.Status(),
		"requirement", in.Requirement, "docs", living(in.Docs), "note", in.Notes)
	o.PutText("conclusion", in.Conclusion)
	if in.Acceptance != nil && itself {
		var list []protocol.Object
		for _, a := range in.Acceptance {
			list = append(list, object("when", a.When, "then", a.Then))
		}
		o.Set("acceptanceCriteria", value(list))
	}
	if problem, nextStep := s.Problem(n); problem != "" && c.yes("includeProblem") {
		o.SetText("problem", problem)
		o.PutText("nextStep", nextStep)
	}
	if itself && c.yes("includeLog") {
		o.Set("logEntries", value(c.rows(s.Logs(n))))
	}
	return o
}

// yes is a switch that is on unless it is said to be off.
func (c *call) yes(name string) bool { return !c.has(name) || c.flag(name) }

func (c *call) rows(rows []workspace.Row) []protocol.Object {
	if most := c.number("maxLogEntries", 20); len(rows) > most {
		rows = rows[len(rows)-most:]
	}
	out := []protocol.Object{}
	for _, r := range rows {
		out = append(out, object("timestamp", r.Stamp, "operator", r.Operator, "event", r.Event))
	}
	if c.flag("reverseLog") {
		slices.Reverse(out)
	}
	return out
}

// references are the nodes and memos that a node refers to; what is expired does
// not count.
func (c *call) references(s *workspace.Store, n *workspace.Node) []protocol.Object {
	expired := map[string]bool{}
	for _, d := range s.Info(n).Docs {
		expired[target(d.Path)] = d.Expired
	}
	out := []protocol.Object{}
	for _, ref := range n.References() {
		id := target(ref)
		if expired[id] {
			continue
		}
		if other := s.Graph.Node(id); other != nil {
			out = append(out, c.link(s, other, false))
		} else if m := s.Graph.Doc().Sub("memos").Sub(id); m != nil {
			out = append(out, object("memoId", id, "title", m.Text("title"), "summary", m.Text("summary")))
		}
	}
	return out
}

func (c *call) whereabouts(n *workspace.Node, concluded int) string {
	switch n.Status() {
	case workspace.Pending:
		return c.say("This node is not started: node_transition with start.", "该节点尚未开始：请用 node_transition start。")
	case workspace.Implementing:
		return c.say("At work: log_append for what you do, problem_update for what holds you up.", "执行中：用 log_append 记录进展，用 problem_update 记录问题。")
	case workspace.Validating:
		return c.say("To be checked: then complete or fail it.", "验证中：检查后 complete 或 fail。")
	case workspace.Planning:
		return c.say("To be divided: node_create, then show the plan to the user.", "规划中：用 node_create 拆分，并向用户展示计划。")
	case workspace.Monitoring:
		return c.sayf("%d of %d children have concluded.", "已有 %d / %d 个子节点给出结论。", concluded, len(n.Children()))
	case workspace.Failed:
		return c.say("Failed: retry it, or plan differently.", "已失败：可 retry 或重新规划。")
	}
	return c.say("Done with; reopen takes it up again.", "已结束；如需继续可 reopen。")
}

func contextFocus(c *call) (protocol.Object, error) {
	var answer protocol.Object
	err := c.change(func(s *workspace.Store) error {
		n, err := c.node(s, "nodeId")
		if err != nil {
			return err
		}
		var before any
		if old := s.Graph.Focus(); old != "" {
			before = old
		}
		s.Graph.SetFocus(n.ID())
		answer = object("success", true, "previousFocus", before, "currentFocus", n.ID())
		return s.SaveGraph()
	})
	if err == nil {
		err = c.Place.Focus(c.text("sessionId"), c.text("workspaceId"), c.text("nodeId"), c.now)
	}
	return answer, err
}

func nodeIsolate(c *call) (protocol.Object, error) {
	return object("success", true), c.change(func(s *workspace.Store) error {
		n, err := c.node(s, "nodeId")
		if err != nil || n.Isolated() == c.flag("isolate") {
			return err
		}
		n.Set("isolate", value(c.flag("isolate")))
		n.SetText("updatedAt", stamp(c.now))
		if err := s.SaveGraph(); err != nil {
			return err
		}
		event := c.say("no longer isolated", "取消隔离")
		if c.flag("isolate") {
			event = c.say("isolated from the nodes above", "设置隔离（切断上下文继承）")
		}
		_, err = s.Log(n, workspace.AI, event)
		return err
	})
}

func nodeReference(c *call) (protocol.Object, error) {
	ref, action := strings.TrimSpace(c.text("targetIdOrPath")), c.text("action")
	doc := workspace.Doc{Path: ref, Description: strings.TrimSpace(c.text("description"))}
	if err := c.docLine(doc); err != nil {
		return nil, err
	}
	var left []workspace.Doc
	err := c.change(func(s *workspace.Store) error {
		n, err := c.node(s, "nodeId")
		if err != nil {
			return err
		}
		known, err := c.known(s, &doc, action)
		if err != nil {
			return err
		}
		if left, err = c.refer(s.Info(n).Docs, doc, action); err != nil {
			return err
		}
		if known {
			refs := slices.DeleteFunc(n.References(), func(r string) bool { return target(r) == target(doc.Path) })
			if action != "remove" {
				refs = append(refs, doc.Path)
			}
			n.Set("references", value(append([]string{}, refs...)))
		}
		n.SetText("updatedAt", stamp(c.now))
		if err := s.SaveGraph(); err != nil {
			return err
		}
		if err := s.SetInfo(n, func(p *workspace.Page) { p.SetDocs(left) }); err != nil {
			return err
		}
		verb := map[string]string{"add": c.say("reference added", "添加引用"), "remove": c.say("reference removed", "移除引用"), "expire": c.say("reference expired", "引用过期"), "activate": c.say("reference active again", "引用恢复")}[action]
		_, err = s.Log(n, workspace.AI, verb+": "+doc.Path)
		return err
	})
	out := []protocol.Object{}
	for _, d := range left {
		status := "active"
		if d.Expired {
			status = "expired"
		}
		out = append(out, object("path", d.Path, "description", d.Description, "status", status))
	}
	return object("success", true, "references", out), err
}

// known reports whether a reference is one to a node or a memo, which is kept in
// the graph too. It must exist to be added, and so must a file of the project.
func (c *call) known(s *workspace.Store, doc *workspace.Doc, action string) (bool, error) {
	id := target(doc.Path)
	isMemo := s.Graph.Doc().Sub("memos").Has(id)
	isNode := s.Graph.Node(id) != nil
	switch {
	case isMemo:
		doc.Path = "memo://" + id
	case isNode:
		doc.Path = id
	case action == "add" && (strings.HasPrefix(id, "node-") || doc.Path != id && strings.HasPrefix(doc.Path, "node://")):
		return false, c.refuse("NODE_NOT_FOUND", "no such node: %q", "节点 %q 不存在", id)
	case action == "add" && (strings.HasPrefix(id, "memo-") || doc.Path != id):
		return false, c.refuse("MEMO_NOT_FOUND", "no such memo: %q", "备忘 %q 不存在", id)
	case action == "add" && !strings.Contains(doc.Path, "://"):
		path := filepath.FromSlash(doc.Path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(s.Entry.ProjectRoot, path)
		}
		if _, err := os.Stat(path); err != nil {
			return false, c.refuse("INVALID_PATH", "no such file: %s", "文件不存在：%s", path)
		}
	}
	return isMemo || isNode, nil
}

// refer changes a list of references.
func (c *call) refer(docs []workspace.Doc, doc workspace.Doc, action string) ([]workspace.Doc, error) {
	i := slices.IndexFunc(docs, func(d workspace.Doc) bool { return target(d.Path) == target(doc.Path) })
	if action == "add" {
		if i >= 0 && !docs[i].Expired {
			return nil, c.refuse("REFERENCE_EXISTS", "the reference %q already exists", "引用 %q 已存在", doc.Path)
		}
		if i >= 0 {
			docs[i].Expired = false
			return docs, nil
		}
		return append(docs, doc), nil
	}
	if i < 0 {
		return nil, c.refuse("REFERENCE_NOT_FOUND", "no such reference: %q", "引用 %q 不存在", doc.Path)
	}
	if action == "remove" {
		return slices.Delete(docs, i, i+1), nil
	}
	docs[i].Expired = action == "expire"
	return docs, nil
}
