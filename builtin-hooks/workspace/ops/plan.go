package ops

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/plan"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func planTools() []operation {
	return []operation{{op.Op{Name: "plan_create", Command: "create", People: op.Text{English: "make all nodes of a plan at once", Chinese: "一次创建计划的全部节点"}, Core: true,
		Model: op.Text{English: "Makes all nodes of a plan at once. plan: Markdown (## part, - [ ] task, below it its requirement and \"- after: title\", \"- priority: high\", \"- accept: when => then\") or JSON {\"nodes\": [{title, requirement, after, priority, acceptance, children}]}. Answers with ids.",
			Chinese: "一次创建计划的全部节点。plan：Markdown（## 部分、- [ ] 任务，其下为需求与 “- after: 标题”、“- priority: high”、“- accept: 条件 => 结果”）或 JSON {\"nodes\": [{title, requirement, after, priority, acceptance, children}]}。返回 id。"},
		Args: []op.Arg{argHere(),
			{Name: "plan", NoFlag: true, Required: true, Plain: true, Model: op.Text{English: "the plan", Chinese: "计划"}},
			optional(op.Arg{Name: "parentId", From: nodes}, "planning node above; default root", "父规划节点，默认 root"),
			{Name: "rulesHash", Plain: true, Model: op.Text{English: "hash of the rules, if there are any", Chinese: "规则哈希（有规则时必填）"}}, argSession(false)}}, planCreate}}
}

// refusePlan is an error of a plan, with its place and what would fix it.
func (c *call) refusePlan(err error) error {
	if e, ok := errors.AsType[*plan.Error](err); ok {
		return refusal("INVALID_PLAN", e.Error(), e.Fix)
	}
	return err
}

func planCreate(c *call) (protocol.Object, error) {
	var answer protocol.Object
	err := c.change(func(s *workspace.Store) error {
		p, err := plan.Parse([]byte(c.text("plan")), func(name string) bool { n, err := c.find(s, name); return n != nil && err == nil })
		if err != nil {
			return c.refusePlan(err)
		}
		name := cmp.Or(c.text("parentId"), workspace.RootID)
		parent, err := c.parentFor(s, name)
		if err != nil {
			return err
		}
		if err := c.knowsRules(s); err != nil {
			return err
		}
		made, err := c.plant(s, parent, p)
		if err != nil {
			return err
		}
		var ids protocol.Object
		for _, i := range p.All() {
			ids.SetText(s.Graph.Short(made[i].Node), made[i].title)
		}
		answer = append(object("created", len(made), "nodes", ids), c.ahead(s)...)
		if len(p.Rules) > 0 {
			answer.SetText("rulesHash", workspace.RulesHash(s.Page().Rules()))
		}
		answer.SetText("hint", c.say("Show the plan to the user before the first node begins.", "开始第一个节点之前，请向用户展示计划。"))
		return nil
	})
	return answer, err
}

// knowsRules refuses a caller who plans without having read the rules.
func (c *call) knowsRules(s *workspace.Store) error {
	if have, want := c.text("rulesHash"), workspace.RulesHash(s.Page().Rules()); want != "" && have != want {
		return refusal("RULES_HASH_MISMATCH", c.sayf("rulesHash is %q, and does not match the rules", "rulesHash 为 %q，与当前规则不符", have), c.say("read the rules by workspace_get or context_get, and pass their rulesHash", "先用 workspace_get 或 context_get 阅读规则，再传入返回的 rulesHash"))
	}
	return nil
}

// plant makes the nodes of a plan below a node; if the plan is not valid, it makes
// none.
func (c *call) plant(s *workspace.Store, parent *workspace.Node, p *plan.Plan) (map[*plan.Item]planted, error) {
	all := p.All()
	for _, i := range all {
		i.Title = text.Clip(text.OneLine(i.Title), 200)
		i.Requirement = harmlessHeads(i.Requirement)
		i.Conclusion = harmlessHeads(i.Conclusion)
	}
	if parent.Status() == workspace.Completed {
		if err := c.reopenFor(s, parent, all[0].Title); err != nil {
			return nil, err
		}
	}
	made := make(map[*plan.Item]planted, len(all))
	var add func(up *workspace.Node, items []*plan.Item) error
	add = func(up *workspace.Node, items []*plan.Item) error {
		for _, i := range items {
			kind := workspace.Execution
			if i.Planning || len(i.Children) > 0 {
				kind = workspace.Planning
			}
			in := workspace.Info{Title: i.Title, Requirement: i.Requirement}
			for _, a := range i.Acceptance {
				in.Acceptance = append(in.Acceptance, workspace.Criterion(a))
			}
			n, err := c.newNode(s, up, kind, in)
			if err != nil {
				return err
			}
			n.SetPriority(i.Priority)
			made[i] = planted{n, i.Title}
			if err := add(n, i.Children); err != nil {
				return err
			}
		}
		return nil
	}
	if err := add(parent, p.Items); err != nil {
		return nil, err
	}
	for _, i := range all {
		var after []string
		for _, w := range i.Waits {
			after = append(after, made[w].ID())
		}
		for _, name := range i.Outside {
			other, err := c.find(s, name)
			if err != nil {
				return nil, err
			}
			if slices.Contains(s.Graph.Chain(made[i].Node), other) {
				return nil, refusal("CIRCULAR_DEPENDENCY", c.sayf("%s: %q cannot wait for %q, which it is part of", "%s：%q 不能等待其上级 %q", i.Place, i.Title, name), c.say("take the dependency out", "请去掉该依赖"))
			}
			after = append(after, other.ID())
		}
		made[i].SetAfter(after)
	}
	for _, i := range slices.Backward(all) {
		if err := c.state(s, made[i].Node, i); err != nil {
			return nil, err
		}
	}
	if err := s.SaveGraph(); err != nil {
		return nil, err
	}
	return made, c.adopt(s, parent, p)
}

// planted is a node that was made of an item.
type planted struct {
	*workspace.Node
	title string
}

// adopt takes over what a plan says of the whole.
func (c *call) adopt(s *workspace.Store, parent *workspace.Node, p *plan.Plan) error {
	notes := harmlessHeads(p.Notes)
	err := s.SetInfo(parent, func(page *workspace.Page) {
		if notes != "" {
			page.AddNotes(notes)
		}
	})
	if err != nil || len(p.Rules) == 0 {
		return err
	}
	rules := s.Page().Rules()
	for _, r := range p.Rules {
		if r = text.OneLine(r); !slices.Contains(rules, r) {
			rules = append(rules, r)
		}
	}
	return s.SetPage(func(page *workspace.Page) error { page.SetRules(rules); return nil })
}

// state gives a node the state that its item had elsewhere: done, or dropped. A plan
// all of whose parts are done is, too. What was at work elsewhere is not at work here.
func (c *call) state(s *workspace.Store, n *workspace.Node, i *plan.Item) error {
	done := i.Status == plan.Done
	kids := s.Graph.Kids(n)
	open := slices.ContainsFunc(kids, func(k *workspace.Node) bool { return !workspace.Terminal(k.Status()) })
	switch {
	case i.Status == plan.Dropped && n.Type() == workspace.Planning && !open:
		return c.ended(s, n, workspace.Cancelled, c.say("dropped before the import", "导入前已放弃"))
	case i.Status == plan.Dropped && n.Type() == workspace.Execution:
		return c.ended(s, n, workspace.Failed, c.say("dropped before the import", "导入前已放弃"))
	case len(kids) > 0 && !open, done && len(kids) == 0:
		said := cmp.Or(i.Conclusion, c.say("done before the import", "导入前已完成"))
		return c.ended(s, n, workspace.Completed, said)
	}
	return nil
}

func (c *call) ended(s *workspace.Store, n *workspace.Node, status, said string) error {
	n.SetText("status", status)
	n.SetText("conclusion", said)
	return s.SetInfo(n, func(p *workspace.Page) { p.SetConclusion(said) })
}

// harmlessHeads demotes headings that would divide the page.
func harmlessHeads(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if strings.HasPrefix(line, "## ") || strings.HasPrefix(line, "##\t") || strings.TrimSpace(line) == "##" {
			line = "#" + line
		}
		b.WriteString(line)
	}
	return strings.TrimSpace(b.String())
}
