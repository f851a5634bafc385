package desk

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A node that is handed over is claimed by its worktree, and not by a session: a
// subagent may have none of its own. The claim holds as long as something happens in
// the worktree; whoever works there works for it.
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

// held are the claims of a workspace that hold. That of a worktree holds longer while
// something happens there.
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
		if _, is := held[n.ID()]; is || !handed(n) {
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

// lost are the nodes that were handed over, and of which nothing is seen any more.
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
				return c.refuse("INVALID_NODE_TYPE", "node %q is no execution node", "节点 %q 不是执行节点", n.ID())
			}
		}
		if n, err = c.takenOver(s, n); err != nil {
			return err
		}
		c.args.SetText("nodeId", n.ID())
		if again = handed(n); again {
			_, err := s.Log(n, c.operator(), c.say("handed over again: nothing was seen of who had it", "重新派发：原执行者已无动静"))
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

func dispatchComplete(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	n, err := c.node(s, "nodeId")
	if err != nil {
		return nil, err
	}
	if _, err := c.enabled(s); err != nil {
		return nil, err
	}
	if !handed(n) {
		return nil, c.refuse("INVALID_TRANSITION", "node %q is not with a subagent", "节点 %q 没有在派发执行", n.ID())
	}
	var answer protocol.Object
	err = c.settled(s, n, c.flag("success"), func(s *workspace.Store, n *workspace.Node, end any, kept string) error {
		action := fail
		if c.flag("success") {
			action = complete
		}
		m, err := c.moved(s, n, action, c.text("conclusion"))
		if err != nil {
			return err
		}
		if err := m.write(); err != nil {
			return err
		}
		answer = object("success", true, "endMarker", end)
		if kept != "" {
			answer.SetText("backupBranch", kept)
		}
		if test := testOf(s, n); c.flag("success") && test != nil {
			answer.SetText("nextAction", "dispatch_test")
			answer.SetText("testNodeId", test.ID())
		} else {
			answer.SetText("nextAction", "return_parent")
		}
		answer.SetText("hint", m.hint())
		return c.release(s, n.ID())
	})
	return answer, err
}

// away is the node that a call of node_done is about, if that is worked on in a
// worktree of its own; nil if it is not.
func (c *call) away() (*workspace.Store, *workspace.Node, error) {
	s, err := c.open()
	if err != nil || !dispatch(s).Bool("useGit") {
		return nil, nil, nil // whoever goes on says what is wrong
	}
	n, err := c.atHand(s)
	if err != nil || !handed(n) {
		return nil, nil, nil
	}
	return s, n, c.may(s, n, !c.flag("failed"))
}

// doneAway is node_done for such a node.
func (c *call) doneAway(s *workspace.Store, n *workspace.Node, checked []check) (answer protocol.Object, err error) {
	if claim := c.held(s)[n.ID()]; c.others(c.held(s), n.ID()) && !strings.HasPrefix(claim.Session, byWorktree) && !c.Person {
		return nil, refusal("NODE_CLAIMED", c.sayf("node %q is the one of session %s", "节点 %q 属于会话 %s", s.Title(n), protocol.Plain(claim.Session)), c.say("finish your own; node_next says which", "请完成自己的节点；node_next 会说明"))
	}
	var rows []string
	if checked != nil {
		err = c.change(func(s *workspace.Store) (err error) {
			rows, err = c.came(s, s.Graph.Node(n.ID()), checked)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	err = c.settled(s, n, !c.flag("failed"), func(s *workspace.Store, n *workspace.Node, _ any, kept string) error {
		if answer, err = c.finish(s, n, strings.TrimSpace(c.text("conclusion")), rows); err == nil && kept != "" {
			answer.SetText("backupBranch", kept)
		}
		return err
	})
	return answer, err
}

// settled brings what was done in the worktree of a node to the branch of the work, or
// keeps it on a branch for what failed; then finish changes the node, under the lock
// of the workspace; then the worktree goes. A process that is killed in between left
// the node with whoever has it, and nothing is done twice.
func (c *call) settled(s *workspace.Store, n *workspace.Node, success bool, finish func(s *workspace.Store, n *workspace.Node, end any, kept string) error) error {
	release, err := c.gitHeld(s)
	if err != nil {
		return err
	}
	defer release()
	how := dispatch(s)
	if err := c.may(s, n, success); err != nil {
		return err
	}
	var end any = stamp(c.now)
	kept := ""
	r := c.repo(s)
	apart := how.Bool("useGit")
	switch {
	case apart && success:
		if end, err = c.taken(s, n, how); err != nil {
			return err
		}
	case apart:
		end = nil
		if kept, err = r.keep(n); err != nil {
			return err
		}
	}
	err = c.change(func(s *workspace.Store) error {
		n := s.Graph.Node(n.ID())
		if n == nil || !handed(n) {
			return c.refuse("INVALID_TRANSITION", "the node is not with a subagent any more", "节点已不在派发执行")
		}
		d := n.Sub("dispatch")
		d.SetText("status", map[bool]string{true: "passed", false: "failed"}[success])
		n.Set("dispatch", d.Raw())
		return finish(s, n, end, kept)
	})
	if err == nil && apart && success {
		err = r.leave(n)
	}
	return err
}

// may refuses what could not be finished before anything is merged.
func (c *call) may(s *workspace.Store, n *workspace.Node, success bool) error {
	if strings.TrimSpace(c.text("conclusion")) == "" {
		return c.refuse("CONCLUSION_REQUIRED", "a conclusion is missing", "必须提供 conclusion")
	}
	action := fail
	if success {
		action = complete
	}
	if next(n.Type(), n.Status(), action) == "" {
		return refusal("INVALID_TRANSITION", c.sayf("node %q is %s", "节点 %q 处于 %s", s.Title(n), n.Status()), c.allowed(n))
	}
	return c.lines("conclusion", c.text("conclusion"))
}

// taken commits what is in the worktree of a node, and puts it on the branch of the
// work.
func (c *call) taken(s *workspace.Store, n *workspace.Node, how protocol.Object) (any, error) {
	r := c.repo(s)
	if _, err := os.Stat(filepath.Join(r.worktree(n), ".git")); err == nil {
		unmerged, err := r.git(r.worktree(n), "diff", "--name-only", "--diff-filter=U")
		if err != nil {
			return nil, err
		}
		if unmerged != "" {
			return nil, refusal("MERGE_CONFLICT", c.sayf("files in %s are in conflict still: %s", "%s 中仍有冲突的文件：%s", r.worktree(n), strings.Join(strings.Split(unmerged, "\n"), ", ")), c.say("put them right, git add them, and finish again", "解决后 git add，再次完成"))
		}
		if _, err := r.commit(r.worktree(n), s.Title(n)); err != nil {
			return nil, err
		}
	}
	if !r.has(r.branch(n)) {
		return nil, nil // nothing was ever done there
	}
	hash, files, err := r.take(n, how.Text("baseCommit"), s.Title(n))
	if files = slices.DeleteFunc(files, func(f string) bool { return f == "" }); err != nil && len(files) > 0 {
		return nil, &op.Error{Code: "MERGE_CONFLICT", Message: c.sayf("%q does not fit what others finished meanwhile, in: %s. Nothing was merged, and the node is as it was", "%q 与其他已完成的工作冲突：%s。未合并，节点保持原状", s.Title(n), strings.Join(files[:min(len(files), 10)], ", ")),
			Fix: c.sayf("in %s: git merge %s, put the files right, git add and git commit; then finish it again", "在 %s 中：git merge %s，解决冲突，git add 并 git commit；然后再次完成", r.worktree(n), r.process)}
	}
	return hash, err
}

// testOf is the node that tests another one, if it waits.
func testOf(s *workspace.Store, n *workspace.Node) *workspace.Node {
	parent := s.Graph.Parent(n)
	if parent == nil {
		return nil
	}
	for _, k := range s.Graph.Kids(parent) {
		if k != n && k.Role() == "validation" && k.Status() == workspace.Pending {
			return k
		}
	}
	return nil
}
