package pi

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/jsplugin/stage"
)

// The extension starts a real process for each frame.
func TestMain(m *testing.M) { stage.Main(m) }

// A theatre is the extension, ready to be called.
type theatre struct{ *stage.Stage }

func newStage(t *testing.T) theatre { return theatre{stage.New(t, id, natives)} }

// A played is the result of the steps.
type played struct {
	Results []struct {
		Event  json.RawMessage
		Result json.RawMessage
		Thrown *string
		Now    int // the number of requests made before the handler returned
		Env    string
	}
	Asked []struct {
		Told, Kind, Question, Sent, DeliverAs string
		Display, TriggerTurn                  bool
	}
	Events []string
	Exit   int // by the program itself, if nothing else goes wrong
	frames []protocol.Object
}

func (s theatre) play(steps ...string) played {
	s.T.Helper()
	var p played
	p.frames = s.Play(config.Text(), &p, steps...)
	for i, r := range p.Results {
		if r.Thrown != nil {
			s.T.Errorf("step %d throws %s", i, *r.Thrown)
		}
	}
	return p
}

// hooks names the hooks of the frames, in order.
func (p played) hooks() string {
	var names []string
	for _, f := range p.frames {
		names = append(names, f.Text("hook"))
	}
	return strings.Join(names, " ")
}

func (p played) result(i int) string { return string(p.Results[i].Result) }

func (p played) told() string {
	var all []string
	for _, a := range p.Asked {
		if a.Told != "" {
			all = append(all, a.Told)
		}
	}
	return strings.Join(all, "|")
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

const (
	began    = `{"type": "session_start", "reason": "startup"}`
	typed    = `{"type": "input", "text": "hi", "source": "interactive"}`
	sets     = `{"type": "before_agent_start", "prompt": "hi"}`
	calling  = `{"type": "tool_call", "toolName": "bash", "toolCallId": "call_1", "input": {"command": "ls", "gone": 1}}`
	resulted = `{"type": "tool_result", "toolName": "bash", "toolCallId": "call_1", "input": {"command": "ls"}, "content": [{"type": "text", "text": "a\n"}], "isError": false}`
	said     = `{"type": "message_end", "message": {"role": "assistant", "stopReason": "stop", "content": [{"type": "text", "text": "done"}], "usage": {"input": 7, "cacheRead": 2, "output": 3}}}`
	saidCall = `{"type": "message_end", "message": {"role": "assistant", "stopReason": "toolUse", "content": [{"type": "toolCall"}]}}`
	ended    = `{"type": "agent_end", "messages": [{"role": "user"}, {"role": "assistant", "stopReason": "stop", "content": [{"type": "text", "text": "done"}]}]}`
	erred    = `{"type": "agent_end", "messages": [{"role": "assistant", "stopReason": "error", "errorMessage": "no key", "content": []}]}`
	compacts = `{"type": "session_before_compact", "branchEntries": ["much"], "preparation": {"tokensBefore": 190000, "settings": {"reserveTokens": 16384}, "messagesToSummarize": [{"role": "user"}], "turnPrefixMessages": []}}`
	shuts    = `{"type": "session_shutdown", "reason": "quit"}`
)

// Each event that concerns us becomes one frame, and a hook that says nothing
// changes nothing.
func TestExtensionNoOpinion(t *testing.T) {
	s := newStage(t)
	p := s.play(began, typed, sets, calling, resulted, saidCall, said, ended, compacts, `{"type": "session_compact", "compactionEntry": {"summary": "s"}, "fromExtension": false}`, shuts)
	want(t, "frames", p.hooks(), "session_start input tool_call tool_result agent_end session_before_compact session_compact session_shutdown")
	for i := range p.Results {
		want(t, "result", p.result(i), "")
	}
	if len(p.Asked) > 0 {
		t.Errorf("it asks for %+v", p.Asked)
	}
	f := p.frames[5]
	want(t, "the frame of a compaction", f.Sub("event").Text("type")+" "+f.Sub("state").Text("trigger"), "session_before_compact auto")
	if f.Sub("event").Has("branchEntries") || f.Sub("event").Sub("preparation").Has("messagesToSummarize") {
		t.Error("a compaction is told with all that was said")
	}
	for _, f := range p.frames {
		want(t, "the base of a frame", f.Text("agent")+" "+f.Text("session_id")+" "+f.Text("cwd")+" "+f.Text("session_file"), "pi s-1 /p /h/s-1.jsonl")
	}
	want(t, "usage at the stop", string(p.frames[4].Sub("state").Get("usage")), `{"context_tokens":12,"context_window":200000,"input_tokens":9,"output_tokens":3}`)
}

func TestExtensionBlocks(t *testing.T) {
	for _, ui := range []bool{true, false} {
		t.Run(fmt.Sprintf("a person is there: %v", ui), func(t *testing.T) {
			s := newStage(t)
			s.Drive["hasUI"] = ui
			for _, hook := range []string{"input", "tool_call", "session_before_compact"} {
				s.Says(hook, `{"block": "no `+hook+`", "message": "look"}`)
			}
			p := s.play(began, typed, calling, compacts)
			want(t, "a prompt", p.result(1), `{"action":"handled"}`)
			want(t, "a call", p.result(2), `{"block":true,"reason":"no tool_call"}`)
			want(t, "a compaction", p.result(3), `{"cancel":true}`)
			if failed := p.Exit == 1; failed == ui {
				t.Errorf("pi/8: with a person %v, it ends with %d", ui, p.Exit)
			}
			if ui {
				want(t, "the person", p.told(), "no input\n\nlook|look|no session_before_compact\n\nlook")
			}
		})
	}
}

// An ask is put to the user, and is a block if there is none (pi/2).
func TestExtensionAsks(t *testing.T) {
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	for _, c := range []struct {
		ui, yes bool
		want    string
	}{
		{true, true, ""},
		{true, false, `{"block":true,"reason":"sure?\nThe person was asked, and said no."}`},
		{false, true, `{"block":true,"reason":"sure?"}`},
	} {
		t.Run(fmt.Sprintf("ui %v, yes %v", c.ui, c.yes), func(t *testing.T) {
			s := newStage(t)
			s.Drive["hasUI"], s.Drive["confirm"] = c.ui, c.yes
			s.Says("tool_call", `{"ask": "sure?", "args": {"command": "ls -l"}}`)
			p := s.play(calling)
			want(t, "asked", p.result(0), c.want)
			if changed := strings.Contains(string(p.Results[0].Event), "ls -l"); changed != (c.ui && c.yes) {
				t.Errorf("%+v: the input was changed: %v", c, changed)
			}
		})
	}
}

func TestExtensionChanges(t *testing.T) {
	s := newStage(t)
	s.Says("session_start", `{"context": "at the start", "env": {"FROM_A_HOOK": "x"}}`)
	s.Says("input", `{"context": "at the prompt"}`)
	s.Says("tool_call", `{"args": {"command": "ls -l"}, "context": "before"}`)
	s.Says("tool_result", `{"output": "[redacted]", "context": "after"}`)
	s.Says("session_before_compact", `{"context": "keep"}`)
	p := s.play(began, typed, sets, sets, calling, resulted, compacts, shuts)
	want(t, "pi/9: beside the prompt, once", p.result(2)+p.result(3), `{"message":{"customType":"agents-hooks","content":"at the start\n\nat the prompt","display":false}}`)
	if e := string(p.Results[4].Event); !strings.Contains(e, `"input":{"command":"ls -l"}`) {
		t.Errorf("pi/4: the input is not replaced whole, in place: %s", e)
	}
	if len(p.Asked) != 1 || p.Asked[0].Sent != "before" || p.Asked[0].DeliverAs != "steer" || p.Asked[0].TriggerTurn {
		t.Errorf("context before a call: %+v", p.Asked)
	}
	want(t, "a result", p.result(5), `{"content":[{"type":"text","text":"[redacted]"},{"type":"text","text":"after"}]}`)
	if e := string(p.Results[6].Event); !strings.Contains(e, `{"role":"custom","customType":"agents-hooks","content":"keep"`) {
		t.Errorf("pi/15: the summary's messages lack the context: %s", e)
	}
	want(t, "variables of a session", p.Results[0].Env+p.Results[6].Env+"|"+p.Results[7].Env, "xx|")
}

// If a prompt comes during a turn, its context goes with the next request.
func TestExtensionContextWhileRunning(t *testing.T) {
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	s := newStage(t)
	s.Drive["busy"] = true
	s.Says("input", `{"context": "now"}`)
	p := s.play(began, typed)
	if len(p.Asked) != 1 || p.Asked[0].Sent != "now" || p.Asked[0].DeliverAs != "steer" {
		t.Errorf("%+v", p.Asked)
	}
}

// Without a user, the agent has the reason to continue before it checks whether there
// is more to do (pi/10); with one, nothing blocks.
func TestExtensionGoesOn(t *testing.T) {
	for _, ui := range []bool{false, true} {
		t.Run(fmt.Sprintf("a person is there: %v", ui), func(t *testing.T) {
			s := newStage(t)
			s.Drive["hasUI"] = ui
			s.Says("agent_end", `{"continue": "the tests are red"}`)
			p := s.play(began, typed, sets, said, ended)
			want(t, "a stop is told once", p.hooks(), "session_start input agent_end")
			if len(p.Asked) != 1 || p.Asked[0].Sent != "the tests are red" || p.Asked[0].DeliverAs != "followUp" || !p.Asked[0].TriggerTurn || !p.Asked[0].Display {
				t.Fatalf("ui %v: %+v", ui, p.Asked)
			}
			want(t, "said before control was given back", map[int]string{0: "later", 1: "at once"}[p.Results[3].Now], map[bool]string{true: "later", false: "at once"}[ui])
			second := newStage(t)
			second.Drive["hasUI"] = ui
			second.Says("agent_end", `{"continue": "more"}`)
			p = second.play(began, typed, said, ended, said, ended, typed, said, ended)
			var active []string
			for _, f := range p.frames {
				if f.Text("hook") == "agent_end" {
					active = append(active, string(f.Sub("state").Get("stop_active")))
				}
			}
			want(t, "stop_active", strings.Join(active, " "), "false true false")
		})
	}
}

// A compaction that follows at once is not disturbed: the agent continues after it.
func TestExtensionGoesOnAfterACompaction(t *testing.T) {
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	s := newStage(t)
	s.Drive["hasUI"] = true
	s.Says("agent_end", `{"continue": "more"}`)
	p := s.play(began, compacts, ended, `{"type": "session_compact"}`)
	want(t, "frames", p.hooks(), "session_start session_before_compact agent_end session_compact")
	if len(p.Asked) != 1 || p.Asked[0].Sent != "more" {
		t.Errorf("%+v", p.Asked)
	}
	s.Drive["stale"] = true
	s.play(began, ended) // nothing is thrown after the session is gone
}

func TestExtensionErrorEndsTurn(t *testing.T) {
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	s := newStage(t)
	p := s.play(began, typed, erred, `{"type": "session_before_compact", "preparation": {"tokensBefore": 5, "settings": {"reserveTokens": 1}}}`, erred)
	want(t, "pi/12: each attempt", p.hooks(), "session_start input agent_end session_before_compact agent_end")
	want(t, "pi/14: after an error", p.frames[3].Sub("state").Text("trigger"), "auto")
	p = newStage(t).play(began, `{"type": "session_before_compact", "preparation": {"tokensBefore": 5, "settings": {"reserveTokens": 1}}}`)
	want(t, "pi/14: with room left", p.frames[1].Sub("state").Text("trigger"), "manual")
}

func TestExtensionResume(t *testing.T) {
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	s := newStage(t)
	s.Drive["branch"] = []map[string]string{{"type": "model_change"}, {"type": "message"}}
	p := s.play(began)
	want(t, "pi/13", string(p.frames[0].Sub("state").Get("resumed")), "true")
	s = newStage(t)
	p = s.play(calling) // another program that embeds the agent and starts no session
	want(t, "a session that is never started", p.hooks(), "session_start tool_call")
}

// Installed both for the user and for the project, the extension is loaded twice: one
// of the two speaks, also after a reload, and anew for each session.
func TestExtensionTwice(t *testing.T) {
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	s := newStage(t)
	s.Drive["copies"] = 2
	s.Says("session_start", `{"env": {"FROM_A_HOOK": "x"}}`)
	p := s.play(began, typed, said, ended, `{"type": "session_shutdown", "reason": "reload"}`, `{"reload": true}`,
		`{"type": "session_start", "reason": "reload"}`, typed, shuts, `{"session": "s-2"}`, `{"type": "session_start", "reason": "new"}`, typed, shuts)
	want(t, "pi/16: frames", p.hooks(), "session_start input agent_end input session_shutdown session_start input session_shutdown")
	want(t, "variables over a reload, and after the end", p.Results[7].Env+"|"+p.Results[8].Env, "x|")
	want(t, "the second session", p.frames[5].Text("session_id")+" "+p.frames[5].Sub("event").Text("reason"), "s-2 new")
}

func TestExtensionRegistered(t *testing.T) {
	s := newStage(t)
	s.Limits = map[string]int{"tool_call": 60000}
	p := s.play(began, typed, calling, said, ended, shuts)
	want(t, "events that install did not register", p.hooks(), "tool_call")
}

// Whatever happens to the dispatcher, the agent continues as if no hook had said
// anything.
func TestExtensionFailsOpen(t *testing.T) {
	for name, spoil := range map[string]func(s theatre){
		"crash":         func(s theatre) { s.Says("tool_call", "crash"); s.Says("agent_end", "crash"); s.Says("input", "crash") },
		"exit 2":        func(s theatre) { s.Says("tool_call", "two"); s.Says("agent_end", "two"); s.Says("input", "two") },
		"nonsense":      func(s theatre) { s.Says("tool_call", "{"); s.Says("agent_end", "[1]"); s.Says("input", `{"block": 7}`) },
		"flood":         func(s theatre) { s.Says("tool_call", "flood"); s.Says("agent_end", "flood") },
		"missing":       func(s theatre) { s.Argv[0] = filepath.Join(s.Dir, "nothing") },
		"no program":    func(s theatre) { s.Argv[0] = s.Dir },
		"not installed": func(s theatre) { s.Argv = []string{} },
	} {
		if !slowtest.Among(name, "crash", "missing") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			spoil(s)
			p := s.play(began, typed, calling, resulted, said, ended, shuts)
			for i := range p.Results {
				want(t, "a result", p.result(i), "")
			}
			for _, a := range p.Asked {
				if a.Sent != "" {
					t.Errorf("it goes on with %q", a.Sent)
				}
			}
		})
	}
}

// A user who is present is told once that the guards are missing.
func TestExtensionWithoutItsProgram(t *testing.T) {
	s := newStage(t)
	s.Drive["hasUI"] = true
	s.Argv[0] = filepath.Join(s.Dir, "nothing")
	want(t, "told", s.play(began, typed, calling).told(), "its program is gone")
}

// What the user cancels is not waited for, and does not run.
func TestExtensionAborted(t *testing.T) {
	s := newStage(t)
	s.Says("tool_call", "hang")
	file := filepath.Join(s.Dir, "pid")
	p := s.play(began, strings.Replace(calling, `{`, `{"abortOnce": `+string(protocol.Quote(file))+`, `, 1))
	want(t, "a call", p.result(1), `{"block":true,"reason":"aborted"}`)
	pid := must.Read(t, file)
	stage.Gone(t, pid)
}

// A hanging dispatcher is ended when the event's time is over.
func TestExtensionHang(t *testing.T) {
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	for hook, after := range map[string]string{"tool_call": calling, "agent_end": said} {
		t.Run(hook, func(t *testing.T) {
			hung := false
			for _, limit := range []int{1500, 10_000, 100_000} { // until it has begun to hang
				s := newStage(t)
				s.Says(hook, "hang")
				s.Limits[hook] = limit
				p := s.play(began, typed, after)
				want(t, hook, p.result(2), "")
				if pid, err := os.ReadFile(filepath.Join(s.Dir, "pid")); err == nil {
					stage.Gone(t, string(pid))
					hung = true
					break
				}
			}
			if !hung {
				t.Errorf("%s: the dispatcher never began to hang", hook)
			}
		})
	}
}
