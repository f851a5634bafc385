package ops

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// BW-SES-02, BW-SES-03, BW-SES-04: the answers of the three session tools, as the
// seed fixes them.
func TestSessionTools(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Chinese = true
	ws := s.init()
	node := s.add(ws, "root", "execution", "实现 JWT 认证")
	want := func(o protocol.Object, text string) {
		t.Helper()
		if have := string(o.Raw()); have != text {
			t.Errorf("\nhave %s\nwant %s", have, text)
		}
	}
	want(s.call("session_status", "sessionId", "abc123"), `{"bound": false, "availableWorkspaces": [{"id": "`+ws+`", "name": "重构认证", "status": "active", "progress": {"done": 0, "total": 1}}]}`)
	want(s.call("session_bind", "sessionId", "abc123", "workspaceId", ws, "nodeId", node),
		`{"success": true, "message": "已绑定到工作区「重构认证」", "binding": {"sessionId": "abc123", "workspaceId": "`+ws+`", "focusedNodeId": "`+node+`"}, "goal": "用 JWT 替换 session", "focus": {"nodeId": "`+workspace.ShortID(node)+`", "title": "实现 JWT 认证", "status": "pending", "requirement": "do 实现 JWT 认证"}, "progress": "0/1", "next": {"nodeId": "`+workspace.ShortID(node)+`", "title": "实现 JWT 认证", "why": "按计划的顺序", "with": "node_begin"}}`)
	if s.open(ws).Graph.Focus() != node {
		t.Error("the node of a binding is the focus of the workspace")
	}
	want(s.call("session_status", "sessionId", "abc123"),
		`{"bound": true, "workspace": {"id": "`+ws+`", "name": "重构认证", "goal": "用 JWT 替换 session"}, "focusedNode": {"id": "`+node+`", "title": "实现 JWT 认证", "status": "pending", "requirement": "do 实现 JWT 认证"}}`)
	s.refused("WORKSPACE_NOT_FOUND", "session_bind", "sessionId", "abc123", "workspaceId", "ws-none")
	s.refused("NODE_NOT_FOUND", "session_bind", "sessionId", "abc123", "workspaceId", ws, "nodeId", "node-none")
	s.refused("INVALID_PARAMS", "session_bind", "workspaceId", ws)
	if b, ok := s.Place.Binding("abc123", s.now); !ok || b.Node != node {
		t.Error("a refused binding changes nothing")
	}
	want(s.call("session_unbind", "sessionId", "abc123"), `{"success": true, "message": "已解除工作区绑定，Hook 将保持静默"}`)
	want(s.call("session_unbind", "sessionId", "abc123"), `{"success": true, "message": "已解除工作区绑定，Hook 将保持静默"}`)
	if o := s.call("session_status", "sessionId", "abc123"); o.Bool("bound") {
		t.Error("bound still")
	}
}

// BW-SES-01: nothing but session_bind binds, whatever else is done.
func TestNothingBindsByItself(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	n := s.add(ws, "root", "execution", "n")
	s.Session = "me"
	s.call("context_focus", "workspaceId", ws, "nodeId", n)
	s.call("node_transition", "workspaceId", ws, "nodeId", n, "action", "start")
	s.call("session_status")
	s.call("context_get", "workspaceId", ws, "nodeId", n)
	if _, err := os.Stat(filepath.Join(s.Place.Home, "session-bindings.json")); err == nil || len(s.Place.Bindings()) != 0 {
		t.Error("something was bound")
	}
}

// BW-SES-06: a binding whose workspace is gone is dropped.
func TestBindingOfAGoneWorkspace(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	s.call("session_bind", "sessionId", "a", "workspaceId", ws)
	must.Do(t, os.RemoveAll(s.open(ws).Dir))
	if o := s.call("session_status", "sessionId", "a"); o.Bool("bound") {
		t.Errorf("%s", o.Raw())
	}
	if len(s.Place.Bindings()) != 0 {
		t.Error("the binding is there still")
	}
}

// BW-SES-08: several windows on one workspace, each with its own focus; a change
// moves only that of its own session.
func TestWindowsHaveTheirOwnFocus(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	a, b := s.add(ws, "root", "planning", "a"), s.add(ws, "root", "planning", "b")
	s.call("session_bind", "sessionId", "A", "workspaceId", ws, "nodeId", a)
	s.call("session_bind", "sessionId", "B", "workspaceId", ws, "nodeId", b)
	focus := func(session string) string {
		t.Helper()
		st, ok, err := s.Place.Bound(session, s.now)
		if !ok || err != nil || st.Focus == nil {
			t.Fatal(session, ok, err)
		}
		return st.Focus.Title
	}
	if focus("A") != "a" || focus("B") != "b" {
		t.Errorf("%s %s", focus("A"), focus("B"))
	}
	c := s.add(ws, a, "execution", "c")
	s.call("node_transition", "workspaceId", ws, "nodeId", c, "action", "start", "sessionId", "A")
	if focus("A") != "c" || focus("B") != "b" {
		t.Errorf("%s %s", focus("A"), focus("B"))
	}
	// Whose it is nobody said: with two windows at work nobody's focus moves.
	s.call("context_focus", "workspaceId", ws, "nodeId", "root")
	if focus("A") != "c" || focus("B") != "b" {
		t.Errorf("%s %s", focus("A"), focus("B"))
	}
	// B is over: A is the only window, and follows the workspace.
	must.Do(t, s.Place.Ended("B", s.now))
	s.call("context_focus", "workspaceId", ws, "nodeId", b)
	if focus("A") != "b" {
		t.Errorf("%s", focus("A"))
	}
}

// BW-NOD-05: what context_get gives, cut at an isolated node, with at most 20 rows.
func TestContextOfANode(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	s.call("workspace_update_rules", "workspaceId", ws, "action", "add", "rule", "no tabs")
	hash := workspace.RulesHash([]string{"no tabs"})
	plan := s.add(ws, "root", "planning", "plan", "rulesHash", hash)
	a := s.add(ws, plan, "execution", "a", "rulesHash", hash)
	b := s.add(ws, plan, "execution", "b", "rulesHash", hash)
	s.call("node_transition", "workspaceId", ws, "nodeId", a, "action", "start")
	s.call("node_transition", "workspaceId", ws, "nodeId", a, "action", "complete", "conclusion", "found it")
	for range 30 {
		s.call("log_append", "workspaceId", ws, "nodeId", plan, "operator", "AI", "event", "e"+strings.Repeat("x", 3))
	}
	s.call("node_reference", "workspaceId", ws, "nodeId", plan, "action", "add", "targetIdOrPath", b)
	o := s.call("context_get", "workspaceId", ws, "nodeId", plan)
	chain := protocol.ElementsOf(o.Get("chain"))
	last := protocol.ObjectOf(chain[len(chain)-1])
	if o.Sub("workspace").Text("rulesHash") != hash || len(chain) != 2 || last.Text("title") != "plan" || len(protocol.ElementsOf(last.Get("logEntries"))) != 20 {
		t.Errorf("%s", o.Raw())
	}
	if kids := string(o.Get("childConclusions")); kids != `[{"nodeId": "`+a+`", "title": "a", "status": "completed", "conclusion": "found it"}]` {
		t.Errorf("%s", kids)
	}
	if refs := protocol.ElementsOf(o.Get("references")); len(refs) != 1 || protocol.ObjectOf(refs[0]).Text("title") != "b" {
		t.Errorf("%s", o.Get("references"))
	}
	s.call("node_isolate", "workspaceId", ws, "nodeId", plan, "isolate", true)
	o = s.call("context_get", "workspaceId", ws, "nodeId", b, "includeLog", false)
	if chain := protocol.ElementsOf(o.Get("chain")); len(chain) != 2 || protocol.ObjectOf(chain[0]).Text("nodeId") != plan || protocol.ObjectOf(chain[1]).Has("logEntries") {
		t.Errorf("%s", o.Get("chain"))
	}
	s.call("node_reference", "workspaceId", ws, "nodeId", plan, "action", "expire", "targetIdOrPath", b)
	if o = s.call("context_get", "workspaceId", ws, "nodeId", plan); string(o.Get("references")) != "[]" {
		t.Errorf("%s", o.Get("references"))
	}
	s.refused("REFERENCE_NOT_FOUND", "node_reference", "workspaceId", ws, "nodeId", plan, "action", "remove", "targetIdOrPath", a)
	s.refused("INVALID_PATH", "node_reference", "workspaceId", ws, "nodeId", plan, "action", "add", "targetIdOrPath", "no/such.md")
	s.refused("MEMO_NOT_FOUND", "node_reference", "workspaceId", ws, "nodeId", plan, "action", "add", "targetIdOrPath", "memo://memo-none")
}

// Memos: kept, found by tag, tied to nodes, and gone with the references to them.
func TestMemos(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	id := s.call("memo_create", "workspaceId", ws, "title", "密钥", "summary", "90 天", "content", "正文", "tags", []string{"a", "b"}).Text("memoId")
	s.call("node_reference", "workspaceId", ws, "nodeId", "root", "action", "add", "targetIdOrPath", id)
	s.refused("REFERENCE_EXISTS", "node_reference", "workspaceId", ws, "nodeId", "root", "action", "add", "targetIdOrPath", "memo://"+id)
	s.call("memo_update", "workspaceId", ws, "memoId", id, "content", "另一段", "tags", []string{"c"})
	if m := s.call("memo_get", "workspaceId", ws, "memoId", id).Sub("memo"); m.Text("content") != "另一段" || m.Text("title") != "密钥" || string(m.Get("contentLength")) != "3" {
		t.Errorf("%s", m.Raw())
	}
	if o := s.call("memo_list", "workspaceId", ws, "tags", []string{"a"}); string(o.Raw()) != `{"memos": [], "allTags": ["c"]}` {
		t.Errorf("%s", o.Raw())
	}
	s.call("memo_delete", "workspaceId", ws, "memoId", id)
	st := s.open(ws)
	if refs := st.Graph.Root().References(); len(refs) != 0 || len(st.Info(st.Graph.Root()).Docs) != 0 {
		t.Errorf("%q %v", refs, st.Info(st.Graph.Root()).Docs)
	}
	s.refused("MEMO_NOT_FOUND", "memo_get", "workspaceId", ws, "memoId", id)
}

// BW-CMD-11: a token is asked for by one process and used by another, for 30 minutes,
// for one node, and once.
func TestConfirmation(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	n := s.add(ws, "root", "execution", "n", "docs", []protocol.Object{object("path", "d.md", "description", "d")})
	s.call("node_transition", "workspaceId", ws, "nodeId", n, "action", "start")
	action := s.call("node_transition", "workspaceId", ws, "nodeId", n, "action", "complete", "conclusion", "c").Sub("actionRequired")
	token := action.Text("confirmationToken")
	if action.Text("type") != "check_docs" || token == "" {
		t.Fatalf("%s", action.Raw())
	}
	use := func(node string) []any {
		return []any{"workspaceId", ws, "nodeId", node, "action", "reopen", "confirmation", object("token", token, "userInput", "文档不用改")}
	}
	s.force(ws, "root", "completed")
	s.refused("CONFIRMATION_MISMATCH", "node_transition", use("root")...)
	s.now = s.now.Add(30*time.Minute - time.Second)
	s.call("node_transition", use(n)...)
	logs := s.open(ws).Logs(s.open(ws).Graph.Node(n))
	if !slices.ContainsFunc(logs, func(r workspace.Row) bool {
		return r.Operator == "Human" && strings.HasSuffix(r.Event, "文档不用改")
	}) {
		t.Errorf("%v", logs)
	}
	s.force(ws, n, "completed")
	s.refused("INVALID_CONFIRMATION_TOKEN", "node_transition", use(n)...)
	s.force(ws, n, "implementing")
	token = s.call("node_transition", "workspaceId", ws, "nodeId", n, "action", "complete", "conclusion", "c").Sub("actionRequired").Text("confirmationToken")
	s.now = s.now.Add(30 * time.Minute)
	s.refused("INVALID_CONFIRMATION_TOKEN", "node_transition", use(n)...)
}

// BW-STO-11: what a person changes by hand is told until an agent reads it; what
// operations change is not.
func TestPendingChanges(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	n := s.add(ws, "root", "execution", "n")
	s.call("session_bind", "sessionId", "s", "workspaceId", ws)
	if o := s.call("get_pending_changes", "sessionId", "s"); o.Bool("hasChanges") {
		t.Errorf("%s", o.Raw())
	}
	st := s.open(ws)
	path := filepath.Join(st.NodeDir(st.Graph.Node(n)), "Info.md")
	text := strings.Replace(s.file(path), "do n", "do n, and by hand", 1)
	must.Write(t, path, text)
	s.call("log_append", "workspaceId", ws, "operator", "AI", "event", "e")
	o := s.call("get_pending_changes", "sessionId", "s")
	if !o.Bool("hasChanges") || !strings.Contains(o.Text("reminderText"), "Info.md: 需求") {
		t.Errorf("%s", o.Raw())
	}
	if o := s.call("context_get", "workspaceId", ws, "nodeId", n); !strings.Contains(string(o.Get("manualChanges")), "需求") || !strings.Contains(string(o.Raw()), "by hand") {
		t.Errorf("%s", o.Raw())
	}
	if o := s.call("get_pending_changes", "sessionId", "s"); o.Bool("hasChanges") {
		t.Errorf("%s", o.Raw())
	}
	if o := s.call("get_pending_changes", "sessionId", "other"); o.Bool("hasChanges") {
		t.Errorf("%s", o.Raw())
	}
	// The original's own page keeps a list.
	path = filepath.Join(st.Dir, "workspace.json")
	must.Write(t, path, `{"pendingManualChanges": [{"type": "edit", "field": "goal"}, {}],`+strings.TrimPrefix(s.file(path), "{"))
	if o := s.call("get_pending_changes", "sessionId", "s"); !strings.Contains(o.Text("reminderText"), "goal edit") {
		t.Errorf("%s", o.Raw())
	}
}

// BW-STO-08: secrets and private parts do not get into files.
func TestSecrets(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	const key = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	s.call("log_append", "workspaceId", ws, "operator", "AI", "event", "set "+key+" <private>mine</private>")
	s.call("problem_update", "workspaceId", ws, "problem", "the key "+key+" does not work")
	st := s.open(ws)
	for _, f := range []string{"Log.md", "Problem.md"} {
		if text := s.file(filepath.Join(st.Dir, f)); strings.Contains(text, key) || strings.Contains(text, "mine") {
			t.Errorf("%s: %s", f, text)
		}
	}
}

func (s *stage) git(args ...string) string {
	s.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = s.project
	cmd.Env = s.Env
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (s *stage) repository() {
	s.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		s.Skip("git is not installed")
	}
	s.Env = append(os.Environ(), "GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@example.com", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@example.com", "GIT_CONFIG_GLOBAL=/dev/null")
	s.git("init", "-q", "--template=", "-b", "main")
	must.Write(s, filepath.Join(s.project, "a.txt"), "one\n")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "first")
}

// BW-STO-07: git sees nothing of workspaces, in the repository and in its worktrees,
// and no .gitignore is written.
func TestExclude(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.repository()
	s.init()
	if out := s.git("status", "--porcelain", "--untracked-files=all"); out != "" {
		t.Errorf("git sees %s", out)
	}
	other := filepath.Join(t.TempDir(), "tree")
	s.git("worktree", "add", "-q", other)
	s.Person = true
	s.call("workspace_init", "name", "there", "goal", "g", "projectRoot", other)
	s.project = other
	if out := s.git("status", "--porcelain", "--untracked-files=all"); out != "" {
		t.Errorf("git sees %s in the worktree", out)
	}
	if text := s.file(filepath.Join(s.Project, ".git", "info", "exclude")); strings.Count(text, ".agents/workspace") != 1 {
		t.Errorf("%s", text)
	}
	if _, err := os.Stat(filepath.Join(s.Project, ".gitignore")); err == nil {
		t.Error("a .gitignore was written")
	}
}
