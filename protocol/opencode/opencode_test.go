package opencode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
	"github.com/agents-hooks/agents-hooks/protocol/opencode"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, opencode.Dialect, nil) }

// Every answer is empty or one object with the plugin's words, on exit 0.
func TestAnswers(t *testing.T) {
	words := map[string]bool{"block": true, "args": true, "context": true, "continue": true, "message": true, "env": true, "allow": true, "output": true}
	for _, a := range dialecttest.Answers(t, opencode.Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		o, _ := protocol.ParseObject(a.Reply.Stdout)
		for _, m := range o {
			if !words[m.Name] {
				t.Errorf("%s: the plugin does not know %q", name, m.Name)
			}
		}
	}
}

// frame is one that our plugin sends.
func frame(hook, input, output, state string) string {
	return `{"hook": "` + hook + `", "agent": "opencode", "directory": "/p", "mcp": ["a", "a_b", "x y"], "state": ` + state + `, "input": ` + input + `, "output": ` + output + `}`
}

// What the plugin itself does about a quirk is tested in package opencodelike, with
// the plugin.
func TestQuirks(t *testing.T) {
	first := func(hook, input, output, state string) *protocol.Event {
		return dialecttest.First(t, opencode.Dialect, frame(hook, input, output, state))
	}
	told := func(ev *protocol.Event, o protocol.Outcome) string {
		return strings.TrimSpace(string(dialecttest.Answer(opencode.Dialect, ev, "", o).Reply.Stdout))
	}
	dialecttest.Check(t, "opencode/1", string(opencode.Dialect.Config.Shape), string(protocol.Plugin))
	call := first("tool.execute.before", `{"tool": "edit", "sessionID": "s", "callID": "c"}`, `{"args": {"filePath": "a", "oldString": "x", "n": 1e3}}`, `{}`)
	dialecttest.Check(t, "opencode/2", told(call, protocol.Outcome{Decision: protocol.Ask, Reason: "sure?"}), `{"block": "sure?"}`)
	dialecttest.Check(t, "opencode/3", told(call, protocol.Outcome{Decision: protocol.Block, Reason: "no"}), `{"block": "no"}`)
	dialecttest.Check(t, "opencode/20", told(call, protocol.Outcome{Decision: protocol.Block, Reason: "no", UserMessage: "m"}), `{"block": "no", "message": "m"}`)
	dialecttest.Check(t, "opencode/4", told(call, protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"file_path": "b"}`)}), `{"args": {"filePath": "b", "oldString": "x", "n": 1e3}}`)
	part := func(kind, status string) string {
		return `{"properties": {"part": {"type": "` + kind + `", "callID": "c", "tool": "bash", "sessionID": "s", "state": {"status": "` + status + `", "input": {"command": "x"}, "error": "boom"}}}}`
	}
	failed := first("event.message.part.updated", part("tool", "error"), `null`, `{}`)
	dialecttest.Check(t, "opencode/5", string(failed.Type)+" "+failed.Call.Name+" "+failed.Call.ID+" "+failed.Fields.Text("error"), "post-tool-call-failure Shell c boom")
	for _, other := range []string{part("tool", "completed"), part("text", "error"), part("step-start", "")} {
		t.Run(other, func(t *testing.T) {
			if events := dialecttest.Decode(t, opencode.Dialect, dialecttest.Object(t, frame("event.message.part.updated", other, `null`, `{}`)), nil); len(events) != 0 {
				t.Errorf("opencode/5: %s is %s", other, events[0].Type)
			}
		})
	}
	for metadata, want := range map[string]string{
		`{"exit": 0}`: "post-tool-call ", `{"exit": 2}`: "post-tool-call-failure out", `{"exit": -1}`: "post-tool-call-failure out",
		`{"exit": null}`: "post-tool-call ", `{}`: "post-tool-call ", `7`: "post-tool-call ",
	} {
		ev := first("tool.execute.after", `{"tool": "bash", "sessionID": "s", "callID": "c", "args": {}}`, `{"output": "out", "metadata": `+metadata+`}`, `{}`)
		dialecttest.Check(t, "opencode/6 "+metadata, string(ev.Type)+" "+ev.Fields.Text("error"), want)
	}
	prompt := first("chat.message", `{"sessionID": "s"}`, `{"message": {"id": "m"}, "parts": [{"type": "text", "text": "\"hi\""}]}`, `{}`)
	dialecttest.Check(t, "opencode/7", told(prompt, protocol.Outcome{AdditionalContext: "c"}), `{"context": "c"}`)
	dialecttest.Check(t, "opencode/8", told(prompt, protocol.Outcome{Decision: protocol.Block, Reason: "r"}), `{"block": "r"}`)
	start := first("event.session.created", `{"properties": {"info": {"id": "s"}}}`, `null`, `{}`)
	dialecttest.Check(t, "opencode/9", told(start, protocol.Outcome{AdditionalContext: "c", Env: dialecttest.Object(t, `{"A": "x", "N": 3, "b-d": "x", "O": {}}`)}), `{"context": "c", "env": {"A": "x", "N": "3"}}`)
	broken := first("event.session.error", `{"properties": {"sessionID": "s", "error": {"name": "APIError", "data": {"message": "no key"}}}}`, `null`, `{}`)
	dialecttest.Check(t, "opencode/10", string(broken.Type)+" "+broken.Fields.Text("status")+" "+broken.Fields.Text("error"), "post-agent-turn error APIError: no key")
	stop := first("event.session.idle", `{"properties": {"sessionID": "s"}}`, `null`, `{"text": "done", "stop_active": true}`)
	a := dialecttest.Answer(opencode.Dialect, stop, "", protocol.Outcome{Decision: protocol.Block, Reason: "again"})
	dialecttest.Check(t, "opencode/11", string(a.Reply.Stdout)+a.Reply.Continue, "{\"continue\": \"again\"}\nagain")
	if !opencode.Dialect.EchoesFollowup || opencode.Dialect.StopMax != 0 {
		t.Errorf("opencode/12: echoes %v, at most %d stops", opencode.Dialect.EchoesFollowup, opencode.Dialect.StopMax)
	}
	child := `{"parent": "p", "agent": "general", "title": "look (@general subagent)"}`
	began := first("event.session.created", `{"properties": {"sessionID": "c", "info": {"id": "c", "parentID": "p"}}}`, `null`, child)
	dialecttest.Check(t, "opencode/13 its start", string(began.Type)+" "+began.SessionID+" "+string(began.Fields.Raw()), `pre-subagent p {"subagent_name": "look", "subagent_type": "general", "agent_id": "c"}`)
	inner := first("tool.execute.before", `{"tool": "bash", "sessionID": "c", "callID": "1"}`, `{"args": {}}`, child)
	dialecttest.Check(t, "opencode/13 its calls", inner.SessionID+" "+inner.Fields.Text("agent_id")+" "+inner.Fields.Text("subagent_type"), "p c general")
	ended := first("event.session.idle", `{"properties": {"sessionID": "c"}}`, `null`, child)
	dialecttest.Check(t, "opencode/13 its end", string(ended.Type)+" can "+ended.Can.String(), "post-subagent can message")
	again := first("event.session.created", `{"properties": {"info": {"id": "s"}}}`, `null`, `{"source": "resume"}`)
	dialecttest.Check(t, "opencode/14", again.Fields.Text("source"), "resume")
	for native, want := range map[string]string{"a_x": "mcp__a__x", "a_b_c": "mcp__a_b__c", "x_y_z": "mcp__x_y__z", "a_": "a_", "other_x": "other_x", "bash": "Shell"} {
		ev := first("tool.execute.before", `{"tool": "`+native+`", "sessionID": "s"}`, `{"args": {}}`, `{}`)
		dialecttest.Check(t, "opencode/15 "+native, ev.Call.Name, want)
	}
	for _, hook := range []string{"dispose", "event.server.instance.disposed"} {
		over := first(hook, `{"sessionID": "s"}`, `null`, `{}`)
		dialecttest.Check(t, "opencode/16 "+hook, string(over.Type)+" "+over.SessionID, "post-session s")
	}
	dialecttest.Check(t, "opencode/17", prompt.Fields.Text("prompt"), `"hi"`)
	dialecttest.Check(t, "opencode/18", first("tool.execute.before", `{"tool": "invalid"}`, `{"args": {"tool": "x"}}`, `{}`).Call.Name, "invalid")
	dialecttest.Check(t, "opencode/19", told(stop, protocol.Outcome{UserMessage: "look"}), `{"message": "look"}`)
}

func TestDetectUnnamed(t *testing.T) {
	p := dialecttest.Object(t, `{"hook": "chat.message", "input": {}, "output": {}}`)
	if !opencode.Dialect.Detect(p) {
		t.Error("a frame that names nobody is not told")
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		scope protocol.Scope
		xdg   string
		want  string
	}{
		{protocol.UserScope, "", "/home/dev/.config/opencode/plugin/agents-hooks.js"},
		{protocol.UserScope, "/x", "/x/opencode/plugin/agents-hooks.js"},
		{protocol.ProjectScope, "", "/p/.opencode/plugin/agents-hooks.js"},
	} {
		t.Run(fmt.Sprintf("%s, XDG_CONFIG_HOME=%q", c.scope, c.xdg), func(t *testing.T) {
			site := protocol.Site{Scope: c.scope, Home: "/home/dev", Project: "/p", Env: func(n string) string {
				return map[string]string{"XDG_CONFIG_HOME": c.xdg}[n]
			}}
			if got := opencode.Dialect.Config.File(site); got != c.want {
				t.Errorf("%s with %q: %q, want %q", c.scope, c.xdg, got, c.want)
			}
		})
	}
}
