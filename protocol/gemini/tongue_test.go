package gemini

import (
	"fmt"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// A tool's output is sent as text in both members, though the program wraps one of
// them for its model. A tool's input has members of its own.
var held = dialecttest.Mirror{Dialect: Dialect, Kind: "captured", Events: 25,
	Near: func(native, member string) bool { return native == "AfterTool" && member == "tool_response" }}

func TestPayloadsComeBack(t *testing.T) { held.ComesBack(t) }

// go test ./protocol/gemini -run TestPayloadsArePutTogether -update
func TestPayloadsArePutTogether(t *testing.T) { held.PutTogether(t) }

// A matcher finds a part of a tool's name, and of other events the whole word.
func TestWhatAMatcherIsTriedOn(t *testing.T) {
	for payload, want := range map[string]string{
		`"BeforeTool", "tool_name": "run_shell_command"`:        "[run_shell_command] whole: false",
		`"AfterTool", "tool_name": "run_shell_command"`:         "[run_shell_command] whole: false",
		`"SessionStart", "source": "startup"`:                   "[startup] whole: true",
		`"SessionEnd", "reason": "exit"`:                        "[exit] whole: true",
		`"PreCompress", "trigger": "manual"`:                    "[manual] whole: true",
		`"Notification", "notification_type": "ToolPermission"`: "[ToolPermission] whole: true",
		`"BeforeAgent", "prompt": "p"`:                          "[] whole: true",
	} {
		s := speak(dialecttest.First(t, Dialect, `{"session_id": "s", "cwd": "/p", "hook_event_name": `+payload+`}`))[0]
		dialecttest.Check(t, payload, fmt.Sprintf("%s whole: %v", s.Names, s.Exact), want)
	}
}

// The program reads an answer from stderr if stdout is empty, and takes every exit
// code above 1 for a denial.
func TestAnswersAreHeard(t *testing.T) {
	for _, c := range []struct {
		name, native   string
		exit           int
		stdout, stderr string
		want           string
	}{
		{"deny", "BeforeTool", 0, `{"decision": "deny", "reason": "r"}`, "", "block r"},
		{"block, whatever the exit code", "BeforeTool", 1, `{"decision": "block", "reason": "r"}`, "", "block r"},
		{"on stderr", "BeforeTool", 0, "", `{"decision": "deny", "reason": "r"}`, "block r"},
		{"text of an exit above 1", "BeforeTool", 3, "no", "", "block no"},
		{"stdout before stderr", "BeforeTool", 2, "out", "err", "block out"},
		{"stderr of exit 2", "BeforeTool", 2, "", "err", "block err"},
		{"exit 2 and no text", "BeforeTool", 2, "", "", "failed"},
		{"exit 1 and text", "BeforeTool", 1, "no", "", "failed"},
		{"text is for the person", "BeforeTool", 0, "hello", "", "shown hello"},
		{"ask", "BeforeTool", 0, `{"decision": "ask", "systemMessage": "sure?"}`, "", "ask sure?"},
		{"the form of another program", "BeforeTool", 0, `{"hookSpecificOutput": {"permissionDecision": "deny"}}`, "", ""},
		{"an end before a call", "BeforeTool", 0, `{"continue": false, "stopReason": "over"}`, "", "block over ends over"},
		{"an end after a call", "AfterTool", 0, `{"continue": false, "stopReason": "over"}`, "", "ends over"},
		{"an end without a reason", "AfterTool", 0, `{"continue": false}`, "", "ends ends this turn"},
		{"an end that nobody can carry", "SessionEnd", 0, `{"continue": false, "stopReason": "over"}`, "", "shown wanted the agent to end its turn: over"},
		{"context before a call is none", "BeforeTool", 0, `{"hookSpecificOutput": {"additionalContext": "c"}}`, "", "warned"},
		{"context", "BeforeAgent", 0, `{"hookSpecificOutput": {"additionalContext": "c"}}`, "", "context c"},
		{"a prompt that is kept", "BeforeAgent", 2, "", "no", "block no"},
		{"a stop that goes on", "AfterAgent", 0, `{"decision": "deny", "reason": "go on"}`, "", "block go on"},
		{"a stop that is one", "AfterAgent", 0, `{"decision": "deny", "reason": "go on", "continue": false}`, "", ""},
		{"a result in another's place", "AfterTool", 0, `{"decision": "deny", "reason": "hidden"}`, "", "output hidden"},
		{"a wrong type", "BeforeTool", 0, `{"decision": 1}`, "", "bad"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev := dialecttest.First(t, Dialect, `{"session_id": "s", "cwd": "/p", "hook_event_name": "`+c.native+`", "tool_name": "run_shell_command", "tool_input": {"command": "ls"}, "prompt": "p", "tool_response": {"llmContent": "x"}}`)
			ev.Agent = "another"
			deed.Of(ev)
			said := speak(ev)
			if len(said) != 1 {
				t.Fatalf("%d payloads", len(said))
			}
			h := hear(ev, said[0], protocol.End{Exit: c.exit, Stdout: []byte(c.stdout), Stderr: c.stderr})
			if got := dialecttest.Heard(h); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
