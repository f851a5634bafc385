package amazonq

import (
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// An answer is plain text (amazon-q/5), or exit 2 on a tool call (amazon-q/6).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		want := strings.TrimRight(a.Outcome.AdditionalContext, "\n")
		if got := strings.TrimRight(string(a.Reply.Stdout), "\n"); got != want && len(a.Warnings()) == 0 {
			t.Errorf("%s: amazon-q/5: %q, want %q", name, got, want)
		}
		if blocked := a.Outcome.Decision == protocol.Block && a.Event.Type == protocol.PreToolCall; blocked != (a.Reply.Exit == 2) || blocked != (len(a.Reply.Stderr) > 0) {
			t.Errorf("%s: amazon-q/6: exit %d, stderr %q", name, a.Reply.Exit, a.Reply.Stderr)
		}
	}
}

func TestQuirks(t *testing.T) {
	first := func(payload string) *protocol.Event {
		return dialecttest.First(t, Dialect, `{"cwd": "/p", "hook_event_name": `+payload+"}")
	}
	tool := func(event, members string) *protocol.Event { return first(`"` + event + `", ` + members) }
	before := tool("preToolUse", `"tool_name": "fs_read", "tool_input": {"operations": [{"mode": "Line", "path": "a"}, {"mode": "Directory"}, {"path": "b"}]}`)
	after := tool("postToolUse", `"tool_name": "fs_read", "tool_input": {"operations":[{"mode":"Line","path":"a"},{"mode":"Directory"},{"path":"b"}]}, "tool_response": {"success": true}`)
	if id := before.Fields.Text("tool_use_id"); before.Call.ID != "" || id == "" || id != after.Fields.Text("tool_use_id") {
		t.Errorf("amazon-q/4: ids %q (own %q), %q", id, before.Call.ID, after.Fields.Text("tool_use_id"))
	}
	dialecttest.Check(t, "amazon-q/9", before.Call.Input.Text("file_path")+" "+string(before.Call.Input.Get("file_paths")), `a ["a", "b"]`)
	if Dialect.FieldMax*4 >= 65536 || !strings.Contains(Dialect.Config.Fields, "65536") {
		t.Errorf("amazon-q/7: texts of %d characters, fields %s", Dialect.FieldMax, Dialect.Config.Fields)
	}
	dialecttest.Check(t, "amazon-q/8", string(tool("postToolUse", `"tool_name": "x", "tool_response": {"success": false, "result": ["no"]}`).Type), "post-tool-call-failure")
	for command, want := range map[string]string{"create": "WriteFile", "str_replace": "EditFile", "insert": "EditFile", "append": "EditFile", "": "WriteFile EditFile"} {
		ev := tool("preToolUse", `"tool_name": "fs_write", "tool_input": {"command": "`+command+`", "path": "a"}`)
		dialecttest.Check(t, "amazon-q/10 "+command, strings.Join(append([]string{ev.Call.Name}, ev.Call.Also...), " "), want)
	}
	for name, want := range map[string]string{"@git/status": "mcp__git__status", "@git": "@git", "@/x": "@/x", "@a/b/c": "mcp__a__b/c"} {
		dialecttest.Check(t, "amazon-q/11 "+name, tool("preToolUse", `"tool_name": "`+name+`"`).Call.Name, want)
	}
	if Dialect.Config.Unit != time.Millisecond || Dialect.Config.Timeout != "timeout_ms" {
		t.Errorf("amazon-q/12: %s, %s", Dialect.Config.Timeout, Dialect.Config.Unit)
	}
	dialecttest.Check(t, "amazon-q/13", string(first(`"stop"`).Type), "post-agent-turn-stop")
}

// amazon-q/3: only the same terminal and folder make the same session.
func TestSession(t *testing.T) {
	session := func(cwd, terminal string) string {
		p := dialecttest.Object(t, `{"hook_event_name": "stop", "cwd": "`+cwd+`"}`)
		return dialecttest.Decode(t, Dialect, p, map[string]string{"QTERM_SESSION_ID": terminal})[0].SessionID
	}
	if a := session("/p", "1"); a == "" || a != session("/p", "1") || a == session("/q", "1") || a == session("/p", "2") {
		t.Errorf("sessions %q %q %q %q", a, session("/p", "1"), session("/q", "1"), session("/p", "2"))
	}
}

// amazon-q/1: an entry goes into every agent's file, the default agent's first and
// even if it is not there; amazon-q/2: that one is written like the built-in agent.
func TestFiles(t *testing.T) {
	dirs := map[string][]string{
		"/h/.aws/amazonq/cli-agents": {"a.json", "agent_config.json.example", "q_cli_default.json"},
		"/h/.kiro/agents":            {"k.json"},
		"/p/.amazonq/cli-agents":     {"team.json"},
	}
	site := protocol.Site{Scope: protocol.UserScope, GOOS: "linux", Home: "/h", Project: "/p", List: func(dir string) []string { return dirs[dir] }}
	if got := strings.Join(files(site), " "); got != "/h/.aws/amazonq/cli-agents/q_cli_default.json /h/.aws/amazonq/cli-agents/a.json /h/.kiro/agents/k.json" {
		t.Errorf("user: %s", got)
	}
	site.Scope = protocol.ProjectScope
	if got := strings.Join(files(site), " "); got != "/p/.amazonq/cli-agents/q_cli_default.json /p/.amazonq/cli-agents/team.json" {
		t.Errorf("project: %s", got)
	}
	o := dialecttest.Object(t, Dialect.Config.Head)
	if o.Text("name") != "q_cli_default" || string(o.Get("tools")) != `["*"]` || string(o.Get("allowedTools")) != `["fs_read"]` {
		t.Errorf("the default agent is %s", o.Raw())
	}
}
