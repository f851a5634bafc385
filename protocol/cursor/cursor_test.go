package cursor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// Every answer is exactly one object on stdout, on exit 0 with nothing on stderr, and
// has no member of another agent's form.
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		o, err := protocol.ParseObject(a.Reply.Stdout)
		if err != nil {
			t.Errorf("%s: %v in %q", name, err, a.Reply.Stdout)
		}
		if o.Has("hookSpecificOutput") || o.Has("decision") || o.Has("systemMessage") {
			t.Errorf("%s: %s", name, a.Reply.Stdout)
		}
		if o.Text("permission") == "deny" && strings.TrimSpace(o.Text("user_message")) == "" {
			t.Errorf("%s: denied without a reason", name)
		}
		if o.Text("permission") == "allow" && !o.Has("updated_input") {
			t.Errorf("%s: allows", name)
		}
	}
}

const base = `"conversation_id": "c", "generation_id": "g", "cursor_version": "3.20.1", "workspace_roots": ["/p"], "hook_event_name": `

func TestQuirks(t *testing.T) {
	first := func(t *testing.T, payload string) *protocol.Event {
		t.Helper()
		return dialecttest.First(t, Dialect, "{"+base+payload+"}")
	}
	told := func(payload string, o protocol.Outcome) string {
		return dialecttest.Told(t, Dialect, "{"+base+payload+"}", o)
	}
	for _, w := range Dialect.Notes {
		if strings.Contains(w, "://") {
			t.Errorf("cursor/1: %q", w)
		}
	}
	for payload, want := range map[string]string{
		`"stop", "cwd": ""`:   "/p",
		`"stop"`:              "/p",
		`"stop", "cwd": "/q"`: "/q",
	} {
		dialecttest.Check(t, "cursor/2 "+payload, first(t, payload).WorkDir, want)
	}
	p := dialecttest.Object(t, `{"hook_event_name": "stop", "workspace_roots": []}`)
	dialecttest.Check(t, "cursor/2 of the environment", dialecttest.Decode(t, Dialect, p, map[string]string{"CURSOR_PROJECT_DIR": "/e"})[0].WorkDir, "/e")
	dialecttest.Check(t, "cursor/3 any tool", told(`"preToolUse", "tool_name": "Shell"`, protocol.Outcome{Decision: protocol.Ask, Reason: "sure?"}),
		`{"permission": "deny", "user_message": "sure?", "agent_message": "sure?"}`)
	dialecttest.Check(t, "cursor/3 a command", told(`"beforeShellExecution", "command": "rm"`, protocol.Outcome{Decision: protocol.Ask, Reason: "sure?"}),
		`{"permission": "ask", "user_message": "sure?", "agent_message": "sure?"}`)
	for _, payload := range []string{`"preToolUse", "tool_name": "x"`, `"postToolUseFailure", "tool_name": "x"`, `"beforeSubmitPrompt", "prompt": "x"`} {
		dialecttest.Check(t, "cursor/4 "+payload, told(payload, protocol.Outcome{AdditionalContext: "c"}), `{"additional_context": "c"}`)
	}
	for _, n := range natives {
		single := strings.HasSuffix(n.Name, "Execution") || strings.HasSuffix(n.Name, "File") || n.Name == "afterFileEdit"
		if n.Manual != single {
			t.Errorf("cursor/5: %s is registered: %v", n.Name, !n.Manual)
		}
	}
	for payload, want := range map[string]string{
		`"stop", "loop_count": 0`: "false 0", `"stop", "loop_count": 3`: "true 3", `"stop"`: "false ", `"stop", "loop_count": "x"`: "false ",
		`"stop", "loop_count": null`: "false ", `"stop", "stop_hook_active": true`: "true ",
	} {
		f := first(t, payload).Fields
		dialecttest.Check(t, "cursor/6 "+payload, string(f.Get("stop_active"))+" "+string(f.Get("loop_count")), want)
	}
	dialecttest.Check(t, "cursor/6 stops in a row", fmt.Sprint(Dialect.StopMax), "5")
	for _, payload := range []string{`"stop", "status": "aborted"`, `"stop", "status": "error"`, `"subagentStop", "status": "error"`} {
		ev := first(t, payload)
		dialecttest.Check(t, "cursor/7 "+payload, string(ev.Can.Raw())+string(ev.Context.Get("can")), "[][]")
	}
	ev := first(t, `"preToolUse", "tool_name": "MCP:create_issue", "tool_input": {}`)
	dialecttest.Check(t, "cursor/8", strings.Join(ev.Call.Names(), " "), "mcp__create_issue MCP:create_issue create_issue")
	dialecttest.Check(t, "cursor/9", strings.Join(first(t, `"preToolUse", "tool_name": "Write"`).Call.Names(), " "), "WriteFile Write EditFile Edit")
	for output, want := range map[string]string{
		`"{\"exitCode\":0}"`: `{"exitCode":0}`, `"[1]"`: `[1]`, `"plain"`: `"plain"`, `"{broken"`: `"{broken"`, `"7"`: `"7"`, `{"a":1}`: `{"a":1}`,
	} {
		dialecttest.Check(t, "cursor/10 "+output, string(first(t, `"postToolUse", "tool_name": "x", "tool_output": `+output).Fields.Get("tool_response")), want)
	}
	dialecttest.Check(t, "cursor/10 an input", string(first(t, `"beforeMCPExecution", "tool_name": "x", "tool_input": "{\"a\":1}"`).Fields.Sub("tool_input").Raw()), `{"a": 1}`)
	o, err := protocol.ParseObject([]byte("\xef\xbb\xbf{" + base + `"stop"}`))
	if err != nil || !Dialect.Detect(o) {
		t.Errorf("cursor/12: %v", err)
	}
	for root, want := range map[string]string{"/c:/Users/x": "c:/Users/x", "/home/x": "/home/x", "/": "/"} {
		p := dialecttest.Object(t, `{"hook_event_name": "stop", "workspace_roots": ["`+root+`"]}`)
		dialecttest.Check(t, "cursor/13 "+root, dialecttest.Decode(t, Dialect, p, nil)[0].WorkDir, want)
	}
	for tool, want := range map[string]string{"MCP:search": `{"updated_mcp_tool_output": "new"}`, "Shell": `{}`} {
		t.Run(tool, func(t *testing.T) {
			ev := first(t, `"postToolUse", "tool_name": "`+tool+`"`)
			dialecttest.Check(t, "cursor/15", strings.TrimSpace(string(Dialect.Encode(ev, protocol.Outcome{ModifiedOutput: "new"}).Stdout)), want)
			if can := ev.Can.Has(protocol.CanOutput); can != (tool != "Shell") {
				t.Errorf("cursor/15: the result of %s can be replaced: %v", tool, can)
			}
		})
	}
	dialecttest.Check(t, "cursor/14", first(t, `"stop"`).SessionID, "c")
}

// An entry of Claude Code that Cursor runs is answered in both forms, and recognised
// by the payload (cursor/11).
func TestBorrowedEntry(t *testing.T) {
	borrowed := func(payload string, o protocol.Outcome) string {
		t.Helper()
		events, err := Dialect.Decode(protocol.Input{Payload: dialecttest.Object(t, payload), Entry: "claude-code", Now: dialecttest.Now})
		if err != nil || len(events) == 0 {
			t.Fatal(err, events)
		}
		return strings.TrimSuffix(string(dialecttest.Answer(Dialect, events[0], "", o).Reply.Stdout), "\n")
	}
	for _, name := range []string{"PreToolUse", "preToolUse"} {
		call := `{` + base + `"` + name + `", "tool_name": "Shell", "tool_input": {"command": "rm", "n": 1.0}}`
		dialecttest.Check(t, "deny at "+name, borrowed(call, protocol.Outcome{Decision: protocol.Block, Reason: "no"}),
			`{"permission": "deny", "user_message": "no", "agent_message": "no", "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no"}}`)
		dialecttest.Check(t, "modify at "+name, borrowed(call, protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"command": "ls"}`)}),
			`{"permission": "allow", "updated_input": {"command": "ls", "n": 1.0}, "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "ls", "n": 1.0}}}`)
		dialecttest.Check(t, "nothing at "+name, borrowed(call, protocol.Outcome{Decision: protocol.Allow}), `{}`)
	}
	dialecttest.Check(t, "prompt", borrowed(`{`+base+`"UserPromptSubmit", "prompt": "x"}`, protocol.Outcome{Decision: protocol.Block, Reason: "no"}),
		`{"continue": false, "user_message": "no", "decision": "block", "reason": "no"}`)
	dialecttest.Check(t, "context", borrowed(`{`+base+`"beforeSubmitPrompt", "prompt": "x"}`, protocol.Outcome{AdditionalContext: "c"}),
		`{"additional_context": "c", "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "c"}}`)
	dialecttest.Check(t, "stop", borrowed(`{`+base+`"Stop", "status": "completed"}`, protocol.Outcome{FollowupMessage: "go"}),
		`{"followup_message": "go", "decision": "block", "reason": "go"}`)

	plain := dialecttest.Object(t, `{"hook_event_name": "Stop", "session_id": "y", "transcript_path": "/x/y.jsonl"}`)
	shaped := dialecttest.Object(t, `{`+base+`"stop"}`)
	for i, c := range []struct {
		name string
		p    protocol.Object
		want bool
	}{
		{"of Claude Code", plain, false},
		{"in Cursor's shape", shaped, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Dialect.Borrows(c.p); got != c.want {
				t.Errorf("cursor/11, case %d: %v", i, got)
			}
		})
	}
}

// Session variables are texts.
func TestSessionEnv(t *testing.T) {
	got := dialecttest.Told(t, Dialect, `{`+base+`"sessionStart"}`, protocol.Outcome{Env: dialecttest.Object(t, `{"A": "x y", "B": 1.50, "c-d": "x", "E": {}}`)})
	dialecttest.Check(t, "env", got, `{"env": {"A": "x y", "B": "1.50"}}`)
	got = dialecttest.Told(t, Dialect, `{`+base+`"sessionStart"}`, protocol.Outcome{Env: dialecttest.Object(t, `{"c-d": "x"}`), AdditionalContext: "c"})
	dialecttest.Check(t, "no variable", got, `{"additional_context": "c"}`)
	got = dialecttest.Told(t, Dialect, `{`+base+`"sessionStart"}`, protocol.Outcome{Env: dialecttest.Object(t, `{"A": "x"}`)})
	dialecttest.Check(t, "one variable", got, `{"env": {"A": "x"}}`)
}
