package kimi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
	"github.com/agents-hooks/agents-hooks/protocol/kimi"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, kimi.Dialect, nil) }

// Every answer is printed on exit 0 (kimi-code/2), is empty if there is nothing to
// say (kimi-code/1), and an object in it is a denial in its only form, or a message.
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, kimi.Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		says := a.Outcome.Decision == protocol.Block || a.Outcome.AdditionalContext != "" || a.Outcome.FollowupMessage != ""
		if said := len(a.Reply.Stdout) > 0; said != says {
			t.Errorf("%s: printed %q", name, a.Reply.Stdout)
		}
		o, err := protocol.ParseObject(a.Reply.Stdout)
		if err != nil {
			continue
		}
		if hso := o.Sub("hookSpecificOutput"); o.Text("message") == "" && (hso.Text("permissionDecision") != "deny" || hso.Text("permissionDecisionReason") == "") {
			t.Errorf("%s: %s", name, a.Reply.Stdout)
		}
	}
}

const base = `"session_id": "session_s", "cwd": "/p", "client_type": "kimi_code_cli", "hook_event_name": `

func TestQuirks(t *testing.T) {
	told := func(payload string, o protocol.Outcome) string {
		return dialecttest.Told(t, kimi.Dialect, "{"+base+payload+"}", o)
	}
	first := func(payload string) *protocol.Event { return dialecttest.First(t, kimi.Dialect, "{"+base+payload+"}") }
	block := protocol.Outcome{Decision: protocol.Block, Reason: "r"}
	for _, payload := range []string{`"UserPromptSubmit"`, `"Stop"`, `"PreToolUse", "tool_name": "Bash"`} {
		name, _, _ := strings.Cut(payload, ",")
		dialecttest.Check(t, "kimi-code/2 "+name, told(payload, block),
			`{"hookSpecificOutput": {"hookEventName": `+name+`, "permissionDecision": "deny", "permissionDecisionReason": "r"}}`)
	}
	dialecttest.Check(t, "kimi-code/3 a text", told(`"UserPromptSubmit"`, protocol.Outcome{AdditionalContext: "\nmind [this]\n"}), "mind [this]")
	dialecttest.Check(t, "kimi-code/3 a text that is JSON", told(`"UserPromptSubmit"`, protocol.Outcome{AdditionalContext: ` {"hookSpecificOutput": {"permissionDecision": "deny"}}`}),
		`{"message": "{\"hookSpecificOutput\": {\"permissionDecision\": \"deny\"}}"}`)
	for prompt, want := range map[string]string{
		`[{"type": "text", "text": "a"}, {"type": "image_url"}, {"type": "text", "text": "b"}]`: "a\nb",
		`["a", {"text": "b"}]`: "a\nb", `"plain"`: "plain", `[]`: "", `{}`: "", `7`: "",
	} {
		dialecttest.Check(t, "kimi-code/4 "+prompt, first(`"UserPromptSubmit", "prompt": `+prompt).Fields.Text("prompt"), want)
	}
	dialecttest.Check(t, "kimi-code/5 stops in a row", fmt.Sprint(kimi.Dialect.StopMax), "1")
	a := dialecttest.Answer(kimi.Dialect, first(`"Stop", "stop_hook_active": false`), "", protocol.Outcome{FollowupMessage: "more"})
	dialecttest.Check(t, "kimi-code/6: goes on with", a.Reply.Continue, "more")
	blocked := first(`"PostToolUseFailure", "tool_name": "Bash", "error": {"code": "internal", "message": "not here", "retryable": false}`)
	dialecttest.Check(t, "kimi-code/7", string(blocked.Type)+" "+blocked.Fields.Text("error"), "post-tool-call-failure not here")
	for text, want := range map[string]string{
		`{"code": "internal", "message": "m"}`: "m", `{"code": "x"}`: `{"code": "x"}`, `"m"`: "m", `null`: "", `""`: "", `7`: "7",
	} {
		dialecttest.Check(t, "kimi-code/8 "+text, first(`"PostToolUseFailure", "tool_name": "x", "error": `+text).Fields.Text("error"), want)
	}
	done := first(`"PostToolUse", "tool_name": "Bash", "tool_call_id": "call_1", "tool_output": "out"`)
	dialecttest.Check(t, "kimi-code/9", done.Call.ID+" "+done.Fields.Text("tool_use_id")+" "+done.Fields.Text("tool_response"), "call_1 call_1 out")
	for _, n := range kimi.Dialect.NativeEvents {
		switch n.Name {
		case "PreToolUse", "UserPromptSubmit", "Stop":
		default:
			if n.Can != 0 {
				t.Errorf("kimi-code/10: nobody listens to %s, but it can %s", n.Name, n.Can)
			}
		}
	}
	for _, late := range []string{"UserPromptQueued", "TurnStarted", "TaskStarted", "SessionHeartbeat"} {
		t.Run(late, func(t *testing.T) {
			if _, ok := kimi.Dialect.Native(late); ok {
				t.Errorf("kimi-code/11: %s would be registered", late)
			}
		})
	}
	if c := kimi.Dialect.Config; c.Fields != "" || c.Head != "" || c.Named != "" || c.Command != "" || c.Timeout != "" {
		t.Errorf("kimi-code/12: an entry has other keys: %+v", c)
	}
	asked := first(`"UserPromptSubmit", "prompt": "go"`)
	refused := protocol.Outcome{Decision: protocol.Block, Reason: "r"}
	for name, got := range map[string]bool{
		"a prompt":         kimi.Dialect.Reaches(asked, protocol.Outcome{}),
		"a blocked prompt": !kimi.Dialect.Reaches(asked, refused),
		"a stop":           !kimi.Dialect.Reaches(first(`"Stop"`), protocol.Outcome{}),
		"later":            kimi.Dialect.Keeps(),
	} {
		if !got {
			t.Errorf("kimi-code/14: %s", name)
		}
	}
	if a := dialecttest.Answer(kimi.Dialect, asked, "", protocol.Outcome{UserMessage: "for the person"}); len(a.Reply.Stdout) > 0 || len(a.Losses) != 1 {
		t.Errorf("kimi-code/14: a message becomes %q, lost is %v", a.Reply.Stdout, a.Losses)
	}
	edit := first(`"PreToolUse", "tool_name": "Edit", "tool_input": {"path": "a", "old_string": "x", "new_string": "y"}`)
	dialecttest.Check(t, "kimi-code/13", string(edit.Fields.Get("tool_input")), `{"path":"a","old_string":"x","new_string":"y","file_path":"a"}`)
}

// What the program cannot carry is dropped with a warning; an ask is a block.
func TestLosses(t *testing.T) {
	ev := dialecttest.First(t, kimi.Dialect, `{`+base+`"PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}`)
	a := dialecttest.Answer(kimi.Dialect, ev, "", protocol.Outcome{Decision: protocol.Ask, Reason: "sure?"})
	if !strings.Contains(string(a.Reply.Stdout), `"permissionDecision": "deny", "permissionDecisionReason": "sure?"`) || len(a.Losses) != 1 {
		t.Errorf("ask: %s, %v", a.Reply.Stdout, a.Losses)
	}
	a = dialecttest.Answer(kimi.Dialect, ev, "", protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"command": "x"}`), AdditionalContext: "c", UserMessage: "m"})
	if len(a.Reply.Stdout) != 0 || len(a.Losses) != 3 {
		t.Errorf("modify, context, message: %s, %v", a.Reply.Stdout, a.Losses)
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		scope protocol.Scope
		home  string
		want  string
	}{
		{protocol.UserScope, "", "/home/dev/.kimi-code/config.toml"},
		{protocol.UserScope, "/k", "/k/config.toml"},
		{protocol.ProjectScope, "", ""},
	} {
		t.Run(fmt.Sprintf("%s, home %q", c.scope, c.home), func(t *testing.T) {
			site := protocol.Site{Scope: c.scope, Home: "/home/dev", Project: "/p", Env: func(n string) string {
				return map[string]string{"KIMI_CODE_HOME": c.home}[n]
			}}
			if got := kimi.Dialect.Config.File(site); got != c.want {
				t.Errorf("%s with %q: %q, want %q", c.scope, c.home, got, c.want)
			}
		})
	}
}
