package desk

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func recordTools() []operation {
	place := optional(argNode(), "id of the node; left out: the workspace itself", "节点 ID，省略则为工作区本身")
	return []operation{
		{op.Op{Name: "log_append", Command: "log append", People: op.Text{English: "note what was done", Chinese: "记录做了什么"}, Core: true, Words: []string{"event"},
			Model: op.Text{English: "Notes what was done, in the log of a node or of the workspace.", Chinese: "向节点或工作区的日志追加一条记录。"},
			Args: []op.Arg{argWorkspace(), place,
				{Name: "operator", Required: true, Words: []string{workspace.AI, workspace.Human}, Model: op.Text{English: "who did it", Chinese: "操作者"}},
				{Name: "event", Required: true, Model: op.Text{English: "what was done", Chinese: "事件内容"}}}}, logAppend},
		{op.Op{Name: "problem_update", Command: "problem update", People: op.Text{English: "note a problem and the next step", Chinese: "记录问题与下一步"}, Core: true, Idempotent: true, Words: []string{"problem"},
			Model: op.Text{English: "Notes what holds a node up, and what is to be done next.", Chinese: "记录当前问题与下一步计划。"},
			Args: []op.Arg{argWorkspace(), place,
				{Name: "problem", Required: true, Model: op.Text{English: "what holds it up", Chinese: "当前问题"}},
				{Name: "nextStep", Model: op.Text{English: "what is to be done next", Chinese: "下一步"}}}}, problemUpdate},
		{op.Op{Name: "problem_clear", Command: "problem clear", People: op.Text{English: "note that it is solved", Chinese: "标记问题已解决"}, Core: true, Idempotent: true,
			Model: op.Text{English: "Notes that the problem is solved.", Chinese: "清除已解决的问题。"},
			Args:  []op.Arg{argWorkspace(), place}}, problemClear},
	}
}

// spot is the node of a call, nil for the workspace itself.
func (c *call) spot(s *workspace.Store) (*workspace.Node, error) {
	if c.text("nodeId") == "" {
		return nil, nil
	}
	return c.node(s, "nodeId")
}

func logAppend(c *call) (protocol.Object, error) {
	var answer protocol.Object
	err := c.change(func(s *workspace.Store) error {
		n, err := c.spot(s)
		if err != nil {
			return err
		}
		row, err := s.Log(n, c.text("operator"), strings.TrimSpace(c.text("event")))
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
	answer := object("success", true)
	if nextStep == "" {
		answer.SetText("hint", c.say("Say in nextStep what you will try.", "建议在 nextStep 中写明下一步计划。"))
	}
	return answer, c.change(func(s *workspace.Store) error {
		n, err := c.spot(s)
		if err != nil {
			return err
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
