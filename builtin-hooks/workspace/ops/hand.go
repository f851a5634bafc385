package ops

import (
	"maps"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A node that is handed over is claimed by its worktree and not by a session: a
// subagent may have no session of its own. The claim is valid as long as there is
// activity in the worktree; whoever works there works for it.
const byWorktree = "worktree:"

// handed reports whether a node is with somebody who was told to do it.
func handed(n *workspace.Node) bool { return n.Sub("dispatch").Text("status") == "executing" }

// here is the node that the worktree is for in which somebody calls, "" elsewhere.
func (c *call) here() string {
	if c.at == nil {
		c.at = new(string)
		if c.Dir != "" {
			_, *c.at = c.Place.Handed(c.Dir)
		}
	}
	return *c.at
}

// ofHere is the node that a call is about if it names none: that of its worktree, nil
// elsewhere.
func (c *call) ofHere(s *workspace.Store) *workspace.Node {
	if c.here() == "" {
		return nil
	}
	return s.Graph.Node(c.here())
}

// held are the valid claims of a workspace. That of a worktree is valid longer while
// there is activity in it, but not after it is gone.
func (c *call) held(s *workspace.Store) map[string]workspace.Claim {
	held := c.Place.Claims(s.Entry.ID, c.now)
	return c.renewed(s, held)
}

func (c *call) renewed(s *workspace.Store, held map[string]workspace.Claim) map[string]workspace.Claim {
	how := dispatch(s)
	if !how.Bool("useGit") {
		return held
	}
	held = maps.Clone(held)
	for _, n := range s.Graph.Nodes() {
		claim, is := held[n.ID()]
		if !handed(n) {
			continue
		}
		if is {
			if strings.HasPrefix(claim.Session, byWorktree) && c.repo(s).gone(n) {
				delete(held, n.ID())
			}
			continue
		}
		if last := c.repo(s).sign(n); c.now.Before(last.Add(c.lease())) {
			if held == nil {
				held = map[string]workspace.Claim{}
			}
			held[n.ID()] = workspace.Claim{Session: byWorktree + workspace.ShortID(n.ID()), At: last, Until: last.Add(c.lease()), Lease: c.lease()}
		}
	}
	return held
}

// lost are the nodes that were handed over and show no activity any more.
func (c *call) lost(s *workspace.Store, held map[string]workspace.Claim) (list []*workspace.Node) {
	for _, n := range s.Graph.Nodes() {
		if _, is := held[n.ID()]; !is && handed(n) && dispatch(s) != nil {
			list = append(list, n)
		}
	}
	return list
}

// workDir is where a node that is handed over is worked on.
func (c *call) workDir(s *workspace.Store, n *workspace.Node, how protocol.Object) string {
	if !how.Bool("useGit") {
		return s.Entry.ProjectRoot
	}
	r := c.repo(s)
	dir := r.worktree(n)
	if below, err := r.git(r.root, "rev-parse", "--show-prefix"); err == nil {
		dir = filepath.Join(dir, filepath.FromSlash(below))
	}
	return dir
}

func nodeDispatch(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	how, err := c.enabled(s)
	if err != nil {
		return nil, err
	}
	release, err := c.gitHeld(s)
	if err != nil {
		return nil, err
	}
	defer release()
	marker, again := stamp(c.now), false
	err = c.change(func(s *workspace.Store) error {
		var n *workspace.Node
		if c.text("nodeId") != "" {
			if n, err = c.node(s, "nodeId"); err != nil {
				return err
			}
			if n.Type() != workspace.Execution {
				return c.refuse("INVALID_NODE_TYPE", "node %q is not an execution node", "节点 %q 不是执行节点", n.ID())
			}
		}
		if n, err = c.takenOver(s, n); err != nil {
			return err
		}
		c.args.SetText("nodeId", n.ID())
		if again = handed(n); again {
			_, err := s.Log(n, c.operator(), c.say("handed over again: whoever had it showed no activity", "重新派发：原执行者已无动静"))
			return err
		}
		if how.Bool("useGit") {
			if marker, err = c.repo(s).git(s.Entry.ProjectRoot, "rev-parse", "--verify", "refs/heads/"+how.Text("processBranch")); err != nil {
				return err
			}
		}
		action := start
		if n.Status() == workspace.Failed {
			action = retry
		}
		one, focus := *c, s.Graph.Focus()
		one.args = object("sessionId", byWorktree+workspace.ShortID(n.ID()))
		one.apart = how.Bool("useGit")
		m, err := one.moved(s, n, action, "")
		if err == nil {
			if one.apart { // whoever hands it over goes on with something else
				s.Graph.SetFocus(focus)
			}
			n.Set("dispatch", object("startMarker", marker, "status", "executing", "at", stamp(c.now)).Raw())
			err = m.write()
		}
		if err != nil {
			_ = c.release(s, n.ID())
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if s, err = c.open(); err != nil {
		return nil, err
	}
	n, err := c.node(s, "nodeId")
	if err != nil {
		return nil, err
	}
	if how.Bool("useGit") {
		r := c.repo(s)
		if err := r.tree(r.worktree(n), r.branch(n), r.process); err != nil {
			return nil, err // it is handed over all the same, and can be again
		}
	}
	return object("success", true, "startMarker", n.Sub("dispatch").Text("startMarker"), "actionRequired", object("type", "dispatch_task",
		"message", c.say("Hand the prompt to a subagent that works in workDir; when it is done, node_dispatch_complete, unless it called node_done itself.", "将 prompt 交给在 workDir 中工作的子代理；完成后调用 node_dispatch_complete（若它已自行调用 node_done 则不必）。"),
		"data", object("nodeId", n.ID(), "title", s.Title(n), "workDir", c.workDir(s, n, how), "prompt", c.task(s, n, how, again)))), nil
}

// takenOver claims a node for the worktree that it will have, or what comes next if n
// is nil.
func (c *call) takenOver(s *workspace.Store, n *workspace.Node) (*workspace.Node, error) {
	if n == nil {
		lost := c.lost(s, c.held(s))
		if step := c.firstTask(s); step != nil && len(lost) == 0 {
			n = step
		} else if len(lost) > 0 {
			n = lost[0]
		} else {
			return nil, refusal("NOTHING_READY", c.stuck(s, c.course(s, c.held(s))), c.say("node_ready shows what waits for what", "node_ready 显示等待关系"))
		}
	}
	one := *c
	one.args = object("workspaceId", s.Entry.ID, "sessionId", byWorktree+workspace.ShortID(n.ID()))
	if held := c.held(s); handed(n) && held[n.ID()].Session != "" {
		return nil, refusal("NODE_CLAIMED", c.sayf("node %q was handed over, and is worked on: until %s at least", "节点 %q 已派发且有动静：至少到 %s", s.Title(n), held[n.ID()].Until.In(s.Place.Zone).Format(time.TimeOnly)),
			c.say("node_dispatch without nodeId takes another one; if it is known to be dead: node_dispatch_complete with success false keeps what it did", "省略 nodeId 可派发其他节点；若确认已中断：node_dispatch_complete（success=false）会保留其成果"))
	}
	if atWork(n) && !handed(n) {
		return nil, refusal("INVALID_TRANSITION", c.sayf("node %q is %s", "节点 %q 处于 %s", s.Title(n), n.Status()), c.say("node_done finishes it; what was not begun can be handed over", "node_done 可结束它；未开始的节点才能派发"))
	}
	return one.claimed(s, n)
}

// firstTask is the first execution node that could be handed over, nil if there is
// none.
func (c *call) firstTask(s *workspace.Store) *workspace.Node {
	for _, step := range c.course(s, c.held(s)).Ready {
		if step.Do == workspace.Begin && step.Node.Type() == workspace.Execution {
			return step.Node
		}
	}
	return nil
}

// task is what a subagent is told.
func (c *call) task(s *workspace.Store, n *workspace.Node, how protocol.Object, again bool) string {
	in := s.Info(n)
	var b strings.Builder
	part := func(head, text string) {
		if text != "" {
			b.WriteString("### " + head + "\n\n" + text + "\n\n")
		}
	}
	list := func(items []string) string {
		if items == nil {
			return ""
		}
		return "- " + strings.Join(items, "\n- ")
	}
	part(c.say("Task", "任务"), in.Title+"\n\n"+in.Requirement)
	var cases []string
	for _, a := range in.Acceptance {
		cases = append(cases, "WHEN "+a.When+" THEN "+a.Then)
	}
	part(c.say("It is right if", "验收标准"), list(cases))
	part(c.say("Rules", "规则"), list(s.Page().Rules()))
	part(c.say("Goal of the whole", "总目标"), s.Goal())
	var docs []string
	for _, d := range in.Docs {
		if !d.Expired {
			docs = append(docs, d.Path+": "+d.Description)
		}
	}
	part(c.say("Documents", "文档"), list(docs))
	where := c.workDir(s, n, how)
	if how.Bool("useGit") {
		where += "\n\n" + c.say("Work in this folder alone; it is a git worktree of this task's own.", "只在此目录中工作：它是该任务独有的 git worktree。")
		if again {
			where += " " + c.say("Somebody began it and did not finish: look at git status and git log first, and go on from there.", "此前有人开始但未完成：请先查看 git status 与 git log，并在其基础上继续。")
		}
	}
	part(c.say("Where", "工作目录"), where)
	end := c.say("Say what was done, what was checked and what is open. Do not change the state of nodes yourself.", "说明做了什么、验证了什么、还剩什么。不要自行改变节点状态。")
	if how.Bool("useGit") {
		end = c.sayf("Say what was done, what was checked and what is open. If you can run commands there: %s workspace done -m \"what came of it\" (--failed if it did not work) commits it and finishes this task; change no other node.",
			"说明做了什么、验证了什么、还剩什么。若能在该目录执行命令：%s workspace done -m \"结论\"（失败加 --failed）会提交并结束此任务；不要改动其他节点。", c.Program)
	}
	part(c.say("At the end", "完成时"), end)
	return strings.TrimSpace(b.String())
}
