package copilot

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mirror"
)

// Hooks get the first form. What a command said ends with its exit code, without the
// number of the program's shell; a subagent's prompt is of the session that the user
// sees (copilot-cli/11).
var held = dialecttest.Mirror{Dialect: Dialect, Kind: "captured", Events: 30,
	Only: func(p protocol.Object) bool {
		return p.Has("sessionId") && !p.Has("agent_id") && !p.Has("transformedPrompt")
	},
	Renamed: firstForms(),
	Untold: func(on protocol.EventType, native string) bool {
		return on == protocol.PostToolCallFailure && native == "postToolUse"
	},
	Near: func(native, member string) bool {
		return native == "postToolUse" && member == "toolResult" || native == "userPromptSubmitted" && member == "sessionId"
	}}

func firstForms() map[string]string {
	names := map[string]string{}
	for _, n := range natives {
		names[n.Name] = firstForm(n.Name)
	}
	return names
}

func TestPayloadsComeBack(t *testing.T) { held.ComesBack(t) }

// go test ./protocol/copilot -run TestPayloadsArePutTogether -update
func TestPayloadsArePutTogether(t *testing.T) { held.PutTogether(t) }

// A payload in the second form, in which we are called, has the same members and values
// in the first, since the program sent both for the same turn.
func TestTheSecondFormIsToldInTheFirst(t *testing.T) {
	for _, c := range []struct{ event, second, want string }{
		{"", `"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "2026-11-21T03:21:02.432Z", "cwd": "/p", "tool_name": "Bash", "tool_input": {"command": "ls"}`,
			`preToolUse {"sessionId": "s", "timestamp": 1795231262432, "cwd": "/p", "toolName": "bash", "toolArgs": {"command": "ls"}}`},
		{"", `"hook_event_name": "PostToolUse", "session_id": "s", "cwd": "/p", "tool_name": "Write", "tool_input": {"path": "a"}, "tool_result": {"result_type": "success", "text_result_for_llm": "ok"}`,
			`postToolUse {"sessionId": "s", "cwd": "/p", "toolName": "create", "toolArgs": {"path": "a"}, "toolResult": {"resultType": "success", "textResultForLlm": "ok"}}`},
		{"", `"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Glob", "tool_input": {"pattern": "a"}`, `preToolUse {"sessionId": "s", "toolName": "glob", "toolArgs": {"pattern": "a"}}`},
		{"", `"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Grep", "tool_input": {"pattern": "a"}`, `preToolUse {"sessionId": "s", "toolName": "grep", "toolArgs": {"pattern": "a"}}`},
		{"", `"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Edit", "tool_input": {"input": "*** Begin Patch\n*** End Patch"}`,
			`preToolUse {"sessionId": "s", "toolName": "apply_patch", "toolArgs": {"input": "*** Begin Patch\n*** End Patch"}}`},
		{"", `"hook_event_name": "Stop", "session_id": "s", "transcript_path": "/t", "stop_reason": "end_turn", "stop_hook_active": true`,
			`agentStop {"sessionId": "s", "transcriptPath": "/t", "stopReason": "end_turn", "stop_hook_active": true}`},
		{"", `"hook_event_name": "SubagentStop", "session_id": "s", "agent_id": "a", "agent_display_name": "E", "last_assistant_message": "m"`,
			`subagentStop {"sessionId": "s", "agentId": "a", "agentDisplayName": "E", "response": "m"}`},
		{"SubagentStart", `"sessionId": "s", "agentName": "e", "agent_id": "a", "parent_agent_id": "s"`, `subagentStart {"sessionId": "s", "agentName": "e", "agentId": "a", "parentAgentId": "s"}`},
	} {
		t.Run(c.want, func(t *testing.T) {
			events, err := Dialect.Decode(protocol.Input{Payload: dialecttest.Object(t, "{"+c.second+"}"), Event: c.event})
			if err != nil || len(events) == 0 {
				t.Fatalf("%d events, %v", len(events), err)
			}
			deed.Of(events[0])
			said := speak(events[0])
			if len(said) != 1 {
				t.Fatalf("%d payloads", len(said))
			}
			want := dialecttest.Object(t, c.want[strings.IndexByte(c.want, ' '):])
			if got := said[0].Event + " " + string(said[0].Payload.Raw()); got != said[0].Event+" "+string(want.Raw()) || !strings.HasPrefix(c.want, said[0].Event+" ") {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// What earlier hooks changed is in the payload of the next one, in whichever form the
// program gives the input of its tools.
func TestAChangedInputIsTold(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{`{"command": "ls"}`, `{"command": "ls -l"}`},
		{`"{\"command\": \"ls\"}"`, `"{\"command\": \"ls -l\"}"`},
	} {
		t.Run(c.args, func(t *testing.T) {
			ev := dialecttest.First(t, Dialect, `{"sessionId": "s", "timestamp": 1795231262432, "hookName": "preToolUse", "toolName": "bash", "toolArgs": `+c.args+`}`)
			ev.Call.Input = dialecttest.Object(t, `{"command": "ls -l"}`)
			deed.Of(ev)
			if got := string(speak(ev)[0].Payload.Get("toolArgs")); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// An object counts with exit 0 alone; any other exit code fails the hook, and 2 is a
// denial of a call and a permission.
func TestAnswersAreHeard(t *testing.T) {
	for _, c := range []struct {
		name, native   string
		exit           int
		stdout, stderr string
		want           string
	}{
		{"deny", "PreToolUse", 0, `{"permissionDecision": "deny", "permissionDecisionReason": "r"}`, "", "block r"},
		{"deny with a context", "PreToolUse", 0, `{"permissionDecision": "deny", "permissionDecisionReason": "r", "additionalContext": "c"}`, "", "block r\n\nc"},
		{"deny behind a line of progress", "PreToolUse", 0, "{\"type\": \"progress\", \"message\": \"m\"}\n{\"permissionDecision\": \"deny\",\n \"permissionDecisionReason\": \"r\"}\n", "", "block r"},
		{"a line of progress", "PreToolUse", 0, `{"type": "progress", "message": "m"}`, "", "shown m"},
		{"deny in the form of another program", "PreToolUse", 0, `{"hookSpecificOutput": {"permissionDecision": "deny"}}`, "", "warned"},
		{"block, which is a word for other events", "PreToolUse", 0, `{"decision": "block", "reason": "r"}`, "", "warned"},
		{"ask", "PreToolUse", 0, `{"permissionDecision": "ask", "permissionDecisionReason": "sure?"}`, "", "ask sure?"},
		{"exit 2", "PreToolUse", 2, "", "no", "block no"},
		{"exit 1", "PreToolUse", 1, "", "no", "failed"},
		{"a deny that failed", "PreToolUse", 1, `{"permissionDecision": "deny"}`, "", "failed"},
		{"text", "PreToolUse", 0, "deny", "", ""},
		{"broken JSON", "PreToolUse", 0, `{"permissionDecision": "deny"`, "", "bad"},
		{"a wrong type", "PreToolUse", 0, `{"permissionDecision": 1}`, "", "bad"},
		{"another input", "PreToolUse", 0, `{"modifiedArgs": {"command": "ls -l"}}`, "", `input {"command": "ls -l"}`},
		{"a permission that is denied", "PermissionRequest", 0, `{"behavior": "deny", "message": "m"}`, "", "block m"},
		{"a permission and exit 2", "PermissionRequest", 2, "", "no", "block no"},
		{"another result", "PostToolUse", 0, `{"modifiedResult": {"resultType": "success", "textResultForLlm": "x"}}`, "", "output x"},
		{"a result that is kept", "PostToolUse", 0, `{"decision": "block", "reason": "r"}`, "", "output Tool result blocked: r"},
		{"exit 2 behind a call", "PostToolUse", 2, "", "no", "failed"},
		{"exit 2 behind a failed call", "PostToolUseFailure", 2, "", "try x", "context try x"},
		{"context of a session", "SessionStart", 0, `{"additionalContext": "c"}`, "", "context c"},
		{"text of a session", "SessionStart", 0, "hello", "", ""},
		{"a prompt that is kept", "UserPromptSubmit", 0, `{"decision": "block", "reason": "r"}`, "", "block r"},
		{"a prompt and exit 2", "UserPromptSubmit", 2, "", "no", "failed"},
		{"another prompt", "UserPromptSubmit", 0, `{"modifiedPrompt": "x"}`, "", "warned"},
		{"a stop that goes on", "Stop", 0, `{"decision": "block", "reason": "go on"}`, "", "block go on"},
		{"a stop and exit 2", "Stop", 2, "", "no", "failed"},
		{"context of a compaction", "PreCompact", 0, `{"additionalContext": "c"}`, "", "warned"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev := first(t, `"`+c.native+`", "tool_name": "Bash", "tool_input": {"command": "ls"}, "prompt": "p", "error": "e"`)
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

// An event of a record does not always say what the program called it.
func TestAnEventWithoutItsNativeNameIsToldByItsType(t *testing.T) {
	said := speak(&protocol.Event{Agent: id, Type: protocol.PreAgentTurn, SessionID: "s"})
	if len(said) != 1 || said[0].Event != "userPromptSubmitted" {
		t.Errorf("%+v", said)
	}
}

// Whatever members a payload has, in the first form it is one text in UTF-8 in which no name
// stands twice; what decode reads of two members for the same is what a hook reads.
func TestMembersInTheFirstForm(t *testing.T) {
	for payload, want := range map[string]string{
		`"a_é": 1, "é_b": 2, "_x": 3, "y_": 4`:                                                `{"aÉ": 1, "éB": 2, "X": 3, "y_": 4`,
		`"tool_result": {}`:                                                                   `{"toolResult": {}`,
		`"session_id": "one", "sessionId": "two"`:                                             `{"sessionId": "one"`,
		`"sessionId": "two", "session_id": "one"`:                                             `{"sessionId": "one"`,
		`"tool_result": {"resultType": "failure", "result_type": "success"}`:                  `{"toolResult": {"resultType": "success"}`,
		`"toolArgs": {"command": "two"}, "session_id": "s", "tool_input": {"command": "one"}`: `{"toolArgs": {"command": "one"}, "sessionId": "s"`,
	} {
		t.Run(payload, func(t *testing.T) {
			own := dialecttest.Object(t, "{"+payload+"}")
			ev := &protocol.Event{Agent: id, Type: protocol.PreToolCall, NativeEvent: "PreToolUse"}
			if got := string(renewed(ev, "preToolUse", own).Raw()); got != want+"}" {
				t.Errorf("%s, want %s}", got, want)
			}
		})
	}
}

// Of several members of a wrong type it is always the same that is named.
func TestTheFirstBadMemberIsNamed(t *testing.T) {
	for range 20 {
		h := hear(&protocol.Event{}, protocol.Said{Event: "preToolUse"}, protocol.End{Stdout: []byte(`{"modifiedResult": 1, "reason": 1, "permissionDecision": 1, "message": 1}`)})
		if h.Bad != "permissionDecision is of the wrong type" {
			t.Fatal(h.Bad)
		}
	}
}

// A hook of failed calls is told of those that fail in the program too, whoever calls: that
// of a command that left with another exit code is postToolUse there.
func TestACallThatFailsHereAloneIsNotTold(t *testing.T) {
	for payload, want := range map[string]int{
		`"PostToolUse", "tool_name": "Bash", "tool_input": {"command": "false"}, "tool_result": {"result_type": "success", "text_result_for_llm": "<shellId: 0 completed with exit code 3>"}`: 0,
		`"PostToolUseFailure", "tool_name": "Bash", "tool_input": {"command": "false"}, "error": "e"`:                                                                                         1,
	} {
		for _, agent := range []string{id, "another"} {
			ev := first(t, payload)
			ev.Agent = agent
			deed.Of(ev)
			if said := speak(ev); ev.Type != protocol.PostToolCallFailure || len(said) != want {
				t.Errorf("%s of %s: %+v", payload, agent, said)
			}
		}
	}
}

// A hook is told its project by the variables that the program sets; its folder is not known.
func TestVariables(t *testing.T) {
	for project, want := range map[string]string{"/p": "COPILOT_PROJECT_DIR=/p CLAUDE_PROJECT_DIR=/p", "": "COPILOT_PROJECT_DIR CLAUDE_PROJECT_DIR"} {
		if got := strings.Join(variables(protocol.Seat{Project: project}), " "); got != "COPILOT_CLI=1 COPILOT_HOOK_DIR "+want {
			t.Errorf("%q: %s", project, got)
		}
	}
	if Dialect.Tongue.Leaves([]byte(`{"async": true}`)) {
		t.Error("a hook that reaches its time limit runs on")
	}
}

// What a matcher is tried on is the name in the member that the event has for it.
func TestWhatMatchersAreTriedOn(t *testing.T) {
	for native, member := range map[string]string{"preToolUse": "toolName", "notification": "notification_type", "preCompact": "trigger", "subagentStart": "agentName", "sessionStart": ""} {
		var p protocol.Object
		for _, name := range []string{"toolName", "notification_type", "trigger", "agentName"} {
			p.SetText(name, "of "+name)
		}
		got := strings.Join(said(native, p, mirror.Call{}, 1).Names, " ")
		if want := strings.TrimSuffix("of "+member, "of "); got != want {
			t.Errorf("%s: %q, want %q", native, got, want)
		}
	}
}

// A payload is Copilot's by camelCase beside a time in milliseconds, or by what its second form
// lacks.
func TestWhichPayloadsAreCopilots(t *testing.T) {
	const first, second = `"sessionId": "s"`, `"hook_event_name": "Stop", "session_id": "s"`
	for payload, want := range map[string]bool{
		`{` + first + `, "timestamp": 1}`:                                             true,
		`{` + first + `, "timestamp": "1"}`:                                           false,
		`{` + first + `}`:                                                             false,
		`{"timestamp": 1}`:                                                            false,
		`{` + first + `, "timestamp": 1, "hookEventName": "x"}`:                       false,
		`{` + second + `, "timestamp": "t"}`:                                          true,
		`{` + second + `}`:                                                            false,
		`{` + second + `, "timestamp": "t", "permission_mode": "x"}`:                  false,
		`{` + second + `, "timestamp": "t", "tool_use_id": "x"}`:                      false,
		`{` + second + `, "timestamp": "t", "transcript_path": "/h/.claude/t.jsonl"}`: false,
		`{` + second + `, "timestamp": "t", "transcript_path": "/h/.copilot/session-state/a.json"}`: true,
	} {
		o, err := protocol.ParseObject([]byte(payload))
		if err != nil || detect(o) != want {
			t.Errorf("%s: want %t, %v", payload, want, err)
		}
	}
}
