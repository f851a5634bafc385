package ops

import (
	"cmp"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A capability is a piece of information that is worth collecting before work
// begins.
type capability struct {
	id, en, zh         string // what it is called
	needEn, needZh     string // what has to be found out
	scenarios, options []string
}

func capabilities() []capability {
	all := scenarios()
	return []capability{
		{"intent", "What is wanted", "意图对齐", "Ask the user until goal, limits and what counts as done are clear.", "与用户确认目标、边界与完成标准。", all, nil},
		{"code_map", "Where it is in the code", "代码定位", "Find the parts of the code that are concerned, and how they hang together.", "找出涉及的代码及其相互关系。", []string{"feature", "optimize", "debug"}, []string{"summary", "misc"}},
		{"constraints", "What must hold", "约束收集", "Collect conventions, compatibility and other rules; conclude them under the heading Rules.", "收集约定、兼容性等约束，并在结论的「规则」一节列出。", []string{"feature", "optimize"}, []string{"debug", "summary", "misc"}},
		{"reproduce", "How it shows", "复现问题", "Make the fault happen again with as few steps as possible.", "用最少的步骤稳定复现问题。", []string{"debug"}, nil},
		{"measure", "How it is now", "现状测量", "Measure the present state, so that a change can be compared.", "测量现状，作为对比基线。", []string{"optimize"}, []string{"debug"}},
		{"sources", "What there is to read", "资料收集", "List the documents that matter; conclude them under the heading Documents.", "列出相关资料，并在结论的「文档」一节列出。", []string{"summary"}, []string{"feature", "optimize", "debug", "misc"}},
		{"tests", "What tests there are", "测试现状", "Find the tests that cover this, and how they are run.", "找出相关测试及其运行方式。", nil, []string{"feature", "optimize", "debug"}},
		{"peers", "How others do it", "方案调研", "Look how others solved it, and compare.", "调研已有方案并比较。", nil, []string{"feature", "optimize", "summary"}},
		{"risks", "What can go wrong", "风险评估", "List what can go wrong, and how to go back.", "列出风险与回退方案。", nil, []string{"feature", "optimize", "debug"}},
	}
}

func capabilityTools() []operation {
	return []operation{
		{op.Op{Name: "capability_list", Command: "capability list", People: op.Text{English: "list it, by kind of task", Chinese: "按任务类型列出"}, ReadOnly: true, Idempotent: true, Words: []string{"scenario"},
			Model: op.Text{English: "What is worth finding out before a task of a kind begins: what always, and what by choice.", Chinese: "某类任务开始前值得收集的信息：基础项与可选项。"},
			Args:  []op.Arg{{Name: "scenario", Required: true, Words: scenarios(), Model: op.Text{English: "kind of task", Chinese: "任务场景"}}}}, capabilityList},
		{op.Op{Name: "capability_select", Command: "capability select", People: op.Text{English: "make nodes for what was chosen", Chinese: "为所选项创建节点"},
			Model: op.Text{English: "Makes a node that collects information, and one below it for each thing that was chosen; with nodeId it adds to the one that is there.", Chinese: "按选择创建信息收集节点及其子节点；提供 nodeId 时追加到已有节点。"},
			Args: []op.Arg{argWorkspace(), {Name: "selected", Kind: op.Texts, Required: true, Empty: true, Model: op.Text{English: "ids of what was chosen", Chinese: "选择的能力 ID"}},
				{Name: "infoType", Words: []string{"info_collection", "info_summary"}, Model: op.Text{English: "role of the new node; default info_collection", Chinese: "信息节点类型，默认 info_collection"}},
				{Name: "nodeId", From: nodes, Model: op.Text{English: "node to add to", Chinese: "要追加到的信息节点"}}}}, capabilitySelect},
		{op.Op{Name: "plugin_path", Command: "paths", People: op.Text{English: "where program and data are", Chinese: "程序与数据的位置"}, ReadOnly: true, Idempotent: true,
			Model: op.Text{English: "Where the program and the workspaces of this machine are.", Chinese: "程序与工作区数据所在的位置。"}}, pluginPath},
	}
}

func capabilityList(c *call) (protocol.Object, error) {
	base, more := []protocol.Object{}, []protocol.Object{}
	for _, k := range capabilities() {
		o := object("id", k.id, "name", c.say(k.en, k.zh), "description", c.say(k.needEn, k.needZh))
		switch {
		case slices.Contains(k.scenarios, c.text("scenario")):
			base = append(base, o)
		case slices.Contains(k.options, c.text("scenario")):
			more = append(more, o)
		}
	}
	return object("scenario", c.text("scenario"), "base", base, "optional", more,
		"hint", c.say("Ask the user what of the optional is wanted; then capability_select.", "请询问用户需要哪些可选项，然后调用 capability_select。")), nil
}

func capabilitySelect(c *call) (protocol.Object, error) {
	var chosen []capability
	for _, id := range c.texts("selected") {
		i := slices.IndexFunc(capabilities(), func(k capability) bool { return k.id == id })
		if i < 0 {
			return nil, c.invalid("no such capability: %q; capability_list shows them", "没有能力 %q，请用 capability_list 查看", id)
		}
		chosen = append(chosen, capabilities()[i])
	}
	if chosen == nil {
		return nil, c.invalid("nothing was chosen", "没有选择任何能力")
	}
	role := cmp.Or(c.text("infoType"), "info_collection")
	var answer protocol.Object
	err := c.change(func(s *workspace.Store) error {
		info, err := c.infoNode(s, role)
		if err != nil {
			return err
		}
		ids := []string{}
		for _, k := range chosen {
			n, err := c.newNode(s, info, workspace.Execution, workspace.Info{Title: c.say(k.en, k.zh), Requirement: c.say(k.needEn, k.needZh)})
			if err != nil {
				return err
			}
			ids = append(ids, n.ID())
		}
		answer = object("nodeId", info.ID(), "childIds", ids,
			"hint", c.say("Start the nodes one after another; conclude what they found at the node above, under the headings Rules and Documents.", "请逐个启动子节点；在上级节点的结论中以「规则」「文档」两节汇总。"))
		return s.SaveGraph()
	})
	return answer, err
}

// infoNode is the node that information is collected below.
func (c *call) infoNode(s *workspace.Store, role string) (*workspace.Node, error) {
	if c.text("nodeId") != "" {
		n, err := c.node(s, "nodeId")
		if err != nil {
			return nil, err
		}
		return c.parentFor(s, n.ID())
	}
	root, err := c.parentFor(s, workspace.RootID)
	if err != nil {
		return nil, err
	}
	title := c.say("Collect information", "信息收集")
	if role == "info_summary" {
		title = c.say("Sum up information", "信息总结")
	}
	n, err := c.newNode(s, root, workspace.Planning, workspace.Info{Title: title, Requirement: c.say("Find out what must be known before the work is planned.", "在规划之前弄清必须了解的信息。")})
	if err == nil {
		n.SetText("role", role)
	}
	return n, err
}

func pluginPath(c *call) (protocol.Object, error) {
	return object("program", c.Program, "home", c.Place.Home, "project", c.Place.ProjectDir(c.Project)), nil
}
