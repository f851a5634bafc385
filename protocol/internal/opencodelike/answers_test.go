package opencodelike_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

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
	dialecttest.Check(t, "the prompt itself does not fail", p.thrown(1), "")
	dialecttest.Check(t, "its request fails", p.thrown(2), "no prompts")
	dialecttest.Check(t, "that for its title does not", p.thrown(3), "")
	dialecttest.Check(t, "that of the next prompt does not", p.thrown(4), "")
	dialecttest.Check(t, "its own fails again", p.thrown(5), "no prompts")
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
	p.became(t, "a changed input", 3, `{"args":{"command":"echo safe","__proto__x":1}}`)
	p.became(t, "context behind a result", 4, `{"title":"ls","output":"a\n\n\nlooks odd","metadata":{"exit":0}}`)
	p.became(t, "context of the session's start", 5, `{"system":["You are an agent","rules of the house"]}`)
	p.became(t, "the same with the next request", 6, `{"system":["You are an agent","rules of the house"]}`)
	p.became(t, "a request for a title has none", 7, `{"system":["You are a title generator."]}`)
	p.became(t, "context of a compaction", 8, `{"context":["a","keep this"]}`)
	p.became(t, "variables of the session", 9, `{"env":{"B":"1","A":"x","N":"3"}}`)
	p.became(t, "another session has none", 10, `{"env":{}}`)
	p.became(t, "context behind a result in parts", 11, `{"content":[{"type":"text","text":"a"},{"type":"text","text":"looks odd"}]}`)
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
	p.became(t, "a text", 2, `{"title":"t","output":"gone\n\nand more","metadata":{"output":"gone","exit":0}}`)
	p.became(t, "parts", 3, `{"content":[{"type":"text","text":"gone"},{"type":"text","text":"and more"}]}`)
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
