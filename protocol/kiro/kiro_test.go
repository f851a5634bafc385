package kiro

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// The exit code is 0, or 2 to block (kiro/3); stdout is JSON at a stop and plain
// text elsewhere (kiro/4).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		blocked := a.Outcome.Decision == protocol.Block && a.Event.Type != protocol.PreAgentTurnStop
		if blocked != (a.Reply.Exit == 2) || !blocked && a.Reply.Exit != 0 || blocked != (len(a.Reply.Stderr) > 0) || blocked && len(a.Reply.Stdout) > 0 {
			t.Errorf("%s: kiro/3: exit %d, stdout %q, stderr %q", name, a.Reply.Exit, a.Reply.Stdout, a.Reply.Stderr)
		}
		if len(a.Reply.Stdout) == 0 {
			continue
		}
		if o, err := protocol.ParseObject(a.Reply.Stdout); a.Event.Type == protocol.PreAgentTurnStop && (err != nil || o.Text("decision") != "block" || o.Text("reason") == "") {
			t.Errorf("%s: kiro/4: %s", name, a.Reply.Stdout)
		}
	}
}

func TestQuirks(t *testing.T) {
	const base = `"session_id": "s", "cwd": "/p", `
	first := func(payload string) *protocol.Event { return dialecttest.First(t, Dialect, "{"+base+payload+"}") }
	for _, n := range natives {
		if strings.ToLower(n.As[:1])+n.As[1:] != n.Name {
			t.Errorf("kiro/1: %s is %s in the file", n.Name, n.As)
		}
		for _, name := range []string{n.Name, n.As} {
			dialecttest.Check(t, "kiro/1 "+name, first(`"hook_event_name": "`+name+`"`).NativeEvent, n.Name)
			events, _ := Dialect.Decode(protocol.Input{Payload: protocol.Object{}, Event: name})
			if len(events) == 0 || events[0].NativeEvent != n.Name {
				t.Errorf("kiro/1: --event=%s: %v", name, events)
			}
		}
	}
	a := dialecttest.Answer(Dialect, first(`"hook_event_name": "userPromptSubmit", "prompt": "p"`), "", protocol.Outcome{Decision: protocol.Block, Reason: "no"})
	if a.Reply.Exit != 2 || string(a.Reply.Stderr) != "no\n" {
		t.Errorf("kiro/2: exit %d, stderr %q", a.Reply.Exit, a.Reply.Stderr)
	}
	a = dialecttest.Answer(Dialect, first(`"hook_event_name": "sessionStart"`), "", protocol.Outcome{AdditionalContext: "c"})
	dialecttest.Check(t, "kiro/5", string(a.Reply.Stdout), "c\n")
	before := first(`"hook_event_name": "preToolUse", "tool_name": "read_file", "tool_input": {"path": "a"}`)
	after := first(`"hook_event_name": "postToolUse", "tool_name": "read_file", "tool_input": {"path":"a"}, "tool_response": {"success": true}`)
	if id := before.Fields.Text("tool_use_id"); before.Call.ID != "" || id == "" || id != after.Fields.Text("tool_use_id") {
		t.Errorf("kiro/6: ids %q (own %q), %q", id, before.Call.ID, after.Fields.Text("tool_use_id"))
	}
	for response, want := range map[string]string{
		`{"success": true, "result": ["x"]}`:           "post-tool-call ",
		`{"success": false, "result": ["x", "y"]}`:     "post-tool-call-failure x\ny",
		`{"success": false, "result": "x"}`:            "post-tool-call-failure x",
		`{"success": false, "error": "e"}`:             "post-tool-call-failure e",
		`{"success": false, "result": [{"text":"x"}]}`: `post-tool-call-failure {"text": "x"}`,
		`{"success": false}`:                           "post-tool-call-failure ",
		`"x"`:                                          "post-tool-call ",
	} {
		ev := first(`"hook_event_name": "postToolUse", "tool_name": "x", "tool_response": ` + response)
		dialecttest.Check(t, "kiro/7 "+response, string(ev.Type)+" "+ev.Fields.Text("error"), want)
		if deed.Of(ev); *ev.Deed.Result.OK != (ev.Type == protocol.PostToolCall) {
			t.Errorf("kiro/7 %s: succeeded: %v", response, *ev.Deed.Result.OK)
		}
	}
	ev := first(`"hook_event_name": "preToolUse", "tool_name": "mcp_git_hub_list"`)
	dialecttest.Check(t, "kiro/8", strings.Join(ev.Call.Names(), " "), "mcp__git__hub_list mcp_git_hub_list mcp__git_hub__list")
	dialecttest.Check(t, "kiro/9 stops in a row", fmt.Sprint(Dialect.StopMax), "0")
}

// The IDE passes the prompt in the environment too.
func TestPromptOfTheEnvironment(t *testing.T) {
	env := map[string]string{"USER_PROMPT": "from the environment"}
	for payload, want := range map[string]string{
		`{"hook_event_name": "userPromptSubmit", "prompt": "from the payload"}`: "from the payload",
		`{"hook_event_name": "userPromptSubmit"}`:                               "from the environment",
	} {
		t.Run(payload, func(t *testing.T) {
			if got := dialecttest.Decode(t, Dialect, dialecttest.Object(t, payload), env)[0].Fields.Text("prompt"); got != want {
				t.Errorf("%s: %q", payload, got)
			}
		})
	}
}
