package augment

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// Every answer is printed on exit 0 (augment/2), never says allow or ask (augment/4),
// and has hookSpecificOutput on tool events only: the schemas of the other events
// reject everything that could be in it (augment/3, augment/5).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		o, _ := protocol.ParseObject(a.Reply.Stdout)
		hso := o.Sub("hookSpecificOutput")
		if hso != nil && (a.Event.Call == nil || hso.Text("hookEventName") != a.Event.NativeEvent) {
			t.Errorf("%s: %s", name, a.Reply.Stdout)
		}
		if word := hso.Text("permissionDecision"); word != "" && word != "deny" {
			t.Errorf("%s: permissionDecision %q", name, word)
		}
	}
}

const base = `"conversation_id": "c", "workspace_roots": ["/p", "/q"], "hook_event_name": `

func TestQuirks(t *testing.T) {
	told := func(payload string, o protocol.Outcome) string {
		return dialecttest.Told(t, Dialect, "{"+base+payload+"}", o)
	}
	first := func(payload string) *protocol.Event { return dialecttest.First(t, Dialect, "{"+base+payload+"}") }
	if !strings.Contains(strings.Join(Dialect.Notes, "\n"), "enable_hooks") {
		t.Errorf("augment/1: not told after an install: %q", Dialect.Notes)
	}
	dialecttest.Check(t, "augment/2", told(`"PreToolUse", "tool_name": "view"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "r"}}`)
	dialecttest.Check(t, "augment/3", told(`"PromptSubmit"`, protocol.Outcome{UserMessage: "m", AdditionalContext: "c"}), `{"systemMessage": "m"}`)
	dialecttest.Check(t, "augment/4", told(`"PreToolUse", "tool_name": "view"`, protocol.Outcome{Decision: protocol.Ask, Reason: "sure?"}),
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "sure?"}}`)
	for _, payload := range []string{`"SessionStart"`, `"PromptSubmit"`, `"PreToolUse", "tool_name": "view"`} {
		dialecttest.Check(t, "augment/5 "+payload, told(payload, protocol.Outcome{AdditionalContext: "c"}), "")
	}
	dialecttest.Check(t, "augment/6 a block", told(`"Stop"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}), "")
	dialecttest.Check(t, "augment/6 a message to go on with", told(`"Stop"`, protocol.Outcome{FollowupMessage: "r"}), "")
	dialecttest.Check(t, "augment/7", told(`"PostToolUse", "tool_name": "view"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "r"}}`)
	ev := first(`"SessionStart"`)
	dialecttest.Check(t, "augment/8", ev.SessionID+" "+ev.WorkDir, "c /p")
	before := first(`"PreToolUse", "tool_name": "view", "tool_input": {"path": "a"}`)
	after := first(`"PostToolUse", "tool_name": "view", "tool_input": {"path":"a"}, "tool_output": "x"`)
	if id := before.Fields.Text("tool_use_id"); before.Call.ID != "" || id == "" || id != after.Fields.Text("tool_use_id") {
		t.Errorf("augment/9: ids %q (own %q), %q", id, before.Call.ID, after.Fields.Text("tool_use_id"))
	}
	for members, want := range map[string]string{
		`"tool_output": "bad", "tool_error": "bad"`:         "post-tool-call-failure bad bad",
		`"tool_error": {"code": 3}`:                         `post-tool-call-failure  {"code": 3}`,
		`"tool_output": "ok", "tool_error": null`:           "post-tool-call ok ",
		`"tool_output": "ok", "tool_error": ""`:             "post-tool-call ok ",
		`"tool_output": "ok", "tool_error": "[undefined]"`:  "post-tool-call ok ",
		`"tool_output": "[undefined]", "tool_error": "bad"`: "post-tool-call-failure  bad",
	} {
		ev := first(`"PostToolUse", "tool_name": "view", ` + members)
		dialecttest.Check(t, "augment/10, augment/11 "+members, string(ev.Type)+" "+ev.Fields.Text("tool_response")+" "+ev.Fields.Text("error"), want)
	}
	if Dialect.Config.Unit != time.Millisecond {
		t.Errorf("augment/13: unit %s", Dialect.Config.Unit)
	}
	ev = first(`"PreToolUse", "tool_name": "sub-agent-explore", "tool_input": {"instruction": "go"}`)
	dialecttest.Check(t, "augment/14", ev.Call.Name+" "+ev.Call.Input.Text("subagent_type")+" "+ev.Call.Input.Text("prompt"), "Task explore go")
	if Dialect.Config.Shape != protocol.NestedJSON || Dialect.Config.Windows != protocol.QuoteCmd {
		t.Errorf("augment/15: %s, on Windows %s", Dialect.Config.Shape, Dialect.Config.Windows)
	}
}

// augment/12: a matcher for mcp__SERVER__TOOL finds the call, wherever the name
// has to be split.
func TestMCPNames(t *testing.T) {
	for _, c := range []struct{ name, server, want string }{
		{"search_my-server", "", "mcp__my-server__search"},
		{"list_issues_tracker", "", "mcp__tracker__list_issues mcp__issues_tracker__list"},
		{"list_issues_tracker", "issues_tracker", "mcp__issues_tracker__list"},
		{"list_issues_tracker", "other", "mcp__tracker__list_issues mcp__issues_tracker__list"},
		{"plain", "", ""}, {"_x", "", ""}, {"x_", "", ""}, {"", "", ""},
	} {
		t.Run(fmt.Sprintf("name %q, server %q", c.name, c.server), func(t *testing.T) {
			if got := strings.Join(mcpNames(c.name, c.server), " "); got != c.want {
				t.Errorf("%s of %q: %q, want %q", c.name, c.server, got, c.want)
			}
		})
	}
	ev := dialecttest.First(t, Dialect, `{`+base+`"PreToolUse", "tool_name": "a_b_c", "tool_input": {}, "is_mcp_tool": true}`)
	if got := strings.Join(ev.Call.Names(), " "); got != "mcp__c__a_b a_b_c mcp__b_c__a" {
		t.Errorf("a matcher tries %s", got)
	}
}

// A changed input is complete and in Augment's own keys; a field that was read out of
// a patch cannot be changed.
func TestModify(t *testing.T) {
	for _, c := range []struct{ call, modified, want string }{
		{`"save-file", "tool_input": {"path": "a", "file_content": "x", "add_last_line_newline": true}`, `{"file_path": "b", "content": "y"}`,
			`{"path": "b", "file_content": "y", "add_last_line_newline": true}`},
		{`"str-replace-editor", "tool_input": {"path": "a", "old_str_1": "x", "new_str_1": "y"}`, `{"new_string": "z"}`,
			`{"path": "a", "old_str_1": "x", "new_str_1": "z"}`},
		{`"apply_patch", "tool_input": {"input": "*** Add File: a"}`, `{"file_path": "b"}`, `{"input": "*** Add File: a"}`},
	} {
		t.Run(c.modified, func(t *testing.T) {
			got := dialecttest.Told(t, Dialect, `{`+base+`"PreToolUse", "tool_name": `+c.call+`}`, protocol.Outcome{ModifiedInput: dialecttest.Object(t, c.modified)})
			if want := `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": ` + c.want + `}}`; got != want {
				t.Errorf("%s:\n got %s\nwant %s", c.call, got, want)
			}
		})
	}
}

func TestWorkDir(t *testing.T) {
	env := map[string]string{"AUGMENT_PROJECT_DIR": "/env"}
	for payload, want := range map[string]string{
		`{` + base + `"Stop"}`: "/p",
		`{"conversation_id": "c", "workspace_roots": [], "hook_event_name": "Stop"}`:   "/env",
		`{"conversation_id": "c", "workspace_roots": [7], "hook_event_name": "Stop"}`:  "/env",
		`{"conversation_id": "c", "workspace_roots": "x", "hook_event_name": "Stop"}`:  "/env",
		`{"conversation_id": "c", "workspace_roots": null, "hook_event_name": "Stop"}`: "/env",
	} {
		t.Run(payload, func(t *testing.T) {
			if got := dialecttest.Decode(t, Dialect, dialecttest.Object(t, payload), env)[0].WorkDir; got != want {
				t.Errorf("%s: %q, want %q", payload, got, want)
			}
		})
	}
	events, _ := Dialect.Decode(protocol.Input{Payload: dialecttest.Object(t, `{"hook_event_name": "Stop"}`), WorkDir: "/here"})
	if events[0].WorkDir != "/here" {
		t.Errorf("without a word about it: %q", events[0].WorkDir)
	}
}
