package ops

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// How long a criterion's command may take, and how much of its output is told.
const (
	checkTime = 2 * time.Minute
	checkSaid = 600
)

// A check is a criterion's command that was run.
type check struct {
	node    string
	command string
	exit    int
	said    string
	err     error // it did not run, or not to its end
}

// checked runs the commands of the criteria of the node that node_done is about.
func (c *call) checked() (list []check, err error) {
	if c.flag("failed") {
		return nil, nil
	}
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	n, err := c.atHand(s)
	if err != nil || n.Type() != workspace.Execution || workspace.Terminal(n.Status()) {
		return nil, err
	}
	if held := c.held(s); c.others(held, n.ID()) && !strings.HasPrefix(held[n.ID()].Session, byWorktree) && !c.Person {
		return nil, nil // the operation says so
	}
	if next(n.Type(), n.Status(), complete) == "" && c.unblocked(s, n) != nil {
		return nil, nil // likewise
	}
	return c.check(s, n)
}

// check runs the commands of the criteria of a node that is about to be done, one after
// the other, and not under the lock of the workspace: others go on meanwhile.
//
// What is run was told to the agent: it is the person's own, or was let in by them.
// What nobody has looked at is not in the list (see [workspace.Store.Info]).
func (c *call) check(s *workspace.Store, n *workspace.Node) (list []check, err error) {
	if c.Shell == nil {
		return nil, nil
	}
	limit := c.CheckTime
	if limit <= 0 {
		limit = checkTime
	}
	ctx, cancel := context.WithTimeout(c.Context, limit)
	defer cancel()
	dir := c.workPlace(s, n)
	for _, a := range s.Info(n).Acceptance {
		command := a.Command()
		if command == "" || slices.ContainsFunc(list, func(k check) bool { return k.command == command }) {
			continue
		}
		k := check{node: n.ID(), command: command}
		k.exit, k.said, k.err = c.Shell(ctx, dir, c.Env, c.who(), command)
		list = append(list, k)
		if c.Err() != nil {
			return nil, c.Err()
		}
	}
	return list, nil
}

// came are the rows of the log that record what came of the checks. A node whose check
// failed is not done: then they are written at once. A check that could not be run is
// neither evidence nor a failure.
func (c *call) came(s *workspace.Store, n *workspace.Node, list []check) (rows []string, err error) {
	for _, k := range list {
		if k.node != n.ID() {
			return nil, refusal("NODE_CHANGED", c.say("another node is at work now", "正在执行的节点已改变"), c.say("name the node with nodeId", "请用 nodeId 指明"))
		}
		row, why := k.outcome(c)
		if rows = append(rows, row); why != "" && err == nil {
			err = refusal("CHECK_FAILED", c.sayf("cmd: %s: %s", "cmd: %s：%s", k.command, why)+tail(k.said),
				c.say("fix it and call node_done again; failed says that the node did not work", "修复后重新调用 node_done；做不成用 failed"))
		}
	}
	if err == nil {
		return rows, nil
	}
	for _, row := range rows {
		if _, lerr := s.Log(n, c.operator(), row); lerr != nil {
			return nil, lerr
		}
	}
	return nil, err
}

// outcome is the row of the log for a check and, if it failed, why.
func (k check) outcome(c *call) (row, why string) {
	seen := workspace.Seen{Kind: workspace.Broken, What: k.command}
	switch {
	case errors.Is(k.err, context.DeadlineExceeded):
		return seen.Event(c.Chinese), c.say("it did not finish in time (check_seconds)", "未在限定时间内结束（check_seconds）")
	case k.err != nil:
		return c.sayf("not checked: %s: %s", "未能检查：%s：%s", k.command, redact.Memory.Text(text.Clip(text.OneLine(k.err.Error()), 200))), ""
	case k.exit != 0:
		return seen.Event(c.Chinese), c.sayf("it exited with %d", "退出码 %d", k.exit)
	}
	seen.Kind = workspace.Passed
	return seen.Event(c.Chinese), ""
}

// tail is the end of what a check wrote, without what nobody should keep.
func tail(said string) string {
	said = strings.TrimSpace(redact.Memory.Text(strings.ToValidUTF8(said, "\uFFFD")))
	if runes := []rune(said); len(runes) > checkSaid {
		said = "…" + string(runes[len(runes)-checkSaid:])
	}
	if said == "" {
		return ""
	}
	return "\n" + said
}

// workPlace is where the work on a node is done: the worktree that it was handed over
// in; else that of the caller, where it is one of the same repository; else the project.
func (c *call) workPlace(s *workspace.Store, n *workspace.Node) string {
	if how := dispatch(s); how != nil && handed(n) {
		return c.workDir(s, n, how)
	}
	return workspace.InWorktree(s.Entry.ProjectRoot, c.Project)
}

// tellUnproven adds the criteria to an answer that there is no evidence for.
func (c *call) tellUnproven(s *workspace.Store, n *workspace.Node, answer *protocol.Object) {
	criteria := s.Info(n).Acceptance
	var list []string
	for _, place := range s.Proof(n).Lacks(criteria) {
		list = append(list, strconv.Itoa(place)+": "+text.Clip(criteria[place-1].String(), 120))
	}
	if list == nil {
		return
	}
	answer.Set("unproven", value(list))
	answer.SetText("toProve", c.say("no evidence for these; next time name it by number: evidence \"1: TestExpired\"", "以上标准没有证据；下次请按编号给出：evidence “1: TestExpired”"))
}
