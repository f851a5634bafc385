package internal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A stage is a world with a clock that the test sets.
type stage struct {
	*behaviour.Runtime
	now time.Time
}

func newStage(t *testing.T) *stage {
	s := &stage{now: time.Date(2026, 2, 17, 12, 0, 0, 0, time.UTC)}
	dir := t.TempDir()
	s.Runtime = &behaviour.Runtime{
		Session:    func(id string) string { return filepath.Join(dir, id) },
		Now:        func() time.Time { return s.now },
		Random:     func() uint64 { return 7 },
		Settings:   func(string, string) map[string]any { return map[string]any{"size": int64(3)} },
		Program:    func() string { return "agents-hooks" },
		TextBudget: behaviour.DefaultTextBudget,
	}
	return s
}

func (s *stage) run(h *behaviour.Hook, env []string, stdin string) (exit int, stdout, stderr string) {
	b := &behaviour.Behaviour{Name: "test", Settings: func() []setting.Setting {
		return []setting.Setting{{Key: "size", Kind: setting.Int, Min: 1, Max: 9, Default: "1", Env: "SIZE"}}
	}}
	var out, errs bytes.Buffer
	exit = behaviour.Main(b, h, s.Runtime)(context.Background(), env, []byte(stdin), &out, &errs)
	return exit, out.String(), errs.String()
}

const event = `{"event_type": "pre-agent-turn", "timestamp": "T", "session_id": "s", "work_dir": "/w", "context": {"can": ["context"]}, "prompt": "p"}`

func hook(f func(*behaviour.Call) error) *behaviour.Hook {
	return &behaviour.Hook{Name: "test-hook", Trigger: protocol.PreAgentTurn, Timeout: time.Second, Run: f}
}

// Exit codes and streams of a process. The answer is the format's.
func TestAHookKeepsTheContractOfAProcess(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		run      func(*behaviour.Call) error
		exit     int
		out, err string
	}{
		{"nothing to say", func(*behaviour.Call) error { return nil }, 0, "", ""},
		{"all members", func(c *behaviour.Call) error {
			c.Answer = protocol.Outcome{AdditionalContext: "a", UserMessage: "u", FollowupMessage: "f", Reason: "r", Env: protocol.Object{{Name: "X", Value: protocol.Raw(`"1"`)}}}
			return nil
		}, 0, `{"reason": "r", "additional_context": "a", "user_message": "u", "followup_message": "f", "env": {"X": "1"}}` + "\n", ""},
		{"block", func(c *behaviour.Call) error {
			c.Answer = protocol.Outcome{Decision: protocol.Block, Reason: "no"}
			return nil
		}, 2, "", "no"},
		{"an error", func(*behaviour.Call) error { return errors.New(`disk "full"`) }, 0, `{"log": {"error": "disk \"full\""}}` + "\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			exit, out, errs := newStage(t).run(hook(c.run), nil, event)
			if exit != c.exit || out != c.out || errs != c.err {
				t.Errorf("exit %d, %q, %q", exit, out, errs)
			}
		})
	}
}

// What cannot be read ends in exit 0 and silence.
func TestBadInputIsNoFailure(t *testing.T) {
	t.Parallel()
	for _, stdin := range []string{"", " ", "{}", "null", "[]", "{", "garbage", "\x00\xff", `{"event_type": 7}`, strings.Repeat("[", 100000)} {
		t.Run(fmt.Sprintf("%.80q", stdin), func(t *testing.T) {
			exit, out, errs := newStage(t).run(hook(func(*behaviour.Call) error { t.Errorf("ran on %.20q", stdin); return nil }), nil, stdin)
			if exit != 0 || out != "" || errs != "" {
				t.Errorf("%.20q: exit %d, %q, %q", stdin, exit, out, errs)
			}
		})
	}
}

// The context ends before the hook's own limit and before that of the
// caller.
func TestAHookHasTimeToAnswer(t *testing.T) {
	t.Parallel()
	h := hook(func(c *behaviour.Call) error {
		last, ok := c.Ctx.Deadline()
		if left := time.Until(last); !ok || left > 900*time.Millisecond {
			t.Errorf("%v left, %v", left, ok)
		}
		return nil
	})
	newStage(t).run(h, nil, event)
	h.Timeout = time.Hour
	h.Run = func(c *behaviour.Call) error {
		if last, _ := c.Ctx.Deadline(); time.Until(last) > 54*time.Minute || time.Until(last) < 30*time.Minute {
			t.Errorf("%v left of an hour", time.Until(last))
		}
		return nil
	}
	newStage(t).run(h, nil, event)
	h.Run = func(c *behaviour.Call) error {
		if last, _ := c.Ctx.Deadline(); time.Until(last) > 90*time.Millisecond {
			t.Errorf("%v left of 100 ms", time.Until(last))
		}
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	b := &behaviour.Behaviour{Settings: func() []setting.Setting { return nil }}
	behaviour.Main(b, h, newStage(t).Runtime)(ctx, nil, []byte(event), io.Discard, io.Discard)
}

// Where nothing says what the agent can carry, it is what the format lets an event carry.
func TestWhatAnEventCarriesOfItself(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		event               protocol.EventType
		context, goOn, more bool
	}{
		{protocol.PreAgentTurn, true, false, true},
		{protocol.PreToolCall, true, false, true},
		{protocol.PostSession, false, false, true},
		{protocol.PreContextCompact, false, false, true},
		{protocol.PreAgentTurnStop, false, true, true},
		{protocol.PostSubagent, true, true, true},
	} {
		t.Run(string(c.event), func(t *testing.T) {
			h := hook(func(call *behaviour.Call) error {
				if call.Can("context") != c.context || call.Can("continue") != c.goOn || call.Can("message") != c.more {
					t.Errorf("context %v, continue %v, message %v", call.Can("context"), call.Can("continue"), call.Can("message"))
				}
				return nil
			})
			newStage(t).run(h, nil, `{"event_type": "`+string(c.event)+`", "session_id": "s", "work_dir": "/w"}`)
		})
	}
}

// What is not opened since it leads out of the project is told the user once a session, and stands in
// the log each time.
func TestWhatIsNotOpenedIsToldOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "out")); err != nil {
		t.Skip(err)
	}
	s := newStage(t)
	for i, c := range []struct {
		session string
		told    bool
	}{{"s", true}, {"s", false}, {"other", true}, {"other", false}} {
		h := hook(func(c *behaviour.Call) error {
			_, err := c.Below(dir).Read(filepath.Join(dir, "out", "page.md"), 0)
			if err == nil {
				t.Error("it was read")
			}
			return nil
		})
		_, out, _ := s.run(h, nil, strings.Replace(event, `"session_id": "s"`, `"session_id": "`+c.session+`", "turn": "`+fmt.Sprint(i)+`"`, 1))
		if strings.Contains(out, "not opened: ") != c.told || !strings.Contains(out, `"refused"`) {
			t.Errorf("call %d: %s", i, out)
		}
	}
}

// Whole lines, at most so many characters, and how to get the rest; a
// closing tag stays.
func TestTextsAreCutToWhatTheAgentTakes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		room int
		want string
	}{
		{"a\nb", 3, "a\nb"},
		{"记住\n两行\n三行吗", 8, "记住\n… mm"},
		{"<x>\nline one\nline two\nline three\n</x>", 31, "<x>\nline one\nline two\n… mm\n</x>"},
		{"<x>\nline one\nline two\n</x>", 12, ""},
		{"one long line", 5, ""},
		{"", 0, ""},
	} {
		t.Run(fmt.Sprintf("%q", c.text), func(t *testing.T) {
			got := behaviour.Cut(c.text, c.room, "mm")
			if got != c.want || utf8.RuneCountInString(got) > c.room {
				t.Errorf("%q in %d: %q (%d), want %q", c.text, c.room, got, utf8.RuneCountInString(got), c.want)
			}
		})
	}
}

// The hooks of one event share the room, in the order of priority:
// the last is shortened first.
func TestBehavioursShareTheRoomForText(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.TextBudget = 20
	first := hook(func(c *behaviour.Call) error { c.Say("0123456789\nabcdef", "x"); return nil })
	second := hook(func(c *behaviour.Call) error { c.Say("0123456789\nabcdef", "x"); return nil })
	second.Name = "test-second"
	if _, out, _ := s.run(first, nil, event); !strings.Contains(out, "abcdef") {
		t.Errorf("%q", out)
	}
	if _, out, _ := s.run(second, nil, event); out != "" {
		t.Errorf("%q", out)
	}
}

// Environment over hooks.toml over default; the clock is given.
func TestSettingsAndClockAreGiven(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	size := 0
	h := hook(func(c *behaviour.Call) error {
		size = c.Settings.Of("size").Int
		if c.Now != s.now {
			t.Errorf("%v", c.Now)
		}
		return nil
	})
	for _, c := range []struct {
		name, env string
		want      int
	}{
		{"the default", "", 3},
		{"by the environment", "SIZE=5", 5},
		{"beyond what it may be", "SIZE=99", 3},
		{"not a number", "SIZE=x", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.now = s.now.Add(time.Minute)
			if s.run(h, []string{c.env}, event); size != c.want {
				t.Errorf("%q: %d, want %d", c.env, size, c.want)
			}
		})
	}
}

// The same event within two seconds is handled once; the time stamp and
// what the dispatcher adds do not make it another one.
func TestARepeatedEventGetsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ran := 0
	h := hook(func(c *behaviour.Call) error { ran++; c.Answer.UserMessage = "once"; return nil })
	for _, stdin := range []string{event, strings.ReplaceAll(strings.Replace(event, `"T"`, `"T2"`, 1), `["context"]`, `[]`)} {
		if _, out, _ := s.run(h, nil, stdin); !strings.Contains(out, "once") {
			t.Errorf("%q", out)
		}
		s.now = s.now.Add(time.Second)
	}
	if ran != 1 {
		t.Errorf("ran %d times", ran)
	}
	s.run(h, nil, strings.Replace(event, `"p"`, `"another"`, 1))
	s.now = s.now.Add(3 * time.Second)
	s.run(h, nil, event)
	if ran != 3 {
		t.Errorf("ran %d times, want 3", ran)
	}
	h.Run = func(*behaviour.Call) error { ran++; return errors.New("x") }
	s.now = s.now.Add(time.Hour)
	if _, out, _ := s.run(h, nil, event); !strings.Contains(out, "error") {
		t.Errorf("%q", out)
	}
}

// Stop_active always wins.
func TestNoFollowupWhileAStopIsActive(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	may := false
	h := hook(func(c *behaviour.Call) error { may = c.MayContinue(); return nil })
	h.Trigger = protocol.PreAgentTurnStop
	for name, c := range map[string]struct {
		rest string
		want bool
	}{
		"an agent that can go on":              {`, "context": {"can": ["continue"]}`, true},
		"one that goes on already":             {`, "context": {"can": ["continue"]}, "stop_active": true`, false},
		"one that can only show a message":     {`, "context": {"can": ["message"]}, "stop_active": false`, false},
		"one that does not say what it can do": {``, true},
		"one that can do nothing":              {`, "context": {"can": []}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if s.run(h, nil, `{"event_type": "pre-agent-turn-stop"`+c.rest+`}`); may != c.want {
				t.Error(may)
			}
		})
	}
}
