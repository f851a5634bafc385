package claude

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// heardOn is how the end of a hook is understood on another agent's event.
func heardOn(t *testing.T, typ protocol.EventType, e protocol.End) protocol.Heard {
	t.Helper()
	return heardOf(t, typ, "Shell", e)
}

// heardOf is the same, for an event of a tool.
func heardOf(t *testing.T, typ protocol.EventType, tool string, e protocol.End) protocol.Heard {
	t.Helper()
	ev := &protocol.Event{Type: typ, Agent: "another", SessionID: "s", WorkDir: "/p"}
	if typ.IsTool() {
		ev.PutCall(protocol.Tools(nil).NewCall(tool, protocol.Raw(`{"command": "ls"}`)), "c")
	}
	deed.Of(ev)
	said := speak(ev)
	if len(said) != 1 {
		t.Fatalf("%s: %d payloads", typ, len(said))
	}
	return hear(ev, said[0], e)
}

// How each way to end is understood on each event: B a block, U a message for the
// user, C context, F going on, W a warning, X a failure, ! an answer that is not
// used, - nothing.
func TestEachEndOnEachEvent(t *testing.T) {
	ends := []struct {
		name string
		end  protocol.End
	}{
		{"exit 2", protocol.End{Exit: 2, Stderr: "no"}},
		{"exit 1", protocol.End{Exit: 1, Stderr: "no"}},
		{"text", protocol.End{Stdout: []byte("hello\n")}},
		{"block", protocol.End{Stdout: []byte(`{"decision": "block", "reason": "r"}`)}},
		{"context", protocol.End{Stdout: []byte(`{"hookSpecificOutput": {"hookEventName": "EVENT", "additionalContext": "c"}}`)}},
		{"message", protocol.End{Stdout: []byte(`{"systemMessage": "m", "suppressOutput": true}`)}},
		{"halt", protocol.End{Stdout: []byte(`{"continue": false, "stopReason": "s"}`)}},
		{"other event", protocol.End{Stdout: []byte(`{"hookSpecificOutput": {"hookEventName": "Other", "additionalContext": "c"}}`)}},
		{"no JSON", protocol.End{Stdout: []byte(`{"decision": "block"`)}},
	}
	want := map[protocol.EventType]string{
		//                            exit 2  exit 1  text  block  context  message  halt  other  no JSON
		protocol.PreSession:          "U X C W C U UW ! C",
		protocol.PostSession:         "U X - W C U UW ! !",
		protocol.PreAgentTurn:        "B X C B C U B ! C",
		protocol.PostAgentTurn:       "B X - B C U - ! !",
		protocol.PreAgentTurnStop:    "B X - B F U - ! !",
		protocol.PostAgentTurnStop:   "B X - B C U - ! !",
		protocol.PreToolCall:         "B X - B C U UW ! !",
		protocol.PostToolCall:        "B X - B C U UW ! !",
		protocol.PostToolCallFailure: "B X - B C U UW ! !",
		protocol.PreSubagent:         "U X - W C U UW ! !",
		protocol.PostSubagent:        "B X - B F U - ! !",
		protocol.PreContextCompact:   "B X C B C U UW ! C",
		protocol.PostContextCompact:  "U X U W C U UW ! U",
		protocol.PermissionRequest:   "U X - W C U UW ! !",
		protocol.Notification:        "- X - W C U UW ! !",
	}
	for _, typ := range protocol.EventTypes() {
		var got []string
		for _, end := range ends {
			e := end.end
			e.Stdout = []byte(strings.ReplaceAll(string(e.Stdout), "EVENT", nameOf(&protocol.Event{Type: typ})))
			got = append(got, letters(heardOn(t, typ, e)))
		}
		if s := strings.Join(got, " "); s != want[typ] {
			t.Errorf("%s: %s, want %s", typ, s, want[typ])
		}
	}
}

func letters(h protocol.Heard) string {
	var b strings.Builder
	for _, l := range []struct {
		letter string
		is     bool
	}{
		{"B", h.Outcome.Decision == protocol.Block}, {"U", h.Outcome.UserMessage != ""}, {"C", h.Outcome.AdditionalContext != ""},
		{"F", h.Outcome.FollowupMessage != ""}, {"W", len(h.Warnings) > 0}, {"X", h.Failed}, {"!", h.Bad != ""},
	} {
		if l.is {
			b.WriteString(l.letter)
		}
	}
	if b.Len() == 0 {
		return "-"
	}
	return b.String()
}

// as a PowerShell script writes it; it was seen to block in Claude Code 2.1.329
func TestAMarkBeforeAnObjectIsNoText(t *testing.T) {
	h := heardOn(t, protocol.PreToolCall, protocol.End{Stdout: []byte("\xef\xbb\xbf\n{\"decision\": \"block\", \"reason\": \"r\"}\r\n")})
	if h.Outcome.Decision != protocol.Block || h.Outcome.Reason != "r" {
		t.Errorf("%+v", h)
	}
}

// A permission is understood as it was said.
func TestPermissions(t *testing.T) {
	for answer, want := range map[string]string{
		`"permissionDecision": "deny", "permissionDecisionReason": "r"`:   "block r",
		`"permissionDecision": "ask", "permissionDecisionReason": "r"`:    "ask r",
		`"permissionDecision": "allow", "permissionDecisionReason": "r"`:  "allow r",
		`"permissionDecision": "defer"`:                                   "ask  warned",
		`"permissionDecision": "deny", "additionalContext": "c"`:          "block c",
		`"permissionDecision": "deny", "updatedInput": {"command": "x"}`:  "block ",
		`"permissionDecision": "allow", "updatedInput": {"command": "x"}`: `allow  {"command": "x"}`,
		`"updatedInput": {"command": "ls"}`:                               "none ",
		`"updatedInput": {"command": "x", "tool_name": "Write"}`:          "none  tool_name has no place",
		`"permissionDecision": "Deny"`:                                    "none  not used",
		`"permissionDecision": "deny", "permissionDecisionReason": ["r"]`: "none  not used",
	} {
		t.Run(answer, func(t *testing.T) {
			h := heardOn(t, protocol.PreToolCall, protocol.End{Stdout: []byte(`{"hookSpecificOutput": {"hookEventName": "PreToolUse", ` + answer + `}}`)})
			got := h.Outcome.Decision.String() + " " + h.Outcome.Reason
			if h.Outcome.ModifiedInput != nil {
				got += " " + string(h.Outcome.ModifiedInput.Raw())
			}
			if len(h.Warnings) > 0 {
				got += " warned"
			}
			if h.Unplaced != "" {
				got += " " + h.Unplaced + " has no place"
			}
			if h.Bad != "" {
				got += " not used"
			}
			if got != want {
				t.Errorf("%s: %q, want %q", answer, got, want)
			}
		})
	}
}

// A context beside a denial is told once: in its reason or, if the agent cannot be
// denied anything, by itself.
func TestAContextBesideADenial(t *testing.T) {
	h := heardOn(t, protocol.PreToolCall, protocol.End{Stdout: []byte(`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "r", "additionalContext": "c"}}`)})
	for can, want := range map[protocol.Can]string{
		protocol.CanBlock | protocol.CanContext: `block {"reason": "r\n\nc"}`,
		protocol.CanContext:                     `none {"additional_context": "c"}`,
	} {
		t.Run(can.String(), func(t *testing.T) {
			o, _ := protocol.Fit(&protocol.Event{Type: protocol.PreToolCall, Can: can}, h.Outcome, "")
			if got := o.Decision.String() + " " + string(o.Object().Raw()); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// What is given in place of a result has to have the shape of the tool's own, which
// for a shell is no text.
func TestAnotherResult(t *testing.T) {
	for _, c := range []struct{ tool, answer, want string }{
		{"Shell", `"updatedToolOutput": {"stdout": "x"}`, "output x"},
		{"Shell", `"updatedToolOutput": "x"`, "warned"},
		{"Shell", `"updatedMCPToolOutput": "x"`, ""},
		{"Shell", `"updatedToolOutput": null`, ""},
		{"ReadFile", `"updatedToolOutput": "x"`, "output x"},
		{"ReadFile", `"updatedToolOutput": ""`, "output [removed by a hook]"},
		{"mcp__s__t", `"updatedToolOutput": "x"`, "output x"},
		{"mcp__s__t", `"updatedToolOutput": "x", "updatedMCPToolOutput": "y"`, "output y"},
	} {
		t.Run(c.tool+" "+c.answer, func(t *testing.T) {
			h := heardOf(t, protocol.PostToolCall, c.tool, protocol.End{Stdout: []byte(`{"hookSpecificOutput": {"hookEventName": "PostToolUse", ` + c.answer + `}}`)})
			if got := dialecttest.Heard(h); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A matcher is read as the program reads it (seen in 2.1.329).
func TestMatchers(t *testing.T) {
	for matcher, want := range map[string]string{
		"": "any", "*": "any", "Bash": "[Bash]", "Edit|Write": "[Edit Write]", "Edit, Write": "[Edit Write]", " a-b |": "[a-b]", "|": "[]",
		".*": "expression", "^Bash$": "expression", "mcp__.*": "expression", "mcp__github": "[mcp__github]", "Bash(git *)": "expression", "**": "expression",
	} {
		t.Run(fmt.Sprintf("%q", matcher), func(t *testing.T) {
			names, ok := listed(protocol.PreToolCall, matcher)
			got := "expression"
			if ok && names == nil {
				got = "any"
			} else if ok {
				got = fmt.Sprint(names)
			}
			if got != want {
				t.Errorf("%q: %s, want %s", matcher, got, want)
			}
		})
	}
}

// From a file of variables meant for a shell, only words are taken and nothing is
// run.
func TestExports(t *testing.T) {
	getenv := func(name string) string { return map[string]string{"PATH": "/bin", "A": "outer"}[name] }
	for line, want := range map[string]string{
		`export A=b`: "b", `export A='b c'`: "b c", `export A="b $PATH"`: "b /bin", `export A=$PATH:/x`: "/bin:/x", `export A=${PATH}x`: "/binx",
		`export A='$PATH'`: "$PATH", `export A="\$PATH"`: "$PATH", `export A=a\ b`: "a b", `export A=it\'s`: "it's", `export A='a'"b"c`: "abc", `export A=`: "",
		`export A=b # why`: "b", `export A=b#c`: "b#c", `export A="b # c"`: "b # c", `export A="a\nb"`: `a\nb`, `export A=$NONE`: "",
		`export A=$(id)`: "-", "export A=`id`": "-", `export A=b c`: "-", `export A=b;id`: "-", `export A=b&&id`: "-", `export A="b`: "-", `export A='b`: "-",
		`export A=b|id`: "-", `export A=*`: "-", `export A=~/x`: "-", `A=b`: "-", `id`: "-", `export A-B=c`: "-", `export 1A=c`: "-", `export A`: "-",
		`export A=${PATH:-x}`: "-", `export A="$(id)"`: "-", `export A=$((1))`: "-", `export A=b\`: "-", `export -n A=b`: "-",
	} {
		t.Run(line, func(t *testing.T) {
			h := heardOn(t, protocol.PreSession, protocol.End{EnvFile: []byte("# a comment\n\n" + line + "\n"), Getenv: getenv})
			env := h.Outcome.Env
			got := "-"
			if env.Has("A") {
				got = env.Text("A")
			}
			if got != want || (got == "-") != slices.ContainsFunc(h.Warnings, func(w string) bool { return strings.Contains(w, "1 lines") }) {
				t.Errorf("%s: %q, want %q; warnings %q", line, got, want, h.Warnings)
			}
		})
	}
}
