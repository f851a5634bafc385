package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// once tells a session of one notice.
func once(s *Session, text string) bool {
	due, _ := s.Due([]Warning{{Kind: "failed", Hook: text, Text: text}})
	return len(due) == 1
}

func TestOnce(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	open := func(agent, id string) *Session { return OpenSession(state, agent, id) }
	if !once(open("a", "1"), "k") || once(open("a", "1"), "k") {
		t.Error("once a session and kind")
	}
	if !once(open("a", "1"), "other") || !once(open("a", "2"), "k") || !once(open("b", "1"), "k") {
		t.Error("each kind, session and agent for itself")
	}
	for _, s := range []*Session{nil, open("a", ""), OpenSession("", "a", "1")} {
		for range 2 {
			if !once(s, "k") {
				t.Error("a session that remembers nothing keeps a notice back")
			}
		}
	}
	first := 0
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 20 { // two windows at once, and more
		all.Go(func() {
			if once(open("a", "1"), "race") {
				mu.Lock()
				first++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if first != 1 {
		t.Errorf("told %d times", first)
	}
}

// Two notices of a kind do not hide each other, a thousand do not bury the person,
// and the session's file does not grow with them.
func TestNoticesAreToldByTheirText(t *testing.T) {
	t.Parallel()
	s := OpenSession(t.TempDir(), "a", "s")
	said := func(kind, hook string, texts ...string) (due, more int) {
		var list []Warning
		for _, text := range texts {
			list = append(list, Warning{Hook: hook, Kind: kind, Text: text})
		}
		d, more := s.Due(list)
		return len(d), more
	}
	for _, tc := range []struct {
		name, kind, hook string
		texts            []string
		due, more        int
	}{
		{"two of a kind", "override", "", []string{"one", "two"}, 2, 0},
		{"the same are not told again", "override", "", []string{"two", "one"}, 0, 0},
		{"one text twice", "override", "", []string{"three", "three"}, 1, 0},
		{"three of one hook and kind, then how many more", "override", "", []string{"four", "five", "six"}, 0, 3},
		{"and that once", "override", "", []string{"seven"}, 0, 0},
		{"of another hook", "override", "other", []string{"one"}, 1, 0},
		{"of another kind", "failed", "", []string{"one"}, 1, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if due, more := said(tc.kind, tc.hook, tc.texts...); due != tc.due || more != tc.more {
				t.Errorf("%s %q %q: %d told and %d more, want %d and %d", tc.kind, tc.hook, tc.texts, due, more, tc.due, tc.more)
			}
		})
	}
	told := 0
	for i := range 1000 {
		due, more := said("broken", strconv.Itoa(i), "it is broken")
		told += due + more
	}
	if told != maxOfKind+1 {
		t.Errorf("%d of 1000 broken hooks were told", told)
	}
	if due, _ := said("locked", "", "what matters"); due != 1 {
		t.Error("notices of one kind hid another")
	}
	info, err := os.Stat(s.path)
	if err != nil || info.Size() > 4<<10 {
		t.Errorf("the session's file: %v, %v", info, err)
	}
	due, more := (*Session)(nil).Due([]Warning{{Kind: "k", Text: "a"}, {Kind: "k", Text: "a"}, {Kind: "k", Text: "b"}})
	if len(due) != 2 || more != 0 {
		t.Errorf("without a session: %v and %d more", due, more)
	}
}

// A session id comes from a payload: it must not lead out of the directory, and
// two ids must not meet.
func TestSessionNames(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	seen := map[string]string{}
	for _, id := range []string{
		"7f3c2a1e-0000-4000-8000-000000000000", "session_1", "../../etc", "..", ".", "/", "a/b", `a\b`, "a:b", "con", "nul", "com1", "-rf", "x-0123456789abcdef",
		"UPPER", "upper", "é", "a\x00b", strings.Repeat("a", 80), strings.Repeat("a", 81), strings.Repeat("a", 5000), " ", "a.json", "a ", "a.",
	} {
		dir := SessionDir(state, id)
		if filepath.Dir(dir) != filepath.Join(state, "sessions") || len(filepath.Base(dir)) > 80 {
			t.Errorf("%q lies in %q", id, dir)
		}
		key := strings.ToLower(dir)
		if other, ok := seen[key]; ok {
			t.Errorf("%q and %q meet in %q", id, other, dir)
		}
		seen[key] = id
		s := OpenSession(state, "../a", id)
		if !once(s, "k") || once(s, "k") || len(s.Warnings()) > 0 {
			t.Errorf("%q: not remembered: %v", id, s.Warnings())
		}
	}
	if SessionDir(state, "session_1") != filepath.Join(state, "sessions", "session_1") {
		t.Error("a plain id is not kept")
	}
	filepath.WalkDir(filepath.Dir(state), func(path string, d os.DirEntry, err error) error {
		if err == nil && !strings.HasPrefix(path, state) && path != filepath.Dir(state) {
			t.Errorf("written outside: %s", path)
		}
		return nil
	})
}

var usual = Limits{Row: discovery.DefaultStopRow, Total: discovery.DefaultStopTotal}

// At most five in a row and twenty a session, whatever happens between.
func TestAllowContinue(t *testing.T) {
	t.Parallel()
	run := func(t *testing.T, l Limits, prompts ...int) (allowed int) {
		t.Helper()
		s := OpenSession(t.TempDir(), "a", "s")
		for i := range 60 {
			for _, p := range prompts {
				if i == p {
					s.PromptArrived("a new question")
				}
			}
			if s.AllowContinue(l) {
				allowed++
			}
		}
		return allowed
	}
	for _, c := range []struct {
		rule    string
		limits  Limits
		prompts []int
		want    int
	}{
		{"5 in a row", usual, nil, 5},
		{"a prompt begins a new row", usual, []int{10}, 10},
		{"20 a session", usual, []int{6, 12, 18, 24, 30, 36}, 20},
		{"stop_limit", Limits{Row: 2, Total: 3}, []int{10}, 3},
		{"0 in a row: never", Limits{Row: 0, Total: 20}, nil, 0},
		{"0 a session: never", Limits{Row: 5, Total: 0}, nil, 0},
		{"never above the agent's own", Limits{Row: 8, Total: 20, Agent: 1}, nil, 1},
		{"the agent's own is no promise", Limits{Row: 5, Total: 20, Agent: 9}, nil, 5},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got := run(t, c.limits, c.prompts...); got != c.want {
				t.Errorf("%s: %d, want %d", c.rule, got, c.want)
			}
		})
	}
}

func TestStopCount(t *testing.T) {
	t.Parallel()
	s := OpenSession(t.TempDir(), "a", "s")
	s.AllowContinue(usual)
	s.AllowContinue(usual)
	s.PromptArrived("x")
	s.AllowContinue(usual)
	if row, total := s.StopCount(); row != 1 || total != 3 {
		t.Errorf("%d in a row, %d in all; want 1, 3", row, total)
	}
}

// Our own continuation, which Gemini reports as a prompt, is none.
func TestOwnPrompt(t *testing.T) {
	t.Parallel()
	s := OpenSession(t.TempDir(), "a", "s")
	if s.PromptArrived("hello") {
		t.Error("the first prompt is taken for ours")
	}
	if entries, _ := os.ReadDir(filepath.Dir(s.path)); len(entries) != 0 {
		t.Errorf("a prompt without anything to forget wrote %v", entries)
	}
	s.AllowContinue(usual)
	s.Continued(" run the tests\n")
	for _, prompt := range []string{"run the tests", "<hook_context>x</hook_context>\nrun the tests\n"} {
		if !s.PromptArrived(prompt) {
			t.Errorf("%q is not taken for ours", prompt)
		}
	}
	if row, _ := s.StopCount(); row != 1 {
		t.Error("our own continuation began a new row")
	}
	if s.PromptArrived("run the tests, please") {
		t.Error("a prompt of the person is taken for ours")
	}
	if row, _ := s.StopCount(); row != 0 {
		t.Error("a prompt of the person began no new row")
	}
	if s.PromptArrived("run the tests") {
		t.Error("the person may say the same later")
	}
}

func TestTasks(t *testing.T) {
	t.Parallel()
	s := OpenSession(t.TempDir(), "a", "s")
	if _, ok := s.TakeTask(""); ok {
		t.Error("a task out of nowhere")
	}
	ev := event(protocol.PreToolCall)
	if _, ok := TaskOf(ev); ok {
		t.Error("Shell is no Task")
	}
	var in protocol.Object
	in.SetText("prompt", "look \"around\"\n")
	in.SetText("description", "Explore")
	in.SetText("subagent_type", "explorer")
	ev.Call = &protocol.Call{Name: protocol.Task, Input: in}
	task, ok := TaskOf(ev)
	if !ok || task != (Task{"explorer", "Explore", "look \"around\"\n"}) {
		t.Fatalf("%+v, %v", task, ok)
	}
	s.RememberTask(task)
	s.RememberTask(Task{"writer", "Write", "w"})
	s.RememberTask(Task{"explorer", "Explore more", strings.Repeat("é", maxTask)})
	if got, ok := s.TakeTask("nobody"); ok {
		t.Errorf("a task for nobody: %+v", got)
	}
	if got, _ := s.TakeTask("explorer"); got != task {
		t.Errorf("the oldest of its type: %+v", got)
	}
	if got, _ := s.TakeTask(""); got.SubagentType != "writer" {
		t.Errorf("the oldest of any type: %+v", got)
	}
	if got, _ := s.TakeTask("explorer"); len(got.Prompt) != maxTask {
		t.Errorf("%d bytes kept", len(got.Prompt))
	}
	if _, ok := s.TakeTask("explorer"); ok {
		t.Error("taken twice")
	}
	for range 200 {
		s.RememberTask(task)
	}
	if n := len(s.read().tasks); n != maxTasks {
		t.Errorf("%d tasks kept", n)
	}
}

// A damaged file costs what it held, nothing more.
func TestSessionDamaged(t *testing.T) {
	t.Parallel()
	s := OpenSession(t.TempDir(), "a", "s")
	once(s, "k")
	for _, content := range []string{"", "{", "[]", `{"continued": 5, "notices": {}, "tasks": [5, {}]}`, "\xff"} {
		t.Run(fmt.Sprintf("%q", content), func(t *testing.T) {
			must.Write(t, s.path, content)
			if !s.AllowContinue(usual) || !once(s, "k") || once(s, "k") {
				t.Errorf("%q: does not work any more", content)
			}
		})
	}
}

func FuzzSession(f *testing.F) {
	f.Add([]byte(`{"v": 1, "continued": {"stop": [1, 2]}, "notices": ["k"], "tasks": [{"at": "x"}], "text_size": 3, "text_hash": "ab"}`))
	f.Add([]byte(`{"continued": {"stop": [1]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := parseMemory(b)
		again := parseMemory(m.append(nil))
		if len(again.counts) != len(m.counts) || len(again.notices) != len(m.notices) || len(again.tasks) != len(m.tasks) {
			t.Fatalf("%q: %+v became %+v", b, m, again)
		}
	})
}
