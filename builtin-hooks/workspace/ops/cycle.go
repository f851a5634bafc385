package ops

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func cycleTools() []operation {
	return []operation{
		{op.Op{Name: "node_begin", Command: "begin", People: op.Text{English: "take a node and start it: claim, start, context", Chinese: "领取并启动节点：领取、启动、上下文"}, Core: true, Words: []string{"nodeId"},
			Model: op.Text{English: "Takes a node, starts it and tells what it needs. Default: the one that comes next.", Chinese: "领取并启动节点，返回所需上下文。默认为下一个。"},
			Args:  []op.Arg{argHere(), optional(argNode(), "id or title", "ID 或标题"), argSession(false), argLease()}}, nodeBegin},
		{op.Op{Name: "node_done", Command: "done", People: op.Text{English: "finish a node: log, evidence, complete, what comes next", Chinese: "完成节点：日志、证据、结论、下一个"}, Core: true, Words: []string{"nodeId"},
			Model: op.Text{English: "Completes a node, default the one at work, and tells what comes next. failed: it did not work. begin: begins the next one at once.", Chinese: "完成节点（默认为进行中的），并返回下一个。failed：失败；begin：立即开始下一个。"},
			Args: []op.Arg{argHere(), optional(argNode(), "id or title", "ID 或标题"), argSession(false),
				{Name: "conclusion", Flags: []string{"conclusion", "message", "m"}, Required: true, Plain: true, Model: op.Text{English: "what came of it", Chinese: "结论"}},
				{Name: "log", Plain: true, Model: op.Text{English: "a row for the log", Chinese: "日志"}},
				{Name: "evidence", Kind: op.Texts, Model: op.Text{English: "what shows it: a test, a commit", Chinese: "证据：测试、提交"}},
				{Name: "failed", Kind: op.Bool, Plain: true, Model: op.Text{English: "it failed", Chinese: "失败"}},
				{Name: "begin", Kind: op.Bool, Plain: true, Model: op.Text{English: "begin the next", Chinese: "开始下一个"}}}}, nodeDone},
	}
}

// card is a node as whoever works on it needs it: what is empty is left out.
func (c *call) card(s *workspace.Store, n *workspace.Node) protocol.Object {
	in := s.Info(n)
	o := object("nodeId", s.Graph.Short(n), "title", cmp.Or(in.Title, n.ID()), "status", n.Status())
	if held := owner(c.held(s), n); held != "" && !strings.HasPrefix("@"+c.who(), strings.TrimSuffix(held, "…")) {
		o.SetText("owner", held)
	}
	if chain := s.Graph.Chain(n); len(chain) > 2 {
		var path []string
		for _, up := range chain[1 : len(chain)-1] {
			path = append(path, text.Clip(s.Title(up), 60))
		}
		o.SetText("path", strings.Join(path, " › "))
	}
	if need := strings.TrimSpace(in.Requirement); need != "" && need != in.Title {
		o.SetText("requirement", text.Clip(need, 1200))
	}
	var cases []string
	for _, a := range in.Acceptance {
		cases = append(cases, text.Clip(a.String(), 200))
	}
	if cases != nil {
		o.Set("rightIf", value(cases))
	}
	if problem, next := s.Problem(n); problem != "" {
		o.SetText("problem", text.Clip(strings.TrimSpace(problem+" / "+next), 300))
	}
	if how := dispatch(s); handed(n) && how.Bool("useGit") {
		o.SetText("workDir", c.workDir(s, n, how))
	}
	var before []string
	for _, id := range n.After() {
		if other := s.Graph.Node(id); other != nil && other.Conclusion() != "" {
			before = append(before, text.Clip(s.Title(other)+": "+text.FirstLine(other.Conclusion()), 160))
		}
	}
	if before != nil {
		o.Set("before", value(before[:min(3, len(before))]))
	}
	return o
}

func nodeBegin(c *call) (answer protocol.Object, err error) {
	focused := ""
	err = c.change(func(s *workspace.Store) error {
		var n *workspace.Node
		if c.text("nodeId") != "" {
			if n, err = c.node(s, "nodeId"); err != nil {
				return err
			}
		} else {
			n = c.ofHere(s)
		}
		answer, err = c.begin(s, n)
		if id := answer.Text("nodeId"); err == nil {
			n, err = c.find(s, id)
			focused = n.ID()
		}
		return err
	})
	if err == nil {
		err = c.Place.Focus(c.who(), c.text("workspaceId"), focused, c.now)
	}
	return answer, err
}

// begin takes a node, or what comes next if n is nil, and starts it. One that is in
// progress already is shown again.
func (c *call) begin(s *workspace.Store, n *workspace.Node) (protocol.Object, error) {
	had := n != nil && !c.others(c.held(s), n.ID()) && c.held(s)[n.ID()].Session != ""
	n, err := c.claimed(s, n)
	if err != nil {
		return nil, err
	}
	action := start
	if n.Status() == workspace.Failed {
		action = retry
	}
	if next(n.Type(), n.Status(), action) != "" {
		m, err := c.moved(s, n, action, "")
		if err == nil {
			err = m.write()
		}
		if err != nil {
			if !had {
				_ = c.release(s, n.ID())
			}
			return nil, err
		}
	} else if s.Graph.Focus() != n.ID() {
		s.Graph.SetFocus(n.ID())
		if err := s.SaveGraph(); err != nil {
			return nil, err
		}
	}
	answer := c.card(s, n)
	answer.Delete("status")
	done, all := s.Graph.Progress()
	answer.SetText("progress", itoa(done)+"/"+itoa(all))
	if n.Type() == workspace.Planning {
		if kids := s.Graph.Kids(n); len(kids) == 0 {
			answer.SetText("hint", c.say("Divide it: plan_create with parentId, all tasks at once. Show the plan to the user before the first one begins.", "请拆分：用 plan_create（parentId）一次创建全部任务，并在开始前向用户展示计划。"))
		} else if !slices.ContainsFunc(kids, func(k *workspace.Node) bool { return !workspace.Terminal(k.Status()) }) {
			answer.SetText("hint", c.say("Everything below it is done: sum it up with node_done.", "其下节点均已结束：用 node_done 汇总。"))
		}
	}
	return answer, nil
}

// moved is a move with an action and a conclusion of our own.
func (c *call) moved(s *workspace.Store, n *workspace.Node, action, conclusion string) (*move, error) {
	one := *c
	one.args = object("workspaceId", s.Entry.ID, "nodeId", n.ID(), "action", action, "conclusion", conclusion, "sessionId", c.who())
	return one.move(s, n)
}

func nodeDone(c *call) (answer protocol.Object, err error) {
	conclusion := strings.TrimSpace(c.text("conclusion"))
	focused := ""
	s, n, err := c.away()
	if err != nil {
		return nil, err
	}
	checked, err := c.checked()
	if err != nil {
		return nil, err
	}
	if n != nil {
		return c.doneAway(s, n, checked)
	}
	err = c.change(func(s *workspace.Store) error {
		n, err := c.atHand(s)
		if err != nil {
			return err
		}
		if held := c.held(s); c.others(held, n.ID()) && !c.Person {
			return refusal("NODE_CLAIMED", c.sayf("node %q belongs to session %s", "节点 %q 属于会话 %s", s.Title(n), protocol.Plain(held[n.ID()].Session)), c.say("finish your own; node_next says which", "请完成自己的节点；node_next 会说明"))
		}
		rows, err := c.came(s, n, checked)
		if err != nil {
			return err
		}
		if answer, err = c.finish(s, n, conclusion, rows); err != nil {
			return err
		}
		if !c.flag("begin") {
			return nil
		}
		begun, err := c.begin(s, nil)
		if _, refused := errors.AsType[*op.Error](err); refused {
			return nil // nothing to begin: the answer says why
		} else if err != nil {
			return err
		}
		answer.Delete("next")
		answer.Set("begun", begun.Raw())
		if n, err = c.find(s, begun.Text("nodeId")); err == nil {
			focused = n.ID()
		}
		return err
	})
	if err == nil && focused != "" {
		err = c.Place.Focus(c.who(), c.text("workspaceId"), focused, c.now)
	}
	return answer, err
}

// atHand is the node that a call is about: the one that it names; else the one in
// progress that its session has; else the one in focus; else the only one in progress.
func (c *call) atHand(s *workspace.Store) (*workspace.Node, error) {
	if c.text("nodeId") != "" {
		return c.node(s, "nodeId")
	}
	if n := c.ofHere(s); n != nil && !workspace.Terminal(n.Status()) {
		return n, nil
	}
	held := c.held(s)
	var mine, working []*workspace.Node
	for _, n := range s.Graph.Nodes() {
		if !atWork(n) {
			continue
		}
		if !c.others(held, n.ID()) {
			working = append(working, n)
		}
		if claim, is := held[n.ID()]; is && claim.Session == c.who() {
			mine = append(mine, n)
		}
	}
	b, _ := c.Place.Binding(c.who(), c.now)
	focus := s.Graph.Node(cmp.Or(b.Node, s.Graph.Focus()))
	switch {
	case len(mine) == 1:
		return mine[0], nil
	case focus != nil && (slices.Contains(working, focus) || focus.Type() == workspace.Planning && !workspace.Terminal(focus.Status())):
		return focus, nil
	case len(working) == 1:
		return working[0], nil
	}
	if len(working) == 0 {
		return nil, refusal("INVALID_PARAMS", c.say("no node is at work", "没有正在执行的节点"), c.say("node_begin begins one; nodeId names one that is done without", "node_begin 开始一个；nodeId 可指明未开始就完成的节点"))
	}
	return nil, refusal("INVALID_PARAMS", c.sayf("%d nodes are at work: which one is done?", "有 %d 个节点在执行：完成的是哪一个？", len(working)), c.say("name it with nodeId; node_next says what is at work", "请用 nodeId 指明；node_next 会说明"))
}

// finish completes a node, or lets it fail, with what is to be noted of it. One that
// was not started is started first.
func (c *call) finish(s *workspace.Store, n *workspace.Node, conclusion string, rows []string) (protocol.Object, error) {
	action := complete
	if c.flag("failed") {
		action = fail
	}
	if next(n.Type(), n.Status(), action) == "" && next(n.Type(), n.Status(), start) != "" {
		if err := c.unblocked(s, n); err != nil {
			return nil, err
		}
		if n.Type() == workspace.Planning { // whether it may end is known before it is begun
			if err := c.childrenDone(s, n); err != nil {
				return nil, err
			}
		}
		m, err := c.moved(s, n, start, "")
		if err == nil {
			err = m.write()
		}
		if err != nil {
			return nil, err
		}
	}
	m, err := c.moved(s, n, action, conclusion)
	if err != nil {
		return nil, err
	}
	rows = append(rows, workspace.Unseen(strings.TrimSpace(c.text("log"))))
	for _, e := range c.texts("evidence") {
		rows = append(rows, workspace.Evidence(e, c.Chinese))
	}
	for _, row := range rows {
		if row == "" {
			continue
		}
		if _, err := s.Log(n, c.operator(), row); err != nil {
			return nil, err
		}
	}
	if err := m.write(); err != nil {
		return nil, err
	}
	if err := c.release(s, n.ID()); err != nil {
		return nil, err
	}
	answer := object("nodeId", s.Graph.Short(n), "status", n.Status())
	if action == complete {
		c.tellUnproven(s, n, &answer)
	}
	return append(answer, c.ahead(s)...), nil
}
