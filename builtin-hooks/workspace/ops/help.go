package ops

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func helpTools() []operation {
	return []operation{
		{op.Op{Name: "tanmi_help", Command: "guide", People: op.Text{English: "how workspaces are used", Chinese: "工作区使用指南"}, ReadOnly: true, Idempotent: true, Words: []string{"topic"},
			Model: op.Text{English: "How workspaces are used: a list of topics, or one of them.", Chinese: "工作区使用指南：主题列表，或某个主题的内容。"},
			Args:  []op.Arg{{Name: "topic", Known: TopicIDs(), Model: op.Text{English: "id of a topic, or a word to look for", Chinese: "主题 ID 或关键词"}}}}, help},
		{op.Op{Name: "tanmi_prompt", Command: "phrase", People: op.Text{English: "texts for people, to be filled in", Chinese: "与用户沟通的话术"}, ReadOnly: true, Idempotent: true, Words: []string{"template"},
			Model: op.Text{English: "A text for the user, to be filled in.", Chinese: "与用户沟通的话术模板。"},
			Args: []op.Arg{{Name: "template", Required: true, Words: templates(), Model: op.Text{English: "which one", Chinese: "模板名称"}},
				{Name: "params", Kind: op.Free, Model: op.Text{English: "values: name, goal, tasks, status, current, problem, conclusion, outputs", Chinese: "模板参数：name、goal、tasks、status、current、problem、conclusion、outputs"}}}}, phrase},
	}
}

// A topic is a page of help.
type topic struct{ id, en, zh, textEn, textZh string }

func topics() []topic {
	return []topic{
		{"overview", "What a workspace is", "工作区是什么",
			"A workspace is a task with a goal, rules that hold, and a tree of nodes. Planning nodes are divided, execution nodes are worked on, one at a time below one parent. Everything lies in plain files in the project. Hooks tell a session about its workspace only after session_bind.",
			"工作区是一项任务：目标、必须遵循的规则，以及一棵节点树。规划节点负责拆分，执行节点负责工作，同一父节点下一次只做一个。所有内容都是项目中的普通文件。只有 session_bind 之后，Hook 才会注入内容。"},
		{"workflow", "From the goal to the end", "工作流程",
			"1. workspace_init, session_bind. 2. A node with role info_collection below the root; conclude rules and documents. 3. plan_create for all parts. 4. Show the plan to the user and wait. 5. node_begin, log_append while working, node_done with a conclusion, which names the next. 6. When all children are done, complete the planning node; at last the root.",
			"1. workspace_init、session_bind。2. 在根节点下创建 role=info_collection 的节点，结论中写明规则与文档。3. 用 plan_create 一次创建全部节点。4. 向用户展示计划并等待确认。5. node_begin，过程中 log_append，带结论 node_done，它会说下一个。6. 子节点全部结束后完成规划节点，最后完成根节点。"},
		{"start", "Beginning a task", "开始新任务",
			"Offer a workspace for work of more than three steps, for planning and for refactoring; not for questions and small changes. With a yes: workspace_init, then session_bind with the session id that the hook told.",
			"超过三个步骤的任务、规划或重构时，询问用户是否创建工作区；简单问答与小修改不要打扰。得到同意后 workspace_init，再用 Hook 告知的会话 ID 调用 session_bind。"},
		{"resume", "Going on with a task", "继续任务",
			"session_status lists the workspaces. Let the user choose, session_bind, then context_get of the focused node.",
			"用 session_status 列出工作区，请用户选择后 session_bind，再对聚焦节点 context_get。"},
		{"plan", "A plan in one call", "一次写好计划",
			"plan_create (agents-hooks workspace create --from FILE) takes Markdown: a heading is a planning node, - [ ] an execution node, with its requirement indented below it, and below that lines such as \"- after: a title, 1.2\", \"- priority: high\", \"- accept: when => then\"; [x] is done already. Or JSON: {\"nodes\": [{\"title\", \"requirement\", \"key\", \"after\": [], \"priority\", \"acceptance\": [{\"when\", \"then\"}], \"children\": []}]}. Then node_next, node_begin, node_done.",
			"plan_create（agents-hooks workspace create --from FILE）接受 Markdown：标题是规划节点，- [ ] 是执行节点，其下缩进写需求，再写 “- 依赖: 标题, 1.2”“- 优先级: 高”“- 验收: 条件 => 结果”；[x] 表示已完成。也可以用 JSON：{\"nodes\": [{\"title\", \"requirement\", \"key\", \"after\": [], \"priority\", \"acceptance\": [{\"when\", \"then\"}], \"children\": []}]}。之后 node_next、node_begin、node_done。"},
		{"rules", "Rules and their hash", "规则与 rulesHash",
			"Rules hold for all nodes. node_create wants rulesHash once there are rules: read them with workspace_get or context_get, and pass the hash of that answer. workspace_update_rules changes them.",
			"规则对所有节点有效。存在规则时 node_create 必须传入 rulesHash：先用 workspace_get 或 context_get 阅读规则，再传入返回的哈希。用 workspace_update_rules 修改规则。"},
		{"states", "States of nodes", "节点状态",
			"Execution: pending, implementing, validating, completed, failed. Planning: pending, planning, monitoring, completed, cancelled. complete, fail and cancel want a conclusion. A planning node waits for all its children.",
			"执行节点：pending、implementing、validating、completed、failed。规划节点：pending、planning、monitoring、completed、cancelled。complete、fail、cancel 需要结论；规划节点要等所有子节点结束。"},
		{"blocked", "When something holds you up", "遇到问题",
			"problem_update says what it is and what you will try; problem_clear when it is solved. If the task is too large or unclear, fail the node: the planning node above divides it differently.",
			"用 problem_update 写明问题与下一步；解决后 problem_clear。任务过大或不清楚时 fail 该节点，由上级规划节点重新拆分。"},
		{"complete", "Ending a node", "完成节点",
			"The conclusion says what came of it, for somebody who saw nothing else. Check documents that the node refers to. Then go back to the planning node.",
			"结论应让没看过过程的人也能明白结果。检查引用的文档是否需要更新，然后回到规划节点。"},
		{"dispatch", "Handing nodes to subagents", "派发",
			"dispatch_enable, then node_dispatch for an execution node: its answer is the task for a subagent. In git mode it works in a worktree of its own. node_dispatch_complete takes the result. dispatch_disable shows the ways to bring the commits home, of which the user chooses one for dispatch_disable_execute.",
			"先 dispatch_enable，再对执行节点 node_dispatch：返回内容即子代理的任务。git 模式下在独立的 worktree 中工作。node_dispatch_complete 接收结果。dispatch_disable 列出合并方式，由用户选择后调用 dispatch_disable_execute。"},
		{"memos", "Memos and references", "备忘与引用",
			"memo_create keeps drafts beside the tree. node_reference ties documents, nodes and memos (memo://ID) to a node; context_get shows them.",
			"memo_create 保存节点树之外的草稿。node_reference 将文档、节点、备忘（memo://ID）关联到节点，context_get 会展示。"},
		{"windows", "Several windows", "多窗口",
			"Each session has a binding and a focus of its own. With several windows on one workspace pass sessionId to node_transition and context_focus, so that only your focus moves.",
			"每个会话有自己的绑定与焦点。多个窗口绑定同一工作区时，请在 node_transition 与 context_focus 中传入 sessionId，只移动自己的焦点。"},
	}
}

func help(c *call) (protocol.Object, error) {
	word := strings.ToLower(strings.TrimSpace(c.text("topic")))
	list, found := []protocol.Object{}, []protocol.Object{}
	for _, t := range topics() {
		row := object("id", t.id, "title", c.say(t.en, t.zh))
		list = append(list, row)
		if t.id == word {
			return object("type", "content", "topic", t.id, "title", c.say(t.en, t.zh), "content", c.say(t.textEn, t.textZh)), nil
		}
		if word != "" && strings.Contains(strings.ToLower(t.id+" "+t.en+" "+t.zh), word) {
			found = append(found, row)
		}
	}
	switch {
	case word == "":
		return object("type", "list", "topics", list), nil
	case word == "all":
		var b strings.Builder
		for _, t := range topics() {
			b.WriteString("### " + c.say(t.en, t.zh) + "\n\n" + c.say(t.textEn, t.textZh) + "\n\n")
		}
		return object("type", "content", "topic", "all", "title", c.say("All topics", "完整指南"), "content", strings.TrimSpace(b.String())), nil
	}
	return object("type", "matches", "matches", found, "hint", c.say("Ask again with the id of a topic.", "请用主题 ID 再次查询。")), nil
}

func templates() []string {
	return []string{"welcome", "confirm_workspace", "confirm_plan", "status_report", "completion_report"}
}

func phrase(c *call) (protocol.Object, error) {
	p := c.args.Sub("params")
	get := func(name, en, zh string) string {
		if v := p.Text(name); v != "" {
			return v
		}
		return c.say(en, zh)
	}
	bullets := func(name, en, zh string) string {
		items := protocol.TextsOf(p.Get(name))
		if items == nil {
			items = []string{get(name, en, zh)}
		}
		return "- " + strings.Join(items, "\n- ")
	}
	var text string
	switch c.text("template") {
	case "welcome":
		text = c.say("This looks like work of several steps. Shall I keep track of it in a workspace? I would note the goal, the plan and what was done, in files of the project; you can stop that at any time.",
			"这项任务包含多个步骤，是否用工作区来跟踪？我会把目标、计划与进展记录在项目文件中，您可以随时停止。")
	case "confirm_workspace":
		text = c.sayf("I would set up this workspace:\n- name: %s\n- goal: %s\nIs that right?", "准备创建工作区：\n- 名称：%s\n- 目标：%s\n是否确认？", get("name", "[name]", "[名称]"), get("goal", "[goal]", "[目标]"))
	case "confirm_plan":
		text = c.say("The plan:", "任务计划：") + "\n" + bullets("tasks", "[task]", "[任务]") + "\n" + c.say("May I begin with the first one?", "是否从第一项开始？")
	case "status_report":
		text = c.sayf("State: %s\nNow: %s", "状态：%s\n当前：%s", get("status", "[state]", "[状态]"), get("current", "[task]", "[当前任务]"))
		if problem := p.Text("problem"); problem != "" {
			text += c.sayf("\nHeld up by: %s", "\n问题：%s", problem)
		}
	case "completion_report":
		text = c.sayf("Done: %s", "已完成：%s", get("conclusion", "[conclusion]", "[结论]")) + "\n" + bullets("outputs", "[result]", "[产出]")
	}
	return object("template", c.text("template"), "content", text), nil
}

// TopicIDs are the topics of help, for completion.
func TopicIDs() []string {
	ids := []string{"all"}
	for _, t := range topics() {
		ids = append(ids, t.id)
	}
	slices.Sort(ids)
	return ids
}
