package ops

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// hand hands a node over, and returns where it is worked on.
func (s *stage) hand(ws, node string) string {
	s.Helper()
	return s.call("node_dispatch", "workspaceId", ws, "nodeId", node).Sub("actionRequired").Sub("data").Text("workDir")
}

func (s *stage) write(dir, name, text string) {
	s.Helper()
	must.Write(s, filepath.Join(dir, name), text)
}

// yes is the answer of a person to what dispatching asks before it ends.
func (s *stage) yes(ws string) protocol.Object {
	s.Helper()
	token := s.call("dispatch_disable", "workspaceId", ws).Sub("actionRequired").Text("confirmationToken")
	return object("token", token, "userInput", "yes")
}

// BW-PAR-01, BW-PAR-02, BW-PAR-03, BW-PAR-05: several nodes below one parent are
// worked on at once, each in a worktree on a branch of its own; what succeeds is one
// commit each, in the order of what depends on what; what fails is kept; and nothing
// comes home but by the person's choice.
func TestNodesAreWorkedOnApart(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.repository()
	ws := s.init()
	a, b, c := s.add(ws, "root", "execution", "a"), s.add(ws, "root", "execution", "b"), s.add(ws, "root", "execution", "c")
	d := s.add(ws, "root", "execution", "d", "after", []string{a, b})
	test := s.add(ws, "root", "execution", "test", "role", "validation", "after", []string{d})
	at := func(kv ...any) []any { return append([]any{"workspaceId", ws}, kv...) }
	s.refused("DISPATCH_NOT_ENABLED", "node_dispatch", at("nodeId", a)...)
	s.call("dispatch_enable", at("useGit", true)...)
	s.refused("DISPATCH_CONFLICT", "dispatch_enable", at("useGit", false)...)
	s.refused("DISPATCH_CONFLICT", "dispatch_cleanup", at()...)
	task := s.call("node_dispatch", at()...).Sub("actionRequired").Sub("data") // what comes next
	inA := task.Text("workDir")
	if task.Text("nodeId") != a || inA == s.project || !strings.Contains(task.Text("prompt"), "do a") || !strings.Contains(task.Text("prompt"), inA) {
		t.Fatalf("%s", task.Raw())
	}
	inB, inC := s.hand(ws, b), s.hand(ws, c)
	if inA == inB || inB == inC || s.status(ws, a) != "implementing" || s.status(ws, b) != "implementing" {
		t.Fatalf("%s, %s, %s", inA, inB, inC)
	}
	s.refused("NODE_BLOCKED", "node_dispatch", at("nodeId", d)...)
	s.refused("NODE_CLAIMED", "node_dispatch", at("nodeId", a)...)
	s.write(inA, "a-new.txt", "of a\n")
	s.write(inB, "b-new.txt", "of b\n")
	s.write(inC, "a.txt", "broken\n")
	// The second is done first; a third failed.
	if o := s.call("node_dispatch_complete", at("nodeId", b, "success", true, "conclusion", "done")...); o.Text("nextAction") != "dispatch_test" || o.Text("testNodeId") != test {
		t.Errorf("what succeeded is tested next: %s", o.Raw())
	}
	s.refused("CONCURRENT_EXECUTION", "dispatch_disable_execute", at("mergeStrategy", "skip", "confirmation", s.yes(ws))...)
	failed := s.call("node_dispatch_complete", at("nodeId", c, "success", false, "conclusion", "no")...)
	kept := failed.Text("backupBranch")
	if s.git("show", kept+":a.txt") != "broken" || s.status(ws, c) != "failed" || failed.Text("nextAction") != "return_parent" {
		t.Errorf("what failed is kept on %q: %s", kept, failed.Raw())
	}
	s.git("-C", inA, "add", ".")
	s.git("-C", inA, "commit", "-q", "-m", "by the subagent itself")
	s.call("node_dispatch_complete", at("nodeId", a, "success", true, "conclusion", "done")...)
	inD := s.hand(ws, d) // has what it waited for
	if s.file(filepath.Join(inD, "a-new.txt")) != "of a\n" || s.file(filepath.Join(inD, "b-new.txt")) != "of b\n" || s.file(filepath.Join(inD, "a.txt")) != "one\n" {
		t.Error("what a node waited for is not in its worktree")
	}
	s.write(inD, "d-new.txt", "of d\n")
	s.call("node_dispatch_complete", at("nodeId", d, "success", true, "conclusion", "done")...)
	if s.git("status", "--porcelain") != "" || s.git("log", "--format=%s") != "first" {
		t.Error("the project was touched")
	}
	o := s.call("dispatch_disable", at()...)
	if len(protocol.ElementsOf(o.Get("commits"))) != 3 || o.Text("originalBranch") != "main" {
		t.Errorf("%s", o.Raw())
	}
	s.write(s.project, "a.txt", "mine\n")
	s.refused("GIT_DIRTY", "dispatch_disable_execute", at("mergeStrategy", "squash", "confirmation", s.yes(ws))...)
	s.git("commit", "-q", "-a", "-m", "mine")
	s.call("dispatch_disable_execute", at("mergeStrategy", "sequential", "confirmation", s.yes(ws))...)
	if log := s.git("log", "--format=%s"); log != "d\na\nb\nmine\nfirst" || s.file(filepath.Join(s.project, "d-new.txt")) != "of d\n" {
		t.Errorf("log %q", log)
	}
	if left := s.git("for-each-ref", "--format=%(refname:short)", "refs/heads/tanmi_workspace"); left != kept {
		t.Errorf("branches left: %s", left)
	}
	if left, _ := filepath.Glob(filepath.Join(s.home, "state", "worktrees", "*", "*")); len(left) > 0 || strings.Count(s.git("worktree", "list"), "\n") != 0 {
		t.Errorf("worktrees left: %q", left)
	}
}

// What a repository's own settings and hooks name is not run while a node is handed over and its
// work is committed.
func TestDispatchRunsNothingThatARepositoryNames(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.repository()
	ran, program := filepath.Join(s.home, "ran"), filepath.Join(s.home, "program")
	must.Put(t, program, "#!/bin/sh\necho \"$0 $*\" >> '"+ran+"'\n", 0o755)
	for _, name := range []string{"post-checkout", "pre-commit", "post-commit", "post-index-change", "reference-transaction", "post-merge"} {
		must.Put(t, filepath.Join(s.project, ".git", "hooks", name), "#!/bin/sh\necho "+name+" >> '"+ran+"'\n", 0o755)
	}
	ws := s.init()
	a := s.add(ws, "root", "execution", "a")
	s.git("config", "core.fsmonitor", program)
	s.call("dispatch_enable", "workspaceId", ws, "useGit", true)
	s.write(s.hand(ws, a), "a.txt", "of a\n")
	s.call("node_dispatch_complete", "workspaceId", ws, "nodeId", a, "success", true, "conclusion", "done")
	s.call("dispatch_disable_execute", "workspaceId", ws, "mergeStrategy", "squash", "confirmation", s.yes(ws))
	if b, err := os.ReadFile(ran); err == nil {
		t.Errorf("it ran %q", b)
	}
	if got := s.file(filepath.Join(s.project, "a.txt")); got != "of a\n" {
		t.Errorf("the work came home as %q", got)
	}
}

// Work is signed and merged by the programs that a person's own settings name, or by git's own, and
// by none that only the repository's name.
func TestDispatchSignsAndMergesWithThePersonsPrograms(t *testing.T) {
	t.Parallel()
	for _, strategy := range []string{"sequential", "squash", "cherry-pick"} {
		t.Run(strategy, func(t *testing.T) {
			s := newStage(t)
			s.repository()
			ran, signed := filepath.Join(s.home, "ran"), filepath.Join(s.home, "signed")
			program, signer, mine := filepath.Join(s.home, "program"), filepath.Join(s.home, "signer"), filepath.Join(s.home, "mine")
			must.Put(t, program, "#!/bin/sh\necho \"$0 $*\" >> '"+ran+"'\nexit 1\n", 0o755)
			must.Put(t, signer, "#!/bin/sh\ncat > '"+signed+"'\nprintf '\\n[GNUPG:] SIG_CREATED x\\n' >&2\necho signature\n", 0o755)
			must.Put(t, mine, "[gpg]\n\tprogram = "+filepath.ToSlash(signer)+"\n", 0o644)
			s.write(s.project, "m.txt", "1\n2\n3\n4\n5\n6\n7\n")
			s.write(s.project, ".gitattributes", "m.txt merge=own\n")
			s.git("add", ".")
			s.git("commit", "-q", "-m", "second")
			ws := s.init()
			a, b := s.add(ws, "root", "execution", "a"), s.add(ws, "root", "execution", "b")
			s.Env = append(s.Env, "GIT_CONFIG_GLOBAL="+mine)
			s.git("config", "commit.gpgSign", "true")
			for _, key := range []string{"gpg.program", "gpg.openpgp.program", "gpg.ssh.defaultKeyCommand", "merge.own.driver"} {
				s.git("config", key, program)
			}
			s.call("dispatch_enable", "workspaceId", ws, "useGit", true)
			inA, inB := s.hand(ws, a), s.hand(ws, b)
			s.write(inA, "m.txt", "one\n2\n3\n4\n5\n6\n7\n")
			s.write(inB, "m.txt", "1\n2\n3\n4\n5\n6\nseven\n")
			for _, n := range []string{a, b} {
				s.call("node_dispatch_complete", "workspaceId", ws, "nodeId", n, "success", true, "conclusion", "done")
			}
			s.call("dispatch_disable_execute", "workspaceId", ws, "mergeStrategy", strategy, "confirmation", s.yes(ws))
			if b, err := os.ReadFile(ran); err == nil {
				t.Errorf("it ran %q", b)
			}
			if _, err := os.Stat(signed); err != nil {
				t.Errorf("the person's own program did not sign: %v", err)
			}
			if got := s.file(filepath.Join(s.project, "m.txt")); got != "one\n2\n3\n4\n5\n6\nseven\n" {
				t.Errorf("the work came home as %q", got)
			}
		})
	}
}

// BW-PAR-06, BW-PAR-07: a branch of what failed is never deleted without the person's
// yes, and a yes holds for what was asked alone: not one that was given for something
// else, nor for branches that came later. What is missing is refused as what is wrong.
func TestNothingThatFailedGoesUnasked(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.repository()
	other := s.call("workspace_init", "name", "other", "goal", "g").Sub("actionRequired").Text("confirmationToken")
	ws := s.init()
	asked := s.call("workspace_init", "name", "third", "goal", "g").Sub("actionRequired").Text("confirmationToken")
	a, b := s.add(ws, "root", "execution", "a"), s.add(ws, "root", "execution", "b")
	at := func(kv ...any) []any { return append([]any{"workspaceId", ws}, kv...) }
	yes := func(token string) protocol.Object { return object("token", token, "userInput", "yes") }
	branches := func() string {
		return s.git("for-each-ref", "--format=%(refname:short)", "refs/heads/tanmi_workspace/backup")
	}
	failing := func(node string) {
		s.write(s.hand(ws, node), "a.txt", "broken\n")
		s.call("node_dispatch_complete", at("nodeId", node, "success", false, "conclusion", "no")...)
	}
	s.call("dispatch_enable", at("useGit", true)...)
	failing(a)
	s.refused("CONFIRMATION_REQUIRED", "dispatch_disable_execute", at("mergeStrategy", "sequential")...)
	s.refused("INVALID_CONFIRMATION_TOKEN", "dispatch_disable_execute", at("mergeStrategy", "sequential", "confirmation", yes("ct-made-up"))...)
	s.refused("CONFIRMATION_MISMATCH", "dispatch_disable_execute", at("mergeStrategy", "sequential", "confirmation", yes(other))...)
	s.refused("CONFIRMATION_MISMATCH", "dispatch_disable_execute", at("mergeStrategy", "sequential", "confirmation", yes(asked))...)
	before := s.yes(ws)
	failing(b)
	s.refused("CONFIRMATION_MISMATCH", "dispatch_disable_execute", at("mergeStrategy", "sequential", "keepBackupBranch", false, "confirmation", before)...)
	if n := strings.Count(branches(), "backup/"); n != 2 {
		t.Fatalf("%d branches", n)
	}
	// A person in a terminal says it by the command; what failed wants a second yes.
	s.Operator.Person = true
	s.refused("CONFIRMATION_REQUIRED", "dispatch_disable_execute", at("mergeStrategy", "sequential", "keepBackupBranch", false)...)
	o := s.call("dispatch_disable_execute", at("mergeStrategy", "sequential")...)
	if !strings.Contains(string(o.Get("keptBranches")), "backup/") || strings.Count(branches(), "backup/") != 2 {
		t.Errorf("%s", o.Raw())
	}
	s.Operator.Person = false
	o = s.call("dispatch_cleanup", at()...)
	if o.Bool("success") || strings.Count(branches(), "backup/") != 2 {
		t.Errorf("unasked: %s", o.Raw())
	}
	s.refused("INVALID_CONFIRMATION_TOKEN", "dispatch_cleanup", at("confirmation", yes("ct-made-up"))...)
	token := o.Sub("actionRequired").Text("confirmationToken")
	s.refused("CONFIRMATION_MISMATCH", "node_transition", at("nodeId", "root", "action", "complete", "conclusion", "c", "confirmation", yes(token))...)
	s.call("dispatch_cleanup", at("confirmation", yes(token))...)
	if left := branches(); left != "" {
		t.Errorf("branches left: %s", left)
	}
}

// BW-PAR-04: what does not fit is refused with the files and with how to go on, and
// nothing is changed: neither the node nor the project, its branches or git's state.
func TestAConflictChangesNothing(t *testing.T) {
	t.Parallel()
	for i, strategy := range []string{"sequential", "squash", "cherry-pick"} {
		t.Run(strategy, func(t *testing.T) {
			if !slowtest.Part(i, 3) {
				return
			}
			s := newStage(t)
			s.repository()
			ws := s.init()
			at := func(kv ...any) []any { return append([]any{"workspaceId", ws}, kv...) }
			n, m := s.add(ws, "root", "execution", "n"), s.add(ws, "root", "execution", "m")
			s.call("dispatch_enable", at("useGit", true)...)
			inN, inM := s.hand(ws, n), s.hand(ws, m)
			s.write(inN, "a.txt", "theirs\n")
			s.write(inN, "n.txt", "n\n")
			s.write(inM, "a.txt", "others\n")
			s.call("node_dispatch_complete", at("nodeId", n, "success", true, "conclusion", "c")...)
			// Two nodes changed one line.
			e := s.refused("MERGE_CONFLICT", "node_dispatch_complete", at("nodeId", m, "success", true, "conclusion", "c")...)
			process := s.call("dispatch_disable", at()...).Text("processBranch")
			if !strings.Contains(e.Message, "a.txt") || !strings.Contains(e.Fix, "git merge "+process) || !strings.Contains(e.Fix, inM) {
				t.Errorf("%s\n%s", e.Message, e.Fix)
			}
			if s.status(ws, m) != "implementing" || s.file(filepath.Join(inM, "a.txt")) != "others\n" || s.git("log", "--format=%s", "main.."+process) != "n" {
				t.Errorf("%s: something was changed", strategy)
			}
			s.clean()
			// By what the refusal says it goes on.
			if out := s.gitFails("-C", inM, "merge", process); !strings.Contains(out, "CONFLICT") {
				t.Fatalf("%s", out)
			}
			s.refused("MERGE_CONFLICT", "node_dispatch_complete", at("nodeId", m, "success", true, "conclusion", "c")...)
			s.write(inM, "a.txt", "both\n")
			s.git("-C", inM, "add", "a.txt")
			s.git("-C", inM, "commit", "-q", "-m", "both")
			s.call("node_dispatch_complete", at("nodeId", m, "success", true, "conclusion", "c")...)

			// The project changed the line as well.
			s.write(s.project, "a.txt", "mine\n")
			s.git("commit", "-q", "-a", "-m", "mine")
			refs := s.git("for-each-ref")
			e = s.refused("MERGE_CONFLICT", "dispatch_disable_execute", at("mergeStrategy", strategy, "confirmation", s.yes(ws))...)
			if !strings.Contains(e.Message, "a.txt") || !strings.Contains(e.Fix, "git merge "+process) {
				t.Errorf("%s\n%s", e.Message, e.Fix)
			}
			if s.git("status", "--porcelain") != "" || s.git("for-each-ref") != refs || s.file(filepath.Join(s.project, "a.txt")) != "mine\n" {
				t.Errorf("%s: the project was changed: %s", strategy, s.git("status", "--porcelain"))
			}
			s.clean()
			s.gitFails("merge", process)
			s.write(s.project, "a.txt", "all\n")
			s.git("commit", "-q", "-a", "-m", "by hand")
			s.call("dispatch_disable_execute", at("mergeStrategy", strategy, "confirmation", s.yes(ws))...)
			if s.git("log", "-1", "--format=%s") != "by hand" || s.git("status", "--porcelain") != "" {
				t.Errorf("%s: what was home already was brought again", strategy)
			}
		})
	}
}

// clean looks for what an operation of git leaves that did not end.
func (s *stage) clean() {
	s.Helper()
	err := filepath.WalkDir(filepath.Join(s.project, ".git"), func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name := e.Name(); {
		case name == "MERGE_HEAD", name == "CHERRY_PICK_HEAD", name == "SQUASH_MSG", name == "MERGE_MSG", name == "sequencer", strings.HasSuffix(name, ".lock"), strings.HasPrefix(name, "rebase-"):
			s.Errorf("%s is left", path)
		}
		return nil
	})
	if err != nil {
		s.Error(err)
	}
}

// BW-PAR-08, BW-PAR-09: who works in the worktree of a node need not name it: what is
// begun, finished and bound there is that node; others are offered something else. A
// folder that only says that it is a worktree is none.
func TestWhoWorksInAWorktreeFindsItsNode(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.repository()
	ws := s.init()
	a, b := s.add(ws, "root", "execution", "a"), s.add(ws, "root", "execution", "b")
	s.call("dispatch_enable", "workspaceId", ws, "useGit", true)
	inA, inB := s.hand(ws, a), s.hand(ws, b)
	if here := s.Place.At(inB); len(here) != 1 || here[0].ID != ws {
		t.Errorf("in a worktree there is %v", here)
	}
	if o := s.call("node_next", "workspaceId", ws, "sessionId", "lead"); o.Has("next") || strings.Count(string(o.Get("others")), "worktree:") != 2 {
		t.Errorf("%s", o.Raw())
	}
	s.refused("NODE_CLAIMED", "node_begin", "workspaceId", ws, "nodeId", a, "sessionId", "lead")
	there := *s.Operator
	there.Dir, there.Project = inB, inB
	sub := *s
	sub.Operator = &there
	o := sub.call("session_bind", "sessionId", "sub", "workspaceId", ws)
	if o.Sub("focus").Text("title") != "b" || o.Sub("focus").Text("workDir") != inB {
		t.Errorf("%s", o.Raw())
	}
	o = sub.call("node_begin", "workspaceId", ws, "sessionId", "sub")
	if o.Text("title") != "b" || o.Text("workDir") != inB {
		t.Errorf("%s", o.Raw())
	}
	s.refused("NODE_CLAIMED", "node_done", "workspaceId", ws, "nodeId", b, "conclusion", "not mine", "sessionId", "lead")
	s.write(inB, "b.txt", "b\n")
	sub.call("node_done", "workspaceId", ws, "sessionId", "sub", "conclusion", "done in its worktree")
	if s.status(ws, b) != "completed" || s.status(ws, a) != "implementing" {
		t.Errorf("b is %s, a %s", s.status(ws, b), s.status(ws, a))
	}
	if o := s.call("dispatch_disable", "workspaceId", ws); !strings.Contains(string(o.Get("commits")), `"b"`) {
		t.Errorf("%s", o.Raw())
	}
	// Without a session of its own, and by whoever handed it over.
	s.write(inA, "a.txt", "no\n")
	o = s.call("node_done", "workspaceId", ws, "nodeId", a, "sessionId", "lead", "conclusion", "it does not work", "failed", true)
	if s.status(ws, a) != "failed" || s.git("show", o.Text("backupBranch")+":a.txt") != "no" {
		t.Errorf("%s", o.Raw())
	}
	// A folder of a stranger that points into this repository.
	in := s.hand(ws, a)
	stranger := t.TempDir()
	s.write(stranger, ".git", s.file(filepath.Join(in, ".git")))
	if here := s.Place.At(stranger); len(here) != 0 {
		t.Errorf("a folder that is no worktree has %v", here)
	}
}

// BW-PAR-10: what is handed over is with whoever has it as long as something happens
// in its worktree, and is then seen as lost, and handed over again with what was done.
func TestADeadSubagentIsSeen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.repository()
	s.now = time.Now()
	ws := s.init()
	a := s.add(ws, "root", "execution", "a")
	s.call("dispatch_enable", "workspaceId", ws, "useGit", true)
	dir := s.hand(ws, a)
	s.write(dir, "half.txt", "half\n")
	s.now = s.now.Add(29 * time.Minute)
	s.refused("NODE_CLAIMED", "node_dispatch", "workspaceId", ws, "nodeId", a)
	s.now = s.now.Add(10 * time.Minute) // the claim is over, and something happened meanwhile
	late := s.now.Add(-5 * time.Minute)
	must.Do(t, os.Chtimes(filepath.Join(dir, "half.txt"), late, late))
	s.refused("NODE_CLAIMED", "node_dispatch", "workspaceId", ws, "nodeId", a)
	s.refused("NODE_CLAIMED", "node_begin", "workspaceId", ws, "nodeId", a, "sessionId", "lead")
	if o := s.call("node_next", "workspaceId", ws, "sessionId", "lead"); o.Has("lost") || !o.Has("others") {
		t.Errorf("at work: %s", o.Raw())
	}
	s.now = s.now.Add(time.Hour)
	if o := s.call("node_next", "workspaceId", ws, "sessionId", "lead"); !strings.Contains(string(o.Get("lost")), "“a”") {
		t.Errorf("dead: %s", o.Raw())
	}
	if o := s.call("dispatch_disable", "workspaceId", ws); !strings.Contains(string(o.Get("working")), `"alive": false`) {
		t.Errorf("%s", o.Get("working"))
	}
	task := s.call("node_dispatch", "workspaceId", ws).Sub("actionRequired").Sub("data")
	if task.Text("nodeId") != a || task.Text("workDir") != dir || !strings.Contains(task.Text("prompt"), "git status") || s.file(filepath.Join(dir, "half.txt")) != "half\n" {
		t.Errorf("%s", task.Raw())
	}
	s.refused("NODE_CLAIMED", "node_dispatch", "workspaceId", ws, "nodeId", a)
	s.call("node_dispatch_complete", "workspaceId", ws, "nodeId", a, "success", true, "conclusion", "done")
	if s.git("show", s.call("dispatch_disable", "workspaceId", ws).Text("processBranch")+":half.txt") != "half" {
		t.Error("what the dead one did is gone")
	}
}

// BW-PAR-10: whose worktree somebody took away is lost at once, and is handed over again.
func TestATaskWhoseWorktreeIsGoneIsLost(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.repository()
	s.now = time.Now()
	ws := s.init()
	a := s.add(ws, "root", "execution", "a")
	s.call("dispatch_enable", "workspaceId", ws, "useGit", true)
	must.Do(t, os.RemoveAll(s.hand(ws, a)))
	if o := s.call("node_next", "workspaceId", ws, "sessionId", "lead"); !strings.Contains(string(o.Get("lost")), "“a”") || o.Has("next") || o.Has("others") {
		t.Errorf("%s", o.Raw())
	}
	if e := s.refused("NOTHING_READY", "node_begin", "workspaceId", ws, "sessionId", "lead"); !strings.Contains(e.Error(), "hands it over again") {
		t.Error(e)
	}
	dir := s.call("node_dispatch", "workspaceId", ws).Sub("actionRequired").Sub("data").Text("workDir")
	s.write(dir, "done.txt", "done\n")
	s.git("branch", "-m", s.call("dispatch_disable", "workspaceId", ws).Text("processBranch"), "elsewhere")
	if e := s.refused("GIT_FAILED", "node_dispatch_complete", "workspaceId", ws, "nodeId", a, "success", true, "conclusion", "c"); !strings.Contains(e.Fix, "git branch") {
		t.Errorf("the branch of the work is gone: %v, %s", e, e.Fix)
	}
}

// gitFails runs git where it fails, and returns what it said.
func (s *stage) gitFails(args ...string) string {
	s.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = s.project, s.Env
	out, err := cmd.CombinedOutput()
	if err == nil {
		s.Fatalf("git %v: %s", args, out)
	}
	return string(out)
}
