package cline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// Every answer is exactly one object with cancel in it, on exit 0 (cline/3).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		o, err := protocol.ParseObject(a.Reply.Stdout)
		if err != nil || a.Reply.Exit != 0 || len(a.Reply.Stderr) > 0 {
			t.Errorf("%s: %v, exit %d, stderr %q", name, err, a.Reply.Exit, a.Reply.Stderr)
		}
		if cancel := a.Outcome.Decision == protocol.Block; o.Bool("cancel") != cancel || !o.Has("cancel") || cancel && o.Text("errorMessage") == "" {
			t.Errorf("%s: %s", name, a.Reply.Stdout)
		}
	}
}

const (
	cli    = `"clineVersion": "", "timestamp": "2026-11-21T03:25:20.510Z", "taskId": "conv", "sessionContext": {"rootSessionId": "root"}, "workspaceRoots": ["/p"], "agent_id": "a", "hookName": `
	vscode = `"clineVersion": "4.2.0", "timestamp": "1793527200000", "taskId": "task", "workspaceRoots": ["/p"], "hookName": `
)

func first(t *testing.T, payload string) *protocol.Event {
	t.Helper()
	return dialecttest.First(t, Dialect, "{"+payload+"}")
}

func told(t *testing.T, payload string, o protocol.Outcome) string {
	t.Helper()
	return dialecttest.Told(t, Dialect, "{"+payload+"}", o)
}

func TestQuirks(t *testing.T) {
	site := protocol.Site{Scope: protocol.UserScope, Home: "/home/dev", Project: "/p"}
	dialecttest.Check(t, "cline/1 of the user", Dialect.Config.File(site), "/home/dev/Documents/Cline/Hooks")
	site.Scope = protocol.ProjectScope
	dialecttest.Check(t, "cline/1 of a project", Dialect.Config.File(site), "/p/.clinerules/hooks")
	if Dialect.Config.Files != nil {
		t.Error("cline/1: entries in more than one folder")
	}
	pre := cli + `"tool_call", "tool_call": {"id": "1", "name": "run_commands", "input": {"commands": ["ls"]}}`
	block := protocol.Outcome{Decision: protocol.Block, Reason: "r"}
	other := cli + `"tool_call", "tool_call": {"id": "1", "name": "editor", "input": {"path": "a"}}`
	dialecttest.Check(t, "cline/2", told(t, other, block), `{"cancel": true, "errorMessage": "r"}`)
	dialecttest.Check(t, "cline/16", told(t, pre, block), `{"cancel": false, "overrideInput": {"commands": [{"command": "/bin/sh", "args": ["-c", "printf '%b\\n' 'This command did not run. A hook blocked it: r'; exit 1"]}]}}`)
	for _, c := range []struct{ payload, can string }{
		{pre, "block modify context"},
		{cli + `"tool_result", "tool_result": {"id": "1", "name": "x", "input": {}}`, "context"},
		{cli + `"agent_start"`, ""}, {cli + `"prompt_submit"`, ""}, {cli + `"agent_end"`, ""}, {cli + `"session_shutdown"`, ""},
		{vscode + `"TaskStart"`, "block message"}, {vscode + `"UserPromptSubmit"`, "block message"}, {vscode + `"TaskComplete"`, ""},
		{vscode + `"PreToolUse", "preToolUse": {"toolName": "x", "parameters": {}}`, "block context message"},
		{vscode + `"PostToolUse", "postToolUse": {"toolName": "x", "parameters": {}, "success": true}`, "context message"},
	} {
		dialecttest.Check(t, "cline/4 "+c.payload, first(t, c.payload).Can.String(), c.can)
	}
	dialecttest.Check(t, "cline/5 the command line has none", told(t, pre, protocol.Outcome{UserMessage: "m"}), `{"cancel": false}`)
	dialecttest.Check(t, "cline/5 the editor has one", told(t, vscode+`"PreToolUse"`, protocol.Outcome{UserMessage: "m", AdditionalContext: "c"}), `{"cancel": false, "contextModification": "c", "errorMessage": "m"}`)
	dialecttest.Check(t, "cline/5 after the reason of a block", told(t, vscode+`"PreToolUse"`, protocol.Outcome{Decision: protocol.Block, Reason: "r", UserMessage: "m"}), `{"cancel": true, "errorMessage": "r\n\nm"}`)
	for own, file := range map[string]string{"agent_start": "TaskStart", "agent_resume": "TaskResume", "agent_abort": "TaskCancel", "agent_end": "TaskComplete",
		"agent_error": "TaskError", "tool_call": "PreToolUse", "tool_result": "PostToolUse", "prompt_submit": "UserPromptSubmit", "session_shutdown": "SessionShutdown"} {
		dialecttest.Check(t, "cline/6 "+own, first(t, cli+`"`+own+`"`).NativeEvent, file)
	}
	child := cli + `"agent_start", "parent_agent_id": "p"`
	dialecttest.Check(t, "cline/9 the start", string(first(t, child).Type)+" "+first(t, child).Can.String(), "pre-subagent ")
	dialecttest.Check(t, "cline/9 the end", string(first(t, cli+`"agent_end", "parent_agent_id": "p", "turn": {"outputText": "o"}`).Fields.Raw()),
		`{"status": "completed", "final_message": {"role": "assistant", "content": "o"}, "agent_id": "a"}`)
	dialecttest.Check(t, "cline/9 no parent", string(first(t, cli+`"agent_start", "parent_agent_id": null`).Type), "pre-session")
	for _, n := range Dialect.NativeEvents {
		if n.Limit != 30*time.Second {
			t.Errorf("cline/10: %s has %s", n.Name, n.Limit)
		}
	}
	texts := first(t, vscode+`"PreToolUse", "preToolUse": {"toolName": "run_commands", "parameters": {"commands": "[\"a\",\"b\"]"}}`)
	dialecttest.Check(t, "cline/11 several commands", texts.Call.Input.Text("command"), "a\nb")
	dialecttest.Check(t, "cline/11 a changed one", told(t, vscode+`"PreToolUse", "preToolUse": {"toolName": "execute_command", "parameters": {"command": "a"}}`, protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"command": "b"}`)}), `{"cancel": false}`)
	dialecttest.Check(t, "cline/12", first(t, vscode+`"TaskStart"`).Timestamp+" "+first(t, cli+`"agent_start"`).Timestamp, "2026-11-01T10:00:00.000Z 2026-11-21T03:25:20.510Z")
	if strings.Contains(string(first(t, pre).Context.Raw()), "agent_version") || first(t, vscode+`"TaskStart"`).Context.Text("agent_version") != "4.2.0" {
		t.Error("cline/13: the version")
	}
	for _, name := range []string{`"pre_compact"`, `"PreCompact"`, `"Notification"`} {
		t.Run(name, func(t *testing.T) {
			if events := dialecttest.Decode(t, Dialect, dialecttest.Object(t, "{"+cli+name+"}"), nil); len(events) != 0 {
				t.Errorf("cline/14: %s is %s", name, events[0].Type)
			}
		})
	}
	for _, n := range Dialect.NativeEvents {
		if n.Can.Has(protocol.CanContinue) {
			t.Errorf("cline/14: %s can go on", n.Name)
		}
	}
	dialecttest.Check(t, "cline/15", string(first(t, cli+`"session_shutdown", "reason": "aborted"`).Fields.Raw()), `{"exit_reason": "aborted"}`)
}

// cline/7: a hook gets the content of a list as one text, and it goes back as a list.
func TestLists(t *testing.T) {
	for _, c := range []struct{ tool, input, portable, modified, want string }{
		{"run_commands", `{"commands": ["ls"]}`, `"command":"ls"`, `{"command": "echo safe"}`, `{"commands": ["echo safe"]}`},
		{"run_commands", `{"commands": ["a", "b"]}`, `"command":"a\nb"`, `{"command": "c"}`, `{"commands": ["c"]}`},
		{"run_commands", `{"commands": [{"command": "git", "args": ["push", "-f"]}]}`, `"command":"git push -f"`, `{"command": "git push"}`, `{"commands": ["git push"]}`},
		{"run_commands", `{"commands": "ls"}`, `"command":"ls"`, `{"command": "pwd"}`, `{"commands": ["pwd"]}`},
		{"run_commands", `{"commands": ["a"]}`, `"command":"a"`, `{"commands": ["x", "y"]}`, `{"commands": ["x", "y"]}`},
		{"run_commands", `{"commands": ["a"]}`, `"command":"a"`, `{"command": "a", "commands": ["a"]}`, `{"commands": ["a"]}`},
		{"run_commands", `{"commands": []}`, ``, `{"commands": ["x"]}`, `{"commands": ["x"]}`},
		{"run_commands", `{"cmd": "ls"}`, `"command":"ls"`, `{"command": "pwd"}`, `{"cmd": "pwd"}`},
		{"read_files", `{"files": [{"path": "a", "start_line": 2}]}`, `"file_path":"a"`, `{"file_path": "b"}`, `{"files": [{"path": "b", "start_line": 2}]}`},
		{"read_files", `{"files": [{"path": "a"}, "b"]}`, `"file_path":"a","file_paths":["a", "b"]`, `{"files": ["c"]}`, `{"files": ["c"]}`},
		{"read_files", `{"path": "a"}`, `"file_path":"a"`, `{"file_path": "b"}`, `{"path": "b"}`},
		{"search_codebase", `{"queries": ["x", "y"]}`, `"pattern":"x\ny"`, `{"pattern": "z"}`, `{"queries": ["z"]}`},
		{"fetch_web_content", `{"requests": [{"url": "u", "prompt": "p"}]}`, `"url":"u"`, `{"url": "v"}`, `{"requests": [{"url": "v", "prompt": "p"}]}`},
		{"editor", `{"path": "a", "old_text": "x", "new_text": "y"}`, `"file_path":"a","old_string":"x","new_string":"y"`, `{"new_string": "z"}`, `{"path": "a", "old_text": "x", "new_text": "z"}`},
		{"apply_patch", `{"input": "*** Add File: q"}`, `"file_path":"q"`, `{"input": "*** Add File: r"}`, `{"input": "*** Add File: r"}`},
	} {
		t.Run(fmt.Sprintf("%s, %s, portable %q, %s", c.tool, c.input, c.portable, c.modified), func(t *testing.T) {
			payload := cli + `"tool_call", "tool_call": {"id": "1", "name": "` + c.tool + `", "input": ` + c.input + `}`
			ev := first(t, payload)
			if got := string(ev.Fields.Get("tool_input")); !strings.Contains(got, c.portable) {
				t.Errorf("cline/7: %s is %s for a hook", c.input, got)
			}
			a := dialecttest.Answer(Dialect, ev, "", protocol.Outcome{ModifiedInput: dialecttest.Object(t, c.modified)})
			if got := strings.TrimSpace(string(a.Reply.Stdout)); got != `{"cancel": false, "overrideInput": `+c.want+`}` || len(a.Warnings()) != 0 {
				t.Errorf("cline/7: %s changed to %s became %s, warnings %q", c.input, c.modified, got, a.Warnings())
			}
		})
	}
	// One of several paths cannot be changed, and a warning says so.
	ev := first(t, cli+`"tool_call", "tool_call": {"id": "1", "name": "read_files", "input": {"files": ["a", "b"]}}`)
	if a := dialecttest.Answer(Dialect, ev, "", protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"file_path": "c"}`)}); len(a.Warnings()) != 1 {
		t.Errorf("cline/7: warnings %q, %s", a.Warnings(), a.Reply.Stdout)
	}
	// A later hook sees the changed command, and its own change is the one that
	// holds.
	ev = first(t, cli+`"tool_call", "tool_call": {"id": "1", "name": "run_commands", "input": {"commands": ["a"]}}`)
	ev.SetInput(dialecttest.Object(t, `{"commands": ["a"], "command": "b"}`))
	if got := ev.Call.Input.Text("command"); got != "b" {
		t.Errorf("cline/7: the next hook sees %q", got)
	}
	a := dialecttest.Answer(Dialect, ev, "", protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"commands": ["a"], "command": "c"}`)})
	if got := string(a.Reply.Stdout); !strings.Contains(got, `{"commands": ["c"]}`) {
		t.Errorf("cline/7: %s", got)
	}
}

// cline/8: what counts as a failed call.
func TestFailure(t *testing.T) {
	for payload, want := range map[string]string{
		cli + `"tool_result", "tool_result": {"name": "x", "error": "boom", "output": "boom"}`:                                                                 "post-tool-call-failure boom",
		cli + `"tool_result", "tool_result": {"name": "x", "output": [{"success": true}, {"success": false, "error": "e"}]}, "postToolUse": {"success": true}`: "post-tool-call-failure e",
		cli + `"tool_result", "tool_result": {"name": "x", "output": [{"success": false, "error": "", "result": "r"}]}`:                                        "post-tool-call-failure r",
		cli + `"tool_result", "tool_result": {"name": "x", "output": [{"success": true}]}, "postToolUse": {"success": true}`:                                   "post-tool-call ",
		cli + `"tool_result", "tool_result": {"name": "x", "output": "false"}`:                                                                                 "post-tool-call ",
		vscode + `"PostToolUse", "postToolUse": {"toolName": "x", "result": "bad", "success": false}`:                                                          "post-tool-call-failure bad",
		vscode + `"PostToolUse", "postToolUse": {"toolName": "x", "result": "ok", "success": true}`:                                                            "post-tool-call ",
		vscode + `"PostToolUse", "postToolUse": {"toolName": "x"}`:                                                                                             "post-tool-call ",
	} {
		t.Run(payload, func(t *testing.T) {
			ev := first(t, payload)
			if got := string(ev.Type) + " " + ev.Fields.Text("error"); got != want {
				t.Errorf("cline/8: %s: %s, want %s", payload, got, want)
			}
		})
	}
}
