package antigravity

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// Every answer is one object on exit 0 (antigravity/10), with a verdict where one is
// required (antigravity/2, antigravity/3).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		o, err := protocol.ParseObject(a.Reply.Stdout)
		if err != nil || a.Reply.Exit != 0 || len(a.Reply.Stderr) > 0 {
			t.Errorf("%s: antigravity/10: %v, %q, exit %d, stderr %q", name, err, a.Reply.Stdout, a.Reply.Exit, a.Reply.Stderr)
		}
		words := map[string]string{"PreToolUse": "allow deny force_ask", "Stop": "stop continue"}[a.Event.NativeEvent]
		word := o.Text("decision")
		if words == "" && o.Has("decision") || words != "" && (word == "" || !strings.Contains(" "+words+" ", " "+word+" ")) {
			t.Errorf("%s: antigravity/2, antigravity/3: %s", name, a.Reply.Stdout)
		}
		if word != "allow" && word != "stop" && word != "" && strings.TrimSpace(o.Text("reason")) == "" {
			t.Errorf("%s: no reason in %s", name, a.Reply.Stdout)
		}
	}
}

const base = `"conversationId": "c", "workspacePaths": ["/p"]`

// event decodes a payload of an event.
func event(t *testing.T, native, payload string) []*protocol.Event {
	t.Helper()
	events, err := Dialect.Decode(protocol.Input{Payload: dialecttest.Object(t, "{"+base+payload+"}"), Event: native})
	must.Do(t, err)
	return events
}

func TestQuirks(t *testing.T) {
	for payload, want := range map[string]string{
		`, "toolCall": {"name": "x"}`:              "PreToolUse",
		`, "toolCall": {"name": "x"}, "error": ""`: "PostToolUse",
		`, "invocationNum": 0`:                     "PreInvocation",
		``:                                         "",
	} {
		got := ""
		if events := event(t, "", payload); len(events) > 0 {
			got = events[0].NativeEvent
		}
		dialecttest.Check(t, "antigravity/1 "+payload, got, want)
	}
	for native, want := range map[string]string{"PreToolUse": `{"decision": "allow"}`, "Stop": `{"decision": "stop"}`, "PreInvocation": "{}", "PostToolUse": "{}", "": "{}"} {
		dialecttest.Check(t, "antigravity/2, antigravity/3 "+native, string(Dialect.NoOpinion(native).Stdout), want+"\n")
	}
	told := func(native, payload string, o protocol.Outcome) string {
		return strings.TrimSpace(string(dialecttest.Answer(Dialect, event(t, native, payload)[0], "", o).Reply.Stdout))
	}
	dialecttest.Check(t, "antigravity/4", told("PreToolUse", "", protocol.Outcome{Decision: protocol.Ask, Reason: "sure?"}), `{"decision": "force_ask", "reason": "sure?"}`)
	for num, want := range map[string]int{"0": 1, "1": 0, "12": 0, "9": 0, "null": 1, `"x"`: 1} {
		t.Run(fmt.Sprintf("num %q", num), func(t *testing.T) {
			if got := len(event(t, "PreInvocation", `, "invocationNum": `+num)); got != want {
				t.Errorf("antigravity/5: invocationNum %s: %d events", num, got)
			}
		})
	}
	dialecttest.Check(t, "antigravity/6", told("PreInvocation", "", protocol.Outcome{AdditionalContext: "c"}), `{"injectSteps": [{"ephemeralMessage": "c"}]}`)
	call := event(t, "PreToolUse", `, "stepIdx": 3, "toolCall": {"name": "run_command", "args": {"CommandLine": "ls"}}`)[0]
	if call.Call.ID != "" || call.Fields.Text("tool_use_id") == "" {
		t.Errorf("antigravity/7: id %q, own %q", call.Fields.Text("tool_use_id"), call.Call.ID)
	}
	for value, want := range map[string]string{`""`: "post-tool-call ", `null`: "post-tool-call ", `"no"`: "post-tool-call-failure no", `{"code": 1}`: `post-tool-call-failure {"code": 1}`} {
		ev := event(t, "PostToolUse", `, "toolCall": {"name": "x"}, "error": `+value)[0]
		dialecttest.Check(t, "antigravity/8 "+value, string(ev.Type)+" "+ev.Fields.Text("error"), want)
	}
	for _, n := range natives {
		if !n.Unnamed || n.Flat != (n.Name == "Stop" || n.Name == "PreInvocation") {
			t.Errorf("antigravity/9: %s: unnamed %v, flat %v", n.Name, n.Unnamed, n.Flat)
		}
	}
	dialecttest.Check(t, "antigravity/9 ours is off", off(dialecttest.Object(t, `{"agents-hooks": {"enabled": false}}`)), "agents-hooks is not enabled in its hooks.json")
	dialecttest.Check(t, "antigravity/9 another is off", off(dialecttest.Object(t, `{"agents-hooks": {}, "other": {"enabled": false}}`)), "")
	dialecttest.Check(t, "antigravity/11", call.Call.Name+" "+call.Call.Input.Text("command"), "Shell ls")
}

// Tools of MCP servers are matched by their portable name.
func TestMCP(t *testing.T) {
	for call, want := range map[string]string{
		`{"name": "call_mcp_tool", "args": {"ServerName": "git", "ToolName": "log"}}`: "mcp__git__log call_mcp_tool",
		`{"name": "call_mcp_tool", "args": {}}`:                                       "call_mcp_tool",
		`{"name": "mcp_git_log"}`:                                                     "mcp__git__log mcp_git_log",
	} {
		t.Run(call, func(t *testing.T) {
			if got := strings.Join(event(t, "PreToolUse", `, "toolCall": `+call)[0].Call.Names(), " "); got != want {
				t.Errorf("%s: %q", call, got)
			}
		})
	}
}
