package runlog

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

func add(t *testing.T, state string, lines ...runner.LogLine) {
	t.Helper()
	for _, l := range lines {
		must.Do(t, runner.AppendLog(state, &l))
	}
}

// ids are the ids of lines, and the number of errors between them.
func ids(seq func(func(runner.LogLine, error) bool)) (s string, errs int) {
	for l, err := range seq {
		if s += l.ID; err != nil {
			errs++
		}
	}
	return s, errs
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// Each field of a filter selects what it names, from either end, and the newest of
// it.
func TestFilter(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	at := time.Date(2026, 11, 20, 23, 59, 58, 0, time.UTC)
	lines := []runner.LogLine{
		{Session: "s1", Agent: "a", Event: "pre-session", Project: "/home/x/api", Allowed: []string{"g"}},
		{Session: "s1", Agent: "b", Event: "pre-tool-call", NativeEvent: "PreToolUse", Tool: "Shell", NativeTool: "Bash", Decision: "block", Hooks: []runner.LogHook{{Name: "h", Result: runner.Blocked, Changed: true}}},
		{Session: "s2-long", Agent: "a", Event: "pre-tool-call", Async: []string{"h"}, Project: `/home/x/my "own"/api`},
		{Session: "s2-long", Agent: "a", Event: "pre-tool-call", Warnings: []runner.Warning{{Hook: "h", Text: "broken"}}, Decision: "ask", Project: "/home/x/napi"},
		{Event: "post-tool-call", NativeEvent: "AfterTool", Hooks: []runner.LogHook{{Name: "h/é\n", Result: runner.TimedOut}}},
	}
	for i := range lines {
		lines[i].Time, lines[i].ID = at.Add(time.Duration(i)*time.Second), string(rune('1'+i))
	}
	add(t, state, lines...)
	for _, c := range []struct {
		name string
		f    Filter
		want string
	}{
		{"all", Filter{}, "12345"},
		{"a session", Filter{Session: "s1"}, "12"},
		{"sessions that begin so", Filter{Session: "s2"}, "34"},
		{"an agent", Filter{Agent: "a"}, "134"},
		{"an event", Filter{Events: []string{"pre-tool-call"}}, "234"},
		{"native events", Filter{Events: []string{"PreToolUse", "AfterTool"}}, "25"},
		{"a hook", Filter{Hook: "h"}, "234"},
		{"a hook with an odd name", Filter{Hook: "h/é\n"}, "5"},
		{"a hook that is not there", Filter{Hook: "none"}, ""},
		{"a native tool", Filter{Tool: "bash"}, "2"},
		{"a tool", Filter{Tool: "Shell"}, "2"},
		{"blocked", Filter{Became: Became{Blocked: true}}, "2"},
		{"asked", Filter{Became: Became{Asked: true}}, "4"},
		{"failed", Filter{Became: Became{Failed: true}}, "5"},
		{"blocked or asked or failed", Filter{Became: Became{Blocked: true, Asked: true, Failed: true}}, "245"},
		{"warned", Filter{Became: Became{Warned: true}}, "4"},
		{"late", Filter{Became: Became{Late: true}}, "5"},
		{"changed", Filter{Became: Became{Changed: true}}, "2"},
		{"changed or late", Filter{Became: Became{Changed: true, Late: true}}, "25"},
		{"blocked or allowed", Filter{Became: Became{Blocked: true, Allowed: true}}, "12"},
		{"the end of a project's path", Filter{Project: []string{"api"}}, "13"},
		{"two parts of it", Filter{Project: []string{"x/api"}}, "1"},
		{"a path with quotes", Filter{Project: []string{`my "own"/api`}}, "3"},
		{"one of two paths", Filter{Project: []string{"/home/x/napi", "/none"}}, "4"},
		{"since", Filter{Since: at.Add(2 * time.Second)}, "345"},
		{"until", Filter{Until: at.Add(2 * time.Second)}, "12"},
		{"between", Filter{Since: at.Add(time.Second), Until: at.Add(3 * time.Second)}, "23"},
		{"since a day to come", Filter{Since: at.AddDate(0, 0, 3)}, ""},
		{"until the first", Filter{Until: at}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, errs := ids(Lines(state, c.f)); got != c.want || errs > 0 {
				t.Errorf("%+v: %q, want %q", c.f, got, c.want)
			}
			if got, errs := ids(Backward(state, c.f)); got != reversed(c.want) || errs > 0 {
				t.Errorf("%+v: backward %q, want %q", c.f, got, reversed(c.want))
			}
			if newest, more, err := Newest(state, c.f, 2); err != nil || more != (len(c.want) > 2) || len(newest) != min(2, len(c.want)) || len(newest) > 0 && newest[len(newest)-1].ID != c.want[len(c.want)-1:] {
				t.Errorf("%+v: newest %+v, more %t, %v", c.f, newest, more, err)
			}
		})
	}
	if got, errs := ids(Lines(filepath.Join(state, "none"), Filter{})); got != "" || errs > 0 {
		t.Errorf("no log at all: %q", got)
	}
}

// Anything else in the log costs only itself, from either end: half a line, another
// line after it, garbage, an overlong line, a clock that was set back.
func TestHostileLog(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	line := func(id string, at time.Time) []byte {
		l := runner.LogLine{ID: id, Time: at, Event: "pre-session", Decision: "none"}
		return l.Append(nil)
	}
	long := runner.LogLine{ID: "x", Time: now, Session: strings.Repeat("s", 100), Hooks: []runner.LogHook{{Name: "h", Log: protocol.Quote(strings.Repeat("y", MaxLine))}}}
	wide := runner.LogLine{ID: "3", Time: now, Hooks: []runner.LogHook{{Name: "h", Log: protocol.Quote(strings.Repeat("z", MaxLine/2))}}}
	day := bytes.Join([][]byte{
		line("1", now), line("h", now)[:40], line("2", now), []byte("\x00\x1b[2J{garbage\n\n\r\n[1]\n\"x\"\n{}\n"), long.Append(nil), wide.Append(nil),
		line("4", now.Add(-time.Hour)), []byte(strings.Repeat("q", 3*MaxLine) + "\n"), line("5", now), line("half", now)[:60],
	}, nil)
	dir := filepath.Join(state, "log")
	must.Do(t, os.MkdirAll(dir, 0o700))
	for name, b := range map[string][]byte{"2026-11-20.jsonl": day, "2026-11-19.jsonl": line("0", now.AddDate(0, 0, -1)), "2026-11-18.jsonl": nil, "notes.jsonl": line("n", now), "2026-11-17.jsonl~": line("n", now)} {
		must.Write(t, filepath.Join(dir, name), b)
	}
	if got, errs := ids(Lines(state, Filter{})); got != "012345" || errs > 0 {
		t.Errorf("%q, %d errors", got, errs)
	}
	if got, errs := ids(Backward(state, Filter{})); got != "543210" || errs > 0 {
		t.Errorf("backward %q, %d errors", got, errs)
	}
	if got, _ := ids(Lines(state, Filter{Since: now})); got != "1235" {
		t.Errorf("since noon %q", got)
	}
	// The reader owns what it has read: no later line changes it.
	all, _, err := Newest(state, Filter{}, 10)
	if err != nil || len(all) != 6 || string(all[3].Hooks[0].Log) != string(protocol.Quote(strings.Repeat("z", MaxLine/2))) {
		t.Errorf("%d lines, %v", len(all), err)
	}
	at := Place{}
	got := ""
	for e, err := range After(state, at) {
		if got += e.ID; err != nil {
			t.Error(err)
		}
	}
	if got != "012345" || at["2026-11-20"] != int64(len(day)-60) {
		t.Errorf("after the beginning: %q, and on from %v", got, at)
	}
	if end := End(state); end["2026-11-20"] != at["2026-11-20"] || end["2026-11-19"] != at["2026-11-19"] {
		t.Errorf("the end is %v, reading came to %v", end, at)
	}
}

// Anything else under the name of a day's file is an error for that day.
func TestIrregularFiles(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	now := time.Now().UTC()
	add(t, state, runner.LogLine{ID: "1", Time: now})
	dir := filepath.Join(state, "log")
	must.Do(t, os.Mkdir(filepath.Join(dir, "2026-01-02.jsonl"), 0o700))
	want := 1
	if fifo(filepath.Join(dir, "2026-01-01.jsonl")) == nil {
		want++
	}
	os.Symlink("/dev/zero", filepath.Join(dir, "2026-01-03.jsonl"))
	if _, err := os.Stat(filepath.Join(dir, "2026-01-03.jsonl")); err == nil { // not on Windows, nor where links cannot be made
		want++
	}
	os.Symlink(filepath.Join(dir, "none"), filepath.Join(dir, "2026-01-04.jsonl"))
	for name, seq := range map[string]func(func(runner.LogLine, error) bool){"forward": Lines(state, Filter{}), "backward": Backward(state, Filter{})} {
		t.Run(name, func(t *testing.T) {
			if got, errs := ids(seq); got != "1" || errs != want {
				t.Errorf("%s: %q and %d errors, want %d", name, got, errs, want)
			}
		})
	}
	lines, _, err := Newest(state, Filter{}, 5)
	if len(lines) != 1 || err == nil || !strings.Contains(err.Error(), "2026-01-02.jsonl") {
		t.Errorf("%v, %v", lines, err)
	}
}

// A follower sees each complete line once: one that is written in two pieces, in
// yesterday's file, or in a file that was replaced.
func TestAfter(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	now := time.Date(2026, 11, 20, 23, 59, 59, 0, time.UTC)
	at := Place{}
	read := func() (got string) {
		for e, err := range After(state, at) {
			if got += e.ID; err != nil {
				t.Error(err)
			}
			if at[e.Day] != e.End {
				t.Errorf("line %s: at %d, ends at %d", e.ID, at[e.Day], e.End)
			}
		}
		return got
	}
	expect := func(want string) {
		t.Helper()
		if got := read(); got != want {
			t.Errorf("read %q, want %q", got, want)
		}
	}
	expect("")
	add(t, state, runner.LogLine{ID: "1", Time: now})
	expect("1")
	l := runner.LogLine{ID: "2", Time: now}
	text := l.Append(nil)
	file, err := os.OpenFile(runner.LogPath(state, now), os.O_WRONLY|os.O_APPEND, 0)
	must.Do(t, err)
	file.Write(text[:50])
	expect("")
	add(t, state, runner.LogLine{ID: "3", Time: now.Add(2 * time.Second)})
	expect("3")
	file.Write(text[50:]) // in yesterday's file, though today has begun
	must.Do(t, file.Close())
	expect("2")
	expect("")
	must.Write(t, runner.LogPath(state, now), text[:0])
	add(t, state, runner.LogLine{ID: "4", Time: now})
	expect("4")
	must.Do(t, os.Remove(runner.LogPath(state, now)))
	expect("")
	if len(at) != 1 {
		t.Errorf("a day that is gone is kept: %v", at)
	}
	// A follower that stopped continues there.
	add(t, state, runner.LogLine{ID: "5", Time: now.Add(3 * time.Second)}, runner.LogLine{ID: "6", Time: now.Add(4 * time.Second)})
	for range After(state, at) {
		break
	}
	expect("6")
}
