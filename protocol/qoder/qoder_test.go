package qoder

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

var env = map[string]string{"QODER_HOOK_VERSION": "1.1.52"}

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, env) }

// Every answer is printed on exit 0 with nothing on stderr, is one object except on a
// compaction (qoder/8, qoder/6), names its own event, and says allow only to give a
// permission (qoder/2).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, env) {
		name := a.Event.NativeEvent + ", " + a.Kind
		o, _ := protocol.ParseObject(a.Reply.Stdout)
		hso := o.Sub("hookSpecificOutput")
		if hso.Text("permissionDecision") == "allow" && a.Outcome.Decision != protocol.Allow {
			t.Errorf("%s: says allow", name)
		}
		if hso != nil && (hso.Text("hookEventName") != a.Event.NativeEvent || a.Event.NativeEvent == "PreCompact") {
			t.Errorf("%s: names the event %q", name, hso.Text("hookEventName"))
		}
	}
}

const base = `"session_id": "s", "transcript_path": "/h/.qoder/projects/p/s.jsonl", "cwd": "/p", "hook_event_name": `

func TestQuirks(t *testing.T) {
	told := func(payload string, o protocol.Outcome) string {
		return dialecttest.Told(t, Dialect, "{"+base+payload+"}", o)
	}
	dialecttest.Check(t, "qoder/1", Dialect.Config.Label, `{"statusMessage": "agents-hooks"}`)
	const bash = `"PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm", "timeout": 5}`
	dialecttest.Check(t, "qoder/2", told(bash, protocol.Outcome{Decision: protocol.Allow, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "permissionDecisionReason": "r"}}`)
	for mode, word := range map[string]string{"default": "ask", "auto": "ask", "yolo": "deny"} {
		dialecttest.Check(t, "qoder/3 "+mode, told(bash+`, "permission_mode": "`+mode+`"`, protocol.Outcome{Decision: protocol.Ask, Reason: "r"}),
			`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "`+word+`", "permissionDecisionReason": "r"}}`)
	}
	ev := dialecttest.First(t, Dialect, `{`+base+`"SessionStart", "source": "compact"}`)
	dialecttest.Check(t, "qoder/4", string(ev.Type)+" "+ev.Fields.Text("source"), "pre-session compact")
	halt := dialecttest.First(t, Dialect, "{"+base+bash+"}")
	dialecttest.Check(t, "a call can end the turn", fmt.Sprint(halt.Halts, " ", told(bash, protocol.Outcome{Halt: "over"})), `true {"continue": false, "stopReason": "over"}`)
	dialecttest.Check(t, "qoder/6 a text", told(`"PreCompact"`, protocol.Outcome{AdditionalContext: "keep x\n"}), `keep x`)
	dialecttest.Check(t, "qoder/6 a text that is JSON", told(`"PreCompact"`, protocol.Outcome{AdditionalContext: `{"a": 1}`}), "Keep in mind:\n{\"a\": 1}")
	dialecttest.Check(t, "qoder/6 a block", told(`"PreCompact"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}), `{"decision": "block", "reason": "r"}`)
	long := strings.Repeat("x", fieldMax+1)
	if a := dialecttest.Answer(Dialect, dialecttest.First(t, Dialect, "{"+base+bash+"}"), "", protocol.Outcome{AdditionalContext: long}); strings.Contains(string(a.Reply.Stdout), long) {
		t.Errorf("qoder/7: a context of %d characters is not cut", len(long))
	}
	dialecttest.Check(t, "qoder/9", told(`"PostToolUse", "tool_name": "Bash"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "r"}}`)
	dialecttest.Check(t, "qoder/10 stops in a row", fmt.Sprint(Dialect.StopMax), "0")
	for _, stop := range []string{`"Stop"`, `"SubagentStop", "agent_type": "x"`} {
		dialecttest.Check(t, "qoder/11 "+stop, told(stop, protocol.Outcome{FollowupMessage: "go"}), `{"decision": "block", "reason": "go"}`)
	}
	for _, tool := range []string{"Bash", "Read", "Grep"} {
		dialecttest.Check(t, "qoder/12 "+tool, told(`"PostToolUse", "tool_name": "`+tool+`", "tool_response": {"stdout": "a"}`, protocol.Outcome{ModifiedOutput: "new"}),
			`{"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": "new"}}`)
	}
	dialecttest.Check(t, "qoder/13", told(bash, protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"command": "ls"}`)}),
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "ls", "timeout": 5}}}`)
	for _, payload := range []string{bash, `"UserPromptSubmit", "prompt": "p"`, `"Stop"`, `"SessionStart", "source": "startup"`, `"PostToolUse", "tool_name": "Bash"`} {
		dialecttest.Check(t, "qoder/14 "+payload, told(payload, protocol.Outcome{UserMessage: "m"}), `{"systemMessage": "m"}`)
	}
	dialecttest.Check(t, "qoder/14 beside a block", told(bash, protocol.Outcome{Decision: protocol.Block, Reason: "r", UserMessage: "m"}),
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "r"}}`)
}

// Session variables are not written, and a warning says so (qoder/5).
func TestSessionEnv(t *testing.T) {
	payload := dialecttest.Object(t, `{`+base+`"SessionStart", "source": "startup"}`)
	ev := dialecttest.Decode(t, Dialect, payload, map[string]string{"QODER_ENV_FILE": "/t/env.sh"})[0]
	a := dialecttest.Answer(Dialect, ev, "", protocol.Outcome{Env: dialecttest.Object(t, `{"A": "b"}`)})
	if len(a.Reply.Files) != 0 || len(a.Losses)+len(a.Warnings()) == 0 {
		t.Errorf("files %v, losses %v, warnings %q", a.Reply.Files, a.Losses, a.Warnings())
	}
}

// The variables for its folders: one for the whole path, one for the parent folder,
// and one for the name, which a project's folder has too.
func TestFolder(t *testing.T) {
	for _, c := range []struct {
		vars          map[string]string
		user, project string
	}{
		{nil, "/h/.qoder/settings.json", "/p/.qoder/settings.local.json"},
		{map[string]string{"QODER_CONFIG_DIR": "/c"}, "/c/settings.json", "/p/.qoder/settings.local.json"},
		{map[string]string{"QODER_CLI_HOME": "/x"}, "/x/.qoder/settings.json", "/p/.qoder/settings.local.json"},
		{map[string]string{"QODER_CONFIG_DIR_NAME": "abc"}, "/h/abc/settings.json", "/p/abc/settings.local.json"},
		{map[string]string{"QODER_CONFIG_DIR": "/c", "QODER_CONFIG_DIR_NAME": "abc"}, "/c/settings.json", "/p/abc/settings.local.json"},
	} {
		t.Run(fmt.Sprintf("%s, %s", c.user, c.project), func(t *testing.T) {
			s := protocol.Site{Home: "/h", Project: "/p", Env: func(n string) string { return c.vars[n] }}
			user := Dialect.Config.File(s)
			s.Scope = protocol.ProjectScope
			if project := Dialect.Config.File(s); user != c.user || project != c.project {
				t.Errorf("%v: %s and %s", c.vars, user, project)
			}
		})
	}
	s := protocol.Site{GOOS: "windows", Home: `C:\Users\dev`}
	if got := Dialect.Config.File(s); got != `C:\Users\dev\.qoder\settings.json` {
		t.Errorf("Windows: %s", got)
	}
	for settings, is := range map[string]bool{
		`{"disableAllHooks": true}`: true, `{"hooksConfig": {"enabled": false}}`: true, `{"hooksConfig": {"enabled": true}}`: false, `{"hooks": {}}`: false,
	} {
		t.Run(settings, func(t *testing.T) {
			if got := Dialect.Config.Off(dialecttest.Object(t, settings)) != ""; got != is {
				t.Errorf("%s: off is %v", settings, got)
			}
		})
	}
}
