package droid_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/droid"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, droid.Dialect, nil) }

// Every answer is printed on exit 0 with nothing on stderr (factory-droid/18), names its own event, and never says allow
// (factory-droid/1).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, droid.Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		o, _ := protocol.ParseObject(a.Reply.Stdout)
		hso := o.Sub("hookSpecificOutput")
		if hso.Text("permissionDecision") == "allow" && a.Outcome.Decision != protocol.Allow { // factory-droid/1
			t.Errorf("%s: says allow", name)
		}
		if hso != nil && hso.Text("hookEventName") != a.Event.NativeEvent {
			t.Errorf("%s: names the event %q", name, hso.Text("hookEventName"))
		}
	}
}

const base = `"session_id": "s", "cwd": "/p", "permission_mode": "off", "hook_event_name": `

func TestQuirks(t *testing.T) {
	first := func(payload string) *protocol.Event { return dialecttest.First(t, droid.Dialect, "{"+base+payload+"}") }
	told := func(payload string, o protocol.Outcome) string {
		return dialecttest.Told(t, droid.Dialect, "{"+base+payload+"}", o)
	}
	a := dialecttest.First(t, droid.Dialect, `{"sessionId": "s", "cwd": "/p", "permissionMode": "off", "transcriptPath": "/t", "hookEventName": "Stop", "stopHookActive": true}`)
	b := dialecttest.First(t, droid.Dialect, `{"session_id": "s", "cwd": "/p", "permission_mode": "off", "transcript_path": "/t", "hook_event_name": "Stop", "stop_hook_active": true}`)
	for _, name := range []string{"stop_active", "transcript_path", "permission_mode", "status"} {
		dialecttest.Check(t, "factory-droid/2 "+name, string(a.Fields.Get(name)), string(b.Fields.Get(name)))
	}
	dialecttest.Check(t, "factory-droid/2", a.SessionID+a.WorkDir+a.NativeEvent, "s/pStop")
	dialecttest.Check(t, "factory-droid/3", told(`"PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": "a", "old_str": "b", "n": 1.0}`,
		protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"old_string": "c"}`)}),
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"file_path": "a", "old_str": "c", "n": 1.0}}}`)
	before, after := first(`"PreToolUse", "tool_name": "Execute", "tool_input": {"command": "ls"}`), first(`"PostToolUse", "tool_name": "Execute", "tool_input": {"command":"ls"}`)
	if id := before.Fields.Text("tool_use_id"); before.Call.ID != "" || id == "" || id != after.Fields.Text("tool_use_id") {
		t.Errorf("factory-droid/6: ids %q and %q", id, after.Fields.Text("tool_use_id"))
	}
	for response, want := range map[string]string{
		`{"success": true}`:                     "post-tool-call ",
		`{"success": false}`:                    `post-tool-call-failure {"success": false}`,
		`{"success": false, "error": "exit 1"}`: "post-tool-call-failure exit 1",
		`{"error": {"code": 1}}`:                `post-tool-call-failure {"code": 1}`,
		`{"error": null}`:                       "post-tool-call ",
		`{"error": ""}`:                         "post-tool-call ",
		`{"error": false}`:                      "post-tool-call ",
		`"error"`:                               "post-tool-call ",
	} {
		ev := first(`"PostToolUse", "tool_name": "Execute", "tool_response": ` + response)
		dialecttest.Check(t, "factory-droid/7 "+response, string(ev.Type)+" "+ev.Fields.Text("error"), want)
	}
	dialecttest.Check(t, "factory-droid/8", told(`"PostToolUse", "tool_name": "x"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "r"}}`)
	dialecttest.Check(t, "factory-droid/9 stops in a row", fmt.Sprint(droid.Dialect.StopMax), "0")
	dialecttest.Check(t, "factory-droid/11", told(`"PreToolUse", "tool_name": "Execute"`, protocol.Outcome{Decision: protocol.Ask, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "r"}}`)
	sub := first(`"SessionStart", "source": "startup", "calling_session_id": "c"`)
	dialecttest.Check(t, "factory-droid/13 whose session it is", string(sub.Type)+" "+sub.SessionID+" "+sub.Fields.Text("agent_id"), "pre-subagent c s")
	dialecttest.Check(t, "factory-droid/13 what it is told", told(`"SessionStart", "calling_session_id": "c"`, protocol.Outcome{AdditionalContext: "x"}),
		`{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "x"}}`)
	dialecttest.Check(t, "factory-droid/14", string(first(`"Stop", "stop_hook_active": false`).Type), "pre-agent-turn-stop")
	dialecttest.Check(t, "factory-droid/15 of a subagent", first(`"UserPromptSubmit", "prompt": "# Task Tool Invocation\n\nSubagent type: worker"`).Fields.Text("source"), "subagent")
	dialecttest.Check(t, "factory-droid/15 of the user", first(`"UserPromptSubmit", "prompt": "hello"`).Fields.Text("source"), "user")
	dialecttest.Check(t, "factory-droid/16", told(`"SubagentStop"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}), "")
	dialecttest.Check(t, "factory-droid/17", string(first(`"PostToolUse", "tool_name": "Execute", "tool_response": "hello\n\n\n[Process exited with code 0]"`).Type), "post-tool-call")
	ev := first(`"PreToolUse", "tool_name": "ApplyPatch", "tool_input": {"input": "*** Update File: a b\n"}`)
	dialecttest.Check(t, "factory-droid/10", ev.Fields.Sub("tool_input").Text("file_path"), "a b")
}

// Session variables are not written (factory-droid/19).
func TestSessionEnv(t *testing.T) {
	payload := dialecttest.Object(t, `{`+base+`"SessionStart", "source": "startup"}`)
	ev := dialecttest.Decode(t, droid.Dialect, payload, map[string]string{"CLAUDE_ENV_FILE": "/t/env.sh"})[0]
	a := dialecttest.Answer(droid.Dialect, ev, "", protocol.Outcome{Env: dialecttest.Object(t, `{"A": "b"}`)})
	if len(a.Reply.Files) != 0 || len(a.Losses)+len(a.Warnings()) == 0 {
		t.Errorf("files %v, losses %v, warnings %q", a.Reply.Files, a.Losses, a.Warnings())
	}
}

// The entry is in the settings and in an existing hooks.json, in the form of each
// file (factory-droid/4, factory-droid/5, factory-droid/12).
func TestFiles(t *testing.T) {
	for _, c := range []struct {
		what        string
		scope       protocol.Scope
		hooks       string
		files, name string
	}{
		{"of the user, no hooks.json", protocol.UserScope, "", "/h/.factory/settings.json", "hooks"},
		{"of the user, an empty one", protocol.UserScope, `{}`, "/h/.factory/hooks.json /h/.factory/settings.json", ""},
		{"of the user, one with events", protocol.UserScope, `{"PreToolUse": []}`, "/h/.factory/hooks.json /h/.factory/settings.json", ""},
		{"of the user, one with hooks", protocol.UserScope, `{"hooks": {}}`, "/h/.factory/hooks.json /h/.factory/settings.json", ""},
		{"of the project, no hooks.json", protocol.ProjectScope, "", "/p/.factory/settings.json", "hooks"},
		{"of the project, an empty one", protocol.ProjectScope, `{}`, "/p/.factory/hooks.json /p/.factory/settings.json", ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := protocol.Site{Scope: c.scope, Home: "/h", Project: "/p", Read: func(path string) ([]byte, error) {
				if c.hooks != "" && strings.HasSuffix(path, "/hooks.json") {
					return []byte(c.hooks), nil
				}
				return nil, errors.New("not there")
			}}
			files := droid.Dialect.Config.Files(s)
			dialecttest.Check(t, "the files", strings.Join(files, " "), c.files)
			dialecttest.Check(t, "where events are in the first", droid.Dialect.Config.EventsIn(s, files[0]), c.name)
			dialecttest.Check(t, "where events are in the last", droid.Dialect.Config.EventsIn(s, files[len(files)-1]), "hooks")
		})
	}
}
