package spec_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
)

func decodeText(t *testing.T, payload string, env map[string]string) ([]*protocol.Event, error) {
	t.Helper()
	return spec.Dialect.Decode(protocol.Input{
		Payload: dialecttest.Object(t, payload), Env: func(n string) string { return env[n] },
		Now: time.Date(2026, 11, 21, 4, 5, 6, 0, time.UTC),
	})
}

// What went in comes out: the format is spoken on both sides.
func TestSameOutAsIn(t *testing.T) {
	for _, in := range []string{
		`{"event_type": "pre-tool-call", "timestamp": "t", "session_id": "s", "work_dir": "/p", "context": {"agent": "x", "native": {"a": 1.0}}, "tool_name": "Shell", "tool_input": {"command": "ls"}, "tool_use_id": "u"}`,
		`{"event_type": "post-session", "timestamp": "2026-01-01T00:00:00+02:00", "session_id": "", "work_dir": "/p", "context": {}, "exit_reason": "error", "novel": [null, 1e5], "tool_name": 5}`,
		`{"event_type": "pre-tool-call", "timestamp": "t", "session_id": "s", "work_dir": "/p", "context": {"can": ["block"]}, "tool_name": "Odd", "tool_input": ["no", "object"], "tool_use_id": 7}`,
	} {
		t.Run(in, func(t *testing.T) {
			in = strings.Replace(in, `"session_id": ""`, `"session_id": "x"`, 1)
			events, err := decodeText(t, in, nil)
			if err != nil || len(events) != 1 {
				t.Fatalf("%s: %v, %v", in, events, err)
			}
			if got := string(events[0].JSON()); got != in+"\n" {
				t.Errorf("in  %s\nout %s", in, got)
			}
		})
	}
}

// drive begins an absolute path.
var drive = map[bool]string{true: "C:"}[runtime.GOOS == "windows"]

// What a runner left out, or sent with the wrong type, is filled in; base fields are
// in the format's order.
func TestTolerance(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"event_type": "pre-session"}`,
			`{"event_type": "pre-session", "timestamp": "2026-11-21T04:05:06.000Z", "session_id": "", "work_dir": "` + drive + `/from/pwd", "context": {}}`},
		{`{"x": 1, "work_dir": null, "context": "none", "session_id": 5, "timestamp": {}, "event_type": "pre-session"}`,
			`{"event_type": "pre-session", "timestamp": "2026-11-21T04:05:06.000Z", "session_id": "", "work_dir": "` + drive + `/from/pwd", "context": {}, "x": 1}`},
		{`{"event_type": "pre-session", "work_dir": "/given"}`,
			`{"event_type": "pre-session", "timestamp": "2026-11-21T04:05:06.000Z", "session_id": "", "work_dir": "/given", "context": {}}`},
	} {
		t.Run(fmt.Sprintf("%.80s", c.in), func(t *testing.T) {
			events, err := decodeText(t, c.in, map[string]string{"PWD": drive + "/from/pwd"})
			if err != nil || len(events) != 1 {
				t.Fatalf("%s: %v, %v", c.in, events, err)
			}
			if got := strings.TrimSpace(string(events[0].JSON())); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
			}
		})
	}
	events, _ := decodeText(t, `{"event_type": "pre-session"}`, map[string]string{"PWD": "relative"})
	if events[0].WorkDir != "" {
		t.Errorf("work_dir %q from a relative PWD", events[0].WorkDir)
	}
}

// A missing event_type is an error; an unknown one is no event.
func TestEventType(t *testing.T) {
	for _, in := range []string{`{}`, `{"event_type": null}`, `{"event_type": 5}`, `{"event_type": ["pre-session"]}`, `{"hook_event_name": "Stop"}`} {
		t.Run(fmt.Sprintf("%q", in), func(t *testing.T) {
			if events, err := decodeText(t, in, nil); err == nil || len(events) != 0 {
				t.Errorf("%s: %v, %v", in, events, err)
			}
		})
	}
	for _, in := range []string{`{"event_type": ""}`, `{"event_type": "before_tool"}`, `{"event_type": "pre-world-end"}`, `{"event_type": "Pre-Session"}`} {
		t.Run(in, func(t *testing.T) {
			if events, err := decodeText(t, in, nil); err != nil || len(events) != 0 {
				t.Errorf("%s: %v, %v", in, events, err)
			}
		})
	}
}

func TestCan(t *testing.T) {
	for in, want := range map[string]protocol.Can{
		`{}`:                                  protocol.CanAll,
		`{"can": null}`:                       protocol.CanAll,
		`{"can": "block"}`:                    protocol.CanAll,
		`{"can": []}`:                         0,
		`{"can": ["block", "fly", 5, "ask"]}`: protocol.CanBlock | protocol.CanAsk,
	} {
		t.Run(fmt.Sprintf("%q", in), func(t *testing.T) {
			events, err := decodeText(t, `{"event_type": "pre-tool-call", "context": `+in+`}`, nil)
			if err != nil || events[0].Can != want {
				t.Errorf("%s: %v, %v, want %s", in, events[0].Can, err, want)
			}
		})
	}
}

// A nested dispatcher knows the agent's name of the tool too.
func TestCall(t *testing.T) {
	events, err := decodeText(t, `{"event_type": "pre-tool-call", "context": {"agent": "gemini-cli", "native": {"tool_name": "run_shell_command"}}, "tool_name": "Shell", "tool_input": {"command": "ls"}, "tool_use_id": "u"}`, nil)
	must.Do(t, err)
	ev := events[0]
	if got := strings.Join(ev.Call.Names(), " "); got != "Shell run_shell_command" || ev.Call.ID != "u" || ev.Agent != "gemini-cli" {
		t.Errorf("names %q, id %q, agent %q", got, ev.Call.ID, ev.Agent)
	}
	ev.SetInput(dialecttest.Object(t, `{"command": "echo"}`))
	if !strings.Contains(string(ev.JSON()), `"tool_input": {"command": "echo"}`) {
		t.Errorf("after a change: %s", ev.JSON())
	}
}

// The answer is a hook's.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		o              protocol.Outcome
		exit           int
		stdout, stderr string
	}{
		{protocol.Outcome{}, 0, "", ""},
		{protocol.Outcome{Decision: protocol.Allow}, 0, `{"decision": "allow"}` + "\n", ""},
		{protocol.Outcome{Decision: protocol.Ask, Reason: "sure?"}, 0, `{"decision": "ask", "reason": "sure?"}` + "\n", ""},
		{protocol.Outcome{Decision: protocol.Block, Reason: "no <way>\nreally\n\n", UserMessage: "m"}, 2, "", "no <way>\nreally\n"},
		{protocol.Outcome{Decision: protocol.Block, Reason: " "}, 2, "", "blocked by a hook, which gave no reason\n"},
		{protocol.Outcome{AdditionalContext: "c", Env: dialecttest.Object(t, `{"A": "1"}`), Extra: dialecttest.Object(t, `{"mine": [1.0]}`)}, 0,
			`{"additional_context": "c", "env": {"A": "1"}, "mine": [1.0]}` + "\n", ""},
		{protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"b": 1e3, "a": null}`)}, 0, `{"modified_input": {"b": 1e3, "a": null}}` + "\n", ""},
	} {
		t.Run(fmt.Sprintf("stdout %q, stderr %q", c.stdout, c.stderr), func(t *testing.T) {
			ev := &protocol.Event{Type: protocol.PreToolCall, Can: protocol.CanAll}
			o, losses := spec.Dialect.Fit(ev, c.o, protocol.Policy{})
			r := spec.Dialect.Encode(ev, o)
			if r.Exit != c.exit || string(r.Stdout) != c.stdout || string(r.Stderr) != c.stderr || losses != nil {
				t.Errorf("%+v: exit %d, stdout %q, stderr %q", c.o, r.Exit, r.Stdout, r.Stderr)
			}
			if _, err := protocol.ParseAnswer(r.Stdout); err != nil {
				t.Errorf("%+v: no hook may print %s: %v", c.o, r.Stdout, err)
			}
		})
	}
	if r := spec.Dialect.NoOpinion("x"); r.Exit != 0 || len(r.Stdout) != 0 || len(r.Stderr) != 0 {
		t.Errorf("no opinion is %+v", r)
	}
}
