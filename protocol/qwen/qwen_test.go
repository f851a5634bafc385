package qwen

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// Every answer is exactly one object on stdout (qwen-code/1), on exit 0 with
// nothing on stderr (qwen-code/2), and never says allow.
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		o, err := protocol.ParseObject(a.Reply.Stdout)
		if err != nil {
			t.Errorf("%s: %v in %q", name, err, a.Reply.Stdout)
		}
		hso := o.Sub("hookSpecificOutput")
		if word := hso.Text("permissionDecision"); hso.Has("permissionDecision") &&
			((word != "deny" && word != "ask") || strings.TrimSpace(hso.Text("permissionDecisionReason")) == "") {
			t.Errorf("%s: %s", name, a.Reply.Stdout)
		}
		if o.Has("decision") && (o.Text("decision") != "block" || strings.TrimSpace(o.Text("reason")) == "") {
			t.Errorf("%s: %s", name, a.Reply.Stdout)
		}
	}
}

const base = `"session_id": "s", "transcript_path": "/h/.qwen/projects/p/chats/s.jsonl", "cwd": "/p", "timestamp": "2026-11-21T03:15:47.143Z", "hook_event_name": `

func TestQuirks(t *testing.T) {
	told := func(payload string, o protocol.Outcome) string {
		return dialecttest.Told(t, Dialect, "{"+base+payload+"}", o)
	}
	first := func(t *testing.T, payload string) *protocol.Event {
		t.Helper()
		return dialecttest.First(t, Dialect, "{"+base+payload+"}")
	}
	for _, payload := range []string{`"prompt": ""`, `"prompt": null`, `"prompt": "", "submitted_prompt": ""`} {
		t.Run(payload, func(t *testing.T) {
			events := dialecttest.Decode(t, Dialect, dialecttest.Object(t, `{`+base+`"UserPromptSubmit", `+payload+`}`), nil)
			if len(events) != 0 {
				t.Errorf("qwen-code/5: %s is %s", payload, events[0].Type)
			}
		})
	}
	a := dialecttest.Answer(Dialect, first(t, `"Stop"`), "", protocol.Outcome{Decision: protocol.Block, Reason: "again"})
	if !Dialect.EchoesFollowup || a.Reply.Continue != "again" {
		t.Errorf("qwen-code/6: echoes %v, goes on with %q", Dialect.EchoesFollowup, a.Reply.Continue)
	}
	ev := first(t, `"SessionStart", "source": "compact"`)
	dialecttest.Check(t, "qwen-code/7 after compaction", string(ev.Type)+" "+ev.Fields.Text("source")+" "+ev.Can.String(), "pre-session compact ")
	dialecttest.Check(t, "qwen-code/7 at the start", first(t, `"SessionStart", "source": "startup"`).Can.String(), "context")
	context := protocol.Outcome{AdditionalContext: "c"}
	dialecttest.Check(t, "qwen-code/4", told(`"PreToolUse", "tool_name": "x"`, context), `{}`)
	dialecttest.Check(t, "qwen-code/8", told(`"SubagentStart"`, context), `{}`)
	dialecttest.Check(t, "qwen-code/9", told(`"Stop"`, protocol.Outcome{FollowupMessage: "go"}), `{"decision": "block", "reason": "go"}`)
	dialecttest.Check(t, "qwen-code/10 a block", told(`"PreCompact"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}), `{}`)
	dialecttest.Check(t, "qwen-code/10 a context", told(`"PreCompact"`, context), `{"hookSpecificOutput": {"hookEventName": "PreCompact", "additionalContext": "c"}}`)
	dialecttest.Check(t, "qwen-code/11 stops in a row", fmt.Sprint(Dialect.StopMax), "8")
	for _, n := range natives {
		if ms := n.Limit / Dialect.Config.Unit; Dialect.Config.Unit != time.Millisecond || ms < 1000 {
			t.Errorf("qwen-code/12: %s is given %d, which would be seconds", n.Name, ms)
		}
	}
	dialecttest.Check(t, "qwen-code/13", told(`"PostToolUse", "tool_name": "x"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "r"}}`)
	dialecttest.Check(t, "qwen-code/14 a command", first(t, `"UserPromptSubmit", "prompt": "Say bar", "submitted_prompt": "/foo bar"`).Fields.Text("prompt"), "/foo bar")
	dialecttest.Check(t, "qwen-code/15", told(`"PermissionRequest", "tool_name": "run_shell_command", "tool_input": {"command": "ls"}`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", "message": "r"}}}`)
	message := protocol.Outcome{UserMessage: "m"}
	dialecttest.Check(t, "qwen-code/16", told(`"Stop"`, message), `{"systemMessage": "m"}`)
	for _, payload := range []string{`"PreToolUse", "tool_name": "x"`, `"UserPromptSubmit", "prompt": "p"`, `"SessionStart"`} {
		t.Run(payload, func(t *testing.T) {
			if a := dialecttest.Answer(Dialect, first(t, payload), "", message); string(a.Reply.Stdout) != "{}\n" || a.Outcome.Later != "m" || len(a.Losses) > 0 {
				t.Errorf("qwen-code/16: %s: %s, later %q, losses %v", payload, a.Reply.Stdout, a.Outcome.Later, a.Losses)
			}
		})
	}
	dialecttest.Check(t, "qwen-code/14 a prompt", first(t, `"UserPromptSubmit", "prompt": "again"`).Fields.Text("prompt"), "again")
}

// A changed input is not printed, and the loss is reported (qwen-code/3).
func TestInputIsNotChanged(t *testing.T) {
	ev := dialecttest.First(t, Dialect, `{`+base+`"PreToolUse", "tool_name": "run_shell_command", "tool_input": {"command": "rm"}}`)
	a := dialecttest.Answer(Dialect, ev, "", protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"command": "ls"}`)})
	if string(a.Reply.Stdout) != "{}\n" || len(a.Losses) != 1 || a.Losses[0].What != protocol.CanModify {
		t.Errorf("answer %s, losses %v", a.Reply.Stdout, a.Losses)
	}
}

// QWEN_HOME is the folder itself; ~ in it is the home directory.
func TestFolder(t *testing.T) {
	for home, want := range map[string]string{"": "/h/.qwen", "~": "/h", "~/q": "/h/q", "/x/y": "/x/y"} {
		t.Run(fmt.Sprintf("%q", home), func(t *testing.T) {
			s := protocol.Site{Home: "/h", Env: func(n string) string { return map[string]string{"QWEN_HOME": home}[n] }}
			if got := Dialect.Config.File(s); got != want+"/settings.json" {
				t.Errorf("QWEN_HOME %q: %s", home, got)
			}
		})
	}
	s := protocol.Site{Scope: protocol.ProjectScope, Home: "/h", Project: "/p"}
	if got := Dialect.Config.File(s); got != "/p/.qwen/settings.json" {
		t.Errorf("project: %s", got)
	}
	if Dialect.Config.Off(dialecttest.Object(t, `{"disableAllHooks": true}`)) == "" || Dialect.Config.Off(dialecttest.Object(t, `{"hooks": {}}`)) != "" {
		t.Error("disableAllHooks is misread")
	}
}
