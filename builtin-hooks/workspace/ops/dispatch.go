package ops

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func dispatchTools() []operation {
	return []operation{
		{op.Op{Name: "node_dispatch", Command: "dispatch node", People: op.Text{English: "start a node for a subagent", Chinese: "为子代理启动节点"}, Words: []string{"nodeId"},
			Model: op.Text{English: "Starts an execution node for a subagent, default what comes next; the answer holds the task to hand over. In git mode it works in a worktree on a branch of its own, and several may at once.", Chinese: "启动执行节点（默认为下一个）并交给子代理：返回要转交的任务。git 模式下每个任务在独立分支的 worktree 中工作，可同时进行多个。"},
			Args:  []op.Arg{argWorkspace(), optional(argNode(), "id or title of the node; default: what comes next", "节点 ID 或标题；默认为下一个")}}, nodeDispatch},
		{op.Op{Name: "node_dispatch_complete", Command: "dispatch complete", People: op.Text{English: "take what it brought", Chinese: "接收子代理的结果"}, Words: []string{"nodeId"},
			Model: op.Text{English: "Takes what a subagent brought. In git mode success is committed and merged with what others finished; failure is kept on a branch. What does not fit is refused, and nothing is changed.", Chinese: "接收子代理的结果。git 模式下成功则提交并与其他成果合并，失败则保留在备份分支；有冲突时拒绝且不做任何改动。"},
			Args:  []op.Arg{argWorkspace(), argNode(), {Name: "success", Kind: op.Bool, Required: true, Model: op.Text{English: "whether it worked", Chinese: "是否成功"}}, {Name: "conclusion", Required: true, Model: op.Text{English: "what came of it", Chinese: "结论或失败原因"}}}}, dispatchComplete},
		{op.Op{Name: "dispatch_enable", Command: "dispatch enable", People: op.Text{English: "allow it", Chinese: "启用派发"}, Idempotent: true,
			Model: op.Text{English: "Lets nodes be handed to subagents. useGit: each in a worktree on a branch of its own, several at once; the project itself is not touched.", Chinese: "启用派发。useGit：在独立分支的 worktree 中执行，不触碰当前工作目录。"},
			Args:  []op.Arg{argWorkspace(), {Name: "useGit", Kind: op.Bool, Model: op.Text{English: "work in a worktree; default as config_get says", Chinese: "是否使用 git 模式，默认取全局配置"}}}}, dispatchEnable},
		{op.Op{Name: "dispatch_disable", Command: "dispatch disable", People: op.Text{English: "show what waits to come home", Chinese: "查看待合并的内容"}, ReadOnly: true, Idempotent: true,
			Model: op.Text{English: "Shows who works on what, what waits to come home, and the ways to bring it, of which the user chooses one.", Chinese: "查询进行中的任务、待合并的提交与可选的合并方式，由用户选择。"},
			Args:  []op.Arg{argWorkspace()}}, dispatchDisable},
		{op.Op{Name: "dispatch_disable_execute", Command: "dispatch finish", People: op.Text{English: "bring it home, and end", Chinese: "合并并结束"}, Destructive: true,
			Model: op.Text{English: "Brings the commits home in the way that the user chose, and ends dispatching. Wants the token of dispatch_disable and the user's answer. If that does not go cleanly nothing is changed.", Chinese: "按用户选择的方式合并提交并停用派发；需要 dispatch_disable 给出的 token 与用户的回答。无法干净合并时不做任何改动。"},
			Args: []op.Arg{argWorkspace(), {Name: "mergeStrategy", Required: true, Words: []string{"sequential", "squash", "cherry-pick", "skip"}, Model: op.Text{English: "sequential: commit by commit; squash: as one; cherry-pick: without committing; skip: later", Chinese: "sequential 逐个提交；squash 合并为一个；cherry-pick 仅应用不提交；skip 暂不合并"}},
				{Name: "keepBackupBranch", Kind: op.Bool, Model: op.Text{English: "keep what failed; default true", Chinese: "保留失败的备份分支，默认是"}}, {Name: "keepProcessBranch", Kind: op.Bool, Model: op.Text{English: "keep the branch of the work; default false", Chinese: "保留派发分支，默认否"}},
				{Name: "commitMessage", Model: op.Text{English: "message, of squash", Chinese: "squash 的提交信息"}}, argConfirm()}}, dispatchFinish},
		{op.Op{Name: "dispatch_cleanup", Command: "dispatch cleanup", People: op.Text{English: "remove branches that are left", Chinese: "清理遗留分支"}, Destructive: true, Idempotent: true,
			Model: op.Text{English: "Removes branches that dispatching left. The first call lists them and gives a token; the second one, with the user's answer, removes them.", Chinese: "清理派发遗留的分支。第一次调用列出分支并给出 token；带上用户回答再次调用才会删除。"},
			Args:  []op.Arg{argWorkspace(), {Name: "cleanupType", Words: []string{"backup", "process", "all"}, Model: op.Text{English: "which ones; default all", Chinese: "清理类型，默认 all"}}, argConfirm()}}, dispatchCleanup},
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
		}
		s.Config.Set("dispatch", o.Raw())
		answer = object("success", true, "config", o)
		return s.SaveConfig()
	})
	return answer, err
}

// waiting is what there is to decide before dispatching ends: what would be merged, and
// what failed and is kept. A yes is for that, and for nothing that came later.
type waiting struct {
	commits [][2]string
	backups []string
}

func (w waiting) purpose() string {
	sum := sha256.New()
	for _, l := range w.commits {
		sum.Write([]byte(l[0] + "\n"))
	}
	for _, b := range w.backups {
		sum.Write([]byte("\n" + b))
	}
	return "dispatch " + hex.EncodeToString(sum.Sum(nil)[:8])
}

func (r repo) waiting(how protocol.Object) (w waiting, err error) {
	if !how.Bool("useGit") {
		return w, nil
	}
	if w.commits, err = r.commits(how.Text("baseCommit")); err == nil {
		w.backups, err = r.list(r.backup)
	}
	return w, err
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
	r := c.repo(s)
	w, err := r.waiting(how)
	if err != nil {
		return nil, err
	}
	held := c.held(s)
	answer := object("useGit", how.Bool("useGit"))
	working := []protocol.Object{}
	for _, n := range s.Graph.Nodes() {
		if handed(n) {
			claim, alive := held[n.ID()]
			o := object("nodeId", s.Graph.Short(n), "title", s.Title(n), "workDir", c.workDir(s, n, how), "alive", alive)
			if alive {
				o.SetText("until", stamp(claim.Until))
			}
			working = append(working, o)
		}
	}
	answer.Set("working", value(working))
	if !how.Bool("useGit") {
		answer.SetText("hint", c.say("Nothing is left to merge: dispatch_disable_execute with skip ends it.", "没有需要合并的内容：用 dispatch_disable_execute（skip）停用即可。"))
		return answer, nil
	}
	commits := []protocol.Object{}
	for _, l := range w.commits {
		commits = append(commits, object("hash", l[0], "subject", l[1]))
	}
	answer = append(answer, object("originalBranch", how.Text("originalBranch"), "processBranch", r.process, "commits", commits, "backupBranches", append([]string{}, w.backups...))...)
	action, err := c.requireFor(w.purpose(), s.Entry.ID, workspace.RootID, "ask_user",
		c.say("Let the user choose how the commits are merged, and which branches stay; do not choose for them.", "请让用户选择合并方式以及保留哪些分支，不要替用户决定。"),
		object("mergeStrategies", []string{"sequential", "squash", "cherry-pick", "skip"}))
	if err != nil {
		return nil, err
	}
	answer.Set("actionRequired", action.Raw())
	return answer, nil
}

func dispatchFinish(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	release, err := c.gitHeld(s)
	if err != nil {
		return nil, err
	}
	defer release()
	if s, err = c.open(); err != nil {
		return nil, err
	}
	how, err := c.enabled(s)
	if err != nil {
		return nil, err
	}
	for _, n := range s.Graph.Nodes() {
		if handed(n) {
			return nil, refusal("CONCURRENT_EXECUTION", c.sayf("a subagent is working on node %q", "节点 %q 仍在派发执行", s.Title(n)), c.say("wait for it; or node_dispatch_complete with success false, which keeps what it did on a branch", "请等待；或用 node_dispatch_complete（success=false）将其成果保留到分支"))
		}
	}
	r := c.repo(s)
	w, err := r.waiting(how)
	if err != nil {
		return nil, err
	}
	// A person who asked for it in a terminal has agreed; what failed needs a second
	// yes before it is removed.
	forget := c.has("keepBackupBranch") && !c.flag("keepBackupBranch") && len(w.backups) > 0
	var answered string
	if how.Bool("useGit") && !c.Person || forget || c.has("confirmation") {
		if answered, err = c.confirmed(w.purpose(), s.Entry.ID, workspace.RootID); err != nil {
			return nil, err
		}
	}
	strategy := c.text("mergeStrategy")
	removed := []string{}
	if how.Bool("useGit") {
		message := cmp.Or(c.text("commitMessage"), s.Entry.Name)
		if err := r.home(strategy, how.Text("originalBranch"), how.Text("baseCommit"), message); err != nil {
			return nil, err
		}
		var names []string
		// What was only staged is nowhere else yet.
		if (strategy == "sequential" || strategy == "squash") && !c.flag("keepProcessBranch") && r.has(r.process) {
			names = append(names, r.process)
		}
		if forget {
			names = append(names, w.backups...)
		}
		if removed, err = r.end(names); err != nil {
			return nil, err
		}
	}
	err = c.change(func(s *workspace.Store) error {
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
	if err != nil {
		return nil, err
	}
	answer := object("success", true, "mergeStrategy", strategy, "removedBranches", append([]string{}, removed...))
	if len(w.backups) > 0 && !forget {
		answer.Set("keptBranches", value(w.backups))
	}
	return answer, nil
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
	release, err := c.gitHeld(s)
	if err != nil {
		return nil, err
	}
	defer release()
	r := c.repo(s)
	if !r.is(r.root, "rev-parse", "--git-dir") {
		return object("success", true, "removedBranches", []string{}), nil
	}
	var w waiting
	if which != "process" {
		if w.backups, err = r.list(r.backup); err != nil {
			return nil, err
		}
	}
	if which != "backup" && r.has(r.process) {
		w.backups = append(w.backups, r.process)
	}
	if len(w.backups) == 0 {
		if which != "backup" {
			_, err = r.end(nil)
		}
		return object("success", true, "removedBranches", []string{}), err
	}
	if !c.has("confirmation") {
		action, err := c.requireFor(w.purpose(), s.Entry.ID, workspace.RootID, "ask_user",
			c.say("Nothing was removed. These branches may hold work that is nowhere else: ask the user, and call again with the token and what they answered.", "未删除任何内容。这些分支可能保存着别处没有的成果：请询问用户，再带上 token 与其回答调用一次。"), object("branches", w.backups))
		if err != nil {
			return nil, err
		}
		return object("success", false, "removedBranches", []string{}, "actionRequired", action), nil
	}
	if _, err := c.confirmed(w.purpose(), s.Entry.ID, workspace.RootID); err != nil {
		return nil, err
	}
	var removed []string
	if which == "backup" {
		for _, name := range w.backups {
			if _, err := r.git(r.root, "branch", "--quiet", "-D", name); err != nil {
				return nil, err
			}
			removed = append(removed, name)
		}
	} else if removed, err = r.end(w.backups); err != nil {
		return nil, err
	}
	return object("success", true, "removedBranches", removed), c.spend()
}
