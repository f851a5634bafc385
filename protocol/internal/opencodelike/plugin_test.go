package opencodelike_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
	"github.com/agents-hooks/agents-hooks/protocol/internal/jsplugin/stage"
	"github.com/agents-hooks/agents-hooks/protocol/internal/opencodelike"
)

// The plugin starts a real process for each frame.
func TestMain(m *testing.M) { stage.Main(m) }

// A theatre is the plugin, ready to be called.
type theatre struct{ *stage.Stage }

func newStage(t *testing.T) theatre {
	return theatre{stage.New(t, "opencode", opencodelike.NativeEvents)}
}

// A played is the result of the steps.
type played struct {
	Results []struct {
		Output json.RawMessage
		Thrown *string
	}
	Asked []struct {
		Get    string
		Toast  string
		Prompt json.RawMessage
	}
	Names  []string
	frames []protocol.Object
}

// play calls the plugin with steps in JSON.
func (s theatre) play(steps ...string) played {
	s.T.Helper()
	var p played
	p.frames = s.Play(opencodelike.Plugin(), &p, steps...)
	return p
}

// hooks names the hooks of the frames, in order.
func (p played) hooks() string {
	var names []string
	for _, f := range p.frames {
		names = append(names, strings.TrimPrefix(f.Text("hook"), "event."))
	}
	return strings.Join(names, " ")
}

func (p played) frame(t *testing.T, hook string) protocol.Object {
	t.Helper()
	for _, f := range p.frames {
		if f.Text("hook") == hook {
			return f
		}
	}
	t.Fatalf("no frame of %s among %s", hook, p.hooks())
	return nil
}

func (p played) thrown(i int) string {
	if p.Results[i].Thrown == nil {
		return ""
	}
	return *p.Results[i].Thrown
}

func (p played) toasts() string {
	var all []string
	for _, a := range p.Asked {
		if a.Toast != "" {
			all = append(all, a.Toast)
		}
	}
	return strings.Join(all, "|")
}

// became checks what a step made of what the agent gave it.
func (p played) became(t *testing.T, name string, step int, want string) {
	t.Helper()
	dialecttest.Check(t, name, string(p.Results[step].Output), want)
}

const (
	created = `{"event": {"type": "session.created", "properties": {"sessionID": "s", "info": {"id": "s", "version": "1.18.33", "directory": "/p"}}}}`
	child   = `{"event": {"type": "session.created", "properties": {"sessionID": "c", "info": {"id": "c", "parentID": "s", "agent": "general", "title": "look (@general subagent)"}}}}`
	prompt  = `{"hook": "chat.message", "input": {"sessionID": "s"}, "output": {"message": {"id": "msg_1", "sessionID": "s", "agent": "build", "model": {"providerID": "f", "modelID": "m"}}, "parts": [{"id": "prt_0", "type": "text", "text": "hi"}]}}`
	before  = `{"hook": "tool.execute.before", "input": {"tool": "bash", "sessionID": "s", "callID": "call_1"}, "output": {"args": {"command": "ls", "gone": 1}}}`
	after   = `{"hook": "tool.execute.after", "input": {"tool": "bash", "sessionID": "s", "callID": "call_1", "args": {"command": "ls"}}, "output": {"title": "ls", "output": "a\n", "metadata": {"exit": 0}}}`
	said    = `{"hook": "experimental.text.complete", "input": {"sessionID": "s"}, "output": {"text": "done"}}`
	idle    = `{"event": {"type": "session.idle", "properties": {"sessionID": "s"}}}`
	failed  = `{"event": {"type": "message.part.updated", "properties": {"part": {"type": "tool", "tool": "bash", "callID": "call_1", "sessionID": "s", "state": {"status": "error", "error": "x"}}}}}`
	system  = `{"hook": "experimental.chat.system.transform", "input": {"sessionID": "s"}, "output": {"system": ["You are an agent"]}}`
)

// The token usage of the model's last answer is sent with the events that are not
// about a tool.
func TestPluginUsage(t *testing.T) {
	t.Parallel()
	message := func(role, tokens string) string {
		return `{"event": {"type": "message.updated", "properties": {"sessionID": "s", "info": {"id": "m", "sessionID": "s", "role": "` + role + `", "tokens": ` + tokens + `}}}}`
	}
	s := newStage(t)
	p := s.play(created, prompt,
		`{"hook": "experimental.chat.system.transform", "input": {"sessionID": "s", "model": {"limit": {"context": 200000}}}, "output": {"system": ["You are an agent"]}}`,
		message("assistant", `{"input": 90, "output": 10, "reasoning": 0, "cache": {"read": 0, "write": 0}}`), before,
		message("assistant", `{"input": 100, "output": 20, "reasoning": 3, "cache": {"read": 1000, "write": 50}}`),
		message("assistant", `{"input": 0, "output": 0, "reasoning": 0, "cache": {"read": 0, "write": 0}}`),
		message("user", `{"input": 7, "output": 7}`), `{"event": {"type": "message.updated"}}`, idle)
	got := map[protocol.EventType]string{}
	for _, f := range p.frames {
		for _, ev := range opencodelike.Decode(protocol.Input{Payload: f}, "opencode") {
			got[ev.Type] = string(ev.Fields.Get("usage"))
		}
	}
	const sent = `{"context_tokens": 1173, "context_window": 200000, "input_tokens": 1150, "output_tokens": 23}`
	for event, want := range map[protocol.EventType]string{protocol.PreAgentTurn: "", protocol.PreToolCall: "", protocol.PreAgentTurnStop: sent, protocol.PostAgentTurn: sent} {
		dialecttest.Check(t, string(event), got[event], want)
	}
}

// A turn in which hooks say nothing changes nothing, and the dialect reads every
// frame as the event that it is.
func TestPluginNoOpinion(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.play(created, prompt, system, before, after, said, idle, idle,
		`{"event": {"type": "message.part.updated", "properties": {"part": {"type": "compaction", "auto": true, "sessionID": "s"}}}}`,
		`{"hook": "experimental.session.compacting", "input": {"sessionID": "s"}, "output": {"context": []}}`,
		`{"event": {"type": "session.compacted", "properties": {"sessionID": "s"}}}`,
		failed, failed,
		`{"event": {"type": "message.part.updated", "properties": {"part": {"type": "text"}}}}`,
		`{"event": {"type": "session.unheard", "properties": {}}}`, `{"event": {"type": "server.connected"}}`,
		`{"hook": "dispose"}`, `{"event": {"type": "server.instance.disposed", "properties": {"directory": "/p"}}}`)
	for i, r := range p.Results {
		if r.Thrown != nil {
			t.Errorf("step %d threw %q", i, *r.Thrown)
		}
	}
	want := "session.created chat.message tool.execute.before tool.execute.after session.idle experimental.session.compacting session.compacted message.part.updated dispose"
	if got := p.hooks(); got != want {
		t.Errorf("frames:\n got %s\nwant %s", got, want)
	}
	p.became(t, "a prompt stays", 1, `{"message":{"id":"msg_1","sessionID":"s","agent":"build","model":{"providerID":"f","modelID":"m"}},"parts":[{"id":"prt_0","type":"text","text":"hi"}]}`)
	p.became(t, "a system prompt stays", 2, `{"system":["You are an agent"]}`)
	p.became(t, "an input stays", 3, `{"args":{"command":"ls","gone":1}}`)
	p.became(t, "a result stays", 4, `{"title":"ls","output":"a\n","metadata":{"exit":0}}`)
	if len(p.Asked) != 0 {
		t.Errorf("the agent was asked %v", p.Asked)
	}
	var types []string
	for _, f := range p.frames {
		for _, ev := range opencodelike.Decode(protocol.Input{Payload: f}, "opencode") {
			types = append(types, string(ev.Type))
			if ev.SessionID != "s" || ev.WorkDir != "/p" || !strings.Contains(string(ev.Context.Raw()), `"agent_version": "1.18.33"`) {
				t.Errorf("%s: session %q in %q, %s", ev.Type, ev.SessionID, ev.WorkDir, ev.Context.Text("agent_version"))
			}
			if (ev.Type == protocol.PreContextCompact || ev.Type == protocol.PostContextCompact) && ev.Fields.Text("trigger") != "auto" {
				t.Errorf("%s: trigger %q", ev.Type, ev.Fields.Text("trigger"))
			}
			if ev.Type == protocol.PreAgentTurnStop && (ev.Fields.Sub("final_message").Text("content") != "done" || ev.Fields.Bool("stop_active")) {
				t.Errorf("stop: %s", ev.Fields.Raw())
			}
		}
	}
	if got := strings.Join(types, " "); got != "pre-session pre-agent-turn pre-tool-call post-tool-call pre-agent-turn-stop post-agent-turn-stop post-agent-turn pre-context-compact post-context-compact post-tool-call-failure post-session" {
		t.Errorf("events: %s", got)
	}
}

// A turn ends once, however often the agent reports it (opencode/10).
func TestPluginErrorEndsTurn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	bad := `{"event": {"type": "session.error", "properties": {"sessionID": "s", "error": {"name": "APIError"}}}}`
	p := s.play(created, idle, prompt, bad, bad, idle, idle, `{"event": {"type": "session.error", "properties": {}}}`)
	if got := p.hooks(); got != "session.created chat.message session.error" {
		t.Errorf("frames: %s", got)
	}
}

// A subagent's session is reported with its parent (opencode/13); its end counts as
// the end of a turn only if it had one.
func TestPluginSubagent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.play(created, child, strings.ReplaceAll(prompt, `"s"`, `"c"`), strings.ReplaceAll(before, `"s"`, `"c"`), strings.ReplaceAll(idle, `"s"`, `"c"`))
	var got []string
	for _, f := range p.frames {
		ev := opencodelike.Decode(protocol.Input{Payload: f}, "opencode")[0]
		if ev.Type == protocol.PreSession {
			continue // sent at the same time as the other's
		}
		got = append(got, string(ev.Type), ev.SessionID, ev.Fields.Text("agent_id"), ev.Fields.Text("subagent_type"), ev.Fields.Text("subagent_name"))
	}
	if got := strings.Join(got, " "); got != "pre-subagent s c general look pre-agent-turn s c general  pre-tool-call s c general  post-subagent s c general look" {
		t.Errorf("%s", got)
	}
}

// A session that was not created here begins with the first event about it
// (opencode/14), once, and that event waits for the answer to its start.
func TestPluginResume(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	s := newStage(t)
	s.Says("event.session.created", `{"context": "c"}`)
	s.Drive["sessions"] = map[string]any{"s": map[string]any{"id": "s", "version": "1.18.33", "time": map[string]any{"created": 1}}}
	p := s.play(`{"together": [`+prompt+`,`+before+`,`+created+`]}`, system)
	if got := p.hooks(); !strings.HasPrefix(got, "session.created ") || strings.Count(got, "session.created") != 1 || strings.Count(got, " ") != 2 {
		t.Errorf("frames: %s", got)
	}
	if got := p.frame(t, "event.session.created").Sub("state").Text("source"); got != "resume" {
		t.Errorf("source %q", got)
	}
	if got := string(p.Results[3].Output); got != `{"system":["You are an agent","c"]}` {
		t.Errorf("system: %s", got)
	}
}

// The servers in the agent's configuration are reported (opencode/15).
func TestPluginServers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.play(`{"config": {"mcp": {"fake": {"type": "local"}}}}`, created, strings.Replace(before, `"bash"`, `"fake_echo"`, 1))
	if ev := opencodelike.Decode(protocol.Input{Payload: p.frame(t, "tool.execute.before")}, "opencode")[0]; ev.Call.Name != "mcp__fake__echo" {
		t.Errorf("name %q", ev.Call.Name)
	}
}

// Only what is registered is sent; if a plugin is loaded again, the new one speaks
// and the old one is silent.
func TestPluginRegistered(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Limits = map[string]int{"tool.execute.before": 60000}
	p := s.play(created, prompt, before, `{"reload": true, "keepOld": true}`, before, `{"reload": true}`, before)
	if got := p.hooks(); got != "tool.execute.before tool.execute.before" {
		t.Errorf("frames: %s", got)
	}
}
