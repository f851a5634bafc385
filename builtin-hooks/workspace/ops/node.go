package ops

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func nodeTools() []operation {
	title := op.Arg{Name: "title", Required: true, Model: op.Text{English: "title, one line", Chinese: "节点标题（单行）"}}
	need := op.Arg{Name: "requirement", Required: true, Model: op.Text{English: "what has to be done, in detail", Chinese: "节点需求，详细说明要完成的任务"}}
	after := op.Arg{Name: "after", Kind: op.Texts, Empty: true, Model: op.Text{English: "ids or titles of nodes that have to be completed first; an empty list: none", Chinese: "必须先完成的节点（ID 或标题）；空列表表示无"}}
	priority := op.Arg{Name: "priority", Words: []string{workspace.High, "normal", workspace.Low}, Model: op.Text{English: "among its siblings", Chinese: "同级优先级"}}
	return []operation{
		{op.Op{Name: "node_create", Command: "node create", People: op.Text{English: "add a node", Chinese: "添加节点"}, Words: []string{"title"},
			Model: op.Text{English: "Adds a node below a planning node. planning: to be analysed and divided; execution: one piece of work, without children. If the workspace has rules, rulesHash proves that they were read (workspace_get, context_get). A node with role info_collection collects what must be known; rules and documents in its conclusion go into the workspace.", Chinese: "在规划节点下创建子节点。planning：需要分析与拆分；execution：一项具体工作，不能有子节点。工作区有规则时必须提供 rulesHash（来自 workspace_get 或 context_get）。role=info_collection 的节点用于收集信息，完成时结论中的规则与文档会归档到工作区。"},
			Args: []op.Arg{argWorkspace(), {Name: "parentId", From: nodes, Required: true, Model: op.Text{English: "id of the planning node above; root is the root", Chinese: "父节点 ID（规划节点），根节点为 root"}},
				{Name: "type", Required: true, Words: []string{workspace.Planning, workspace.Execution}, Model: op.Text{English: "planning or execution", Chinese: "节点类型"}},
				title, need, {Name: "rulesHash", Model: op.Text{English: "hash of the rules, if there are any", Chinese: "规则哈希（有规则时必填）"}},
				{Name: "role", Words: []string{"info_collection", "info_summary", "validation"}, Model: op.Text{English: "special part in the work", Chinese: "节点角色"}},
				argDocs("documents for this node", "文档引用"),
				{Name: "acceptanceCriteria", Kind: op.Cases, Model: op.Text{English: "when what happens it is right", Chinese: "验收标准（WHEN/THEN）"}},
				after, priority,
				{Name: "isNeedTest", Kind: op.Bool, Model: op.Text{English: "add a node that tests it", Chinese: "是否需要配套的测试节点"}},
				{Name: "testRequirement", Model: op.Text{English: "what has to be tested", Chinese: "测试验收标准"}}}}, nodeCreate},
		{op.Op{Name: "node_get", Command: "node get", People: op.Text{English: "show a node whole", Chinese: "查看整个节点"}, ReadOnly: true, Idempotent: true, Words: []string{"nodeId"},
			Model: op.Text{English: "A node with its page, log and problem.", Chinese: "获取节点详情，含全部 Markdown 内容。"},
			Args:  []op.Arg{argWorkspace(), argNode()}}, nodeGet},
		{op.Op{Name: "node_list", Command: "node list", People: op.Text{English: "show the tree", Chinese: "查看节点树"}, ReadOnly: true, Idempotent: true,
			Model: op.Text{English: "The tree of nodes.", Chinese: "获取节点树。"},
			Args:  append([]op.Arg{argWorkspace(), {Name: "rootId", From: nodes, Model: op.Text{English: "where to begin; default root", Chinese: "起始节点，默认根节点"}}}, partArgs()...)}, nodeList},
		{op.Op{Name: "node_update", Command: "node update", People: op.Text{English: "change title, requirement, note, conclusion, dependencies", Chinese: "修改标题、需求、备注、结论、依赖"}, Idempotent: true, Words: []string{"nodeId"},
			Model: op.Text{English: "Changes title, requirement, note or conclusion; what is left out stays.", Chinese: "更新标题、需求、备注、结论，未提供的字段不变。"},
			Args: []op.Arg{argWorkspace(), argNode(), optional(title, "", ""), optional(need, "", ""),
				{Name: "note", Model: op.Text{English: "remarks", Chinese: "备注"}}, {Name: "conclusion", Model: op.Text{English: "what came of it", Chinese: "结论"}}, after, priority}}, nodeUpdate},
		{op.Op{Name: "node_move", Command: "node move", People: op.Text{English: "hang it elsewhere", Chinese: "移动到别处"}, Idempotent: true, Words: []string{"nodeId", "newParentId"},
			Model: op.Text{English: "Hangs a node, with all below it, under another planning node.", Chinese: "将节点（连同其子树）移动到另一个规划节点下。"},
			Args:  []op.Arg{argWorkspace(), argNode(), {Name: "newParentId", From: nodes, Required: true, Model: op.Text{English: "id of the planning node", Chinese: "目标父节点 ID"}}}}, nodeMove},
		{op.Op{Name: "node_delete", Command: "node delete", People: op.Text{English: "delete it with all below", Chinese: "删除节点及其下的一切"}, Destructive: true, Words: []string{"nodeId"},
			Model: op.Text{English: "Deletes a node with all below it.", Chinese: "删除节点及其所有子节点。"},
			Args:  []op.Arg{argWorkspace(), argNode()}}, nodeDelete},
	}
}

// title checks the title of a node.
func (c *call) title(title string) (string, error) {
	title = strings.TrimSpace(title)
	if title == "" {
		return "", c.refuse("INVALID_TITLE", "the title is empty", "节点标题不能为空")
	}
	return title, c.line(c.say("title", "标题"), title)
}

func (c *call) cases() (out []workspace.Criterion) {
	for _, e := range protocol.ElementsOf(c.args.Get("acceptanceCriteria")) {
		o := protocol.ObjectOf(e)
		out = append(out, workspace.Criterion{When: o.Text("when"), Then: o.Text("then")})
	}
	return out
}

func nodeCreate(c *call) (protocol.Object, error) {
	title, err := c.title(c.text("title"))
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"requirement", "testRequirement"} {
		if err := c.lines(name, c.text(name)); err != nil {
			return nil, err
		}
	}
	docs, err := c.docs("docs")
	if err != nil {
		return nil, err
	}
	var answer protocol.Object
	err = c.change(func(s *workspace.Store) (err error) {
		reopened := ""
		parent, err := c.parentFor(s, c.text("parentId"))
		if err != nil {
			return err
		}
		if err := c.knowsRules(s); err != nil {
			return err
		}
		if parent.Status() == workspace.Completed {
			if err := c.reopenFor(s, parent, title); err != nil {
				return err
			}
			reopened = parent.ID()
		}
		info := workspace.Info{Title: title, Requirement: c.text("requirement"), Docs: docs, Acceptance: c.cases()}
		n, err := c.newNode(s, parent, c.text("type"), info)
		if err != nil {
			return err
		}
		n.PutText("role", c.text("role"))
		if err := c.order(s, n); err != nil {
			return errors.Join(err, s.In.RemoveAll(s.NodeDir(n)))
		}
		answer = object("nodeId", n.ID(), "path", s.NodeDir(n))
		answer.PutText("autoReopened", reopened)
		if c.flag("isNeedTest") {
			if err := c.withTest(s, n, info, &answer); err != nil {
				return err
			}
		}
		if err := s.SaveGraph(); err != nil {
			return err
		}
		if reopened != "" {
			if err := s.SetInfo(parent, nil); err != nil {
				return err
			}
		}
		return c.planned(s, parent, n, &answer)
	})
	return answer, err
}

// order sets what a node waits for, and its priority, as far as the call says so.
func (c *call) order(s *workspace.Store, n *workspace.Node) error {
	if c.has("priority") {
		n.SetPriority(c.text("priority"))
	}
	if !c.has("after") {
		return nil
	}
	var ids []string
	for _, name := range c.texts("after") {
		other, err := c.find(s, name)
		switch {
		case err != nil:
			return err
		case other == nil:
			return refusal("NODE_NOT_FOUND", c.sayf("after: no such node: %q", "after：节点 %q 不存在", name), c.say("node_list shows ids and titles", "用 node_list 查看 id 与标题"))
		}
		if way := s.Graph.Circle(n, other); way != nil {
			var titles []string
			for _, w := range way {
				titles = append(titles, s.Title(w))
			}
			return refusal("CIRCULAR_DEPENDENCY", c.sayf("after %q: nodes would wait for each other: %s", "after %q：节点会互相等待：%s", name, strings.Join(titles, " → ")), c.say("a node cannot wait for what is above or below it, or waits for it", "节点不能等待其上级、下级或等待它的节点"))
		}
		if !slices.Contains(ids, other.ID()) {
			ids = append(ids, other.ID())
		}
	}
	n.SetAfter(ids)
	return nil
}

// parentFor is a node that may have children now.
func (c *call) parentFor(s *workspace.Store, id string) (*workspace.Node, error) {
	p, err := c.find(s, id)
	switch {
	case err != nil:
		return nil, err
	case p == nil:
		return nil, refusal("PARENT_NOT_FOUND", c.sayf("no such node: %q", "父节点 %q 不存在", id), c.say("the root is called root; node_list shows the ids", "根节点为 root；用 node_list 查看 id"))
	case p.Type() != workspace.Planning:
		return nil, refusal("EXECUTION_CANNOT_HAVE_CHILDREN", c.sayf("node %q is one of execution, which has no children", "节点 %q 是执行节点，不能有子节点", id), c.say("fail it with node_transition, and divide the work below its parent", "用 node_transition fail 回退，在父规划节点下重新拆分"))
	case p.Status() == workspace.Cancelled:
		return nil, refusal("INVALID_PARENT_STATUS", c.sayf("node %q is cancelled", "父节点 %q 已取消", id), c.say("reopen it with node_transition first", "先用 node_transition reopen 重开"))
	}
	return p, nil
}

// reopenFor reopens a planning node because it gets another child. Its earlier
// conclusion stays, quoted.
func (c *call) reopenFor(s *workspace.Store, p *workspace.Node, title string) error {
	old := p.Conclusion()
	p.SetText("status", workspace.Planning)
	p.SetText("updatedAt", stamp(c.now))
	if old != "" {
		var b strings.Builder
		b.WriteString("> " + c.sayf("before it was reopened on %s:", "%s 重开前的结论：", c.now.In(s.Place.Zone).Format(time.DateOnly)) + "\n")
		for line := range strings.Lines(old) {
			b.WriteString("> " + strings.TrimRight(line, "\n") + "\n")
		}
		text := strings.TrimSpace(b.String())
		p.SetText("conclusion", text)
		if err := s.SetInfo(p, func(page *workspace.Page) { page.SetConclusion(text) }); err != nil {
			return err
		}
	}
	_, err := s.Log(p, c.operator(), c.sayf("reopened for %q: completed → planning", "因新增子节点「%s」自动重开: completed → planning", title))
	return err
}

// newNode adds a node to the graph, and makes its folder.
func (c *call) newNode(s *workspace.Store, parent *workspace.Node, kind string, in workspace.Info) (*workspace.Node, error) {
	id := s.Fresh("node", c.Random)
	n := s.Graph.Add(id, kind, parent.ID(), workspace.DirName(in.Title, id), stamp(c.now))
	if len(in.Acceptance) > 0 {
		list := []protocol.Object{}
		for _, a := range in.Acceptance {
			list = append(list, object("when", a.When, "then", a.Then))
		}
		n.Set("acceptanceCriteria", value(list))
	}
	return n, s.NewFolder(n, in)
}

// withTest pairs a node with one that tests it. A node of execution becomes the
// planning node above both.
func (c *call) withTest(s *workspace.Store, n *workspace.Node, in workspace.Info, answer *protocol.Object) error {
	need := c.text("testRequirement")
	if need == "" {
		need = c.sayf("test what %q asks for", "验证「%s」的需求是否满足", in.Title)
	}
	if n.Type() == workspace.Execution {
		n.SetText("type", workspace.Planning)
		run, err := c.newNode(s, n, workspace.Execution, workspace.Info{Title: c.say("[run] ", "[执行] ") + in.Title, Requirement: in.Requirement, Docs: in.Docs, Acceptance: in.Acceptance})
		if err != nil {
			return err
		}
		if err := s.SetInfo(n, nil); err != nil {
			return err
		}
		answer.Set("upgradedToPlanning", protocol.Raw("true"))
		answer.SetText("execNodeId", run.ID())
	}
	test, err := c.newNode(s, n, workspace.Execution, workspace.Info{Title: c.say("[test] ", "[测试] ") + in.Title, Requirement: need})
	if err != nil {
		return err
	}
	test.SetText("role", "validation")
	answer.SetText("testNodeId", test.ID())
	return nil
}

// planned adds what comes next to the answer about a new node.
func (c *call) planned(s *workspace.Store, parent, n *workspace.Node, answer *protocol.Object) error {
	if parent.Status() == workspace.Pending {
		answer.SetText("hint", c.sayf("Start the planning node first: node_transition(nodeId=%q, action=start).", "请先启动规划节点：node_transition(nodeId=%q, action=start)。", parent.ID()))
		return nil
	}
	answer.SetText("hint", c.say("When the plan is whole, show it to the user and wait; then start the first node with node_transition.", "计划完整后向用户展示并等待确认，再用 node_transition 启动第一个节点。"))
	if parent.Status() != workspace.Planning || n.Type() != workspace.Execution {
		return nil
	}
	var plan []string
	for _, k := range s.Graph.Kids(parent) {
		plan = append(plan, s.Title(k))
	}
	action, err := c.require(s.Entry.ID, parent.ID(), "show_plan",
		c.say("Show the whole plan to the user, and wait for their word before the first node is started.", "向用户展示完整计划，得到确认后再开始第一个节点。"), object("nodes", plan))
	if err != nil {
		return err
	}
	answer.Set("actionRequired", action.Raw())
	return nil
}

func nodeGet(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	n, err := c.node(s, "nodeId")
	if err != nil {
		return nil, err
	}
	text := func(name string) string {
		text, _ := s.Text(filepath.Join(s.NodeDir(n), name))
		return text
	}
	return object("meta", n.Object, "infoMd", text(workspace.InfoFile), "logMd", text("Log.md"), "problemMd", text("Problem.md")), nil
}

func nodeList(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	if c.text("rootId") == "" {
		c.args.SetText("rootId", workspace.RootID)
	}
	n, err := c.node(s, "rootId")
	if err != nil {
		return nil, err
	}
	part := c.part(s, n)
	answer := object("tree", branch(s, n, part, map[string]bool{}), "rootId", n.ID())
	answer.PutText("hint", c.rest(part))
	return answer, nil
}

// branch is a node with what is below it. A circle in a damaged file ends it.
func branch(s *workspace.Store, n *workspace.Node, part Part, seen map[string]bool) protocol.Object {
	seen[n.ID()] = true
	title := s.Title(n)
	if part.shown != nil { // a part is there to be short
		title = text.Clip(title, 60)
	}
	o := object("id", n.ID(), "type", n.Type(), "title", title, "status", n.Status())
	o.PutText("role", n.Role())
	if d := n.Get("dispatch"); d != nil {
		o.Set("dispatch", d)
	}
	if after := n.After(); after != nil {
		o.Set("after", value(after))
	}
	o.PutText("owner", owner(part.held, n))
	kids := []protocol.Object{}
	for _, k := range s.Graph.Kids(n) {
		if !seen[k.ID()] && part.shows(k) {
			kids = append(kids, branch(s, k, part, seen))
		}
	}
	o.Set("children", value(kids))
	if hidden := part.hidden(s.Graph, n); hidden > 0 {
		o.Set("hidden", value(hidden))
	}
	return o
}

// target is the id that a reference names: later versions write it as an address.
func target(ref string) string {
	for _, scheme := range []string{"node://", "memo://"} {
		if id, ok := strings.CutPrefix(ref, scheme); ok {
			return id
		}
	}
	return ref
}
