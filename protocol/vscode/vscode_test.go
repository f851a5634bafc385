package vscode

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// Every answer is exactly one object on stdout, on exit 0 with nothing on
// stderr, names its own event (vscode/4), and never allows.
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		o, err := protocol.ParseObject(a.Reply.Stdout)
		if err != nil {
			t.Errorf("%s: %v in %q", name, err, a.Reply.Stdout)
		}
		hso := o.Sub("hookSpecificOutput")
		if hso != nil && hso.Text("hookEventName") != a.Event.NativeEvent {
			t.Errorf("vscode/4: %s names %q", name, hso.Text("hookEventName"))
		}
		if hso.Text("permissionDecision") == "allow" && a.Outcome.Decision != protocol.Allow {
			t.Errorf("%s: allows", name)
		}
		if o.Has("stopReason") && string(o.Get("continue")) != "false" || o.Has("continue") && a.Event.NativeEvent != "UserPromptSubmit" {
			t.Errorf("vscode/3: %s: %s", name, a.Reply.Stdout)
		}
	}
}

const base = `"session_id": "s", "timestamp": "2026-11-21T03:15:47.143Z", "hook_event_name": `

func TestQuirks(t *testing.T) {
	first := func(payload string) *protocol.Event { return dialecttest.First(t, Dialect, "{"+base+payload+"}") }
	told := func(payload string, o protocol.Outcome) string {
		return dialecttest.Told(t, Dialect, "{"+base+payload+"}", o)
	}
	ev := dialecttest.First(t, Dialect, `{"hookEventName": "Stop", "sessionId": "d", "timestamp": "2026-11-21T03:15:47.143Z", "stop_hook_active": true}`)
	dialecttest.Check(t, "vscode/1", ev.NativeEvent+ev.SessionID+string(ev.Fields.Get("stop_active")), "Stopdtrue")
	for _, event := range []string{"Stop", "SubagentStop"} {
		dialecttest.Check(t, "vscode/2 "+event, told(`"`+event+`"`, protocol.Outcome{FollowupMessage: "go"}),
			`{"decision": "block", "reason": "go", "hookSpecificOutput": {"hookEventName": "`+event+`", "decision": "block", "reason": "go"}}`)
	}
	dialecttest.Check(t, "vscode/3", told(`"UserPromptSubmit", "prompt": "x"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}), `{"continue": false, "stopReason": "r"}`)
	for _, n := range natives {
		if n.Matcher != "" {
			t.Errorf("vscode/5: %s has a matcher", n.Name)
		}
	}
	events, err := Dialect.Decode(protocol.Input{Payload: dialecttest.Object(t, `{`+base+`"Stop"}`), WorkDir: "/home/dev"})
	if err != nil || events[0].WorkDir != "/home/dev" {
		t.Errorf("vscode/6: %v, works in %q", err, events[0].WorkDir)
	}
	dialecttest.Check(t, "vscode/7", told(`"PreToolUse", "tool_name": "create_file", "tool_input": {"filePath": "a", "content": "b", "n": 1.0}`,
		protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"file_path": "c"}`)}),
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"filePath": "c", "content": "b", "n": 1.0}}}`)
	dialecttest.Check(t, "vscode/9 all its names", strings.Join(first(`"PreToolUse", "tool_name": "mcp_a_b_c"`).Call.Names(), " "), "mcp__a__b_c mcp_a_b_c mcp__a_b__c")
	dialecttest.Check(t, "vscode/9 what hooks get", first(`"PreToolUse", "tool_name": "mcp_a_b"`).Fields.Text("tool_name"), "mcp__a__b")
	dialecttest.Check(t, "vscode/10", first(`"PreToolUse", "tool_name": "fetch_webpage", "tool_input": {"urls": ["https://a", "https://b"]}`).Fields.Sub("tool_input").Text("url"), "https://a")
	dialecttest.Check(t, "vscode/11", first(`"PreToolUse", "tool_name": "apply_patch", "tool_input": {"input": "*** Add File: a b\n"}`).Fields.Sub("tool_input").Text("file_path"), "a b")
	dialecttest.Check(t, "vscode/12", told(`"PostToolUse", "tool_name": "x"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "r"}}`)
}

// An entry of Copilot CLI or Claude Code that VS Code runs is recognised by the
// payload (vscode/8).
func TestBorrowedEntry(t *testing.T) {
	for _, c := range []struct {
		payload string
		want    bool
	}{
		{`{` + base + `"PreToolUse", "tool_use_id": "c", "tool_name": "x"}`, true},
		{`{` + base + `"PreToolUse", "tool_name": "Bash"}`, false},
		{`{` + base + `"SessionStart", "source": "new"}`, false},
		{`{` + base + `"Stop", "transcript_path": "/h/.copilot/session-state/x/events.jsonl"}`, false},
		{`{` + base + `"Stop", "transcript_path": "C:\\u\\Code\\User\\workspaceStorage\\x\\GitHub.copilot-chat\\transcripts\\s.jsonl"}`, true},
		{`{"hook_event_name": "Stop", "session_id": "s", "transcript_path": "/x/s.jsonl", "prompt_id": "p"}`, false},
	} {
		t.Run(c.payload, func(t *testing.T) {
			if got := Dialect.Borrows(dialecttest.Object(t, c.payload)); got != c.want {
				t.Errorf("vscode/8: %s: %v", c.payload, got)
			}
		})
	}
}
