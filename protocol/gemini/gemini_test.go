package gemini

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// Every answer is exactly one object on stdout (gemini-cli/1), on exit 0 with
// nothing on stderr (gemini-cli/2), and never says allow.
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		o, err := protocol.ParseObject(a.Reply.Stdout)
		if err != nil {
			t.Errorf("%s: %v in %q", name, err, a.Reply.Stdout)
		}
		if word := o.Text("decision"); o.Has("decision") && ((word != "deny" && word != "ask") || strings.TrimSpace(o.Text("reason")) == "") {
			t.Errorf("%s: decision %q, reason %q", name, word, o.Text("reason"))
		}
	}
}

const base = `"session_id": "s", "transcript_path": "/h/.gemini/x.jsonl", "cwd": "/p", "timestamp": "2026-11-21T03:15:47.143Z", "hook_event_name": `

func TestQuirks(t *testing.T) {
	told := func(payload string, o protocol.Outcome) string {
		return dialecttest.Told(t, Dialect, "{"+base+payload+"}", o)
	}
	first := func(payload string) *protocol.Event { return dialecttest.First(t, Dialect, "{"+base+payload+"}") }
	before := first(`"BeforeTool", "tool_name": "run_shell_command", "tool_input": {"command": "ls", "x": 1.0}`)
	after := first(`"AfterTool", "tool_name": "run_shell_command", "tool_input":{"command":"ls","x":1.0}, "tool_response": {}`)
	other := first(`"BeforeTool", "tool_name": "run_shell_command", "tool_input": {"command": "ls", "x": 2}`)
	if id := before.Fields.Text("tool_use_id"); before.Call.ID != "" || id == "" || id != after.Fields.Text("tool_use_id") || id == other.Fields.Text("tool_use_id") {
		t.Errorf("gemini-cli/3: ids %q (own %q), %q, %q", id, before.Call.ID, after.Fields.Text("tool_use_id"), other.Fields.Text("tool_use_id"))
	}
	dialecttest.Check(t, "gemini-cli/4", told(`"BeforeTool", "tool_name": "x"`, protocol.Outcome{AdditionalContext: "c"}), `{}`)
	if events := dialecttest.Decode(t, Dialect, dialecttest.Object(t, `{`+base+`"PreCompress", "trigger": "auto"}`), nil); len(events) != 0 {
		t.Errorf("gemini-cli/5: PreCompress of every request is %s", events[0].Type)
	}
	if n, _ := Dialect.Native("PreCompress"); n.Matcher != "manual" {
		t.Errorf("gemini-cli/5: matcher %q", n.Matcher)
	}
	a := dialecttest.Answer(Dialect, first(`"AfterAgent", "prompt": "p"`), "", protocol.Outcome{Decision: protocol.Block, Reason: "again"})
	if !Dialect.EchoesFollowup || a.Reply.Continue != "again" {
		t.Errorf("gemini-cli/6: echoes %v, goes on with %q", Dialect.EchoesFollowup, a.Reply.Continue)
	}
	deny := protocol.Outcome{Decision: protocol.Block, Reason: "[guard] no", UserMessage: "[other] m"}
	for call, not := range map[string]string{
		`"tool_name": "run_shell_command", "tool_input": {"command": "git  push\n--force"}`: "git push --force",
		`"tool_name": "write_file", "tool_input": {"file_path": "a"}`:                       "write_file",
	} {
		dialecttest.Check(t, "gemini-cli/16 "+not, told(`"BeforeTool", `+call, deny),
			`{"decision": "deny", "reason": "[guard] no", "systemMessage": "[guard] no\nnot run: `+not+`\n\n[other] m"}`)
	}
	dialecttest.Check(t, "gemini-cli/7 a context before it", first(`"BeforeAgent", "prompt": "<hook_context>a &lt;b&gt;\nc</hook_context>\n\nhello <x>"`).Fields.Text("prompt"), "hello <x>")
	dialecttest.Check(t, "gemini-cli/7 a context that is meant", first(`"BeforeAgent", "prompt": "what is <hook_context>x</hook_context>?"`).Fields.Text("prompt"), "what is <hook_context>x</hook_context>?")
	for response, want := range map[string]string{
		`{"error": {"message": "exit 1", "type": "t"}}`: "post-tool-call-failure exit 1",
		`{"error": {"type": "t"}}`:                      `post-tool-call-failure {"type": "t"}`,
		`{"error": "bad"}`:                              "post-tool-call-failure bad",
		`{"error": null}`:                               "post-tool-call ",
		`{"error": ""}`:                                 "post-tool-call ",
		`{"llmContent": "error"}`:                       "post-tool-call ",
		`"error"`:                                       "post-tool-call ",
	} {
		ev := first(`"AfterTool", "tool_name": "x", "tool_response": ` + response)
		dialecttest.Check(t, "gemini-cli/8 "+response, string(ev.Type)+" "+ev.Fields.Text("error"), want)
	}
	dialecttest.Check(t, "gemini-cli/9", told(`"AfterTool", "tool_name": "x"`, protocol.Outcome{Decision: protocol.Block, Reason: "r"}),
		`{"hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": "r"}}`)
	dialecttest.Check(t, "gemini-cli/10", told(`"BeforeTool", "tool_name": "x"`, protocol.Outcome{Decision: protocol.Ask, Reason: "sure?", UserMessage: "m"}),
		`{"decision": "ask", "reason": "sure?", "systemMessage": "sure?\n\nm"}`)
	dialecttest.Check(t, "gemini-cli/11 stops in a row", fmt.Sprint(Dialect.StopMax), "0")
	if Dialect.Config.Unit != time.Millisecond {
		t.Errorf("gemini-cli/12: unit %s", Dialect.Config.Unit)
	}
	ev := first(`"BeforeTool", "tool_name": "mcp_a_b_c_d", "tool_input": {}, "mcp_context": {"server_name": "a b", "tool_name": "c_d"}`)
	dialecttest.Check(t, "gemini-cli/13", strings.Join(ev.Call.Names(), " "), "mcp__a_b__c_d mcp_a_b_c_d")
	dialecttest.Check(t, "gemini-cli/14", told(`"BeforeTool", "tool_name": "glob", "tool_input": {"pattern": "*", "dir_path": "a", "n": 1e3}`,
		protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"path": "b"}`)}),
		`{"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": {"pattern": "*", "dir_path": "b", "n": 1e3}}}`)
	for prompt, want := range map[string]string{
		"see https://a.b/c?d=e#f.": "https://a.b/c?d=e#f", "(http://x)": "http://x", "two https://a, https://b": "https://a", "none ftp://x": "",
	} {
		ev := first(`"BeforeTool", "tool_name": "web_fetch", "tool_input": {"prompt": "` + prompt + `"}`)
		dialecttest.Check(t, "gemini-cli/15 "+prompt, ev.Call.Input.Text("url"), want)
	}
}

// A derived address cannot be changed, and a warning says so.
func TestURLIsNotMappedBack(t *testing.T) {
	ev := dialecttest.First(t, Dialect, `{`+base+`"BeforeTool", "tool_name": "web_fetch", "tool_input": {"prompt": "https://a"}}`)
	a := dialecttest.Answer(Dialect, ev, "", protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"url": "https://b"}`)})
	if !strings.Contains(string(a.Reply.Stdout), `{"prompt": "https://a"}`) || len(a.Warnings()) != 1 {
		t.Errorf("answer %s, warnings %q", a.Reply.Stdout, a.Warnings())
	}
}
