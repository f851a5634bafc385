package hooks

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// tool is a tool call of the bound session, and what is said to it.
func (s *scene) tool(name, input, response string, members ...string) string {
	s.t.Helper()
	id := strconv.Quote("call-" + s.now.Format(time.RFC3339Nano) + name + input)
	return s.event("workspace-activity", "context", append([]string{"tool_name", strconv.Quote(name), "tool_input", input, "tool_response", response, "tool_use_id", id}, members...)...).AdditionalContext
}

func (s *scene) fails(name, input string, members ...string) string {
	s.t.Helper()
	id := strconv.Quote("call-" + s.now.Format(time.RFC3339Nano) + name + input)
	return s.event("workspace-failure", "context", append([]string{"tool_name", strconv.Quote(name), "tool_input", input, "error", `"exit 1"`, "tool_use_id", id}, members...)...).AdditionalContext
}

// BW-REM-10: a failed call of a workspace tool gets a hint, bound or not; by its mark
// or its error object, and not by words of its answer.
func TestAFailedCallIsAnswered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, tool, response string
		hint                 bool
	}{
		{"isError", "mcp__agents-hooks__log_append", `{"isError": true, "content": []}`, true},
		{"is_error", "mcp__tanmi-workspace__node_create", `{"is_error": true}`, true},
		{"an error with a code", "mcp__tanmi_workspace__node_create", `{"error": {"code": "RULES_HASH_MISMATCH"}}`, true},
		{"an error in a list of texts", "mcp__agents_hooks__session_bind", `[{"type": "text", "text": "{\"error\": {\"code\": \"WORKSPACE_NOT_FOUND\"}}"}]`, true},
		{"an error in the text of a content", "mcp__agents-hooks__context_get", `{"content": [{"type": "text", "text": "{\"error\": {\"code\": \"X\"}}"}]}`, true},
		{"text that only speaks of errors", "mcp__agents-hooks__context_get", `{"content": [{"type": "text", "text": "the field error is required and undefined: isError"}]}`, false},
		{"no error", "mcp__agents-hooks__context_get", `{"isError": false, "error": null}`, false},
		{"no error in a text", "mcp__agents-hooks__context_get", `[{"type": "text", "text": "{\"error\": null, \"goal\": \"required\"}"}]`, false},
		{"a tool of another behaviour", "mcp__agents-hooks__memory_save", `{"isError": true}`, false},
		{"of another server", "mcp__github__node_create", `{"isError": true}`, false},
		{"no tool of a server", "Shell", `{"isError": true}`, false},
		{"a name without a server", "node_create", `{"isError": true}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			text := s.tool(c.tool, `{}`, c.response, "session_id", other)
			if !c.hint {
				silent(t, c.response, text)
				return
			}
			wants(t, text, smart, c.tool[strings.LastIndex(c.tool, "__")+2:], "schema", "/opt/agents-hooks workspace ", " --help", "</tanmi-smart-reminder>")
		})
	}
	s := newScene(t)
	wants(t, s.fails("mcp__agents-hooks__problem_update", `{}`, "session_id", other), smart, "problem_update", "/opt/agents-hooks workspace problem update --help")
	silent(t, "another tool", s.fails("mcp__other__thing", `{}`))
}

// BW-REM-08: off by default; a change reminds of the log every minute, a failed
// command of the problem every thirty seconds, with its first 50 characters and no
// secret.
func TestActivity(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	edit := `{"file_path": ` + string(protocol.Quote(s.file("src/a.go"))) + `}`
	run := `{"command": "curl -H 'Authorization: Bearer abcdefghijklmnop0123456789' https://example.org/a/long/path"}`
	silent(t, "off", s.tool("EditFile", edit, `{}`))
	silent(t, "off", s.fails("Shell", run))
	s.settings["activity_reminders"] = true
	silent(t, "unbound", s.tool("EditFile", edit, `{}`, "session_id", other))
	silent(t, "unbound", s.fails("Shell", run, "session_id", other))
	silent(t, "an edit that failed", s.tool("EditFile", edit, `{"isError": true}`))

	wants(t, s.tool("EditFile", edit, `{}`), smart, "log_append")
	silent(t, "59 s", s.tick(59*time.Second).tool("WriteFile", edit, `{}`))
	wants(t, s.tick(time.Second).tool("WriteFile", edit, `{}`), smart, "log_append")

	text := s.fails("Shell", run)
	wants(t, text, smart, "curl -H 'Authorization:", "problem_update")
	if strings.Contains(text, "abcdefghij") {
		t.Errorf("a secret is said:\n%s", text)
	}
	silent(t, "29 s", s.tick(29*time.Second).tool("Shell", run, `{"exit_code": 1}`))
	silent(t, "it went well", s.tick(time.Minute).tool("Shell", run, `{"exit_code": 0, "stderr": "error: undefined"}`))
	wants(t, s.tool("Shell", run, `{"exitCode": 2}`), smart, "problem_update")
	s.edit(wsDir+"/graph.json", `"currentFocus": "`+nodeID+`"`, `"currentFocus": null`)
	s.put(filepath.Join(s.home, ".tanmi-workspace", "session-bindings.json"), `{"abc123": {"workspaceId": "`+wsID+`", "boundAt": 1766040000000}}`)
	silent(t, "no focus, BW-TEL-12", s.tick(time.Hour).tool("EditFile", edit, `{}`))
}

func (s *scene) stops(text string, members ...string) protocol.HookAnswer {
	return s.event("workspace-stop", "continue", append([]string{"status", `"completed"`, "stop_active", "false",
		"final_message", string(protocol.Object{{Name: "role", Value: protocol.Quote("assistant")}, {Name: "content", Value: protocol.Quote(text)}}.Raw())}, members...)...)
}

// BW-REM-09: a bound session that stops at something in the way is asked to note it:
// once a turn, not within thirty seconds, and not if a problem is noted. It is a
// follow-up, never a block.
func TestStop(t *testing.T) {
	t.Parallel()
	const blocked = "A is done. I cannot proceed without token=abcdef0123456789abcdef."
	asked := func(s *scene) string { return s.stops(blocked).FollowupMessage }
	fresh := func() *scene {
		s := newScene(t)
		s.solved()
		s.settings["activity_reminders"] = true
		return s
	}
	s := fresh()
	text := asked(s)
	wants(t, text, smart, "cannot proceed", "problem_update", "</tanmi-smart-reminder>")
	if strings.Contains(text, "abcdef0123") {
		t.Errorf("a secret is said: %s", text)
	}
	silent(t, "29 s", s.tick(29*time.Second).stops("I am stuck on it").FollowupMessage)
	wants(t, s.tick(time.Second).stops("I'm stuck on it").FollowupMessage, "problem_update")

	for name, change := range map[string]func(*scene){
		"off": func(s *scene) { s.settings["activity_reminders"] = false },
		"a problem noted": func(s *scene) {
			s.edit(nodeAt+"/Problem.md", "## 当前问题\n\n（暂无）", "## 当前问题\n\nno token")
		},
		"no focus": func(s *scene) {
			s.edit(wsDir+"/graph.json", `"currentFocus": "`+nodeID+`"`, `"currentFocus": null`)
			s.put(filepath.Join(s.home, ".tanmi-workspace", "session-bindings.json"), `{"abc123": {"workspaceId": "`+wsID+`"}}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := fresh()
			change(s)
			silent(t, name, asked(s))
		})
	}
	s = fresh()
	for name, members := range map[string][]string{
		"it stops a second time": {"stop_active", "true"},
		"aborted":                {"status", `"aborted"`},
		"unbound":                {"session_id", other},
	} {
		t.Run(name, func(t *testing.T) {
			silent(t, name, s.stops(blocked, members...).FollowupMessage)
		})
	}
	silent(t, "all is well", s.stops("All tests pass.").FollowupMessage)
	if a := s.event("workspace-stop", "nothing", "final_message", `{"content": "I am stuck on it"}`); !a.Empty() {
		t.Errorf("an agent that cannot go on: %+v", a)
	}
}

// BW-TEL-15: a compaction leaves one row in the log of the focused node, without
// secrets, and the context is told again afterwards.
func TestCompact(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.solved()
	s.begin()
	edit := func(name string) {
		s.tool("EditFile", `{"file_path": `+string(protocol.Quote(s.file(name)))+`}`, `{}`)
	}
	edit("src/a.go")
	edit("src/b.go")
	s.tick(time.Second)
	edit("src/a.go")
	s.fails("Shell", `{"command": "deploy --password=hunter2hunter2 | tee log"}`)
	s.tool("EditFile", `{"file_path": "/etc/x"}`, `{}`, "session_id", other)
	if a := s.event("workspace-compact", "context", "trigger", `"auto"`, "usage_percent", "85.4"); !a.Empty() {
		t.Errorf("%+v", a)
	}
	rows := strings.Split(strings.TrimSpace(s.read(nodeAt+"/Log.md")), "\n")
	wants(t, rows[len(rows)-1], "| 2025-12-18 15:00:01 | AI | context compacted (auto, 85%); changed: src/a.go, src/b.go; failed: deploy", " |")
	for _, bad := range []string{"hunter2", "/etc/x", " | tee"} {
		if strings.Contains(rows[len(rows)-1], bad) {
			t.Errorf("%q in %s", bad, rows[len(rows)-1])
		}
	}
	// Where a new begin follows it tells the workspace again; else the next prompt.
	wants(t, s.tick(3*time.Second).prompt("go on"), contexts)
	s.tick(time.Minute).event("workspace-compact", "context")
	wants(t, s.tick(time.Second).begin("source", `"compact"`), contexts)
	if text := s.tick(3 * time.Second).prompt("and on"); strings.Contains(text, contexts) {
		t.Errorf("told twice:\n%s", text)
	}
	if now := strings.Split(strings.TrimSpace(s.read(nodeAt+"/Log.md")), "\n"); len(now) != len(rows)+1 || strings.Contains(now[len(rows)], "src/a.go") {
		t.Errorf("the second row: %q", now[len(rows):])
	}
	log := s.read(nodeAt + "/Log.md")
	s.event("workspace-compact", "context", "session_id", other)
	if s.read(nodeAt+"/Log.md") != log {
		t.Error("an unbound session left a row")
	}
}

// BW-TEL-16: a sub-agent hears goal, rules and requirement, where it can be told.
func TestSubagent(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	text := s.event("workspace-subagent", "context", "subagent_name", `"Explore"`).AdditionalContext
	wants(t, text, contexts, "将 session 认证替换为 JWT", "- 所有 API 必须添加认证中间件", "实现 token 验证", "中间件里验证签名", "</tanmi-workspace-context>")
	if strings.Contains(text, "node_transition") {
		t.Error("the workflow is that of the session, not of a sub-agent")
	}
	for _, a := range []protocol.HookAnswer{s.event("workspace-subagent", "nothing"), s.event("workspace-subagent", "context", "session_id", other)} {
		if !a.Empty() {
			t.Errorf("%+v", a)
		}
	}
}

// BW-SES-13: the end of a session is noted, and unbinds nothing; a session that is at
// work is noted too.
func TestTheEndUnbindsNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	seen := func() workspace.Binding {
		b, ok := s.place().Binding(bySelf, s.now)
		if !ok {
			t.Fatal("not bound")
		}
		return b
	}
	s.begin()
	if b := seen(); !b.LastSeen.Equal(s.now) || b.Ended {
		t.Errorf("%+v", b)
	}
	s.tick(time.Hour).event("workspace-end", "nothing", "exit_reason", `"completed"`)
	if b := seen(); !b.LastSeen.Equal(s.now) || !b.Ended {
		t.Errorf("%+v", b)
	}
	s.tick(time.Hour).prompt("again")
	if b := seen(); !b.LastSeen.Equal(s.now) || b.Ended {
		t.Errorf("%+v", b)
	}
	s.event("workspace-end", "nothing", "session_id", other)
	if len(s.place().Bindings()) != 1 {
		t.Error("a session that was bound to nothing is there now")
	}
}

// BW-TEL-19: what an unbound session's tool calls cost: no file is made by them, and
// no other is read than the bindings.
func TestUnboundToolCallsTouchNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.settings["activity_reminders"] = true
	must.Do(t, os.RemoveAll(s.file(wsDir)))
	must.Write(t, filepath.Join(s.home, ".tanmi-workspace", "index.json"), "{")
	silent(t, "an edit", s.tool("EditFile", `{"file_path": "a.go"}`, `{}`, "session_id", other))
	silent(t, "a command", s.tool("Shell", `{"command": "x"}`, `{"exit_code": 1}`, "session_id", other))
	silent(t, "a failure", s.fails("Shell", `{"command": "x"}`, "session_id", other))
	if _, err := os.Stat(s.world.State); err == nil {
		t.Error("the state directory was made")
	}
}
