package opencodelike_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
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
	for event, want := range map[protocol.EventType]string{
		protocol.PreAgentTurn:     "",
		protocol.PreToolCall:      "",
		protocol.PreAgentTurnStop: `{"context_tokens": 1173, "context_window": 200000, "input_tokens": 1150, "output_tokens": 23}`,
		protocol.PostAgentTurn:    `{"context_tokens": 1173, "context_window": 200000, "input_tokens": 1150, "output_tokens": 23}`,
	} {
		if got[event] != want {
			t.Errorf("%s: usage %s, want %s", event, got[event], want)
		}
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
	for _, c := range []struct {
		step int
		want string
	}{
		{1, `{"message":{"id":"msg_1","sessionID":"s","agent":"build","model":{"providerID":"f","modelID":"m"}},"parts":[{"id":"prt_0","type":"text","text":"hi"}]}`},
		{2, `{"system":["You are an agent"]}`},
		{3, `{"args":{"command":"ls","gone":1}}`},
		{4, `{"title":"ls","output":"a\n","metadata":{"exit":0}}`},
	} {
		if got := string(p.Results[c.step].Output); got != c.want {
			t.Errorf("step %d became %s", c.step, got)
		}
	}
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

// A block throws with the reason, on a prompt with the reason as a message too, and
// the failure that the agent then reports does not count as one (opencode/3,
// opencode/8). The user is shown the reason (opencode/20).
func TestPluginBlocks(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Says("tool.execute.before", `{"block": "not here", "message": "see"}`)
	s.Says("chat.message", `{"block": "no prompts"}`)
	p := s.play(created, before, failed, prompt, idle)
	if p.thrown(1) != "not here" || p.thrown(3) != "" {
		t.Errorf("thrown: %q, %q", p.thrown(1), p.thrown(3))
	}
	if got := p.hooks(); got != "session.created tool.execute.before chat.message" {
		t.Errorf("frames: %s", got)
	}
	if got := p.toasts(); got != "not here\n\nsee|no prompts" {
		t.Errorf("messages: %s", got)
	}
}

// A blocked prompt reaches no model: none of it is kept, and the request fails with
// the reason until another prompt comes (opencode/8).
func TestPluginRefusesPrompts(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	s := newStage(t)
	s.Says("chat.message", `{"block": "no prompts"}`)
	params := func(message, agent string) string {
		return `{"hook": "chat.params", "input": {"sessionID": "s", "message": {"id": "` + message + `"}, "agent": {"name": "` + agent + `"}}}`
	}
	two := strings.Replace(prompt, `"parts": [`, `"parts": [{"id": "prt_f", "type": "file", "url": "data:,hi"}, `, 1)
	p := s.play(created, two, params("msg_1", "build"), params("msg_1", "title"), params("msg_2", "build"), params("msg_1", "build"))
	for i, want := range []string{"", "", "no prompts", "", "", "no prompts"} {
		if got := p.thrown(i); got != want {
			t.Errorf("step %d: thrown %q, want %q", i, got, want)
		}
	}
	kept := string(p.Results[1].Output)
	if strings.Contains(kept, `"hi"`) || strings.Contains(kept, "data:") || !strings.Contains(kept, `"parts":[{"id":"prt_0","sessionID":"s","messageID":"msg_1"`) {
		t.Errorf("kept of the prompt: %s", kept)
	}
}

// Blocking a prompt during a turn shows as an error of the agent: the turn continues,
// and its end is reported.
func TestPluginRefusesWithinATurn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Says("chat.message", "block later ones")
	later := strings.Replace(prompt, `"text": "hi"`, `"text": "LATER"`, 1)
	p := s.play(created, prompt, later, idle)
	if p.thrown(1) != "" || p.thrown(2) != "no later ones" {
		t.Errorf("thrown: %q, %q", p.thrown(1), p.thrown(2))
	}
	if got := p.hooks(); got != "session.created chat.message chat.message session.idle" {
		t.Errorf("frames: %s", got)
	}
}

// A changed input replaces the old one in the same object (opencode/4); context
// goes where the model sees it, with the message's ids (opencode/7, opencode/9).
func TestPluginChanges(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Says("event.session.created", `{"context": "rules of the house", "env": {"A": "x", "N": 3}}`)
	s.Says("tool.execute.before", `{"args": {"command": "echo safe", "__proto__x": 1}}`)
	s.Says("chat.message", `{"context": "mind the gap"}`)
	s.Says("tool.execute.after", `{"context": "looks odd"}`)
	s.Says("experimental.session.compacting", `{"context": "keep this"}`)
	p := s.play(created, child, prompt, before, after, system, system,
		`{"hook": "experimental.chat.system.transform", "input": {"sessionID": "s"}, "output": {"system": ["You are a title generator."]}}`,
		`{"hook": "experimental.session.compacting", "input": {"sessionID": "s"}, "output": {"context": ["a"]}}`,
		`{"hook": "shell.env", "input": {"sessionID": "s", "cwd": "/p"}, "output": {"env": {"B": "1"}}}`,
		`{"hook": "shell.env", "input": {"sessionID": "other"}, "output": {"env": {}}}`,
		`{"hook": "tool.execute.after", "input": {"tool": "fake_echo", "sessionID": "s", "callID": "2", "args": {}}, "output": {"content": [{"type": "text", "text": "a"}]}}`)
	for step, want := range map[int]string{
		3: `{"args":{"command":"echo safe","__proto__x":1}}`,
		4: `{"title":"ls","output":"a\n\n\nlooks odd","metadata":{"exit":0}}`,
		5: `{"system":["You are an agent","rules of the house"]}`, 6: `{"system":["You are an agent","rules of the house"]}`,
		7: `{"system":["You are a title generator."]}`, 8: `{"context":["a","keep this"]}`,
		9: `{"env":{"B":"1","A":"x","N":"3"}}`, 10: `{"env":{}}`,
		11: `{"content":[{"type":"text","text":"a"},{"type":"text","text":"looks odd"}]}`,
	} {
		if got := string(p.Results[step].Output); got != want {
			t.Errorf("step %d:\n got %s\nwant %s", step, got, want)
		}
	}
	var out struct {
		Parts []struct{ ID, SessionID, MessageID, Type, Text string }
	}
	if err := json.Unmarshal(p.Results[2].Output, &out); err != nil || len(out.Parts) != 2 {
		t.Fatalf("parts: %s, %v", p.Results[2].Output, err)
	}
	part := out.Parts[1]
	if part.SessionID != "s" || part.MessageID != "msg_1" || part.Type != "text" || part.Text != "mind the gap" || !strings.HasPrefix(part.ID, "prt_") || len(part.ID) != len("prt_1fc21c5b3001jXrgUBri7iB2oP") {
		t.Errorf("part: %+v", part)
	}
}

// A result is replaced wherever the agent keeps it, and context is appended to the
// replacement.
func TestPluginReplacesResults(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Says("tool.execute.after", `{"output": "gone", "context": "and more"}`)
	p := s.play(created, prompt,
		`{"hook": "tool.execute.after", "input": {"tool": "bash", "sessionID": "s", "callID": "1", "args": {}}, "output": {"title": "t", "output": "SECRET", "metadata": {"output": "SECRET", "exit": 0}}}`,
		`{"hook": "tool.execute.after", "input": {"tool": "fake_echo", "sessionID": "s", "callID": "2", "args": {}}, "output": {"content": [{"type": "text", "text": "SECRET"}, {"type": "text", "text": "SECRET"}]}}`)
	for step, want := range map[int]string{
		2: `{"title":"t","output":"gone\n\nand more","metadata":{"output":"gone","exit":0}}`,
		3: `{"content":[{"type":"text","text":"gone"},{"type":"text","text":"and more"}]}`,
	} {
		if got := string(p.Results[step].Output); got != want {
			t.Errorf("step %d:\n got %s\nwant %s", step, got, want)
		}
	}
}

// What the agent would ask its user is answered once, with yes or no, and left to the
// user if no hook decides.
func TestPluginAnswersPermissions(t *testing.T) {
	t.Parallel()
	const asked = `{"event": {"type": "permission.asked", "properties": {"id": "per_1", "sessionID": "s", "permission": "bash", "metadata": {"command": "ls"}}}}`
	for answer, want := range map[string]string{
		`{"allow": true}`: "s per_1 once", `{"block": "not that"}`: "not that|s per_1 reject", `{}`: "", `{"allow": "true"}`: "", `{"allow": true, "block": "no"}`: "no|s per_1 reject",
	} {
		if !slowtest.Among(answer, `{"allow": true, "block": "no"}`) {
			continue
		}
		t.Run(fmt.Sprintf("%q", answer), func(t *testing.T) {
			s := newStage(t)
			s.Says("event.permission.asked", answer)
			if got := s.play(created, prompt, asked).toasts(); got != want {
				t.Errorf("%s: %q, want %q", answer, got, want)
			}
		})
	}
}

// A stop is turned into a prompt with the turn's agent and model; that prompt is not
// reported as an event, and the next stop says that it went on (opencode/11,
// opencode/12).
func TestPluginGoesOn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Says("event.session.idle", `{"continue": "run the tests"}`)
	again := strings.Replace(prompt, `"text": "hi"`, `"text": "run the tests"`, 1)
	p := s.play(created, prompt, idle, again, idle, prompt, idle)
	if got := p.hooks(); got != "session.created chat.message session.idle session.idle chat.message session.idle" {
		t.Errorf("frames: %s", got)
	}
	var active []string
	for _, f := range p.frames {
		if f.Text("hook") == "event.session.idle" {
			active = append(active, string(f.Sub("state").Get("stop_active")))
		}
	}
	if got := strings.Join(active, " "); got != "false true false" {
		t.Errorf("stop_active: %s", got)
	}
	want := `{"path":{"id":"s"},"body":{"parts":[{"type":"text","text":"run the tests"}],"agent":"build","model":{"providerID":"f","modelID":"m"}}}`
	if len(p.Asked) != 3 || string(p.Asked[0].Prompt) != want {
		t.Errorf("asked %d times, first %s", len(p.Asked), p.Asked[0].Prompt)
	}
}

// A prompt that the agent rejects is forgotten: the next one is the user's.
func TestPluginPromptFails(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	s := newStage(t)
	s.Says("event.session.idle", `{"continue": "hi"}`)
	s.Drive["promptFails"] = true
	p := s.play(created, prompt, idle, prompt)
	if got := p.hooks(); got != "session.created chat.message session.idle chat.message" {
		t.Errorf("frames: %s", got)
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

// If there is no dispatcher the user is told, once a session.
func TestPluginWithoutItsProgram(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Argv[0] = filepath.Join(s.Dir, "nothing")
	p := s.play(created, prompt, before, after, prompt)
	if got := p.toasts(); got != "its program is gone" {
		t.Errorf("the person is told %q", got)
	}
	if p.thrown(2) != "" {
		t.Errorf("the call was kept back: %s", p.thrown(2))
	}
}

// Whatever happens to the dispatcher, the agent continues as if no hook had said
// anything.
func TestPluginFailsOpen(t *testing.T) {
	for name, set := range map[string]func(s theatre){
		"crash":     func(s theatre) { s.Says("tool.execute.before", "crash") },
		"exit 2":    func(s theatre) { s.Says("tool.execute.before", "two") },
		"hang":      func(s theatre) { s.Says("tool.execute.before", "hang"); s.Limits["tool.execute.before"] = 2000 },
		"flood":     func(s theatre) { s.Says("tool.execute.before", "flood") },
		"garbage":   func(s theatre) { s.Says("tool.execute.before", `{"block": "no"} {"block": "no"}`) },
		"no object": func(s theatre) { s.Says("tool.execute.before", `["block"]`) },
		"wrong types": func(s theatre) {
			s.Says("tool.execute.before", `{"block": {"x": 1}, "args": "ls", "context": 7, "message": []}`)
		},
		"empty reason":    func(s theatre) { s.Says("tool.execute.before", `{"block": " "}`) },
		"missing":         func(s theatre) { s.Argv[0] = filepath.Join(s.Dir, "nothing") },
		"not a program":   func(s theatre) { s.Argv[0] = s.Dir },
		"not installed":   func(s theatre) { s.Argv = nil },
		"lookup hangs":    func(s theatre) { s.Drive["slowLookup"] = true },
		"no such session": func(s theatre) {},
	} {
		if !slowtest.Among(name, "crash", "missing") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			set(s)
			if s.Argv == nil {
				if p := s.play(); len(p.Names) != 0 {
					t.Errorf("hooks %v", p.Names)
				}
				return
			}
			p := s.play(before, after)
			if p.thrown(0) != "" || p.thrown(1) != "" || string(p.Results[0].Output) != `{"args":{"command":"ls","gone":1}}` {
				t.Errorf("thrown %q, %q; %s", p.thrown(0), p.thrown(1), p.Results[0].Output)
			}
		})
	}
}

// A hanging dispatcher is given up at the event's limit, and ended. A machine that is
// too busy to start it in that time gets a longer limit.
func TestPluginHang(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	for _, limit := range []int{1500, 10_000, 100_000} {
		s := newStage(t)
		s.Says("tool.execute.before", "hang")
		s.Limits["tool.execute.before"] = limit
		p := s.play(before, after)
		if p.thrown(0) != "" || string(p.Results[0].Output) != `{"args":{"command":"ls","gone":1}}` {
			t.Fatalf("thrown %q; %s", p.thrown(0), p.Results[0].Output)
		}
		if pid, err := os.ReadFile(filepath.Join(s.Dir, "pid")); err == nil {
			stage.Gone(t, string(pid))
			return
		}
	}
	t.Fatal("the dispatcher never began to hang")
}
