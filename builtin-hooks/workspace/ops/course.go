package ops

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func courseTools() []operation {
	return []operation{
		{op.Op{Name: "node_next", Command: "next", People: op.Text{English: "what comes next, and why", Chinese: "下一步做什么、为什么"}, Core: true, ReadOnly: true, Idempotent: true,
			Model: op.Text{English: "The node that comes next and why; what waits, and for what; what others have.", Chinese: "下一个节点及原因；哪些在等待什么；哪些由其他会话负责。"},
			Args:  []op.Arg{argHere(), argSession(false)}}, nodeNext},
		{op.Op{Name: "node_ready", Command: "ready", People: op.Text{English: "all that could be begun now", Chinese: "现在可以开始的全部节点"}, ReadOnly: true, Idempotent: true,
			Model: op.Text{English: "All nodes that could be begun now, in the order in which they are best done, and those that wait.", Chinese: "现在可以开始的全部节点（按推荐顺序），以及正在等待的节点。"},
			Args:  []op.Arg{argHere(), argSession(false), argPage()}}, nodeReady},
		{op.Op{Name: "node_claim", Command: "claim", People: op.Text{English: "take a node, so that no other session gets it", Chinese: "领取节点，其他会话不再获得它"}, Words: []string{"nodeId"},
			Model: op.Text{English: "Takes a node for a session without starting it: no other session gets it, until the lease is over or the session ends. Without nodeId the one that comes next. node_begin claims and starts in one.", Chinese: "为会话领取节点但不启动：在租约到期或会话结束前，其他会话不会得到它。省略 nodeId 则领取下一个。node_begin 同时领取并启动。"},
			Args: []op.Arg{argHere(), optional(argNode(), "id or title of the node; default: what comes next", "节点 ID 或标题；默认为下一个"), argSession(true), argLease(),
				{Name: "release", Kind: op.Bool, Model: op.Text{English: "give it back", Chinese: "归还"}}}}, nodeClaim},
	}
}

func argPage() op.Arg {
	return op.Arg{Name: "page", Kind: op.Count, Plain: true, Model: op.Text{English: "of a long list; default 1", Chinese: "长列表的页码，默认 1"}}
}

func argLease() op.Arg {
	return op.Arg{Name: "leaseMinutes", Flags: []string{"lease", "lease-minutes", "leaseMinutes"}, Kind: op.Count, NoTool: true, Model: op.Text{English: "how long it is kept for a session that is not seen any more", Chinese: "会话不再活动后保留的分钟数"}}
}

// course is what there is to do for the session that calls. What was handed over in a
// worktree is done there, even if it shows no activity any more.
func (c *call) course(s *workspace.Store, held map[string]workspace.Claim) workspace.Course {
	apart := dispatch(s).Bool("useGit")
	return s.Graph.Course(func(id string) bool {
		return c.others(held, id) || apart && id != c.here() && handed(s.Graph.Node(id))
	})
}

// others reports whether a node is another session's.
func (c *call) others(held map[string]workspace.Claim, id string) bool {
	claim, is := held[id]
	return is && claim.Session != c.who() && id != c.here()
}

// ahead is how far the workspace is and what comes next, as members of an answer.
func (c *call) ahead(s *workspace.Store) (o protocol.Object) {
	done, all := s.Graph.Progress()
	o.SetText("progress", fmt.Sprintf("%d/%d", done, all))
	course := c.course(s, c.held(s))
	switch step := course.Next(); {
	case all > 0 && done == all:
		o.Set("allDone", protocol.Raw("true"))
		o.SetText("hint", c.say("Every node is done. Tell the user; then archive the workspace (workspace_archive), or unbind the session (session_unbind).",
			"所有节点均已结束。告诉用户；然后归档工作区（workspace_archive）或解除绑定（session_unbind）。"))
	case step != nil:
		o.Set("next", c.step(s, *step).Raw())
	case all > 0:
		o.SetText("hint", c.stuck(s, course))
	default:
		o.SetText("hint", c.say("There is no node yet: ", "还没有节点：")+c.unplanned())
	}
	return o
}

// unplanned says how a workspace gets nodes.
func (c *call) unplanned() string {
	return c.say("plan_create makes all nodes of a plan at once", "用 plan_create 一次建立计划的全部节点")
}

// step is what comes next: what, why, and by which tool.
func (c *call) step(s *workspace.Store, step workspace.Step) protocol.Object {
	tool := "node_begin"
	if step.Do == workspace.SumUp {
		tool = "node_done"
	}
	return object("nodeId", s.Graph.Short(step.Node), "title", s.Title(step.Node), "why", s.Graph.Why(step, c.say, s.Title), "with", tool)
}

// stuck says why nothing can be begun.
func (c *call) stuck(s *workspace.Store, course workspace.Course) string {
	var said []string
	for _, n := range course.Failed[:min(2, len(course.Failed))] {
		said = append(said, c.sayf("“%s” failed: retry it (node_begin), or plan differently", "“%s” 已失败：重试（node_begin）或重新规划", s.Title(n)))
	}
	for _, w := range course.Waiting[:min(2, len(course.Waiting))] {
		said = append(said, w.WaitsFor(c.say, s.Title))
	}
	lost := c.lost(s, c.held(s))
	for _, n := range lost[:min(2, len(lost))] {
		said = append(said, c.gone(s, n))
	}
	if others := len(course.Held) - len(lost); others > 0 {
		said = append(said, c.sayf("other sessions have %d", "其他会话负责 %d 个", others))
	}
	return c.say("Nothing can be begun now: ", "目前没有可开始的节点：") + strings.Join(said, "; ")
}

func nodeNext(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	held := c.held(s)
	course := c.course(s, held)
	answer := c.ahead(s)
	if len(course.Ready) > 1 {
		answer.Set("ready", value(len(course.Ready)))
	}
	const most = 3
	var waits, theirs, gone []string
	lost := c.lost(s, held)
	for _, n := range lost[:min(most, len(lost))] {
		gone = append(gone, c.gone(s, n))
	}
	for _, w := range course.Waiting[:min(most, len(course.Waiting))] {
		waits = append(waits, w.WaitsFor(c.say, s.Title))
	}
	course.Held = slices.DeleteFunc(course.Held, func(n *workspace.Node) bool { return slices.Contains(lost, n) })
	for _, n := range course.Held[:min(most, len(course.Held))] {
		theirs = append(theirs, "“"+s.Title(n)+"” "+owner(held, n))
	}
	for _, l := range []struct {
		name string
		list []string
		all  int
	}{{"waiting", waits, len(course.Waiting)}, {"others", theirs, len(course.Held)}, {"lost", gone, len(lost)}} {
		if more := l.all - len(l.list); more > 0 {
			l.list = append(l.list, fmt.Sprintf("+%d", more))
		}
		if l.list != nil {
			answer.Set(l.name, value(l.list))
		}
	}
	return answer, nil
}

// gone says of a node that was handed over that nobody seems to be working on it any
// more.
func (c *call) gone(s *workspace.Store, n *workspace.Node) string {
	return c.sayf("“%s” was handed over, and shows no activity: node_dispatch hands it over again, with what was done", "“%s” 已派发但没有动静：node_dispatch 可连同已有成果重新派发", s.Title(n))
}

// owner names whose a node is: "@" and the beginning of the session's id, "" if it
// is nobody's.
func owner(held map[string]workspace.Claim, n *workspace.Node) string {
	if c, is := held[n.ID()]; is {
		return "@" + text.Clip(protocol.Plain(c.Session), 12)
	}
	return ""
}

// pageSize is how many rows of a list are told at once.
const pageSize = 25

// page is the part of a list that is asked for, and what is left behind it.
func page[T any](c *call, list []T) (part []T, left int) {
	from := (max(1, c.number("page", 1)) - 1) * pageSize
	if from >= len(list) {
		return nil, 0
	}
	to := min(len(list), from+pageSize)
	return list[from:to], len(list) - to
}

func nodeReady(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	course := c.course(s, c.held(s))
	part, left := page(c, course.Ready)
	ready, waiting := []protocol.Object{}, []string{}
	for _, step := range part {
		ready = append(ready, object("nodeId", s.Graph.Short(step.Node), "title", s.Title(step.Node), "do", step.Do))
	}
	for _, w := range course.Waiting[:min(10, len(course.Waiting))] {
		waiting = append(waiting, w.WaitsFor(c.say, s.Title))
	}
	answer := object("ready", ready, "waiting", waiting, "waitingInAll", len(course.Waiting))
	if left > 0 {
		answer.Set("more", value(left))
	}
	return answer, nil
}

// claimed takes a node for the session that calls, or what comes next if n is nil.
// Without a session nothing is noted, and what others have stays theirs.
func (c *call) claimed(s *workspace.Store, n *workspace.Node) (*workspace.Node, error) {
	choose := func(held map[string]workspace.Claim) (string, error) {
		if n == nil || c.stands(s, n) {
			course := c.course(s, held)
			if n != nil { // a plan with open parts: the next of them is meant
				course.Ready = slices.DeleteFunc(course.Ready, func(r workspace.Step) bool { return r.Node == n || !slices.Contains(s.Graph.Below(n), r.Node) })
			}
			step := course.Next()
			for i, r := range course.Ready { // what it has already comes first
				if claim, is := held[r.Node.ID()]; is && claim.Session == c.who() {
					step = &course.Ready[i]
					break
				}
			}
			if step == nil {
				switch done, all := s.Graph.Progress(); {
				case all == 0:
					return "", refusal("NO_NODES", c.say("there is no node yet", "还没有节点"), c.unplanned())
				case done == all:
					return "", refusal("ALL_DONE", c.sayf("every node is done (%d)", "所有节点均已结束（%d）", all), c.say("workspace_archive puts it away, session_unbind ends it for the session", "workspace_archive 归档，session_unbind 解除绑定"))
				}
				return "", refusal("NOTHING_READY", c.stuck(s, course), c.say("node_ready shows what waits for what", "node_ready 显示等待关系"))
			}
			n = step.Node
			return n.ID(), nil
		}
		if c.others(held, n.ID()) {
			return "", refusal("NODE_CLAIMED", c.sayf("node %q belongs to session %s, until %s", "节点 %q 属于会话 %s，直到 %s", s.Title(n), protocol.Plain(held[n.ID()].Session), held[n.ID()].Until.In(s.Place.Zone).Format(time.TimeOnly)),
				c.say("node_begin without nodeId takes another one", "省略 nodeId 调用 node_begin 可领取其他节点"))
		}
		if workspace.Terminal(n.Status()) && n.Status() != workspace.Failed {
			return "", refusal("INVALID_TRANSITION", c.sayf("node %q is %s", "节点 %q 处于 %s", s.Title(n), n.Status()), c.allowed(n))
		}
		return n.ID(), c.unblocked(s, n)
	}
	if c.who() == "" {
		_, err := choose(c.held(s))
		return n, err
	}
	if n != nil && n.ID() == c.here() { // who works in its worktree works for it
		if err := c.release(s, n.ID()); err != nil {
			return nil, err
		}
	}
	err := c.Place.Claim(s.Entry.ID, c.who(), c.lease(), c.now, func(held map[string]workspace.Claim) (string, error) { return choose(c.renewed(s, held)) })
	return n, err
}

// lease is how long a claim holds.
func (c *call) lease() time.Duration {
	return min(cmp.Or(time.Duration(c.number("leaseMinutes", 0))*time.Minute, c.Lease, 30*time.Minute), 24*time.Hour)
}

// stands reports whether a node is a plan that was divided and has open parts.
func (c *call) stands(s *workspace.Store, n *workspace.Node) bool {
	return n.Type() == workspace.Planning && slices.ContainsFunc(s.Graph.Kids(n), func(k *workspace.Node) bool { return !workspace.Terminal(k.Status()) })
}

// unblocked refuses a node that waits for others.
func (c *call) unblocked(s *workspace.Store, n *workspace.Node) error {
	if by := s.Graph.Blockers(n); by != nil {
		w := workspace.Wait{Node: n, For: by}
		return refusal("NODE_BLOCKED", w.WaitsFor(c.say, s.Title), c.sayf("finish %s first, or take the dependency out with node_update (after)", "请先完成 %s，或用 node_update（after）去掉依赖", s.Graph.Short(by[0])))
	}
	return nil
}

// release gives nodes of a workspace back.
func (c *call) release(s *workspace.Store, ids ...string) error {
	return c.Place.Release(c.now, func(space, node string, _ workspace.Claim) bool {
		return space == s.Entry.ID && slices.Contains(ids, node)
	})
}

func nodeClaim(c *call) (protocol.Object, error) {
	var answer protocol.Object
	err := c.change(func(s *workspace.Store) (err error) {
		var n *workspace.Node
		if c.text("nodeId") != "" {
			if n, err = c.node(s, "nodeId"); err != nil {
				return err
			}
		}
		if c.flag("release") {
			return c.giveBack(s, n, &answer)
		}
		if n, err = c.claimed(s, n); err != nil {
			return err
		}
		claim := c.held(s)[n.ID()]
		answer = object("success", true, "nodeId", s.Graph.Short(n), "title", s.Title(n), "until", stamp(claim.Until))
		return nil
	})
	return answer, err
}

// giveBack releases a node, or all of the session; not what others have, unless a
// person says so.
func (c *call) giveBack(s *workspace.Store, n *workspace.Node, answer *protocol.Object) error {
	var ids []string
	for id, claim := range c.held(s) {
		switch {
		case n != nil && id == n.ID() && claim.Session != c.who() && !c.Person:
			return refusal("NODE_CLAIMED", c.sayf("node %q belongs to session %s", "节点 %q 属于会话 %s", s.Title(n), protocol.Plain(claim.Session)), c.say("a person can give it back in a terminal", "用户可在终端归还"))
		case n == nil && claim.Session == c.who(), n != nil && id == n.ID():
			ids = append(ids, id)
		}
	}
	*answer = object("success", true, "released", len(ids))
	return c.release(s, ids...)
}
