package copilot

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// Every answer is exactly one object on stdout, after a message for the user if there
// is one, on exit 0 (copilot-cli/1) with nothing on stderr, has all members at the
// top (copilot-cli/5), and says allow only to give a permission (copilot-cli/18).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		answer := a.Reply.Stdout
		if a.Outcome.UserMessage != "" && bytes.Count(answer, []byte("\n")) > 1 {
			_, answer, _ = bytes.Cut(answer, []byte("\n")) // copilot-cli/21
		}
		o, err := protocol.ParseObject(answer)
		if err != nil {
			t.Errorf("%s: %v in %q", name, err, a.Reply.Stdout)
		}
		if o.Has("hookSpecificOutput") || (o.Text("permissionDecision") == "allow" || o.Text("behavior") == "allow") && a.Outcome.Decision != protocol.Allow {
			t.Errorf("%s: %s", name, a.Reply.Stdout)
		}
		if o.Has("permissionDecision") && strings.TrimSpace(o.Text("permissionDecisionReason")) == "" || o.Has("decision") && strings.TrimSpace(o.Text("reason")) == "" {
			t.Errorf("%s: no reason in %s", name, a.Reply.Stdout)
		}
	}
}

const (
	base  = `"session_id": "s", "cwd": "/p", "timestamp": "2026-11-21T03:15:47.143Z", "hook_event_name": `
	camel = `"sessionId": "s", "cwd": "/p", "timestamp": 1795231262432`
)

func first(t *testing.T, payload string) *protocol.Event {
	t.Helper()
	return dialecttest.First(t, Dialect, "{"+base+payload+"}")
}

func told(t *testing.T, payload string, o protocol.Outcome) string {
	t.Helper()
	return dialecttest.Told(t, Dialect, "{"+base+payload+"}", o)
}

// Both forms of a payload become the same event (copilot-cli/2).
func TestBothForms(t *testing.T) {
	for _, c := range []struct{ native, snake, event, camel string }{
		{"PreToolUse", `"tool_name": "Bash", "tool_input": {"command": "ls"}`, "preToolUse", `"toolName": "bash", "toolArgs": {"command": "ls"}`},
		{"PreToolUse", `"tool_name": "Edit", "tool_input": {"path": "a", "old_str": "b", "new_str": "c"}`, "preToolUse", `"toolName": "edit", "toolArgs": "{\"path\":\"a\",\"old_str\":\"b\",\"new_str\":\"c\"}"`},
		{"UserPromptSubmit", `"prompt": "x"`, "userPromptSubmitted", `"prompt": "x"`},
		{"Stop", `"stop_reason": "end_turn", "stop_hook_active": true`, "agentStop", `"stopReason": "end_turn", "stop_hook_active": true`},
		{"SubagentStop", `"agent_id": "a", "agent_type": "e", "agent_name": "n", "last_assistant_message": "m"`, "subagentStop", `"agentId": "a", "agentType": "e", "agentName": "n", "response": "m"`},
		{"SessionEnd", `"reason": "abort"`, "sessionEnd", `"reason": "abort"`},
	} {
		t.Run(c.event+" "+c.snake, func(t *testing.T) {
			a := first(t, `"`+c.native+`", `+c.snake)
			events, err := Dialect.Decode(protocol.Input{Payload: dialecttest.Object(t, `{`+camel+`, `+c.camel+`}`), Event: c.event})
			if err != nil || len(events) == 0 {
				t.Fatalf("%s: %v, %v", c.event, events, err)
			}
			b := events[0]
			for _, o := range []*protocol.Object{&a.Fields, &b.Fields} {
				o.Delete("tool_use_id") // made of the native name too
			}
			dialecttest.Check(t, "hooks get the same", string(b.Type)+b.NativeEvent+b.SessionID+b.WorkDir+string(b.Fields.Raw()), string(a.Type)+a.NativeEvent+a.SessionID+a.WorkDir+string(a.Fields.Raw()))
			dialecttest.Check(t, "its time is read", b.Timestamp, "2026-11-21T03:21:02.432Z")
		})
	}
	events, _ := Dialect.Decode(protocol.Input{Payload: dialecttest.Object(t, `{`+camel+`}`), Event: "userPromptTransformed"})
	if len(events) != 0 {
		t.Errorf("userPromptTransformed is %s", events[0].Type)
	}
}

func TestQuirks(t *testing.T) {
	for _, c := range []struct{ id, native, key string }{{"copilot-cli/3", "SubagentStart", "SubagentStart"}, {"copilot-cli/4", "PreCompact", "preCompact"}} {
		if n, _ := Dialect.Native(c.native); !n.Unnamed || n.Key() != c.key {
			t.Errorf("%s: registered as %s, --event %v", c.id, n.Key(), n.Unnamed)
		}
	}
	dialecttest.Check(t, "copilot-cli/6", told(t, `"UserPromptSubmit", "prompt": "x"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}), `{"decision": "block", "reason": "r"}`)
	a := dialecttest.Answer(Dialect, first(t, `"Stop"`), "", protocol.Outcome{FollowupMessage: "again"})
	if !Dialect.EchoesFollowup || a.Reply.Continue != "again" {
		t.Errorf("copilot-cli/7: echoes %v, goes on with %q", Dialect.EchoesFollowup, a.Reply.Continue)
	}
	dialecttest.Check(t, "copilot-cli/8 stops in a row", fmt.Sprint(Dialect.StopMax), "7")
	for _, payload := range []string{`{` + base + `"Stop", "agent_id": "a"}`, `{` + camel + `, "hook_event_name": "agentStop", "agentId": "a"}`} {
		if events := dialecttest.Decode(t, Dialect, dialecttest.Object(t, payload), nil); len(events) != 0 {
			t.Errorf("copilot-cli/9: the stop of a subagent is %s", events[0].Type)
		}
	}
	ev := first(t, `"UserPromptSubmit", "prompt": "x", "agent_id": "s", "parent_agent_id": "root"`)
	dialecttest.Check(t, "copilot-cli/10", ev.Fields.Text("source"), "subagent")
	dialecttest.Check(t, "copilot-cli/11 a prompt", ev.SessionID, "root")
	dialecttest.Check(t, "copilot-cli/11 its end", first(t, `"SubagentStop", "agent_id": "a", "parent_agent_id": "s"`).SessionID, "s")
	for result, want := range map[string]string{
		`{"result_type": "success", "text_result_for_llm": "no\n<shellId: 0 completed with exit code 3>"}`:          "post-tool-call-failure no\n<shellId: 0 completed with exit code 3>",
		`{"result_type": "success", "text_result_for_llm": "<shellId: 0 completed with exit code 0>"}`:              "post-tool-call ",
		`{"result_type": "success", "text_result_for_llm": "completed with exit code 3, it said, and went on > x"}`: "post-tool-call ",
		`{"result_type": "success", "text_result_for_llm": "fine"}`:                                                 "post-tool-call ",
		`{"result_type": "failure", "text_result_for_llm": "bad"}`:                                                  "post-tool-call-failure bad",
		`"text"`: "post-tool-call ",
	} {
		ev := first(t, `"PostToolUse", "tool_name": "Bash", "tool_input": {}, "tool_result": `+result)
		dialecttest.Check(t, "copilot-cli/12 "+result, string(ev.Type)+" "+ev.Fields.Text("error"), want)
	}
	ev = first(t, `"PostToolUse", "tool_name": "Read", "tool_input": {}, "tool_result": {"result_type": "success", "text_result_for_llm": "<completed with exit code 3>"}`)
	dialecttest.Check(t, "copilot-cli/12 a file that says so", string(ev.Type), "post-tool-call")
	before, after := first(t, `"PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}`), first(t, `"PostToolUse", "tool_name": "Bash", "tool_input": {"command":"ls"}`)
	if id := before.Fields.Text("tool_use_id"); before.Call.ID != "" || id == "" || id != after.Fields.Text("tool_use_id") {
		t.Errorf("copilot-cli/13: ids %q and %q", id, after.Fields.Text("tool_use_id"))
	}
	dialecttest.Check(t, "copilot-cli/14 dashes", strings.Join(first(t, `"PreToolUse", "tool_name": "a-b-c_d"`).Call.Names(), " "), "mcp__a-b__c_d a-b-c_d mcp__a__b-c_d")
	dialecttest.Check(t, "copilot-cli/14 a tool of its own", strings.Join(first(t, `"PreToolUse", "tool_name": "read_bash"`).Call.Names(), " "), "read_bash")
	dialecttest.Check(t, "copilot-cli/14 no server", strings.Join(first(t, `"PreToolUse", "tool_name": "-x-"`).Call.Names(), " "), "-x-")
	dialecttest.Check(t, "copilot-cli/15", told(t, `"PostToolUse", "tool_name": "Bash"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}), `{"additionalContext": "r"}`)
	ev = first(t, `"PreToolUse", "tool_name": "Edit", "tool_input": {"input": "*** Begin Patch\n*** Update File: a.txt\n*** Add File: b.txt\n"}`)
	dialecttest.Check(t, "copilot-cli/16", ev.Call.Input.Text("file_path")+string(ev.Fields.Sub("tool_input").Get("file_paths")), `a.txt["a.txt", "b.txt"]`)
	ev = first(t, `"ErrorOccurred", "error": {"message": "401", "name": "Error"}`)
	dialecttest.Check(t, "copilot-cli/17", string(ev.Type)+" "+ev.Fields.Text("status")+" "+ev.Fields.Text("error"), "post-agent-turn error 401")
	asked := dialecttest.First(t, Dialect, `{`+camel+`, "hookName": "permissionRequest", "toolName": "bash", "toolInput": {"command": "ls"}}`)
	dialecttest.Check(t, "copilot-cli/20 a question", string(asked.Type)+" "+asked.Call.Name+" "+asked.Call.Input.Text("command"), "permission-request Shell ls")
	notice := dialecttest.First(t, Dialect, `{`+camel+`, "hook_event_name": "Notification", "notification_type": "permission_prompt", "message": "m"}`)
	dialecttest.Check(t, "copilot-cli/20 a notice", string(notice.Type)+" "+notice.Fields.Text("kind"), "notification permission_prompt")
	for _, native := range []string{"PermissionRequest", "Notification"} {
		n, _ := Dialect.Native(native)
		dialecttest.Check(t, "copilot-cli/20 "+native, n.Key(), strings.ToLower(native[:1])+native[1:])
	}
	said := dialecttest.Answer(Dialect, first(t, `"PreToolUse", "tool_name": "Bash", "tool_input": {}`), "", protocol.Outcome{UserMessage: "two\nlines", AdditionalContext: "c"})
	dialecttest.Check(t, "copilot-cli/21", string(said.Reply.Stdout), `{"type": "progress", "message": "two\nlines"}`+"\n"+`{"additionalContext": "c"}`+"\n")
	for _, o := range []protocol.Outcome{{Decision: protocol.Block, Reason: "r"}, {Decision: protocol.Ask, Reason: "r"}, {ModifiedInput: dialecttest.Object(t, `{"command": "ls"}`)}} {
		t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) {
			o.UserMessage = "m"
			a := dialecttest.Answer(Dialect, first(t, `"PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm"}`), "", o)
			if a.Outcome.Later != "m" || strings.Contains(string(a.Reply.Stdout), "progress") {
				t.Errorf("copilot-cli/21: %s, and later %q", a.Reply.Stdout, a.Outcome.Later)
			}
		})
	}
	if !Dialect.RefusedLate {
		t.Error("copilot-cli/22: its transcript is taken to be complete at the end of a turn")
	}
	dialecttest.Check(t, "copilot-cli/19 new", first(t, `"SessionStart", "source": "new"`).Fields.Text("source"), "startup")
	dialecttest.Check(t, "copilot-cli/19 resume", first(t, `"SessionStart", "source": "resume"`).Fields.Text("source"), "resume")
}

// A changed input is complete, in the tool's own keys, and needs no verdict.
func TestModifiedArgs(t *testing.T) {
	got := told(t, `"PreToolUse", "tool_name": "Write", "tool_input": {"path": "a", "file_text": "b", "n": 1.0}`,
		protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"content": "c"}`), AdditionalContext: "x"})
	dialecttest.Check(t, "modify", got, `{"modifiedArgs": {"path": "a", "file_text": "c", "n": 1.0}, "additionalContext": "x"}`)
}
