package ops

import (
	"cmp"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func recordTools() []operation {
	place := optional(argNode(), "id of the node; left out: the workspace itself", "节点 ID，省略则为工作区本身")
	own := argSession(false) // whose focused node is meant, where none is named
	return []operation{
		{op.Op{Name: "log_append", Command: "log append", People: op.Text{English: "note what was done", Chinese: "记录做了什么"}, Core: true, Words: []string{"event"},
			Model: op.Text{English: "Notes what was done, in the log of a node; without nodeId, of the session's, else of the workspace.", Chinese: "向节点的日志追加一条记录；省略 nodeId 时为会话的焦点节点，否则为工作区。"},
			Args: []op.Arg{argHere(), place, own,
				{Name: "operator", Words: []string{workspace.AI, workspace.Human}, Plain: true, Model: op.Text{English: "who did it", Chinese: "操作者"}},
				{Name: "event", Required: true, Plain: true, Model: op.Text{English: "what was done", Chinese: "事件内容"}}}}, logAppend},
		{op.Op{Name: "problem_update", Command: "problem update", People: op.Text{English: "note a problem and the next step", Chinese: "记录问题与下一步"}, Core: true, Idempotent: true, Words: []string{"problem"},
			Model: op.Text{English: "Notes what holds a node up, and what is to be done next.", Chinese: "记录当前问题与下一步计划。"},
			Args: []op.Arg{argHere(), place, own,
				{Name: "problem", Plain: true, Model: op.Text{English: "what holds it up", Chinese: "当前问题"}},
				{Name: "nextStep", Plain: true, Model: op.Text{English: "what is to be done next", Chinese: "下一步"}},
				{Name: "none", Kind: op.Bool, Model: op.Text{English: "nothing is in the way", Chinese: "没有障碍"}}}}, problemUpdate},
		{op.Op{Name: "problem_clear", Command: "problem clear", People: op.Text{English: "note that it is solved", Chinese: "标记问题已解决"}, Idempotent: true,
			Model: op.Text{English: "Notes that the problem is solved.", Chinese: "清除已解决的问题。"},
			Args:  []op.Arg{argHere(), place, own}}, problemClear},
	}
}

// spot is the node of a call: the one that it names, or that its session works on;
// nil for the workspace itself.
func (c *call) spot(s *workspace.Store) (*workspace.Node, error) {
	if c.text("nodeId") != "" {
		return c.node(s, "nodeId")
	}
	if c.text("sessionId") == "" {
		return nil, nil
	}
	b, _ := c.Place.Binding(c.text("sessionId"), c.now)
	return s.Graph.Node(cmp.Or(b.Node, s.Graph.Focus())), nil
}

func logAppend(c *call) (protocol.Object, error) {
	var answer protocol.Object
	err := c.change(func(s *workspace.Store) error {
		n, err := c.spot(s)
		if err != nil {
			return err
		}
		row, err := s.Log(n, cmp.Or(c.text("operator"), c.operator()), workspace.Unseen(strings.TrimSpace(c.text("event"))))
		answer = object("success", true, "timestamp", row.Stamp)
		if n != nil && n.Status() == workspace.Pending {
			answer.SetText("hint", c.say("This node is not started: node_transition with start.", "该节点尚未开始：请用 node_transition start。"))
		}
		return err
	})
	return answer, err
}

func problemUpdate(c *call) (protocol.Object, error) {
	problem, nextStep := strings.TrimSpace(c.text("problem")), strings.TrimSpace(c.text("nextStep"))
	for _, f := range [][2]string{{"problem", problem}, {"nextStep", nextStep}} {
		if err := c.lines(f[0], f[1]); err != nil {
			return nil, err
		}
	}
	switch {
	case c.flag("none") && problem != "":
		return nil, c.invalid("none says that nothing is in the way, and problem what is: want one of them", "none 表示没有障碍，problem 说明障碍：只能选一个")
	case !c.flag("none") && problem == "":
		return nil, c.invalid("missing: problem, or none where nothing is in the way", "缺少参数：problem；没有障碍请用 none")
	}
	answer := object("success", true)
	if nextStep == "" && problem != "" {
		answer.SetText("hint", c.say("Say in nextStep what you will try.", "建议在 nextStep 中写明下一步计划。"))
	}
	return answer, c.change(func(s *workspace.Store) error {
		n, err := c.spot(s)
		if err != nil {
			return err
		}
		if n != nil && problem == "" {
			n.NoProblem(stamp(c.now))
			if err := s.SaveGraph(); err != nil {
				return err
			}
		}
		return s.SetProblem(n, problem, nextStep)
	})
}

func problemClear(c *call) (protocol.Object, error) {
	return object("success", true), c.change(func(s *workspace.Store) error {
		n, err := c.spot(s)
		if err != nil {
			return err
		}
		return s.SetProblem(n, "", "")
	})
}
