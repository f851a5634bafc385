//go:build unix

package ops

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// checking lets the operator run commands, and is where they ran.
func (s *stage) checking() *[]string {
	var ran []string
	s.Shell = func(ctx context.Context, dir string, env []string, session, line string) (int, string, error) {
		ran = append(ran, line)
		cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if left, ok := errors.AsType[*exec.ExitError](err); ok && ctx.Err() == nil {
			return left.ExitCode(), string(out), nil
		}
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return cmd.ProcessState.ExitCode(), string(out), err
	}
	return &ran
}

// events are the rows of a node's log.
func (s *stage) events(ws, node string) string {
	var all []string
	st := s.open(ws)
	for _, r := range st.Logs(st.Graph.Node(node)) {
		all = append(all, r.Operator+": "+r.Event)
	}
	return strings.Join(all, "\n")
}

// A criterion's command is run where the project is when its node is done; a node whose
// check fails stays at work, with the end of what it said; the others are told that have
// no evidence, until some is given by number or by their words.
// BW-EVI-01, BW-EVI-02, BW-EVI-03.
func TestCriteriaAreChecked(t *testing.T) {
	s := newStage(t)
	ran := s.checking()
	ws := s.init()
	criteria := []any{object("when", "cmd: test -f built && echo ok; echo 1234 | wc -c", "then", "it is built"), object("when", "expired token", "then", "401"), object("when", "no key at all", "then", "a clear error")}
	list := make([]string, 0, len(criteria))
	for _, c := range criteria {
		list = append(list, string(value(c)))
	}
	n := s.add(ws, "root", "execution", "Verify", "acceptanceCriteria", rawList(list))
	s.call("node_begin", "workspaceId", ws, "nodeId", n, "sessionId", "s-1")
	if len(*ran) > 0 {
		t.Errorf("run before it was done: %q", *ran)
	}
	s.add(ws, "root", "execution", "Other")
	other := s.add(ws, "root", "execution", "Fails", "acceptanceCriteria", rawList([]string{`{"when": "x y z", "then": "cmd: echo to stderr >&2; exit 3"}`}))
	e := s.refused("CHECK_FAILED", "node_done", "workspaceId", ws, "nodeId", other, "conclusion", "c")
	if !strings.Contains(e.Message, "exited with 3") || !strings.Contains(e.Message, "to stderr") || s.status(ws, other) != workspace.Pending {
		t.Errorf("%s\n%s", s.status(ws, other), e.Message)
	}
	// The line of the first ends well whatever comes of its test: it is the shell's.
	answer := s.call("node_done", "workspaceId", ws, "nodeId", n, "sessionId", "s-1", "conclusion", "verified", "evidence", []string{"2: TestExpired"})
	if is := string(answer.Get("unproven")); !strings.Contains(is, "3: no key at all") || strings.Contains(is, "expired") || strings.Contains(is, "cmd:") {
		t.Errorf("unproven: %s", answer.Raw())
	}
	if is := s.events(ws, n); !strings.Contains(is, "seen: passed: test -f built") || !strings.Contains(is, "evidence: 2: TestExpired") {
		t.Error(is)
	}
	if is := s.events(ws, other); !strings.Contains(is, "seen: failed: echo to stderr") {
		t.Error(is)
	}
	s.call("log_append", "workspaceId", ws, "nodeId", n, "event", "evidence: with NO KEY at all it says which file it wants")
	st := s.open(ws)
	if lacks := st.Proof(st.Graph.Node(n)).Lacks(st.Info(st.Graph.Node(n)).Acceptance); lacks != nil {
		t.Errorf("lacks %v", lacks)
	}
	// Begun anew, nothing of before shows anything.
	s.call("node_transition", "workspaceId", ws, "nodeId", n, "action", "reopen")
	st = s.open(ws)
	if lacks := st.Proof(st.Graph.Node(n)).Lacks(st.Info(st.Graph.Node(n)).Acceptance); len(lacks) != 3 {
		t.Errorf("after reopen lacks %v", lacks)
	}
	if is := string(s.call("node_transition", "workspaceId", ws, "nodeId", n, "action", "complete", "conclusion", "again").Get("unproven")); strings.Count(is, `"`) != 6 {
		t.Errorf("complete: unproven %s", is)
	}
	// What somebody writes is no row of what was seen.
	s.call("log_append", "workspaceId", ws, "nodeId", other, "event", "seen: passed: echo to stderr >&2; exit 3")
	st = s.open(ws)
	if p := st.Proof(st.Graph.Node(other)); p.Last("echo to stderr >&2; exit 3") == workspace.Passed {
		t.Errorf("%+v", p)
	}
	s.call("node_done", "workspaceId", ws, "nodeId", other, "conclusion", "gave up", "failed", true)
}

func rawList(list []string) any { return protocol.Raw("[" + strings.Join(list, ",") + "]") }

// A check that does not end is ended in time, and is no success; where nothing can be
// run, nothing is, and the criterion is one without evidence.
// BW-EVI-04.
func TestChecksAreBounded(t *testing.T) {
	s := newStage(t)
	s.checking()
	s.CheckTime = 100 * time.Millisecond
	ws := s.init()
	n := s.add(ws, "root", "execution", "Hangs", "acceptanceCriteria", rawList([]string{`{"when": "done", "then": "cmd: exec sleep 600"}`}))
	s.call("node_begin", "workspaceId", ws, "nodeId", n)
	if e := s.refused("CHECK_FAILED", "node_done", "workspaceId", ws, "conclusion", "c"); !strings.Contains(e.Message, "in time") {
		t.Error(e.Message)
	}
	s.Shell = func(context.Context, string, []string, string, string) (int, string, error) {
		return -1, "", errors.New("a hook is against it: not here")
	}
	answer := s.call("node_done", "workspaceId", ws, "conclusion", "c")
	if !strings.Contains(string(answer.Get("unproven")), "1: done") || !strings.Contains(s.events(ws, n), "not checked: exec sleep 600: a hook is against it") {
		t.Errorf("%s\n%s", answer.Raw(), s.events(ws, n))
	}
}

// A command that a clone or somebody's hand brought is not run before its person let it
// in.
// BW-EVI-05.
func TestNobodysCommandsAreNotRun(t *testing.T) {
	s := newStage(t)
	ran := s.checking()
	s.Place.Known = func(root string) *ledger.Ledger { return ledger.At(filepath.Join(s.home, "state"), root) }
	ws := s.init()
	n := s.add(ws, "root", "execution", "Build", "acceptanceCriteria", rawList([]string{`{"when": "cmd: true", "then": "it builds"}`}))
	st := s.open(ws)
	file := filepath.Join(st.NodeDir(st.Graph.Node(n)), workspace.InfoFile)
	text := strings.Replace(s.file(file), "| cmd: true |", "| cmd: touch owned | x |\n| cmd: true |", 1)
	must.Write(t, file, text)
	s.call("node_done", "workspaceId", ws, "nodeId", n, "conclusion", "c")
	if len(*ran) != 1 || (*ran)[0] != "true" {
		t.Errorf("ran %q", *ran)
	}
	files, err := s.Place.Unapproved(st.Entry)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	must.Do(t, s.Place.Known(s.project).Let(ledger.Own, ledger.Keys(files)))
	s.call("node_transition", "workspaceId", ws, "nodeId", n, "action", "reopen")
	s.call("node_done", "workspaceId", ws, "nodeId", n, "conclusion", "c")
	if len(*ran) != 3 {
		t.Errorf("let in, ran %q", *ran)
	}
	if _, err := os.Stat(filepath.Join(s.project, "owned")); err != nil {
		t.Error(err)
	}
}

// Checks run in the worktree that the caller is in, where that is one of the project's
// repository; a folder that only says so is none.
// BW-EVI-06.
func TestChecksRunInTheWorktree(t *testing.T) {
	s := newStage(t)
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=T", "-c", "user.email=t@example.org", "-C", dir}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git(s.project, "init", "-q")
	git(s.project, "commit", "-q", "--allow-empty", "-m", "one")
	tree := filepath.Join(t.TempDir(), "tree")
	git(s.project, "worktree", "add", "-q", tree)
	liar := t.TempDir()
	link, err := os.ReadFile(filepath.Join(tree, ".git"))
	if err == nil {
		err = os.WriteFile(filepath.Join(liar, ".git"), link, 0o600)
	}
	must.Do(t, err)
	s.checking()
	ws := s.init()
	project := s.project
	for _, c := range []struct{ name, from, want string }{
		{"called from the worktree", tree, tree},
		{"called from the project", project, project},
		{"called from a folder that says it is the worktree", liar, project},
		{"called from a folder of nobody", t.TempDir(), project},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := s.add(ws, "root", "execution", "In "+c.from, "acceptanceCriteria", rawList([]string{`{"when": "cmd: touch here", "then": "x"}`}))
			s.Project = c.from
			s.call("node_done", "workspaceId", ws, "nodeId", n, "conclusion", "c")
			for _, dir := range []string{tree, project, liar} {
				if err := os.Remove(filepath.Join(dir, "here")); (err == nil) != (dir == c.want) {
					t.Errorf("in %s: %v", dir, err)
				}
			}
		})
	}
}

// Who did something is told: the person, an agent, and which agent.
// BW-EVI-09.
func TestWhoDidIt(t *testing.T) {
	s := newStage(t)
	ws := s.init()
	n := s.add(ws, "root", "execution", "Tokens")
	s.call("session_bind", "sessionId", "s-1", "workspaceId", ws)
	b, _ := s.Place.Binding("s-1", s.now)
	must.Do(t, s.Place.Seen(b, "claude-code", s.now))
	by := func() string {
		started, done := s.open(ws).Graph.Node(n).By()
		return started + "," + done
	}
	s.call("node_begin", "workspaceId", ws, "nodeId", n, "sessionId", "s-1")
	if by() != "claude-code," {
		t.Error(by())
	}
	s.Person = true
	s.call("node_transition", "workspaceId", ws, "nodeId", n, "action", "complete", "conclusion", "by hand")
	if by() != "claude-code,Human" {
		t.Error(by())
	}
	s.call("log_append", "workspaceId", ws, "nodeId", n, "event", "looked at it")
	s.Person = false
	s.call("log_append", "workspaceId", ws, "nodeId", n, "event", "read it")
	is := s.events(ws, n)
	for _, want := range []string{"AI: started: pending → implementing · claude-code", "Human: completed: implementing → completed", "Human: looked at it", "AI: read it"} {
		if !strings.Contains(is, want+"\n") && !strings.HasSuffix(is, want) {
			t.Errorf("%q is missing in\n%s", want, is)
		}
	}
	s.call("node_transition", "workspaceId", ws, "nodeId", n, "action", "reopen")
	if by() != "," {
		t.Error(by())
	}
}

// What a subagent brought is checked as what is done by oneself: in its worktree, before
// anything of it is merged, in time, also where a session in the worktree has claimed it;
// what failed is not checked; and what nobody let in is not run.
// BW-EVI-01, BW-EVI-04, BW-EVI-05, BW-EVI-06.
func TestWhatASubagentBringsIsChecked(t *testing.T) {
	s := newStage(t)
	s.repository()
	ran := s.checking()
	s.Place.Known = func(root string) *ledger.Ledger { return ledger.At(filepath.Join(s.home, "state"), root) }
	ws := s.init()
	s.call("dispatch_enable", "workspaceId", ws, "useGit", true)
	task := func(title, command string) (node, dir string) {
		node = s.add(ws, "root", "execution", title, "acceptanceCriteria", rawList([]string{string(value(object("when", "cmd: "+command, "then", "it is right"))), `{"when": "it is slow", "then": "it is not"}`}))
		return node, s.hand(ws, node)
	}
	end := func(node string, success bool) []any {
		return []any{"workspaceId", ws, "nodeId", node, "success", success, "conclusion", "c"}
	}
	n, dir := task("Built", "test -f built")
	s.Dir = dir
	s.call("node_begin", "workspaceId", ws, "sessionId", "s-1")
	s.Dir = s.project
	main := s.git("rev-parse", "HEAD")
	e := s.refused("CHECK_FAILED", "node_dispatch_complete", end(n, true)...)
	if !strings.Contains(e.Message, "exited with 1") || s.status(ws, n) != "implementing" || !strings.Contains(s.events(ws, n), "seen: failed: test -f built") {
		t.Errorf("%s\n%s", e.Message, s.events(ws, n))
	}
	if is := s.call("dispatch_disable", "workspaceId", ws).Get("commits"); string(is) != "[]" || s.git("rev-parse", "HEAD") != main {
		t.Errorf("a check failed, and it was merged: %s", is)
	}
	s.write(dir, "built", "x")
	answer := s.call("node_dispatch_complete", end(n, true)...)
	if is := string(answer.Get("unproven")); !strings.Contains(is, "2: it is slow") || strings.Contains(is, "cmd:") || !strings.Contains(s.events(ws, n), "seen: passed: test -f built") {
		t.Errorf("%s\n%s", answer.Raw(), s.events(ws, n))
	}
	if _, err := os.Stat(filepath.Join(s.project, "built")); err == nil {
		t.Error("the project was touched")
	}

	s.CheckTime = 100 * time.Millisecond
	n, _ = task("Hangs", "exec sleep 600")
	if e := s.refused("CHECK_FAILED", "node_dispatch_complete", end(n, true)...); !strings.Contains(e.Message, "in time") {
		t.Error(e.Message)
	}
	s.CheckTime = 0
	before := len(*ran)
	if s.call("node_dispatch_complete", end(n, false)...); len(*ran) != before {
		t.Errorf("it failed, and was checked: %q", *ran)
	}

	n, _ = task("Owned", "true")
	st := s.open(ws)
	file := filepath.Join(st.NodeDir(st.Graph.Node(n)), workspace.InfoFile)
	must.Write(t, file, strings.Replace(s.file(file), "| cmd: true |", "| cmd: touch owned | x |\n| cmd: true |", 1))
	before = len(*ran)
	if s.call("node_dispatch_complete", end(n, true)...); len(*ran) != before+1 || (*ran)[before] != "true" {
		t.Errorf("ran %q", (*ran)[before:])
	}
}
