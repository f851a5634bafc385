package cursor

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// The program was not observed: the payloads are from its documentation. JSON inside
// a text is spelled as we spell it.
var held = dialecttest.Mirror{Dialect: Dialect, Kind: "made", Events: 30, Near: func(native, member string) bool {
	return member == "tool_output" || strings.Contains(native, "MCP") && member == "tool_input"
}}

func TestPayloadsComeBack(t *testing.T) { held.ComesBack(t) }

// go test ./protocol/cursor -run TestPayloadsArePutTogether -update
func TestPayloadsArePutTogether(t *testing.T) { held.PutTogether(t) }

// The calls of others have the program's names of members, and one that deletes a
// file no texts.
func TestInputsOfOthersAreRenamed(t *testing.T) {
	for call, want := range map[string]string{
		`Write {"file_path": "a", "content": "b"}`:                                 `Write {"path": "/p/a", "contents": "b"}`,
		`Edit {"file_path": "a", "old_string": "b", "new_string": "c"}`:            `Write {"path": "/p/a", "old_string": "b", "new_string": "c"}`,
		`Shell {"command": "ls"}`:                                                  `Shell {"command": "ls"}`,
		`EditFile {"patch": "*** Begin Patch\n*** Delete File: a\n*** End Patch"}`: `Delete {"path": "/p/a"}`,
		`Search {"pattern": "*.go", "path": "d"}`:                                  `Grep {"pattern": "*.go", "path": "d"}`,
		`WebSearch {"query": "q"}`:                                                 `WebSearch {"search_term": "q"}`,
	} {
		name, input, _ := strings.Cut(call, " ")
		ev := &protocol.Event{Type: protocol.PreToolCall, Agent: "another", SessionID: "s", WorkDir: "/p"}
		ev.PutCall(protocol.Tools(nil).NewCall(name, protocol.Raw(input)), "c")
		deed.Of(ev)
		p := speak(ev)[0].Payload
		dialecttest.Check(t, call, p.Text("tool_name")+" "+string(p.Get("tool_input")), want)
	}
}

// An allow is no opinion, exit 2 a denial on events that can be denied, and text with
// another code means nothing.
func TestAnswersAreHeard(t *testing.T) {
	for _, c := range []struct {
		name, native   string
		exit           int
		stdout, stderr string
		want           string
	}{
		{"allow", "preToolUse", 0, `{"permission": "allow"}`, "", ""},
		{"deny", "preToolUse", 0, `{"permission": "deny", "user_message": "u", "agent_message": "a"}`, "", "block a"},
		{"deny with a text for the person alone", "preToolUse", 0, `{"permission": "deny", "user_message": "u"}`, "", "block u"},
		{"exit 2", "preToolUse", 2, "", "no", "block no"},
		{"exit 2 and an object", "preToolUse", 2, `{"agent_message": "a"}`, "no", "block a"},
		{"exit 1", "preToolUse", 1, `{"permission": "deny"}`, "no", "failed"},
		{"exit 2 behind a call", "postToolUse", 2, "", "no", ""},
		{"ask, which is not enforced", "preToolUse", 0, `{"permission": "ask"}`, "", "warned"},
		{"ask", "beforeShellExecution", 0, `{"permission": "ask", "user_message": "sure?"}`, "", "ask sure?"},
		{"another input", "preToolUse", 0, `{"permission": "allow", "updated_input": {"command": "ls -l"}}`, "", `input {"command": "ls -l"}`},
		{"context behind a call", "postToolUse", 0, `{"additional_context": "c"}`, "", "context c"},
		{"a result that is none of an MCP tool", "postToolUse", 0, `{"updated_mcp_tool_output": {"a": 1}}`, "", "warned"},
		{"a prompt that is kept", "beforeSubmitPrompt", 0, `{"continue": false, "user_message": "u"}`, "", "block u"},
		{"a stop that goes on", "stop", 0, `{"followup_message": "f"}`, "", "goes on f"},
		{"variables", "sessionStart", 0, `{"env": {"A": "b"}}`, "", `env {"A": "b"}`},
		{"no JSON", "stop", 0, "text", "", "bad"},
		{"a wrong type", "preToolUse", 0, `{"permission": 1}`, "", "bad"},
	} {
		t.Run(c.name, func(t *testing.T) {
			native, ask := c.native, c.native
			if native == "beforeShellExecution" {
				native = "preToolUse"
			}
			ev := dialecttest.First(t, Dialect, `{"conversation_id": "s", "workspace_roots": ["/p"], "hook_event_name": "`+native+`", "tool_name": "Shell", "tool_input": {"command": "ls"}, "prompt": "p", "status": "completed", "tool_output": "{}"}`)
			ev.Agent = "another"
			deed.Of(ev)
			found := false
			for _, s := range speak(ev) {
				if s.Event != ask {
					continue
				}
				found = true
				h := hear(ev, s, protocol.End{Exit: c.exit, Stdout: []byte(c.stdout), Stderr: c.stderr})
				if got := dialecttest.Heard(h); got != c.want {
					t.Errorf("%s: %q, want %q", c.name, got, c.want)
				}
			}
			if !found {
				t.Errorf("%s: it is not told of %s", c.name, ask)
			}
		})
	}
}

// A hook is told its project by the variables that the program sets, and of the others only
// that they are not its agent's.
func TestVariables(t *testing.T) {
	for project, want := range map[string]string{"/p": "CURSOR_PROJECT_DIR=/p CLAUDE_PROJECT_DIR=/p", "": "CURSOR_PROJECT_DIR CLAUDE_PROJECT_DIR"} {
		const others = "CURSOR_VERSION CURSOR_USER_EMAIL CURSOR_TRANSCRIPT_PATH CURSOR_CODE_REMOTE "
		if got := strings.Join(variables(protocol.Seat{Project: project}), " "); got != others+want {
			t.Errorf("%q: %s", project, got)
		}
	}
}
