package hooks

import (
	"os"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Markers, elements, commands and placeholders of the request, in their order, in
// both languages.
// BM-ASK-12, BM-ASK-14.
func TestFlushText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang string
		want []string
	}{
		{"en", []string{"[Memory Flush]", "nearly full (85% used)", ".agents/memory-data", "decisions", "preferences", "milestones",
			"/opt/agents-hooks memory save --content", "--type W", "--entities", "--confidence 0.9", "--session conv-123", "W for", "B for", "O for", "--confidence", "--type S", "do nothing", "MEMORY.md", "silent"}},
		{"zh", []string{"[Memory Flush]", "快满了（已用 85%）", ".agents/memory-data", "决定", "偏好", "里程碑",
			"/opt/agents-hooks memory save --content", "--type W", "--entities", "--confidence 0.9", "--session conv-123", "W 客观事实", "B 项目经历", "O 用户偏好", "--confidence", "--type S", "什么都不做", "MEMORY.md", "安静"}},
	} {
		t.Run(c.lang, func(t *testing.T) {
			s := newScene(t)
			s.settings["language"] = c.lang
			a := s.event("memory-nudge", "context", "tool_name", `"ReadFile"`, "usage_percent", "85")
			if !strings.HasPrefix(a.AdditionalContext, "[Memory Flush]\n") {
				t.Errorf("begins with %.40q", a.AdditionalContext)
			}
			wants(t, a.AdditionalContext, c.want...)
		})
	}
	s := newScene(t)
	s.settings["flush"] = false
	if a := s.event("memory-flush", "context message"); !a.Empty() {
		t.Errorf("switched off: %+v", a)
	}
}

// What an agent adds to a compaction is read by whoever makes the summary, and that
// can call nothing: it is asked to keep what is not saved, and the agent, afterwards,
// to save it.
// BM-ASK-08, BM-ASK-09.
func TestFlushAtACompactionAsksTheSummary(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	a := s.event("memory-flush", "context", "usage_percent", "96")
	wants(t, a.AdditionalContext, "[Memory Flush]", "In the summary, keep", "Call nothing")
	if strings.Contains(a.AdditionalContext, "memory save") {
		t.Errorf("it is told a command that it cannot run:\n%s", a.AdditionalContext)
	}
	wants(t, s.prompt("and on").AdditionalContext, "[Memory Flush]", "was compacted", "memory save --content", "--session conv-123")
}

// The session's id cannot break out of the command.
// BM-ASK-13.
func TestASessionIsQuoted(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	a := s.event("memory-nudge", "context", "tool_name", `"ReadFile"`, "usage_percent", "90", "session_id", `"a'; rm -rf $HOME #"`)
	wants(t, a.AdditionalContext, `--session 'a'\''; rm -rf $HOME #'`)
}

// Without a channel to the model the person gets a short word, and the model the request
// with the next event that can carry it; once.
// BM-ASK-09, BM-ASK-10.
func TestFlushWithoutAChannel(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	a := s.event("memory-flush", "message")
	if a.AdditionalContext != "" || !strings.HasPrefix(a.UserMessage, "[Memory Flush]") || strings.Contains(a.UserMessage, "memory save") {
		t.Errorf("%+v", a)
	}
	if a := s.event("memory-nudge", "nothing", "tool_name", `"ReadFile"`); !a.Empty() {
		t.Errorf("an event without a channel: %+v", a)
	}
	if a := s.event("memory-nudge", "context", "tool_name", `"ReadFile"`); !strings.Contains(a.AdditionalContext, "memory save") {
		t.Errorf("not delivered: %+v", a)
	}
	if a := s.prompt("go on"); !a.Empty() {
		t.Errorf("delivered twice: %+v", a)
	}
}

// Where flush_channel says "user_message" the person is asked, in words for a person, and
// the model nothing, also not when it begins again; what was done is kept as always.
// BM-ASK-11, BM-ASK-15.
func TestFlushTellsThePersonWhereThatIsSet(t *testing.T) {
	t.Parallel()
	for lang, words := range map[string][]string{"en": {"[Memory Flush]", "tell the agent to save it", "memory save --content"}, "zh": {"[Memory Flush]", "请让 Agent 保存", "memory save --content"}} {
		t.Run(lang, func(t *testing.T) {
			s := newScene(t)
			s.settings["flush_channel"], s.settings["language"] = "user_message", lang
			s.write("a.go")
			a := s.event("memory-flush", "context message")
			wants(t, a.UserMessage, words...)
			for _, none := range []string{"tokens", "token", "silent", "安静", "85%"} {
				if strings.Contains(a.UserMessage, none) {
					t.Errorf("the person reads %q: %s", none, a.UserMessage)
				}
			}
			if a.AdditionalContext != "" {
				t.Errorf("the model is asked: %+v", a)
			}
			if b, _ := os.ReadFile(s.place().Local(s.now)); !strings.Contains(string(b), "a.go") {
				t.Errorf("nothing is kept of it: %s", b)
			}
			a = s.event("memory-load", "context", "source", `"compact"`)
			wants(t, a.AdditionalContext, "memory save")
			if strings.Contains(a.AdditionalContext, "[Memory Flush]") {
				t.Errorf("the model is asked as well: %s", a.AdditionalContext)
			}
			if a := s.prompt("x"); !a.Empty() {
				t.Errorf("%+v", a)
			}
		})
	}
}

// What the session did is kept at once, without a model, redacted.
// BM-ASK-11, BM-SEC-01, BM-SEC-04.
func TestAStageIsKeptAtACompaction(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.prompt("use token=abcdef0123456789 for <private>my bank</private> the tests")
	s.write("pkg/a.go")
	s.event("memory-nudge", "context", "tool_name", `"Shell"`, "tool_input", `{"command": "go test ./..."}`, "tool_response", `{"exit_code": 1}`, "tool_use_id", `"x1"`)
	s.event("memory-session-save", "nothing", "final_message", `{"role": "assistant", "content": "Two tests fail."}`)
	s.event("memory-flush", "context")
	b, err := os.ReadFile(s.place().Local(s.now))
	if err != nil {
		t.Fatal(err)
	}
	wants(t, string(b), `"memory_type": "S"`, "[REDACTED:secret]", "pkg/a.go", "go test ./...", "Two tests fail.", `"session": "conv-123"`)
	if strings.Contains(string(b), "bank") || strings.Contains(string(b), "abcdef0123456789") {
		t.Errorf("a secret was kept: %s", b)
	}
}

// A stage tells what is new since the last one; where nothing is, there is none.
// BM-ASK-11.
func TestStagesDoNotRepeat(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.prompt("first")
	s.event("memory-flush", "context")
	s.event("memory-flush", "context", "trigger", `"manual"`)
	s.prompt("second")
	s.event("memory-flush", "context")
	b, _ := os.ReadFile(s.place().Local(s.now))
	if n := strings.Count(string(b), `"S"`); n != 2 || strings.Count(string(b), "first") != 1 {
		t.Errorf("%d stages: %s", n, b)
	}
	summary, facts := s.place().Saved("conv-123")
	if summary || facts != 0 {
		t.Errorf("a stage counts as a summary (%v) or as %d facts", summary, facts)
	}
}

// After a compaction memory is given again, with a short request, and the long one is
// not.
// BM-LOD-19.
func TestAfterCompactionAllIsToldAgain(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.event("memory-load", "context", "source", `"startup"`)
	must.Do(t, s.place().Keep(memory.Fact{ID: "log-1", Kind: "W", Content: "JWT lives 24 hours", Confidence: 0.9, Time: s.now}))
	s.event("memory-flush", "message")
	a := s.event("memory-load", "context", "source", `"compact"`)
	wants(t, a.AdditionalContext, "JWT lives 24 hours", "[Memory Flush]", "memory save")
	if strings.Contains(a.AdditionalContext, "What to extract") {
		t.Errorf("the long request came as well:\n%s", a.AdditionalContext)
	}
	if a := s.prompt("x"); !a.Empty() {
		t.Errorf("%+v", a)
	}
}

// At flush_at percent the agent is asked early, once a compaction cycle.
// BM-ASK-01, BM-ASK-02.
func TestEarlyFlushAtAPercentage(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	tool := func(members ...string) string {
		return s.event("memory-nudge", "context", append(members, "tool_name", `"ReadFile"`)...).AdditionalContext
	}
	for _, c := range []struct {
		name, usage string
		asked       bool
	}{
		{"too early", "79", false},
		{"at the percentage", "80", true},
		{"once a session", "95", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := tool("usage_percent", c.usage); (got != "") != c.asked {
				t.Errorf("at %s%%: %q", c.usage, got)
			}
		})
	}
	s.event("memory-flush", "context")
	if _, err := s.taken(); err != nil {
		t.Fatal(err)
	}
	if got := tool("usage_percent", "81"); got == "" {
		t.Error("not asked again after a compaction")
	}
	s.settings["flush_at"] = int64(0)
	if got := tool("usage_percent", "99"); got != "" {
		t.Errorf("switched off: %q", got)
	}
}

// taken takes what waits out of the way of a test.
func (s *scene) taken() (string, error) {
	a := s.prompt("x")
	return a.AdditionalContext, nil
}

// The figure is what the agent reports: in the event or, for a tool call, in its
// transcript. The window is what it tells; the words say a percentage only then. What
// was in the context before a compaction is not in it afterwards.
// BM-ASK-01, BM-ASK-03, BM-ASK-04, BM-ASK-05, BM-ASK-06.
func TestEarlyFlushByReportedTokens(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	var told protocol.Usage
	s.world.Usage = func() protocol.Usage { return told }
	at := func(tokens, window int64) string {
		t.Helper()
		told = protocol.Usage{ContextTokens: tokens, ContextWindow: window}
		return s.event("memory-nudge", "context", "tool_name", `"ReadFile"`, "transcript_path", `"/t.jsonl"`).AdditionalContext
	}
	if got := at(0, 0); got != "" {
		t.Errorf("of nothing: %q", got)
	}
	if got := at(200_000, 258_400); got != "" {
		t.Errorf("at 77%%: %q", got)
	}
	wants(t, at(210_000, 258_400), "[Memory Flush]", "81% of 258400 tokens", "memory save")
	if got := at(215_000, 258_400); got != "" {
		t.Errorf("asked twice: %q", got)
	}
	s.event("memory-flush", "nothing", "usage", `{"context_tokens": 250000, "context_window": 258400}`)
	wants(t, s.prompt("x").AdditionalContext, "was compacted")
	if got := at(250_000, 258_400); got != "" {
		t.Errorf("the figure of before the compaction: %q", got)
	}
	wants(t, at(220_000, 258_400), "85% of 258400 tokens")

	// Without a window it is that of the settings, and one of a million where more is in
	// it than that.
	s = newScene(t)
	s.world.Usage = func() protocol.Usage { return told }
	if got := at(150_000, 0); got != "" {
		t.Errorf("at 75%%: %q", got)
	}
	wants(t, at(165_000, 0), "165000 tokens used")
	if got := at(370_000, 0); got != "" {
		t.Errorf("at 37%% of a million: %q", got)
	}
	wants(t, at(990_000, 0), "990000 tokens used")
	s = newScene(t)
	wants(t, s.event("memory-recall", "context", "prompt", `"go on"`, "usage", `{"context_tokens": 170000, "context_window": 200000}`).AdditionalContext, "85% of 200000 tokens", "memory save")
}

// A stop is the last chance where the context is nearly full, whatever was done.
// BM-ASK-07.
func TestEarlyFlushAtTheStop(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.prompt("x")
	full := []string{"usage", `{"context_tokens": 190000, "context_window": 200000}`}
	wants(t, s.event("memory-session-save", "continue", full...).FollowupMessage, "[Memory Flush]", "95% of 200000")
	if a := s.event("memory-session-save", "continue", full...); !a.Empty() {
		t.Errorf("asked twice: %+v", a)
	}
	s = newScene(t)
	s.settings["save_mode"] = "off"
	if a := s.event("memory-session-save", "continue", full...); !a.Empty() {
		t.Errorf("switched off: %+v", a)
	}
}
