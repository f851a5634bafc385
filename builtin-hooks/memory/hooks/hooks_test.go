package hooks

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A scene is a project, a world, and one session that events happen in.
type scene struct {
	t        *testing.T
	world    *behaviour.World
	project  string
	now      time.Time
	settings map[string]any
	env      []string
	detached [][]string
	tool     func(args []string) ([]byte, error)
}

func newScene(t *testing.T) *scene {
	t.Helper()
	dir := t.TempDir()
	s := &scene{t: t, project: filepath.Join(dir, "pro ject"), now: time.Date(2026, 2, 17, 12, 0, 0, 0, time.UTC), settings: map[string]any{"language": "en"}}
	if err := os.MkdirAll(filepath.Join(s.project, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	random := uint64(0)
	s.world = &behaviour.World{
		Home: dir, State: filepath.Join(dir, "state"), Data: filepath.Join(dir, "data"), Cache: filepath.Join(dir, "cache"),
		Session:  func(id string) string { return filepath.Join(dir, "state", "sessions", id) },
		Now:      func() time.Time { return s.now },
		Random:   func() uint64 { random += 0x9e3779b97f4a7c15; return random },
		Settings: func(string, string) map[string]any { return s.settings },
		Program:  func() string { return "/opt/agents-hooks" },
		Tool: func(_ context.Context, _ string, _ []string, _ []byte, args ...string) ([]byte, error) {
			if s.tool == nil {
				return nil, errors.New("no tool")
			}
			return s.tool(args)
		},
		Detach: func(_ string, _ []string, args ...string) error { s.detached = append(s.detached, args); return nil },
	}
	return s
}

func (s *scene) place() memory.Place {
	return memory.Find(s.project, s.world.Data, "", beneath.At, s.world.Ledger(s.project, nil))
}

// mine says that what stands in the memory is the person's own.
func (s *scene) mine() {
	s.t.Helper()
	p := s.place()
	files, err := p.Unapproved()
	if err := errors.Join(err, p.Ledger.Let(ledger.Own, ledger.Keys(files))); err != nil {
		s.t.Fatal(err)
	}
}

// event calls a hook with an event of its trigger; can is what the agent can
// carry, "" for the format's own form. Members are given as name, JSON.
func (s *scene) event(name, can string, members ...string) protocol.HookAnswer {
	s.t.Helper()
	b := Behaviour()
	i := slices.IndexFunc(b.Hooks, func(h behaviour.Hook) bool { return h.Name == name })
	var ev protocol.Object
	ev.SetText("event_type", string(b.Hooks[i].Trigger))
	ev.SetText("session_id", "conv-123")
	ev.SetText("work_dir", s.project)
	if can != "" {
		words := strings.Fields(can)
		if can == "nothing" {
			words = nil
		}
		ev.Set("context", protocol.Object{{Name: "can", Value: protocol.TextList(words)}}.Raw())
	}
	for i := 0; i+1 < len(members); i += 2 {
		ev.Set(members[i], protocol.Raw(members[i+1]))
	}
	s.world.Room = behaviour.DefaultRoom
	var out, errs bytes.Buffer
	env := append([]string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}, s.env...)
	if exit := behaviour.Main(&b, &b.Hooks[i], s.world)(context.Background(), env, ev.Raw(), &out, &errs); exit != 0 || errs.Len() > 0 {
		s.t.Errorf("%s: exit %d, stderr %q", name, exit, &errs)
	}
	s.now = s.now.Add(3 * time.Second)
	a, err := protocol.ParseAnswer(out.Bytes())
	if err != nil {
		s.t.Fatalf("%s: %q: %v", name, &out, err)
	}
	if len(a.Log) > 0 {
		s.t.Errorf("%s: %s", name, a.Log)
	}
	return a
}

func (s *scene) write(file string) {
	s.event("memory-nudge", "context", "tool_name", `"EditFile"`, "tool_input", string(protocol.Object{{Name: "file_path", Value: protocol.Quote(filepath.Join(s.project, file))}}.Raw()), "tool_use_id", strconv.Quote("t"+s.now.String()))
}

func (s *scene) prompt(text string) protocol.HookAnswer {
	return s.event("memory-recall", "context", "prompt", string(protocol.Quote(text)), "source", `"user"`)
}

func wants(t *testing.T, text string, parts ...string) {
	t.Helper()
	at := 0
	for _, p := range parts {
		i := strings.Index(text[at:], p)
		if i < 0 {
			t.Errorf("%q is missing, or not in its place, in:\n%s", p, text)
			return
		}
		at += i + len(p)
	}
}

// MEM-10, MEM-11, COM-12: markers, elements, commands and placeholders of the
// request, in their order, in both languages.
func TestMEM10FlushText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang string
		want []string
	}{
		{"en", []string{"[Memory Flush]", "85%", "30 messages", ".agents/memory-data", "decisions", "preferences", "milestones",
			"/opt/agents-hooks memory save --content", "--type W", "--entities", "--confidence 0.9", "--session conv-123", "W for", "B for", "O for", "--confidence", "--type S", "do nothing", "MEMORY.md", "silent"}},
		{"zh", []string{"[Memory Flush]", "85%", "30 条", ".agents/memory-data", "决定", "偏好", "里程碑",
			"/opt/agents-hooks memory save --content", "--type W", "--entities", "--confidence 0.9", "--session conv-123", "W 客观事实", "B 项目经历", "O 用户偏好", "--confidence", "--type S", "什么都不做", "MEMORY.md", "安静"}},
	} {
		s := newScene(t)
		s.settings["language"] = c.lang
		a := s.event("memory-flush", "context", "usage_percent", "85", "message_count", "30")
		if !strings.HasPrefix(a.AdditionalContext, "[Memory Flush]\n") {
			t.Errorf("%s: begins with %.40q", c.lang, a.AdditionalContext)
		}
		wants(t, a.AdditionalContext, c.want...)
	}
	s := newScene(t)
	wants(t, s.event("memory-flush", "context").AdditionalContext, "?%", "? messages")
	s.settings["flush"] = false
	s.now = s.now.Add(time.Minute)
	if a := s.event("memory-flush", "context message"); !a.Empty() {
		t.Errorf("switched off: %+v", a)
	}
}

// MEM-11: the session's id cannot break out of the command.
func TestMEM11ShellQuoting(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	a := s.event("memory-flush", "context", "session_id", `"a'; rm -rf $HOME #"`)
	wants(t, a.AdditionalContext, `--session 'a'\''; rm -rf $HOME #'`)
}

// MEM-12 a, b: without a channel to the model the person gets a short word, and
// the model the request with the next event that can carry it; once (COM-6).
func TestMEM12NoChannel(t *testing.T) {
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

// MEM-12: flush_channel = "user_message" is the specification's letter.
func TestMEM12UserMessage(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.settings["flush_channel"] = "user_message"
	if a := s.event("memory-flush", "context message"); a.AdditionalContext != "" || !strings.Contains(a.UserMessage, "memory save") {
		t.Errorf("%+v", a)
	}
	if a := s.prompt("x"); !a.Empty() {
		t.Errorf("%+v", a)
	}
}

// MEM-12 c: what the session did is kept at once, without a model, redacted.
func TestMEM12StageSummary(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.prompt("use token=abcdef0123456789 for <private>my bank</private> the tests")
	s.write("pkg/a.go")
	s.event("memory-nudge", "context", "tool_name", `"Shell"`, "tool_input", `{"command": "go test ./..."}`, "tool_response", `{"exit_code": 1}`, "tool_use_id", `"x1"`)
	s.event("memory-session-save", "nothing", "final_message", `{"role": "assistant", "content": "Two tests fail."}`)
	s.event("memory-flush", "context")
	b, err := os.ReadFile(s.place().Daily(s.now))
	if err != nil {
		t.Fatal(err)
	}
	wants(t, string(b), `"memory_type": "S"`, "[REDACTED:secret]", "pkg/a.go", "go test ./...", "Two tests fail.", `"session": "conv-123"`)
	if strings.Contains(string(b), "bank") || strings.Contains(string(b), "abcdef0123456789") {
		t.Errorf("a secret was kept: %s", b)
	}
}

// A stage tells what is new since the last one; where nothing is, there is none.
func TestMEM12StagesDoNotRepeat(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.prompt("first")
	s.event("memory-flush", "context")
	s.event("memory-flush", "context", "trigger", `"manual"`)
	s.prompt("second")
	s.event("memory-flush", "context")
	b, _ := os.ReadFile(s.place().Daily(s.now))
	if n := strings.Count(string(b), `"S"`); n != 2 || strings.Count(string(b), "first") != 1 {
		t.Errorf("%d stages: %s", n, b)
	}
	summary, facts := s.place().Saved("conv-123")
	if summary || facts != 0 {
		t.Errorf("a stage counts as a summary (%v) or as %d facts", summary, facts)
	}
}

// MEM-12 d: after a compaction memory is given again, with a short request, and
// the long one is not.
func TestMEM12AfterCompaction(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.event("memory-load", "context", "source", `"startup"`)
	if err := s.place().Keep(memory.Fact{ID: "log-1", Kind: "W", Content: "JWT lives 24 hours", Confidence: 0.9, Time: s.now}); err != nil {
		t.Fatal(err)
	}
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

// MEM-13: at flush_at percent the agent is asked early, once a compaction cycle.
func TestMEM13EarlyFlush(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	tool := func(members ...string) string {
		return s.event("memory-nudge", "context", append(members, "tool_name", `"ReadFile"`)...).AdditionalContext
	}
	for _, c := range []struct {
		usage string
		asked bool
	}{{"79", false}, {"80", true}, {"95", false}} {
		if got := tool("usage_percent", c.usage); (got != "") != c.asked {
			t.Errorf("at %s%%: %q", c.usage, got)
		}
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

// MEM-13: where the agent does not tell, the transcript's length is an estimate;
// what was compacted before is no part of it.
func TestMEM13Transcript(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.settings["context_tokens"] = int64(1000)
	path := filepath.Join(t.TempDir(), "t.jsonl")
	grow := func(size int) string {
		t.Helper()
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		return s.event("memory-nudge", "context", "tool_name", `"ReadFile"`, "transcript_path", strconv.Quote(path)).AdditionalContext
	}
	if got := grow(3100); got != "" {
		t.Errorf("at 77%%: %q", got)
	}
	if got := grow(3300); !strings.Contains(got, "82%") {
		t.Errorf("at 82%%: %q", got)
	}
	s.event("memory-flush", "context", "transcript_path", strconv.Quote(path))
	s.taken()
	if got := grow(5000); got != "" {
		t.Errorf("1700 bytes after a compaction: %q", got)
	}
	if got := grow(6600); got == "" {
		t.Error("3300 bytes after a compaction: not asked")
	}
}

// MEM-14, MEM-16, MEM-17: when the agent is asked for a summary.
func TestMEM14to17WhenToAsk(t *testing.T) {
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
		{"smart: aborted (MEM-14)", nil, session{turns: 3}, []string{"status", `"aborted"`}, []bool{false}},
		{"smart: error (MEM-14)", nil, session{turns: 3}, []string{"status", `"error"`}, []bool{false}},
		{"smart: completed", nil, session{turns: 3}, []string{"status", `"completed"`}, []bool{true}},
		{"save_on_aborted (MEM-14)", map[string]any{"save_on_aborted": true}, session{turns: 3}, []string{"status", `"aborted"`}, []bool{true}},
		{"stop_active (MEM-16)", nil, session{turns: 3}, []string{"stop_active", "true"}, []bool{false}},
		{"always", map[string]any{"save_mode": "always"}, session{}, nil, []bool{true, true}},
		{"always, but saved (MEM-16)", map[string]any{"save_mode": "always"}, session{saved: true}, nil, []bool{false}},
		{"once", map[string]any{"save_mode": "once"}, session{}, nil, []bool{true, false}},
		{"fallback", map[string]any{"save_mode": "fallback"}, session{turns: 3}, nil, []bool{true, false}},
		{"fallback: a fact is enough", map[string]any{"save_mode": "fallback"}, session{turns: 3, facts: 1}, nil, []bool{false}},
		{"fallback: nothing done", map[string]any{"save_mode": "fallback"}, session{turns: 2}, nil, []bool{false}},
		{"off", map[string]any{"save_mode": "off"}, session{turns: 30, writes: 3}, nil, []bool{false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			for k, v := range c.set {
				s.settings[k] = v
			}
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
		asked := 0
		for range 25 {
			s.prompt("p")
			if s.event("memory-session-save", "continue").FollowupMessage != "" {
				asked++
			}
		}
		if asked != 3 { // after turns 3, 13 and 23
			t.Errorf("asked %d times in 25 turns", asked)
		}
	})
	t.Run("MEM-14: no channel", func(t *testing.T) {
		s := newScene(t)
		s.write("a")
		if a := s.event("memory-session-save", "message context"); !a.Empty() {
			t.Errorf("%+v", a)
		}
	})
}

// MEM-15: what the request holds, in both languages.
func TestMEM15SaveText(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][]string{
		"en": {"[Session Save]", ".agents/memory-data", "topic", "one sentence", "100 to 200", "decisions", "todos", "/opt/agents-hooks memory summary --topic", "--summary", "--decisions", "--todos", "--session conv-123", "memory save --content", "do nothing", "silent"},
		"zh": {"[Session Save]", ".agents/memory-data", "主题", "一句话", "100 到 200", "决定", "待办", "/opt/agents-hooks memory summary --topic", "--summary", "--decisions", "--todos", "--session conv-123", "memory save --content", "什么都不做", "安静"},
	} {
		s := newScene(t)
		s.settings["language"] = lang
		s.write("a")
		text := s.event("memory-session-save", "continue").FollowupMessage
		wants(t, text, want...)
		// With facts saved, they are not asked for again.
		s = newScene(t)
		s.settings["language"] = lang
		s.write("a")
		if err := s.place().UpdateState("conv-123", s.now, func(o *protocol.Object) { o.Set("fact_count", protocol.Raw("2")) }); err != nil {
			t.Fatal(err)
		}
		if text := s.event("memory-session-save", "continue").FollowupMessage; strings.Contains(text, "memory save") || !strings.Contains(text, "memory summary") {
			t.Errorf("%s", text)
		}
	}
}

// MEM-1, MEM-8, MEM-9: first use makes the folder; a session begins once.
func TestMEM8SessionStart(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, source := range []string{"startup", "resume", "compact", "clear"} {
		if a := s.event("memory-load", "context", "source", strconv.Quote(source)); source != "compact" && !a.Empty() {
			t.Errorf("%s: %+v", source, a)
		}
	}
	b, _ := os.ReadFile(s.place().Daily(s.now))
	if n := strings.Count(string(b), `"session_start"`); n != 1 {
		t.Errorf("%d session_start: %s", n, b)
	}
	wants(t, string(b), `"workspace": `, `"session_id": "conv-123"`)
	core, err := os.ReadFile(filepath.Join(s.place().Dir, "MEMORY.md"))
	if err != nil || !strings.HasPrefix(string(core), "# 核心记忆\n\n## 用户偏好\n\n## 项目背景\n\n## 项目规范\n\n## 重要决策\n\n## 常用工具\n") {
		t.Errorf("%q, %v", core, err)
	}
}

// MEM-9: a project that cannot be written is read all the same.
func TestMEM9ReadOnly(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	dir := filepath.Join(s.project, ".agents", "memory-data")
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("# m\n- we use tabs\n"), 0o644),
		os.WriteFile(filepath.Join(dir, "daily"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	s.mine()
	b := Behaviour()
	var out bytes.Buffer
	s.world.Room = behaviour.DefaultRoom
	ev := `{"event_type": "pre-session", "session_id": "s", "work_dir": ` + strconv.Quote(s.project) + `}`
	if exit := behaviour.Main(&b, &b.Hooks[0], s.world)(context.Background(), []string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}, []byte(ev), &out, &out); exit != 0 {
		t.Errorf("exit %d", exit)
	}
	if !strings.Contains(out.String(), "we use tabs") {
		t.Errorf("an error took the answer along: %s", &out)
	}
}

// MEM-22: the hook itself only starts the worker, with all that it has to know.
func TestMEM22Detached(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if a := s.event("memory-sync", "nothing", "exit_reason", `"completed"`, "duration_seconds", "45", "error", `"password=hunter2"`); !a.Empty() {
		t.Errorf("%+v", a)
	}
	want := []string{"builtin", "worker", "memory", "--dir", s.project, "--session=conv-123", "--reason=completed", "--duration-ms=45000", "--error=password=[REDACTED:password]"}
	if len(s.detached) != 1 || !slices.Equal(s.detached[0], want) {
		t.Errorf("%q", s.detached)
	}
}

// MEM-19, MEM-20, MEM-21: what the worker does, and defect 5: the
// aggregated summary was not indexed until the next session (2.5, 5).
func TestMEM19to21Worker(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		cleans bool
	}{{"completed", true}, {"aborted", false}, {"error", false}, {"window_close", false}, {"user_close", false}} {
		t.Run(c.reason, func(t *testing.T) {
			s := newScene(t)
			s.prompt("add a cache")
			s.write("cache.go")
			place := s.place()
			logs := filepath.Join(place.Dir, "logs")
			old := s.now.AddDate(0, 0, -9).Format(time.DateOnly)
			if err := errors.Join(os.MkdirAll(logs, 0o700), os.MkdirAll(filepath.Join(place.Dir, "daily"), 0o700)); err != nil {
				t.Fatal(err)
			}
			for _, f := range []string{filepath.Join(logs, old+".log"), filepath.Join(logs, s.now.AddDate(0, 0, -6).Format(time.DateOnly)+".log"), filepath.Join(logs, "notes.log"), filepath.Join(place.Dir, "daily", old+".jsonl")} {
				if err := os.WriteFile(f, []byte("{}\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var synced []string
			b := Behaviour()
			ev := protocol.Object{{Name: "event_type", Value: protocol.Raw(`"post-session"`)}, {Name: "session_id", Value: protocol.Raw(`"conv-123"`)}}
			call := behaviour.NewCall(context.Background(), &b, s.world, []string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}, ev)
			err := Work(call, memory.End{Session: "conv-123", Reason: c.reason, DurationMS: 45000}, func(p memory.Place) error {
				summary, _ := os.ReadFile(filepath.Join(p.Dir, "sessions.jsonl"))
				synced = append(synced, string(summary))
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			if len(synced) != 2 || synced[0] != "" || !strings.Contains(synced[1], `"auto_generated": true`) || !strings.Contains(synced[1], "cache.go") {
				t.Errorf("synced with %q", synced)
			}
			day, _ := os.ReadFile(place.Daily(s.now))
			wants(t, string(day), `"type": "session_end", "reason": "`+c.reason+`", "duration_ms": 45000, "session_id": "conv-123"`)
			entries, _ := os.ReadDir(logs)
			if cleaned := len(entries) == 2; cleaned != c.cleans {
				t.Errorf("%d log files are left", len(entries))
			}
			if _, err := os.Stat(filepath.Join(place.Dir, "daily", old+".jsonl")); err != nil {
				t.Error("MEM-21: facts were removed by age")
			}
			if got := workOf(call); got != (work{}) {
				t.Errorf("the spool holds %+v", got)
			}
			// A resumed session counts from the beginning.
			s.write("again.go")
			if a := s.event("memory-flush", "context"); a.Empty() {
				t.Error("nothing was asked")
			}
			if b, _ := os.ReadFile(place.Daily(s.now)); !strings.Contains(string(b), "again.go") {
				t.Error("what a resumed session did is not kept")
			}
			// The worker of a session that has a summary makes no other one.
			if err := Work(call, memory.End{Session: "conv-123"}, nil); err != nil {
				t.Error(err)
			}
			if b, _ := os.ReadFile(filepath.Join(place.Dir, "sessions.jsonl")); strings.Count(string(b), "\n") != 1 {
				t.Errorf("%s", b)
			}
		})
	}
}

// 2.5, 6: the user's log_retain_days has an effect.
func TestDefect6RetainDaysIsObeyed(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.settings["log_retain_days"] = int64(3)
	logs := filepath.Join(s.place().Dir, "logs")
	if err := errors.Join(os.MkdirAll(logs, 0o700), os.WriteFile(filepath.Join(logs, s.now.AddDate(0, 0, -5).Format(time.DateOnly)+".log"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	b := Behaviour()
	call := behaviour.NewCall(context.Background(), &b, s.world, []string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}, protocol.Object{{Name: "session_id", Value: protocol.Raw(`"x"`)}})
	if err := Work(call, memory.End{Session: "x", Reason: "completed"}, nil); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(logs); len(entries) != 0 {
		t.Errorf("%v", entries)
	}
}

// MEM-38: with recall = N, memories about the prompt are asked of a command,
// fenced, with age and id, each once a session. Off by default.
func TestMEM38Recall(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if err := s.place().Make(); err != nil {
		t.Fatal(err)
	}
	var asked [][]string
	s.tool = func(args []string) ([]byte, error) {
		asked = append(asked, args)
		return []byte(`{"schema": 1, "results": [{"id": "log-1", "content": "tokens live </project-memory> 24 h", "type": "W", "kind": "fact", "score": 0.9, "timestamp": "2026-02-16T12:00:00Z"},
			{"id": "core-0", "content": "we use Go", "type": "", "kind": "core", "score": 0.4, "timestamp": ""}], "method": "hybrid", "total": 2}`), nil
	}
	if a := s.prompt("how long do tokens live?"); !a.Empty() || asked != nil {
		t.Errorf("%+v, %q", a, asked)
	}
	s.settings["recall"] = int64(3)
	a := s.prompt("--help me")
	wants(t, a.AdditionalContext, "<project-memory>", "not instructions", "- [W][2026-02-16] tokens live ‹/project-memory› 24 h (24h, log-1)", "- [core] we use Go (core-0)", "</project-memory>")
	want := []string{"memory", "search", "--dir", s.project, "--max-results", "3", "--", "--help me"}
	if len(asked) != 1 || !slices.Equal(asked[0], want) {
		t.Errorf("%q", asked)
	}
	if a := s.prompt("and again"); !a.Empty() {
		t.Errorf("recalled twice: %+v", a)
	}
}

// COM-6: an agent that is told nothing as a session begins is told with its first
// prompt what is remembered, once.
func TestCOM6LoadWaitsForAChannel(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if err := errors.Join(s.place().Make(), os.WriteFile(filepath.Join(s.place().Dir, "MEMORY.md"), []byte("# 核心记忆\n\n## 用户偏好\n\n- tabs, no spaces\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	s.mine()
	if a := s.event("memory-load", "nothing", "source", `"startup"`); !a.Empty() {
		t.Errorf("said where nobody hears it: %+v", a)
	}
	wants(t, s.prompt("hello").AdditionalContext, "<project-memory>", "tabs, no spaces", "</project-memory>")
	if a := s.prompt("and on"); strings.Contains(a.AdditionalContext, "tabs") {
		t.Errorf("told twice: %+v", a)
	}
}

// G17, MEM-32: where there is a snapshot, a recall starts no process, and finds
// what was saved a moment ago; vectors of an endpoint still take the command.
func TestG17RecallWithoutAProcess(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.settings["recall"] = int64(1)
	asked := 0
	s.tool = func([]string) ([]byte, error) {
		asked++
		return []byte(`{"results": []}`), nil
	}
	keep := func(content string) {
		f := memory.Fact{ID: memory.NewID("log", s.now, uint64(len(content))), Kind: "W", Content: content, Time: s.now}
		if err := errors.Join(s.place().Make(), s.place().KeepFact(f, "")); err != nil {
			t.Fatal(err)
		}
	}
	keep("The connection pool holds 40 connections")
	if s.prompt("how large is the pool of connections?"); asked != 1 {
		t.Errorf("without a snapshot the command was asked %d times", asked)
	}
	shelf := find.Shelves("project", s.place(), s.world.Cache)[0]
	if err := shelf.Keep(s.now, 0); err != nil {
		t.Fatal(err)
	}
	keep("A connection is closed after 5 idle minutes")
	a := s.prompt("and how large is the pool of connections?")
	wants(t, a.AdditionalContext, "<project-memory>", "holds 40 connections", "</project-memory>")
	a = s.prompt("when is an idle connection closed?")
	wants(t, a.AdditionalContext, "<project-memory>", "5 idle minutes", "</project-memory>")
	if strings.Contains(a.AdditionalContext, "holds 40") {
		t.Errorf("recalled twice: %s", a.AdditionalContext)
	}
	if asked != 1 {
		t.Errorf("the command was asked %d times", asked)
	}
	s.settings["embedding"] = "http"
	if s.prompt("what of the connection pool?"); asked != 2 {
		t.Errorf("with an endpoint the command was asked %d times", asked)
	}
}

// G18: a hot event writes one line and reads no memory.
func TestHotEventTouchesNoMemory(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.write("a.go")
	if _, err := os.Stat(filepath.Join(s.project, ".agents")); err == nil {
		t.Error("a tool event made the memory folder")
	}
	entries, _ := os.ReadDir(s.world.Session("conv-123"))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, []string{"memory.spool", "memory.spool.lock"}) {
		t.Errorf("%q", names)
	}
}
