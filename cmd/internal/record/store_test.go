package record

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func newStore(t testing.TB) Store {
	t.Helper()
	return Store{State: filepath.Join(t.TempDir(), "a b'c $d&é日本", "state")}
}

func entry(session, command string) Entry {
	var input, payload protocol.Object
	input.SetText("command", command)
	payload.SetText("session_id", session)
	payload.Set("tool_input", input.Raw())
	return Entry{
		Time: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC), Agent: "claude-code", NativeEvent: "PreToolUse", Event: "pre-tool-call",
		Session: session, Project: "/p", WorkDir: "/p", Payload: payload.Raw(),
		Answer: Answer{Decision: "block", Reason: "no", Stdout: `{"decision": "block"}` + "\n", Hooks: []Hook{{"guard", "block"}}},
	}
}

// read parses all lines of a session; each must be complete.
func read(t *testing.T, path string) []Entry {
	t.Helper()
	b, err := os.ReadFile(path)
	must.Do(t, err)
	if len(b) > 0 && b[len(b)-1] != '\n' {
		t.Errorf("the last line has no end: %q", b[max(0, len(b)-100):])
	}
	var list []Entry
	for line := range bytes.Lines(b) {
		o, err := protocol.ParseObject(line)
		if err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		e, ok := Parse(o)
		if !ok {
			t.Fatalf("no entry: %s", line)
		}
		list = append(list, e)
	}
	return list
}

func (s Store) file(root, session string) string {
	return filepath.Join(s.projectDir(root), sessionFile("claude-code", session))
}

func start(t testing.TB, s Store, root string) {
	t.Helper()
	must.Do(t, s.Start(root, time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)))
}

func add(t *testing.T, s Store, root string, e Entry) {
	t.Helper()
	must.Do(t, s.Add(root, e))
}

func TestOnOffClear(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	if s.On("/p") || (Store{}).On("/p") || s.On("") {
		t.Error("on without anybody's word")
	}
	add(t, s, "/p", entry("s1", "ls"))
	if _, err := os.Stat(s.file("/p", "s1")); err == nil {
		t.Error("kept while it was off")
	}
	start(t, s, "/p")
	start(t, s, "/p") // twice is once
	if !s.On("/p") || s.On("/p2") {
		t.Error("one project at a time")
	}
	add(t, s, "/p", entry("s1", "ls"))
	add(t, s, "/p", entry("../../s2", "ls"))
	p, err := s.Project("/p")
	if err != nil || !p.On || len(p.Sessions) != 2 || p.Bytes() == 0 || !p.Since.Equal(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v, %v", p, err)
	}
	if n, err := s.Clear("/p"); n != 2 || err != nil || !s.On("/p") {
		t.Errorf("cleared %d, %v; on: %v", n, err, s.On("/p"))
	}
	add(t, s, "/p", entry("s1", "ls"))
	if err := s.Stop("/p"); err != nil || s.On("/p") {
		t.Errorf("%v, on: %v", err, s.On("/p"))
	}
	if err := s.Stop("/p"); err != nil {
		t.Errorf("off twice: %v", err)
	}
	all, err := s.Projects()
	if err != nil || len(all) != 1 || all[0].Root != "/p" || len(all[0].Sessions) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	if n, err := s.Clear("/p"); n != 1 || err != nil {
		t.Errorf("cleared %d, %v", n, err)
	}
	if all, err := s.Projects(); err != nil || len(all) != 0 {
		t.Errorf("left: %+v, %v", all, err)
	}
}

// 0600 in 0700, and nowhere but in the state directory.
func TestModes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes of Unix")
	}
	s := newStore(t)
	start(t, s, "/p")
	add(t, s, "/p", entry("s1", "ls"))
	filepath.WalkDir(s.State, func(path string, d os.DirEntry, err error) error {
		must.Do(t, err)
		info, err := d.Info()
		must.Do(t, err)
		want := os.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s: %v, want %v", path, info.Mode().Perm(), want)
		}
		return nil
	})
}

// Many writers of one session and of several: each line complete, none lost.
func TestManyWriters(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	start(t, s, "/p")
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			for i := range 20 {
				if err := s.Add("/p", entry(fmt.Sprintf("s%d", w%2), fmt.Sprintf("echo %d.%d", w, i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if a, b := len(read(t, s.file("/p", "s0"))), len(read(t, s.file("/p", "s1"))); a != 80 || b != 80 {
		t.Errorf("%d and %d lines, want 80 each", a, b)
	}
}

// A writer that was killed leaves an incomplete line; the next writer removes it.
func TestLineWithoutEnd(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	start(t, s, "/p")
	add(t, s, "/p", entry("s1", "one"))
	f, err := os.OpenFile(s.file("/p", "s1"), os.O_WRONLY|os.O_APPEND, 0)
	must.Do(t, err)
	must.Do(t, must.Err(f.WriteString(`{"v": 1, "time": "2026`)))
	f.Close()
	add(t, s, "/p", entry("s1", "two"))
	if n := len(read(t, s.file("/p", "s1"))); n != 2 {
		t.Errorf("%d lines, want 2", n)
	}
}

// What is stored is limited, by line, text, session and in total; the oldest goes
// first.
func TestBounds(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long text ", 4000)
	s := newStore(t)
	start(t, s, "/p")
	add(t, s, "/p", entry("text", long))
	e := read(t, s.file("/p", "text"))[0]
	if !e.Cut || len(e.Payload) > MaxText+200 || !strings.Contains(string(e.Payload), "… [31616 more bytes]") {
		t.Errorf("%d bytes, cut %v: …%s", len(e.Payload), e.Cut, e.Payload[len(e.Payload)-100:])
	}
	add(t, s, "/p", entry("huge", strings.Repeat("x ", maxPayload)))
	if e := read(t, s.file("/p", "huge"))[0]; e.Payload != nil || e.Omitted < maxPayload || e.Answer.Reason != "no" {
		t.Errorf("%+v", e)
	}

	s.MaxLine, s.MaxSession, s.MaxTotal = 4<<10, 8<<10, 24<<10
	add(t, s, "/p", entry("line", long))
	if e := read(t, s.file("/p", "line"))[0]; e.Payload != nil || e.Omitted == 0 || e.Answer.Stdout == "" {
		t.Errorf("%+v", e)
	}
	big := entry("line", "ls")
	big.Answer.Stdout = long
	add(t, s, "/p", big)
	if e := read(t, s.file("/p", "line"))[1]; e.Answer.Stdout != "" || e.Answer.Decision != "block" || size(s.file("/p", "line")) > 4<<10 {
		t.Errorf("an answer without an end: %+v", e)
	}

	for i := range 60 {
		add(t, s, "/p", entry("session", fmt.Sprintf("echo %d", i)))
	}
	list := read(t, s.file("/p", "session"))
	if n := size(s.file("/p", "session")); n > 8<<10 {
		t.Errorf("a session of %d bytes", n)
	}
	if last := string(list[len(list)-1].Payload); !strings.Contains(last, `"echo 59"`) || strings.Contains(string(list[0].Payload), `"echo 0"`) {
		t.Errorf("the oldest went: first %s, last %s", list[0].Payload, last)
	}

	start(t, s, "/p2")
	for i := range 12 {
		old := time.Date(2026, 11, 20, 10, i, 0, 0, time.UTC)
		name := fmt.Sprintf("s%02d", i)
		add(t, s, "/p2", entry(name, strings.Repeat("x ", 1200)))
		must.Do(t, os.Chtimes(s.file("/p2", name), old, old))
	}
	add(t, s, "/p2", entry("newest", "ls"))
	projects, err := s.Projects()
	must.Do(t, err)
	total := int64(0)
	var names []string
	for _, p := range projects {
		total += p.Bytes()
		for _, f := range p.Sessions {
			names = append(names, filepath.Base(f.Path))
		}
	}
	all := strings.Join(names, " ")
	if total > 24<<10 || strings.Contains(all, "s00") || !strings.Contains(all, "s11") || !strings.Contains(all, "newest") {
		t.Errorf("%d bytes kept, of %s", total, all)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	e := entry("s1", "ls")
	e.Flag, e.EnvFile, e.Answer.Files, e.Answer.Stderr = "Stop", true, []string{"export A=1\n"}, "why\n"
	o, err := protocol.ParseObject(e.Append(nil))
	must.Do(t, err)
	got, ok := Parse(o)
	if !ok || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", e) {
		t.Errorf("\nhave %+v\nwant %+v", got, e)
	}
	for _, text := range []string{
		`{}`, `{"v": 1}`, `{"v": 2, "native_event": "x", "payload": {}, "answer": {}}`, `{"v": 1, "native_event": "x", "answer": {}}`,
		`{"session_id": "s", "hook_event_name": "PreToolUse", "tool_input": {"v": 1}}`,
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			o, err := protocol.ParseObject([]byte(text))
			must.Do(t, err)
			if _, ok := Parse(o); ok {
				t.Errorf("%s is no entry", text)
			}
		})
	}
}

// Without a state directory, or outside of a project, nothing is on, whatever lies in the folder.
func TestWhatLiesInTheFolderSwitchesNothingOn(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		s    Store
		root string
	}{{Store{}, "/p"}, {Store{State: t.TempDir()}, ""}} {
		must.Write(t, c.s.marker(c.root), "")
		if c.s.On(c.root) {
			t.Errorf("%+v is on in %q", c.s, c.root)
		}
	}
}

// Answers are the same if all is that an agent is told.
func TestSameAnswers(t *testing.T) {
	t.Parallel()
	a := Answer{Decision: "block", Reason: "r", Exit: 2, Stdout: "o", Stderr: "e", Files: []string{"f"}}
	for name, change := range map[string]func(b *Answer){
		"decision": func(b *Answer) { b.Decision = "ask" }, "reason": func(b *Answer) { b.Reason = "" }, "exit": func(b *Answer) { b.Exit = 0 },
		"stdout": func(b *Answer) { b.Stdout = "" }, "stderr": func(b *Answer) { b.Stderr = "" }, "files": func(b *Answer) { b.Files = []string{"g"} }, "no files": func(b *Answer) { b.Files = nil },
	} {
		b := a
		if change(&b); a.Same(b) || b.Same(a) {
			t.Errorf("the same with another %s", name)
		}
	}
	b := a
	b.Files, b.Hooks = []string{"f"}, []Hook{{Name: "h"}}
	if !a.Same(b) {
		t.Error("not the same because of who ran")
	}
}

// A text in an answer is redacted as well, and the answer stays valid.
func TestAnswerRedacted(t *testing.T) {
	t.Parallel()
	secret := "ghp_" + strings.Repeat("a", 36)
	a := Answer{Reason: "found " + secret, Stdout: `{"reason": "found ` + secret + `", "n": 1}` + "\n", Stderr: secret + "\n", Files: []string{"export TOKEN=" + secret}}
	got := a.Redact()
	want := Answer{Reason: "found [redacted]", Stdout: `{"reason": "found [redacted]", "n": 1}` + "\n", Stderr: "[redacted]\n", Files: []string{"export TOKEN=[redacted]"}}
	if !got.Same(want) {
		t.Errorf("%+v", got)
	}
	if again := got.Redact(); !again.Same(got) || a.Files[0] == got.Files[0] {
		t.Errorf("%+v", again)
	}
	plain := Answer{Stdout: "{\"a\":1 }\n"}
	if got := plain.Redact(); !got.Same(plain) {
		t.Errorf("nothing to blot out, and %q", got.Stdout)
	}
}

// What an event costs while recording is off.
func BenchmarkOff(b *testing.B) {
	s := newStore(b)
	for b.Loop() {
		if s.On("/home/dev/project") {
			b.Fatal("on")
		}
	}
}
