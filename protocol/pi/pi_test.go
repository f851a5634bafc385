package pi

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// Every answer is empty or one object with the extension's words, on exit 0.
func TestAnswers(t *testing.T) {
	words := map[string]bool{"block": true, "ask": true, "args": true, "context": true, "continue": true, "message": true, "env": true, "output": true}
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		o, _ := protocol.ParseObject(a.Reply.Stdout)
		for _, m := range o {
			if !words[m.Name] || !strings.Contains(part, "answer."+m.Name) {
				t.Errorf("%s: the extension does not know %q", name, m.Name)
			}
		}
	}
}

// payload is a frame of our extension.
func payload(hook, event, state string) string {
	return `{"hook": "` + hook + `", "agent": "pi", "session_id": "s", "cwd": "/p", "state": ` + state + `, "event": ` + event + `}`
}

// What the extension itself does about a quirk is tested with it, in plugin_test.go.
func TestQuirks(t *testing.T) {
	first := func(hook, event, state string) *protocol.Event {
		t.Helper()
		return dialecttest.First(t, Dialect, payload(hook, event, state))
	}
	told := func(ev *protocol.Event, o protocol.Outcome) string {
		return strings.TrimSpace(string(dialecttest.Answer(Dialect, ev, "", o).Reply.Stdout))
	}
	dialecttest.Check(t, "pi/1", string(Dialect.Config.Shape), string(protocol.Plugin))
	call := first("tool_call", `{"toolName": "edit", "toolCallId": "c", "input": {"path": "a", "edits": [{"oldText": "x", "newText": "y"}, {"oldText": "p", "newText": "q"}]}}`, `{}`)
	changed := protocol.Outcome{Decision: protocol.Ask, Reason: "sure?", ModifiedInput: dialecttest.Object(t, `{"file_path": "b"}`)}
	dialecttest.Check(t, "pi/2", told(call, changed), `{"ask": "sure?", "args": {"path": "b", "edits": [{"oldText": "x", "newText": "y"}, {"oldText": "p", "newText": "q"}]}}`)
	dialecttest.Check(t, "pi/3", told(call, protocol.Outcome{Decision: protocol.Block, Reason: "no"}), `{"block": "no"}`)
	dialecttest.Check(t, "pi/4", told(call, protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"file_path": "b"}`)}), `{"args": {"path": "b", "edits": [{"oldText": "x", "newText": "y"}, {"oldText": "p", "newText": "q"}]}}`)
	dialecttest.Check(t, "pi/5", call.Call.Name+" "+call.Call.Input.Text("file_path")+" "+call.Call.Input.Text("old_string")+" "+call.Call.Input.Text("new_string"), "EditFile a x y")
	for isError, is := range map[string]string{"true": "post-tool-call-failure boom", "false": "post-tool-call "} {
		ev := first("tool_result", `{"toolName": "bash", "toolCallId": "c", "input": {"command": "x"}, "content": [{"type": "text", "text": "boom"}], "isError": `+isError+`}`, `{}`)
		dialecttest.Check(t, "pi/6 isError: "+isError, string(ev.Type)+" "+ev.Fields.Text("error"), is)
	}
	for _, hook := range []string{"tool_execution_start", "tool_execution_end"} {
		if _, ok := Dialect.Native(hook); ok {
			t.Errorf("pi/7: %s, which comes for such a call too, is an event", hook)
		}
	}
	prompt := first("input", `{"text": "hi", "source": "interactive"}`, `{}`)
	dialecttest.Check(t, "pi/8", told(prompt, protocol.Outcome{Decision: protocol.Block, Reason: "no"}), `{"block": "no"}`)
	start := first("session_start", `{"reason": "startup"}`, `{}`)
	dialecttest.Check(t, "pi/9", told(start, protocol.Outcome{AdditionalContext: "c"})+told(prompt, protocol.Outcome{AdditionalContext: "c"}), `{"context": "c"}{"context": "c"}`)
	stop := first("agent_end", `{"messages": [{"role": "assistant", "content": [{"type": "text", "text": "done"}], "stopReason": "stop"}]}`, `{"stop_active": true}`)
	a := dialecttest.Answer(Dialect, stop, "", protocol.Outcome{Decision: protocol.Block, Reason: "again"})
	dialecttest.Check(t, "pi/10", string(stop.Type)+string(stop.Fields.Get("stop_active"))+string(a.Reply.Stdout)+a.Reply.Continue, "pre-agent-turn-stoptrue{\"continue\": \"again\"}\nagain")
	if Dialect.EchoesFollowup || Dialect.StopMax != 0 {
		t.Errorf("pi/11: echoes %v, at most %d stops", Dialect.EchoesFollowup, Dialect.StopMax)
	}
	failed := dialecttest.Decode(t, Dialect, dialecttest.Object(t, payload("agent_end", `{"messages": [{"stopReason": "error", "errorMessage": "no key"}]}`, `{}`)), nil)
	if len(failed) != 1 || failed[0].Can != protocol.CanMessage {
		t.Fatalf("pi/12: %d events, can %s", len(failed), failed[0].Can)
	}
	dialecttest.Check(t, "pi/12", string(failed[0].Type)+" "+failed[0].Fields.Text("status")+" "+failed[0].Fields.Text("error"), "post-agent-turn error no key")
	for _, c := range [][3]string{{"startup", "true", "resume"}, {"startup", "false", "startup"}, {"resume", "true", "resume"}, {"fork", "false", "resume"}, {"new", "false", "clear"}} {
		dialecttest.Check(t, "pi/13 "+c[0]+", resumed: "+c[1], first("session_start", `{"reason": "`+c[0]+`"}`, `{"resumed": `+c[1]+`}`).Fields.Text("source"), c[2])
	}
	compact := first("session_before_compact", `{}`, `{"trigger": "manual"}`)
	dialecttest.Check(t, "pi/14", compact.Fields.Text("trigger"), "manual")
	dialecttest.Check(t, "pi/15", told(compact, protocol.Outcome{AdditionalContext: "c"}), `{"context": "c"}`)
	if !strings.Contains(part, `event.reason === "reload"`) {
		t.Error("pi/16: the extension does not know a reload")
	}
	dialecttest.Check(t, "pi/17", string(first("session_compact", `{"compactionEntry": {"summary": "s"}}`, `{"trigger": "auto"}`).Type), "post-context-compact")
}

func TestDetect(t *testing.T) {
	for text, is := range map[string]bool{
		`{"hook": "input", "agent": "pi", "event": {}}`:                  true,
		`{"hook": "input", "agent": "opencode", "event": {}}`:            false,
		`{"hook": "input", "event": {}}`:                                 false,
		`{"hook": "chat.message", "agent": "pi", "input": {}}`:           false,
		`{"hook_event_name": "PreToolUse", "agent": "pi", "event": "x"}`: false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := Dialect.Detect(dialecttest.Object(t, text)); got != is {
				t.Errorf("%s is told: %v, want %v", text, got, is)
			}
		})
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		name  string
		scope protocol.Scope
		dir   string
		want  string
	}{
		{"of the user", protocol.UserScope, "", "/home/dev/.pi/agent/extensions/agents-hooks.js"},
		{"of the user, in another folder", protocol.UserScope, "/x", "/x/extensions/agents-hooks.js"},
		{"of the project, whatever folder the user has", protocol.ProjectScope, "/x", "/p/.pi/extensions/agents-hooks.js"},
	} {
		t.Run(c.name, func(t *testing.T) {
			site := protocol.Site{Scope: c.scope, Home: "/home/dev", Project: "/p", Env: func(n string) string {
				return map[string]string{"PI_CODING_AGENT_DIR": c.dir}[n]
			}}
			want(t, string(c.scope)+" "+c.dir, Dialect.Config.File(site), c.want)
		})
	}
}
