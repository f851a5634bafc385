package claude

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// drive begins an absolute path.
var drive = map[bool]string{true: "C:"}[runtime.GOOS == "windows"]

var env = map[string]string{
	"AI_AGENT":        "claude-code_2-1-329_agent",
	"CLAUDE_ENV_FILE": drive + "/home/dev/.claude/session-env/s/hook-0.sh",
}

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, env) }

// Every answer is printed on exit 0 (claude-code/1), says allow only to give a
// permission (claude-code/2), and names its own event (claude-code/10).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, env) {
		name := a.Event.NativeEvent + ", " + a.Kind
		o, _ := protocol.ParseObject(a.Reply.Stdout)
		hso := o.Sub("hookSpecificOutput")
		if word := hso.Text("permissionDecision"); word == "allow" && a.Outcome.Decision != protocol.Allow {
			t.Errorf("%s: says allow", name)
		}
		if hso != nil && hso.Text("hookEventName") != a.Event.NativeEvent {
			t.Errorf("%s: names the event %q", name, hso.Text("hookEventName"))
		}
	}
}

const base = `"session_id": "s", "transcript_path": "/h/.claude/projects/p/s.jsonl", "cwd": "/p", "hook_event_name": `

func TestQuirks(t *testing.T) {
	told := func(payload string, o protocol.Outcome) string {
		return dialecttest.Told(t, Dialect, "{"+base+payload+"}", o)
	}
	for _, agentType := range []string{`"agent_type": "", `, `"agent_type": "", "agent_id": "a", `} {
		events := dialecttest.Decode(t, Dialect, dialecttest.Object(t, `{`+agentType+base+`"SubagentStop"}`), nil)
		if len(events) != 0 {
			t.Errorf("claude-code/3: SubagentStop of the agent that compacts is %s", events[0].Type)
		}
	}
	ev := dialecttest.First(t, Dialect, `{`+base+`"UserPromptSubmit", "prompt": "\n<task-notification>x"}`)
	dialecttest.Check(t, "claude-code/4", ev.Fields.Text("source"), "notification")
	ev = dialecttest.First(t, Dialect, `{`+base+`"SessionStart", "source": "compact"}`)
	dialecttest.Check(t, "claude-code/5", string(ev.Type)+" "+ev.Fields.Text("source"), "pre-session compact")
	dialecttest.Check(t, "claude-code/6", told(`"PostToolUse", "tool_name": "Bash"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "r"}}`)
	dialecttest.Check(t, "claude-code/7 stops in a row", fmt.Sprint(Dialect.StopMax), "8")
	dialecttest.Check(t, "claude-code/8 a message to go on with", told(`"Stop"`, protocol.Outcome{FollowupMessage: "go"}), `{"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "go"}}`)
	dialecttest.Check(t, "claude-code/8 a block", told(`"Stop"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}), `{"decision": "block", "reason": "r"}`)
	dialecttest.Check(t, "claude-code/9 a text", told(`"PreCompact"`, protocol.Outcome{AdditionalContext: "keep x\n"}), `keep x`)
	dialecttest.Check(t, "claude-code/9 a text that is JSON", told(`"PreCompact"`, protocol.Outcome{AdditionalContext: `{"a": 1}`}), "Keep in mind:\n{\"a\": 1}")
	dialecttest.Check(t, "claude-code/11", told(`"PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm", "timeout": 5}`,
		protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"command": "ls"}`)}),
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "ls", "timeout": 5}}}`)
	dialecttest.Check(t, "claude-code/2", told(`"PreToolUse", "tool_name": "Bash"`, protocol.Outcome{Decision: protocol.Allow, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "permissionDecisionReason": "r"}}`)
	dialecttest.Check(t, "claude-code/15", told(`"PermissionRequest", "tool_name": "Bash"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", "message": "r"}}}`)
	for call, want := range map[string]string{
		`"Bash", "tool_response": {"stdout": "a", "stderr": "b", "isImage": false}`: `{"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": {"stdout": "new", "stderr": "", "isImage": false}}}`,
		`"mcp__s__t", "tool_response": [{"type": "text", "text": "a"}]`:             `{"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedMCPToolOutput": "new"}}`,
	} {
		dialecttest.Check(t, "claude-code/16 "+call, told(`"PostToolUse", "tool_name": `+call, protocol.Outcome{ModifiedOutput: "new"}), want)
	}
	dialecttest.Check(t, "claude-code/17", told(`"PreSkillShellCommand", "tool_name": "Bash"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "PreSkillShellCommand", "permissionDecision": "deny", "permissionDecisionReason": "r"}}`)
	if ev := dialecttest.First(t, Dialect, `{`+base+`"PreSkillShellCommand", "tool_name": "Bash", "tool_input": {"command": "rm"}}`); ev.Type != protocol.PreToolCall || ev.Can != protocol.CanBlock {
		t.Errorf("claude-code/17: %s that can %s", ev.Type, ev.Can)
	}
	if ev := dialecttest.First(t, Dialect, `{`+base+`"PostToolUse", "tool_name": "Glob", "tool_response": {"filenames": []}}`); ev.Can.Has(protocol.CanOutput) {
		t.Errorf("claude-code/16: the result of Glob can be replaced: %s", ev.Context.Get("can"))
	}
	if n, _ := Dialect.Native("SessionEnd"); n.Limit != time.Minute {
		t.Errorf("claude-code/12: SessionEnd has %s, want 1m", n.Limit)
	}
	for mark, want := range map[string]string{
		"claude-code_2-1-263_agent": "2.1.263", "claude-code_2-1-177_harness": "2.1.177", "claude-code_2-1": "2.1",
		"claude-code-damocles": "", "claude-code_x_agent": "", "crush": "", "": "",
	} {
		dialecttest.Check(t, "claude-code/13 "+mark, version(mark), want)
	}
}

// Session variables go into the file that the agent names, quoted for its shell
// (claude-code/14); if it names none they are dropped with a warning.
func TestSessionEnv(t *testing.T) {
	o := protocol.Outcome{Env: dialecttest.Object(t, `{"A": "it's \"$x\"\n2", "B": 1.50, "C": true, "_d1": "", "1x": "x", "x-y": "x", "": "x", "D": null, "E": {}, "F": "a\u0000b"}`)}
	payload := dialecttest.Object(t, `{`+base+`"SessionStart"}`)
	ev := dialecttest.Decode(t, Dialect, payload, env)[0]
	a := dialecttest.Answer(Dialect, ev, "", o)
	if len(a.Reply.Files) != 1 || a.Reply.Files[0].Path != env["CLAUDE_ENV_FILE"] {
		t.Fatalf("files = %+v", a.Reply.Files)
	}
	want := "export A='it'\\''s \"$x\"\n2'\nexport B='1.50'\nexport C='true'\nexport _d1=''\n"
	if got := string(a.Reply.Files[0].Text); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(a.Warnings()) != 6 {
		t.Errorf("warnings %q, want six", a.Warnings())
	}
	for _, file := range []string{"", "relative.sh"} {
		ev := dialecttest.Decode(t, Dialect, payload, map[string]string{"CLAUDE_ENV_FILE": file})[0]
		a := dialecttest.Answer(Dialect, ev, "", o)
		if len(a.Reply.Files) != 0 || len(a.Warnings()) != 1 || !strings.Contains(a.Warnings()[0], "env") {
			t.Errorf("file %q: %+v, warnings %q", file, a.Reply.Files, a.Warnings())
		}
	}
	stop := dialecttest.Decode(t, Dialect, dialecttest.Object(t, `{`+base+`"Stop"}`), env)[0]
	if a := dialecttest.Answer(Dialect, stop, "", o); len(a.Reply.Files) != 0 || len(a.Warnings()) != 1 {
		t.Errorf("Stop: %+v, warnings %q", a.Reply.Files, a.Warnings())
	}
}

// A reason to go on is reported to the dispatcher, which counts it.
func TestContinue(t *testing.T) {
	for payload, c := range map[string]struct {
		o    protocol.Outcome
		want string
	}{
		`"Stop"`:                                   {protocol.Outcome{Decision: protocol.Block, Reason: "again"}, "again"},
		`"Stop", "stop_hook_active": true`:         {protocol.Outcome{FollowupMessage: "more"}, "more"},
		`"SubagentStop", "agent_type": "x"`:        {protocol.Outcome{FollowupMessage: "more"}, "more"},
		`"PreToolUse", "tool_name": "Bash"`:        {protocol.Outcome{Decision: protocol.Block, Reason: "no"}, ""},
		`"Stop", "last_assistant_message": "done"`: {protocol.Outcome{UserMessage: "hm"}, ""},
	} {
		t.Run(payload, func(t *testing.T) {
			a := dialecttest.Answer(Dialect, dialecttest.First(t, Dialect, `{`+base+payload+`}`), "", c.o)
			if a.Reply.Continue != c.want {
				t.Errorf("%s: goes on with %q, want %q", payload, a.Reply.Continue, c.want)
			}
		})
	}
}

// The model's last text of an interrupted turn is read from the transcript, and nothing of the
// turn before it, of a subagent or of a tool's result.
func TestFinalTextOfATranscript(t *testing.T) {
	t.Parallel()
	const (
		prompt   = `{"type":"user","message":{"role":"user","content":"Find the fault"}}` + "\n"
		said     = `{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"The relay K4."},{"type":"tool_use","id":"t","name":"Bash","input":{}}]}}` + "\n"
		result   = `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"ok"}]}}` + "\n"
		stopped  = `{"type":"user","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]}}` + "\n"
		subagent = `{"isSidechain":true,"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"of a subagent"}]}}` + "\n"
		calls    = `{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{}}]}}` + "\n"
	)
	for name, c := range map[string][2]string{
		"interrupted":          {prompt + said + stopped, "The relay K4."},
		"in a call":            {prompt + said + result + subagent + calls + result + stopped, "The relay K4."},
		"nothing said yet":     {prompt + said + prompt + calls + stopped, ""},
		"a line cut in half":   {said[20:] + said + stopped, "The relay K4."},
		"only a cut line":      {said[20:], ""},
		"nothing":              {"", ""},
		"a prompt with images": {said + `{"type":"user","message":{"role":"user","content":[{"type":"text","text":"look"},{"type":"image"}]}}` + "\n", ""},
	} {
		if got := finalText([]byte(c[0])); got != c[1] {
			t.Errorf("%s: %q, want %q", name, got, c[1])
		}
	}
}
