package desk

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func dispatchTools() []operation {
	return []operation{
		{op.Op{Name: "node_dispatch", Command: "dispatch node", People: op.Text{English: "start a node for a subagent", Chinese: "为子代理启动节点"}, Words: []string{"nodeId"},
			Model: op.Text{English: "Starts an execution node for a subagent; the answer holds the task to hand over. In git mode it works in a worktree of its own.", Chinese: "启动执行节点并交给子代理：返回要转交的任务。git 模式下在独立的 worktree 中工作。"},
			Args:  []op.Arg{argWorkspace(), argNode()}}, nodeDispatch},
		{op.Op{Name: "node_dispatch_complete", Command: "dispatch complete", People: op.Text{English: "take what it brought", Chinese: "接收子代理的结果"}, Words: []string{"nodeId"},
			Model: op.Text{English: "Takes what a subagent brought. In git mode success is committed; failure is taken back, and kept on a branch.", Chinese: "接收子代理的结果。git 模式下成功则提交，失败则回退并保留在备份分支。"},
			Args:  []op.Arg{argWorkspace(), argNode(), {Name: "success", Kind: op.Bool, Required: true, Model: op.Text{English: "whether it worked", Chinese: "是否成功"}}, {Name: "conclusion", Required: true, Model: op.Text{English: "what came of it", Chinese: "结论或失败原因"}}}}, dispatchComplete},
		{op.Op{Name: "dispatch_enable", Command: "dispatch enable", People: op.Text{English: "allow it", Chinese: "启用派发"}, Idempotent: true,
			Model: op.Text{English: "Lets nodes be handed to subagents. useGit: each in a worktree on a branch of its own; the project itself is not touched.", Chinese: "启用派发。useGit：在独立分支的 worktree 中执行，不触碰当前工作目录。"},
			Args:  []op.Arg{argWorkspace(), {Name: "useGit", Kind: op.Bool, Model: op.Text{English: "work in a worktree; default as config_get says", Chinese: "是否使用 git 模式，默认取全局配置"}}}}, dispatchEnable},
		{op.Op{Name: "dispatch_disable", Command: "dispatch disable", People: op.Text{English: "show what waits to come home", Chinese: "查看待合并的内容"}, ReadOnly: true, Idempotent: true,
			Model: op.Text{English: "Shows what waits to come home, and the ways to bring it, of which the person chooses one.", Chinese: "查询待合并的提交与可选的合并方式，由用户选择。"},
			Args:  []op.Arg{argWorkspace()}}, dispatchDisable},
		{op.Op{Name: "dispatch_disable_execute", Command: "dispatch finish", People: op.Text{English: "bring it home, and end", Chinese: "合并并结束"}, Destructive: true,
			Model: op.Text{English: "Brings the commits home in the way that the person chose, and ends dispatching. If that does not go cleanly nothing is changed.", Chinese: "按用户选择的方式合并提交并停用派发；无法干净合并时不做任何改动。"},
			Args: []op.Arg{argWorkspace(), {Name: "mergeStrategy", Required: true, Words: []string{"sequential", "squash", "cherry-pick", "skip"}, Model: op.Text{English: "sequential: commit by commit; squash: as one; cherry-pick: without committing; skip: later", Chinese: "sequential 逐个提交；squash 合并为一个；cherry-pick 仅应用不提交；skip 暂不合并"}},
				{Name: "keepBackupBranch", Kind: op.Bool, Model: op.Text{English: "keep what failed; default false", Chinese: "保留备份分支，默认否"}}, {Name: "keepProcessBranch", Kind: op.Bool, Model: op.Text{English: "keep the branch of the work; default false", Chinese: "保留派发分支，默认否"}},
				{Name: "commitMessage", Model: op.Text{English: "message, of squash", Chinese: "squash 的提交信息"}}, argConfirm()}}, dispatchFinish},
		{op.Op{Name: "dispatch_cleanup", Command: "dispatch cleanup", People: op.Text{English: "remove branches that are left", Chinese: "清理遗留分支"}, Destructive: true, Idempotent: true,
			Model: op.Text{English: "Removes branches that dispatching left.", Chinese: "清理派发遗留的分支。"},
			Args:  []op.Arg{argWorkspace(), {Name: "cleanupType", Words: []string{"backup", "process", "all"}, Model: op.Text{English: "which ones; default all", Chinese: "清理类型，默认 all"}}}}, dispatchCleanup},
	}
}

// dispatch is how a workspace hands nodes over; nil if it does not.
func dispatch(s *workspace.Store) protocol.Object {
	if o := s.Config.Sub("dispatch"); o.Bool("enabled") {
		return o
	}
	return nil
}

func (c *call) enabled(s *workspace.Store) (protocol.Object, error) {
	if o := dispatch(s); o != nil {
		return o, nil
	}
	return nil, refusal("DISPATCH_NOT_ENABLED", c.say("nodes are not handed to subagents in this workspace", "该工作区未启用派发"), "dispatch_enable")
}

func dispatchEnable(c *call) (protocol.Object, error) {
	useGit := c.flag("useGit")
	if !c.has("useGit") {
		useGit = c.config().Text("defaultDispatchMode") == dispatchGit
	}
	var answer protocol.Object
	err := c.change(func(s *workspace.Store) error {
		if o := dispatch(s); o != nil {
			if o.Bool("useGit") != useGit {
				return refusal("DISPATCH_CONFLICT", c.say("it is enabled in the other mode", "已以另一种模式启用"), c.say("dispatch_disable first", "请先 dispatch_disable"))
			}
			answer = object("success", true, "config", o)
			return nil
		}
		if err := c.onlyOne(s); err != nil {
			return err
		}
		o := object("enabled", true, "useGit", useGit, "enabledAt", stamp(c.now))
		if useGit {
			r := c.repo(s)
			from, base, err := r.begin()
			if err != nil {
				return err
			}
			o.SetText("originalBranch", from)
			o.SetText("baseCommit", base)
			o.SetText("processBranch", r.process)
			o.SetText("worktree", r.worktree)
		}
		s.Config.Set("dispatch", o.Raw())
		answer = object("success", true, "config", o)
		return s.SaveConfig()
	})
	return answer, err
}

// onlyOne refuses a second workspace of one project that hands nodes over.
func (c *call) onlyOne(s *workspace.Store) error {
	list, err := c.Place.Index()
	if err != nil {
		return err
	}
	for _, e := range list {
		if e.ID == s.Entry.ID || e.ProjectRoot != s.Entry.ProjectRoot || e.Status != workspace.Active {
			continue
		}
		if other, err := c.Place.Open(e.ID); err == nil && dispatch(other) != nil {
			return refusal("DISPATCH_CONFLICT", c.sayf("workspace %q of this project hands nodes over already", "该项目的工作区 %q 已启用派发", e.Name), "dispatch_disable")
		}
	}
	return nil
}

func nodeDispatch(c *call) (protocol.Object, error) {
	var answer protocol.Object
	err := c.change(func(s *workspace.Store) error {
		how, err := c.enabled(s)
		if err != nil {
			return err
		}
		n, err := c.node(s, "nodeId")
		if err != nil {
			return err
		}
		if n.Type() != workspace.Execution {
			return c.refuse("INVALID_NODE_TYPE", "node %q is no execution node", "节点 %q 不是执行节点", n.ID())
		}
		marker := stamp(c.now)
		if how.Bool("useGit") {
			for _, other := range s.Graph.Nodes() {
				if other != n && other.Sub("dispatch").Text("status") == "executing" {
					return c.refuse("CONCURRENT_EXECUTION", "node %s works in the worktree", "节点 %s 正在 worktree 中执行", other.ID())
				}
			}
			if marker, err = c.repo(s).head(); err != nil {
				return err
			}
		}
		action := start
		if n.Status() == workspace.Failed {
			action = retry
		}
		c.args = object("workspaceId", s.Entry.ID, "nodeId", n.ID(), "action", action)
		m, err := c.move(s, n)
		if err != nil {
			return err
		}
		n.Set("dispatch", object("startMarker", marker, "status", "executing").Raw())
		if err := m.write(); err != nil {
			return err
		}
		answer = object("success", true, "startMarker", marker, "actionRequired", object("type", "dispatch_task",
			"message", c.say("Hand the prompt to a subagent; when it is done, node_dispatch_complete.", "将 prompt 交给子代理；完成后调用 node_dispatch_complete。"),
			"data", object("nodeId", n.ID(), "title", s.Title(n), "workDir", c.workDir(s, how), "prompt", c.task(s, n, how))))
		return nil
	})
	return answer, err
}

func (c *call) workDir(s *workspace.Store, how protocol.Object) string {
	if how.Bool("useGit") {
		return c.repo(s).worktree
	}
	return s.Entry.ProjectRoot
}

// task is what a subagent is told.
func (c *call) task(s *workspace.Store, n *workspace.Node, how protocol.Object) string {
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
	part(c.say("Where", "工作目录"), c.workDir(s, how))
	part(c.say("At the end", "完成时"), c.say("Say what was done, what was checked and what is open. Do not change the state of nodes yourself.", "说明做了什么、验证了什么、还剩什么。不要自行改变节点状态。"))
	return strings.TrimSpace(b.String())
}

func dispatchComplete(c *call) (protocol.Object, error) {
	success, conclusion := c.flag("success"), c.text("conclusion")
	var answer protocol.Object
	err := c.change(func(s *workspace.Store) error {
		n, err := c.node(s, "nodeId")
		if err != nil {
			return err
		}
		how, err := c.enabled(s)
		if err != nil {
			return err
		}
		d := n.Sub("dispatch")
		if d.Text("status") != "executing" {
			return c.refuse("INVALID_TRANSITION", "node %q is not with a subagent", "节点 %q 没有在派发执行", n.ID())
		}
		action := fail
		if success {
			action = complete
		}
		c.args = object("workspaceId", s.Entry.ID, "nodeId", n.ID(), "action", action, "conclusion", conclusion)
		m, err := c.move(s, n)
		if err != nil {
			return err
		}
		end, kept, err := c.settle(s, n, how, d, success)
		if err != nil {
			return err
		}
		n.Set("dispatch", d.Raw())
		if err := m.write(); err != nil {
			return err
		}
		answer = object("success", true, "endMarker", end)
		if kept != "" {
			answer.SetText("backupBranch", kept)
		}
		if test := testOf(s, n); success && test != nil {
			answer.SetText("nextAction", "dispatch_test")
			answer.SetText("testNodeId", test.ID())
		} else {
			answer.SetText("nextAction", "return_parent")
		}
		answer.SetText("hint", m.hint())
		return nil
	})
	return answer, err
}

// settle commits what a subagent did or takes it back, and notes that in d.
func (c *call) settle(s *workspace.Store, n *workspace.Node, how, d protocol.Object, success bool) (end any, kept string, err error) {
	status := "failed"
	if success {
		status = "passed"
	}
	d.SetText("status", status)
	if !how.Bool("useGit") {
		return stamp(c.now), "", nil
	}
	r := c.repo(s)
	if !success {
		kept, err = r.undo(d.Text("startMarker"))
		return nil, kept, err
	}
	hash, err := r.commit(s.Title(n) + "\n\n" + s.Entry.ID + "/" + n.ID())
	return hash, "", err
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

func dispatchDisable(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	how, err := c.enabled(s)
	if err != nil {
		return nil, err
	}
	answer := object("useGit", how.Bool("useGit"))
	data := object("mergeStrategies", []string{"skip"})
	message := c.say("Nothing has to come home: dispatch_disable_execute with skip ends it.", "没有需要合并的内容：用 dispatch_disable_execute（skip）停用即可。")
	if how.Bool("useGit") {
		r := c.repo(s)
		list, err := r.commits(how.Text("baseCommit"))
		if err != nil {
			return nil, err
		}
		backups, err := r.list(r.backup)
		if err != nil {
			return nil, err
		}
		commits := []protocol.Object{}
		for _, l := range list {
			commits = append(commits, object("hash", l[0], "subject", l[1]))
		}
		answer = append(answer, object("originalBranch", how.Text("originalBranch"), "processBranch", r.process, "commits", commits, "backupBranches", append([]string{}, backups...))...)
		data = object("mergeStrategies", []string{"sequential", "squash", "cherry-pick", "skip"})
		message = c.say("Let the person choose how the commits come home, and which branches stay; do not choose for them.", "请让用户选择合并方式以及保留哪些分支，不要替用户决定。")
	}
	action, err := c.require(s.Entry.ID, workspace.RootID, "ask_user", message, data)
	if err != nil {
		return nil, err
	}
	answer.Set("actionRequired", action.Raw())
	return answer, nil
}

func dispatchFinish(c *call) (protocol.Object, error) {
	removed := []string{}
	err := c.change(func(s *workspace.Store) error {
		how, err := c.enabled(s)
		if err != nil {
			return err
		}
		answered, err := c.confirm(s.Entry.ID, workspace.RootID)
		if err != nil {
			return err
		}
		for _, n := range s.Graph.Nodes() {
			if n.Sub("dispatch").Text("status") == "executing" {
				return c.refuse("CONCURRENT_EXECUTION", "node %s is with a subagent", "节点 %s 仍在派发执行", n.ID())
			}
		}
		if how.Bool("useGit") {
			strategy := c.text("mergeStrategy")
			message := c.text("commitMessage")
			if message == "" {
				message = s.Entry.Name
			}
			r := c.repo(s)
			if err := r.home(strategy, how.Text("originalBranch"), how.Text("baseCommit"), message); err != nil {
				return err
			}
			if removed, err = r.end(strategy != "skip" && !c.flag("keepProcessBranch"), !c.flag("keepBackupBranch") && strategy != "skip"); err != nil {
				return err
			}
		}
		s.Config.Delete("dispatch")
		if answered != "" {
			if _, err := s.Log(nil, workspace.Human, c.sayf("confirmed: %s", "用户确认: %s", answered)); err != nil {
				return err
			}
		}
		if err := s.SaveConfig(); err != nil {
			return err
		}
		return c.spend()
	})
	return object("success", true, "mergeStrategy", c.text("mergeStrategy"), "removedBranches", removed), err
}

func dispatchCleanup(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	which := c.text("cleanupType")
	if which != "backup" && dispatch(s) != nil {
		return nil, refusal("DISPATCH_CONFLICT", c.say("the branch is in use", "派发分支正在使用"), c.say("dispatch_disable first", "请先 dispatch_disable"))
	}
	r := c.repo(s)
	if _, err := r.git(r.root, "rev-parse", "--git-dir"); err != nil {
		return object("success", true, "removedBranches", []string{}), nil
	}
	removed := []string{}
	if which == "backup" {
		names, err := r.list(r.backup)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if _, err := r.git(r.root, "branch", "--quiet", "-D", name); err != nil {
				return nil, err
			}
			removed = append(removed, name)
		}
	} else if removed, err = r.end(true, which != "process"); err != nil {
		return nil, err
	}
	return object("success", true, "removedBranches", removed), nil
}
