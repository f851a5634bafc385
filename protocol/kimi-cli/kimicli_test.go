package kimicli_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
	kimicli "github.com/agents-hooks/agents-hooks/protocol/kimi-cli"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, kimicli.Dialect, nil) }

// Every answer is empty or a denial on exit 0 (kimi-cli/2).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, kimicli.Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		says := a.Outcome.Decision == protocol.Block || a.Outcome.FollowupMessage != ""
		denies := strings.Contains(string(a.Reply.Stdout), `"permissionDecision": "deny", "permissionDecisionReason": "`)
		if denies != says || !denies && len(a.Reply.Stdout) > 0 {
			t.Errorf("%s: printed %q", name, a.Reply.Stdout)
		}
	}
}

const base = `"session_id": "s", "cwd": "/p", "hook_event_name": `

func TestQuirks(t *testing.T) {
	first := func(payload string) *protocol.Event {
		return dialecttest.First(t, kimicli.Dialect, "{"+base+payload+"}")
	}
	prompt := first(`"UserPromptSubmit", "prompt": "p"`)
	a := dialecttest.Answer(kimicli.Dialect, prompt, "", protocol.Outcome{AdditionalContext: "c"})
	if len(a.Reply.Stdout) != 0 || len(a.Losses) != 1 {
		t.Errorf("kimi-cli/1: printed %q, lost %v", a.Reply.Stdout, a.Losses)
	}
	dialecttest.Check(t, "kimi-cli/2", dialecttest.Told(t, kimicli.Dialect, `{`+base+`"UserPromptSubmit"}`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "permissionDecision": "deny", "permissionDecisionReason": "r"}}`)
	a = dialecttest.Answer(kimicli.Dialect, first(`"Stop", "stop_hook_active": false`), "", protocol.Outcome{Decision: protocol.Block, Reason: "again"})
	if kimicli.Dialect.StopMax != 1 || a.Reply.Continue != "again" {
		t.Errorf("kimi-cli/3: at most %d in a row, goes on with %q", kimicli.Dialect.StopMax, a.Reply.Continue)
	}
	failed := first(`"PostToolUseFailure", "tool_name": "Shell", "tool_call_id": "call_1", "error": "exit status 1"`)
	dialecttest.Check(t, "kimi-cli/4 of a failure", failed.Call.ID+" "+failed.Fields.Text("error"), "call_1 exit status 1")
	done := first(`"PostToolUse", "tool_name": "Shell", "tool_output": "out"`)
	dialecttest.Check(t, "kimi-cli/4 of a result", done.Fields.Text("tool_response"), "out")
	for edit, want := range map[string]string{
		`{"old": "x", "new": "y"}`:   `{"edit":{"old": "x", "new": "y"},"old_string":"x","new_string":"y"}`,
		`[{"old": "x", "new": "y"}]`: `{"edit":[{"old": "x", "new": "y"}],"old_string":"x","new_string":"y"}`,
		`[{"old": "x"}, {"old": 1}]`: `{"edit":[{"old": "x"}, {"old": 1}]}`,
		`7`:                          `{"edit":7}`,
	} {
		ev := first(`"PreToolUse", "tool_name": "StrReplaceFile", "tool_input": {"edit": ` + edit + `}`)
		dialecttest.Check(t, "kimi-cli/5 "+edit, string(ev.Fields.Get("tool_input")), want)
	}
	if c := kimicli.Dialect.Config; c.Fields != "" || c.Head != "" || c.Named != "" || c.Command != "" || c.Timeout != "" {
		t.Errorf("kimi-cli/6: an entry has other keys: %+v", c)
	}
	for payload, want := range map[string]bool{
		`"Stop"`: true, `"Stop", "client_type": "kimi_code_cli"`: false, `"Stop", "transcript_path": "/x"`: false, `"Stop", "prompt_id": "p"`: false,
		`"PreToolUse", "tool_name": "Shell", "tool_call_id": "c"`: true, `"PreToolUse", "tool_name": "Shell"`: false,
		`"PreToolUse", "tool_name": "Shell", "tool_use_id": "c"`: false, `"BeforeTool"`: false, `"SessionStart", "model": "m"`: false,
	} {
		t.Run(payload, func(t *testing.T) {
			if got := kimicli.Dialect.Detect(dialecttest.Object(t, "{"+base+payload+"}")); got != want {
				t.Errorf("kimi-cli/7: %s: told %v, want %v", payload, got, want)
			}
		})
	}
	ended := first(`"SubagentStop", "agent_name": "coder", "response": "` + strings.Repeat("x", 500) + `"`)
	if n := len(ended.Fields.Sub("final_message").Text("content")); n != 500 {
		t.Errorf("kimi-cli/8: %d characters", n)
	}
	if n, _ := kimicli.Dialect.Native("SessionEnd"); n.Limit != 5*time.Second {
		t.Errorf("kimi-cli/9: %s", n.Limit)
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		scope protocol.Scope
		home  string
		want  string
	}{
		{protocol.UserScope, "", "/home/dev/.kimi/config.toml"},
		{protocol.UserScope, "/k", "/k/config.toml"},
		{protocol.ProjectScope, "", ""},
	} {
		t.Run(fmt.Sprintf("%s, home %q", c.scope, c.home), func(t *testing.T) {
			site := protocol.Site{Scope: c.scope, Home: "/home/dev", Project: "/p", Env: func(n string) string {
				return map[string]string{"KIMI_SHARE_DIR": c.home}[n]
			}}
			if got := kimicli.Dialect.Config.File(site); got != c.want {
				t.Errorf("%s with %q: %q, want %q", c.scope, c.home, got, c.want)
			}
		})
	}
}
