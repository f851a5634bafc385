package hooks

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What an agent says last in a run without a person is the run's result: it is not
// made to go on, whatever the mode. Where it does not tell, only a mode that asks
// whatever was done is the person's word for it.
// BM-SAV-13, BM-SAV-14, BM-FBK-02.
func TestHeadlessResultIsNotReplaced(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode            string
		headless, known bool
		asked           bool
	}{
		{"smart", false, true, true}, {"smart", true, true, false}, {"smart", false, false, false},
		{"fallback", true, true, false}, {"fallback", false, false, false}, {"fallback", false, true, true},
		{"once", true, true, false}, {"once", false, false, true}, {"always", true, true, false}, {"always", false, false, true},
	} {
		t.Run(fmt.Sprintf("%s, headless %v, known %v", c.mode, c.headless, c.known), func(t *testing.T) {
			s := newScene(t)
			s.settings["save_mode"] = c.mode
			s.world.Headless = func() (bool, bool) { return c.headless, c.known }
			s.write("a.go")
			s.event("memory-flush", "nothing") // something waits to be said
			if a := s.event("memory-session-save", "continue"); (a.FollowupMessage != "") != c.asked {
				t.Errorf("%+v: %q", c, a.FollowupMessage)
			}
			if err := Work(s.call(), memory.End{Session: "conv-123", Reason: "other"}, nil); err != nil {
				t.Error(err)
			}
			if b, _ := os.ReadFile(filepath.Join(s.place().Dir, "local", "sessions.jsonl")); !strings.Contains(string(b), "changed: a.go") {
				t.Errorf("%+v: nothing is kept of it: %s", c, b)
			}
		})
	}
}

// call is a call as the worker of a session that is over has it.
func (s *scene) call() *behaviour.Call { return s.callOf("conv-123") }

func (s *scene) callOf(session string) *behaviour.Call {
	b := Behaviour()
	ev := protocol.Object{{Name: "event_type", Value: protocol.Raw(`"post-session"`)}, {Name: "session_id", Value: protocol.Quote(session)}}
	return behaviour.NewCall(context.Background(), &b, s.world, []string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}, ev)
}

// When the agent is asked for a summary.
// BM-SAV-01, BM-SAV-07, BM-SAV-08, BM-SAV-09, BM-SAV-10, BM-SAV-11.
func TestWhenASummaryIsAskedFor(t *testing.T) {
	t.Parallel()
	type session struct {
		turns, writes, facts int
		saved                bool
	}
	for _, c := range []struct {
		name string
		set  map[string]any
		was  session
		stop []string
		want []bool // of stops, one after another
	}{
		{"smart: a write", nil, session{turns: 1, writes: 1}, nil, []bool{true, false}},
		{"smart: three turns", nil, session{turns: 3}, nil, []bool{true, false}},
		{"smart: two turns, no write", nil, session{turns: 2}, nil, []bool{false}},
		{"smart: saved already", nil, session{turns: 3, writes: 2, saved: true}, nil, []bool{false}},
		{"smart: aborted", nil, session{turns: 3}, []string{"status", `"aborted"`}, []bool{false}},
		{"smart: error", nil, session{turns: 3}, []string{"status", `"error"`}, []bool{false}},
		{"smart: completed", nil, session{turns: 3}, []string{"status", `"completed"`}, []bool{true}},
		{"save_on_aborted", map[string]any{"save_on_aborted": true}, session{turns: 3}, []string{"status", `"aborted"`}, []bool{true}},
		{"stop_active", nil, session{turns: 3}, []string{"stop_active", "true"}, []bool{false}},
		{"always", map[string]any{"save_mode": "always"}, session{}, nil, []bool{true, true}},
		{"always, but saved", map[string]any{"save_mode": "always"}, session{saved: true}, nil, []bool{false}},
		{"once", map[string]any{"save_mode": "once"}, session{}, nil, []bool{true, false}},
		{"fallback", map[string]any{"save_mode": "fallback"}, session{turns: 3}, nil, []bool{true, false}},
		{"fallback: a fact is enough", map[string]any{"save_mode": "fallback"}, session{turns: 3, facts: 1}, nil, []bool{false}},
		{"fallback: nothing done", map[string]any{"save_mode": "fallback"}, session{turns: 2}, nil, []bool{false}},
		{"off", map[string]any{"save_mode": "off"}, session{turns: 30, writes: 3}, nil, []bool{false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			maps.Copy(s.settings, c.set)
			for range c.was.turns {
				s.prompt("p")
			}
			for i := range c.was.writes {
				s.write("f" + strconv.Itoa(i))
			}
			err := s.place().UpdateState("conv-123", s.now, func(o *protocol.Object) {
				o.Set("fact_count", protocol.Raw(strconv.Itoa(c.was.facts)))
				o.Set("summary_saved", protocol.Raw(strconv.FormatBool(c.was.saved)))
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range c.want {
				a := s.event("memory-session-save", "continue", c.stop...)
				if asked := a.FollowupMessage != ""; asked != want {
					t.Errorf("stop %d: asked %v, want %v", i+1, asked, want)
				}
			}
		})
	}
	t.Run("smart: again after ten turns", func(t *testing.T) {
		s := newScene(t)
		var asked []int
		for turn := 1; turn <= 25; turn++ {
			s.prompt("p")
			if s.event("memory-session-save", "continue").FollowupMessage != "" {
				asked = append(asked, turn)
			}
		}
		if !slices.Equal(asked, []int{3, 13, 23}) {
			t.Errorf("asked after turns %v", asked)
		}
	})
	t.Run("no channel", func(t *testing.T) {
		s := newScene(t)
		s.write("a")
		if a := s.event("memory-session-save", "message context"); !a.Empty() {
			t.Errorf("%+v", a)
		}
	})
}

// What the request holds, in both languages.
// BM-ASK-12, BM-SAV-12.
func TestASummaryIsAskedForInWords(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][]string{
		"en": {"[Session Save]", ".agents/memory-data", "topic", "one sentence", "100 to 200", "decisions", "todos", "/opt/agents-hooks memory summary --topic", "--summary", `--decisions "one sentence" --decisions`, "--todos", "--session conv-123", "memory save --content", "do nothing", "silent"},
		"zh": {"[Session Save]", ".agents/memory-data", "主题", "一句话", "100 到 200", "决定", "待办", "/opt/agents-hooks memory summary --topic", "--summary", `--decisions "一句话" --decisions`, "--todos", "--session conv-123", "memory save --content", "什么都不做", "安静"},
	} {
		t.Run(lang, func(t *testing.T) {
			s := newScene(t)
			s.settings["language"] = lang
			s.write("a")
			text := s.event("memory-session-save", "continue").FollowupMessage
			wants(t, text, want...)
			// With facts saved, they are not asked for again.
			s = newScene(t)
			s.settings["language"] = lang
			s.write("a")
			must.Do(t, s.place().UpdateState("conv-123", s.now, func(o *protocol.Object) { o.Set("fact_count", protocol.Raw("2")) }))
			if text := s.event("memory-session-save", "continue").FollowupMessage; strings.Contains(text, "memory save") || !strings.Contains(text, "memory summary") {
				t.Errorf("%s", text)
			}
		})
	}
}

// An agent that only plans is not asked to run a command: it is at the next stop at which it may,
// whatever was decided before. BM-SAV-17.
func TestAPlanningAgentIsAskedLater(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	stop := func(mode, said string) string {
		return s.event("memory-session-save", "continue", "permission_mode", strconv.Quote(mode), "final_message", `{"role": "assistant", "content": `+strconv.Quote(said)+`}`).FollowupMessage
	}
	s.prompt("plan the move")
	if got := stop("plan", "We decided to move the queue to Redis."); got != "" {
		t.Errorf("asked while it plans: %s", got)
	}
	if got := s.event("memory-nudge", "context", "tool_name", `"ReadFile"`, "usage_percent", "85", "permission_mode", `"plan"`); !got.Empty() {
		t.Errorf("asked while it plans: %+v", got)
	}
	wants(t, stop("acceptEdits", "Moved."), "[Session Save]")
	wants(t, s.event("memory-nudge", "context", "tool_name", `"ReadFile"`, "usage_percent", "85").AdditionalContext, "[Memory Flush]")
}

// Where nothing can be written, the user is told so once a session, with the reason, the agent is
// not asked to save anything, and it is when that works again. BM-STO-19.
func TestWhatCannotBeKeptIsToldAndNotAskedFor(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "zh"} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.settings["language"] = lang
			folder := s.place().Dir
			must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(folder), 0o755), os.WriteFile(folder, nil, 0o600)))
			// What cannot be written is in the log too, and fails the scene's own check there.
			b := Behaviour()
			load := s.callOf("conv-123")
			load.Event.SetText("event_type", string(b.Hooks[0].Trigger))
			if err := b.Hooks[0].Run(load); err == nil {
				t.Error("nothing is logged")
			}
			if got := load.Answer.UserMessage; !strings.Contains(got, ".agents/memory-data") || !strings.Contains(got, "memory doctor") {
				t.Errorf("told: %q", got)
			}
			s.prompt("add a cache")
			s.write("cache.go")
			if a := s.event("memory-session-save", "continue message"); !a.Empty() {
				t.Errorf("asked, or told again: %+v", a)
			}
			must.Do(t, os.Remove(folder))
			if a := s.event("memory-session-save", "continue message"); !strings.Contains(a.FollowupMessage, "[Session Save]") || a.UserMessage != "" {
				t.Errorf("it can be kept now: %+v", a)
			}
			// It becomes so in the middle of a session.
			s = newScene(t)
			s.event("memory-load", "context message", "source", `"startup"`)
			s.prompt("add a cache")
			s.write("cache.go")
			must.Do(t, errors.Join(os.RemoveAll(folder), os.RemoveAll(s.place().Dir), os.WriteFile(s.place().Dir, nil, 0o600)))
			if a := s.event("memory-session-save", "continue message"); a.UserMessage == "" || a.FollowupMessage != "" {
				t.Errorf("%+v", a)
			}
		})
	}
}
