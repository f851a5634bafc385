package ops

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

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
		return nil, c.refuse("INVALID_TRANSITION", "no subagent is working on node %q", "节点 %q 没有在派发执行", n.ID())
	}
	success := c.flag("success")
	if err := c.may(s, n, success); err != nil {
		return nil, err
	}
	var rows []string
	if success {
		checked, err := c.check(s, n)
		if err == nil {
			rows, err = c.proven(n, checked)
		}
		if err != nil {
			return nil, err
		}
	}
	var answer protocol.Object
	err = c.settled(s, n, success, func(s *workspace.Store, n *workspace.Node, end any, kept string) error {
		action := fail
		if success {
			action = complete
		}
		m, err := c.moved(s, n, action, c.text("conclusion"))
		if err != nil {
			return err
		}
		for _, row := range rows {
			if _, err := s.Log(n, c.operator(), row); err != nil {
				return err
			}
		}
		if err := m.write(); err != nil {
			return err
		}
		answer = object("success", true, "endMarker", end)
		if success {
			c.tellUnproven(s, n, &answer)
		}
		answer.PutText("backupBranch", kept)
		if test := testOf(s, n); success && test != nil {
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
		return nil, refusal("NODE_CLAIMED", c.sayf("node %q belongs to session %s", "节点 %q 属于会话 %s", s.Title(n), protocol.Plain(claim.Session)), c.say("finish your own; node_next says which", "请完成自己的节点；node_next 会说明"))
	}
	rows, err := c.proven(n, checked)
	if err != nil {
		return nil, err
	}
	err = c.settled(s, n, !c.flag("failed"), func(s *workspace.Store, n *workspace.Node, _ any, kept string) error {
		if answer, err = c.finish(s, n, strings.TrimSpace(c.text("conclusion")), rows); err == nil && kept != "" {
			answer.SetText("backupBranch", kept)
		}
		return err
	})
	return answer, err
}

// proven are the rows that record what came of the checks, before anything is merged.
// If one failed they are written at once, and the node stays in progress.
func (c *call) proven(n *workspace.Node, checked []check) (rows []string, err error) {
	if checked == nil {
		return nil, nil
	}
	err = c.change(func(s *workspace.Store) (err error) {
		now := s.Graph.Node(n.ID())
		if now == nil || !handed(now) {
			return c.refuse("INVALID_TRANSITION", "no subagent is working on the node any more", "节点已不在派发执行")
		}
		rows, err = c.came(s, now, checked)
		return err
	})
	return rows, err
}

// settled brings what was done in the worktree of a node to the branch of the work, or
// keeps it on a branch if the node failed; then finish changes the node, under the lock
// of the workspace; then the worktree is removed. If the process is killed in between,
// the node stays with whoever has it, and nothing is done twice.
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
			return c.refuse("INVALID_TRANSITION", "no subagent is working on the node any more", "节点已不在派发执行")
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

// may refuses, before anything is merged, what could not be finished.
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
			return nil, refusal("MERGE_CONFLICT", c.sayf("files in %s still conflict: %s", "%s 中仍有冲突的文件：%s", r.worktree(n), strings.Join(strings.Split(unmerged, "\n"), ", ")), c.say("resolve them, git add them, and finish again", "解决后 git add，再次完成"))
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
		return nil, &op.Error{Code: "MERGE_CONFLICT", Message: c.sayf("%q conflicts with what others finished meanwhile, in: %s. Nothing was merged, and the node is as it was", "%q 与其他已完成的工作冲突：%s。未合并，节点保持原状", s.Title(n), strings.Join(files[:min(len(files), 10)], ", ")),
			Fix: c.sayf("in %s: git merge %s, resolve the conflicts, git add and git commit; then finish it again", "在 %s 中：git merge %s，解决冲突，git add 并 git commit；然后再次完成", r.worktree(n), text.ShellWord(r.process))}
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
