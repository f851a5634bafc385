package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func sampleLine(at time.Time) *LogLine {
	return &LogLine{
		V: 1, ID: "0123456789abcdef", Time: at, Agent: "a", Event: "pre-tool-call", NativeEvent: "PreToolUse", Tool: "Shell", NativeTool: "Bash", CallID: "c1", Session: "s", Project: "/p",
		Duration: 1234567 * time.Nanosecond, Decision: "block",
		Hooks: []LogHook{
			{Name: "h", Layer: discovery.UserLayer, Duration: 1500 * time.Microsecond, Exit: 2, Result: Blocked, Log: protocol.Raw(`{"n": 1}`)},
			{Name: "k", Layer: discovery.ProjectLayer, Exit: -1, Signal: "SIGKILL", Result: Failed, Warning: "was \"ended\"\n", Stdout: "o", Stderr: "e", Reason: "r"},
		},
		Async:    []string{"later"},
		Warnings: []Warning{{"k", "failed", "was ended"}},
	}
}

// readLog is all that the run log has; package runlog reads it for everybody else.
func readLog(t *testing.T, state string) (lines []LogLine) {
	t.Helper()
	days, _ := filepath.Glob(filepath.Join(state, "log", "????-??-??.jsonl"))
	for _, day := range days {
		b, err := os.ReadFile(day)
		must.Do(t, err)
		for _, text := range bytes.Split(b, []byte("\n")) {
			if l, ok := ParseLogLine(text); ok {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// The line's shape is held by spec/log.schema.json too.
func TestLogLineShape(t *testing.T) {
	t.Parallel()
	b := sampleLine(time.Date(2026, 11, 21, 10, 0, 0, 5e6, time.FixedZone("x", 3600))).Append(nil)
	if strings.Count(string(b), "\n") != 1 || b[len(b)-1] != '\n' {
		t.Fatalf("not one line: %q", b)
	}
	var doc map[string]any
	must.Do(t, json.Unmarshal(b, &doc))
	for _, key := range []string{"v", "time", "agent", "event", "native_event", "session", "project", "duration_ms", "decision", "hooks", "warnings"} {
		if _, ok := doc[key]; !ok {
			t.Errorf("no %s", key)
		}
	}
	hook := doc["hooks"].([]any)[0].(map[string]any)
	for _, key := range []string{"name", "layer", "duration_ms", "exit", "signal", "result", "warning", "async"} {
		if _, ok := hook[key]; !ok {
			t.Errorf("no hooks[].%s", key)
		}
	}
	if doc["time"] != "2026-11-21T09:00:00.005Z" || doc["duration_ms"] != 1.234 || hook["duration_ms"] != 1.5 || doc["v"] != 1.0 {
		t.Errorf("units: %s", b)
	}
	if empty := (&LogLine{}).Append(nil); !strings.Contains(string(empty), `"hooks": [], "warnings": []`) {
		t.Errorf("an event that nothing ran for: %s", empty)
	}
}

func TestLogRoundTrip(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	at := time.Date(2026, 11, 21, 23, 59, 59, 0, time.UTC)
	want := sampleLine(at)
	must.Do(t, AppendLog(state, want))
	got := readLog(t, state)
	if len(got) != 1 {
		t.Fatalf("%v", got)
	}
	want.Duration = 1234 * time.Microsecond
	if !reflect.DeepEqual(got[0], *want) {
		t.Errorf("read    %+v\nwritten %+v", got[0], *want)
	}
	info, err := os.Stat(LogPath(state, at))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// A new day, in UTC, has a new file, and clears away what is older than 31 days, and sessions of 14.
func TestLogDays(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	today := time.Date(2026, 11, 21, 0, 0, 1, 0, time.UTC)
	old := filepath.Join(state, "sessions", "old")
	touched := filepath.Join(state, "sessions", "touched")
	for _, f := range []string{
		filepath.Join(state, "log", "2026-10-20.jsonl"), filepath.Join(state, "log", "2026-10-21.jsonl"),
		filepath.Join(state, "log", "notes.txt"), filepath.Join(state, "log", "1-notes.jsonl"),
		filepath.Join(old, "a.json"), filepath.Join(touched, "a.json"),
	} {
		os.MkdirAll(filepath.Dir(f), 0o700)
		os.WriteFile(f, []byte("{}\n"), 0o600)
	}
	long := today.AddDate(0, 0, -15)
	for _, p := range []string{filepath.Join(old, "a.json"), old, touched} {
		os.Chtimes(p, long, long)
	}
	os.Chtimes(filepath.Join(touched, "a.json"), today, today)
	for _, at := range []time.Time{today.Add(-2 * time.Second), today, today.Add(time.Hour)} {
		must.Do(t, AppendLog(state, &LogLine{Time: at.In(time.FixedZone("far", 12*3600)), Session: at.Format("15:04:05")}))
	}
	entries, _ := os.ReadDir(filepath.Join(state, "log"))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"1-notes.jsonl", "2026-10-21.jsonl", "2026-11-20.jsonl", "2026-11-21.jsonl", "notes.txt"}; !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("a session of 15 days ago is kept")
	}
	if _, err := os.Stat(touched); err != nil {
		t.Error("a session with a fresh file is gone")
	}
	if got := readLog(t, state); len(got) != 3 || got[1].Session != "00:00:01" || got[2].Session != "01:00:01" {
		t.Errorf("last 2: %v", got)
	}
}

// A line that was cut off costs itself and nothing else.
func TestLogTorn(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	l := sampleLine(time.Now())
	must.Do(t, AppendLog(state, l))
	f, err := os.OpenFile(LogPath(state, l.Time), os.O_WRONLY|os.O_APPEND, 0)
	must.Do(t, err)
	f.Write(l.Append(nil)[:100])
	f.Close()
	must.Do(t, AppendLog(state, l))
	must.Do(t, AppendLog(state, l))
	if got := readLog(t, state); len(got) != 3 {
		t.Errorf("%d lines; want 3", len(got))
	}
}

// A line that somebody added without ending it is not glued to the next one.
func TestLogTypedByHand(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	l := sampleLine(time.Now())
	must.Do(t, AppendLog(state, l))
	typed := bytes.TrimSuffix(l.Append(nil), []byte("\n"))
	must.Write(t, LogPath(state, l.Time), append([]byte(must.Read(t, LogPath(state, l.Time))), typed...))
	must.Do(t, AppendLog(state, l))
	b, err := os.ReadFile(LogPath(state, l.Time))
	if want := string(typed) + "\n"; err != nil || string(b) != strings.Repeat(want, 3) {
		t.Errorf("%v\n%s", err, b)
	}
}

// A hook's own log value is kept if it is short.
func TestHookLogValue(t *testing.T) {
	t.Parallel()
	long := protocol.Quote(strings.Repeat("x", maxHookLog))
	rep := Report{Event: event(protocol.PreToolCall), Results: []Result{
		{Hook: &discovery.Hook{Name: "a"}, Outcome: protocol.Outcome{Log: protocol.Raw("[1]")}},
		{Hook: &discovery.Hook{Name: "b"}, Outcome: protocol.Outcome{Log: long}},
	}}
	l := NewLogLine(rep, &discovery.Set{}, time.Now(), false)
	if string(l.Hooks[0].Log) != "[1]" || l.Hooks[1].Log != nil {
		t.Errorf("%s, %d bytes", l.Hooks[0].Log, len(l.Hooks[1].Log))
	}
	if err := AppendLog("", l); err == nil {
		t.Error("no state directory, and no word of it")
	}
}

// A full disk is told, not swallowed.
func TestLogDiskFull(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full on this system")
	}
	state := t.TempDir()
	at := time.Now()
	os.MkdirAll(filepath.Join(state, "log"), 0o700)
	linktest.Make(t, "/dev/full", LogPath(state, at))
	if err := AppendLog(state, &LogLine{Time: at}); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("got %v", err)
	}
}

func canaryEvent() *protocol.Event {
	ev := event(protocol.PreToolCall)
	var in protocol.Object
	in.SetText("command", "deploy --key CANARY-secret-1 && true")
	in.Set("deep", protocol.Raw(`[{"x": "CANARYnested22"}]`))
	in.Set("number", protocol.Raw("31415926535"))
	ev.SetInput(in)
	ev.Fields.SetText("prompt", "the CANARYprompt33 of the person")
	ev.Fields.SetText("tool_response", "line one\nCANARYresponse44")
	native := in.Clone()
	native.SetText("other", "CANARYnative55")
	ev.Context.Set("native", native.Raw())
	return ev
}

func hasCanary(s string) bool {
	return strings.Contains(s, "CANARY") || strings.Contains(s, "31415926535") || strings.Contains(s, "secret-1")
}

// A hook that fails with its input on its lips puts nothing of it into the
// log, unless debugging is on.
func TestLogKeepsNoInput(t *testing.T) {
	t.Parallel()
	ev := canaryEvent()
	stderr := ev.JSON()
	h := &discovery.Hook{Name: "h"}
	var rs []Result
	for _, e := range []exitState{
		{status: status{exit: 1}, stderr: capture{data: stderr}},
		{status: status{exit: 1}, stderr: capture{data: []byte("+ deploy --key CANARY-secret-1 && true")}},
		{status: status{exit: 1}, stderr: capture{data: []byte("bad: CANARYprompt33, 31415926535 and 'CANARYnative55'")}},
		{status: status{exit: 1}, stderr: capture{data: []byte(`path C:\CANARYresponse44, or "a\nCANARYprompt33", "\u00e9CANARYnative55"`)}},
		{status: status{exit: 2}, stderr: capture{data: stderr}},
		{status: status{exit: -1}, panicked: string(stderr)},
		{status: status{exit: 0}, stdout: capture{data: []byte(`{"a": 1, "CANARYnested22": 2, "CANARYnested22": 3}`)}},
	} {
		rs = append(rs, interpret(h, ev, e, &discovery.Settings{}))
	}
	rep := Report{ID: "x", Event: ev, Results: rs, Outcome: Fold(ev, rs)}
	for _, r := range rs {
		rep.Warnings = append(rep.Warnings, Warning{"h", r.kind(), r.Warning})
	}
	line := NewLogLine(rep, &discovery.Set{}, time.Now(), false)
	line.Warnings = append(line.Warnings, Warning{"h", "failed", "added later: CANARYprompt33"})
	plain := string(line.Append(nil))
	if hasCanary(plain) {
		t.Errorf("%s", plain)
	}
	if !strings.Contains(plain, "failed (exit code 1)") || !strings.Contains(plain, "bad: ") {
		t.Errorf("the log says nothing any more: %s", plain)
	}
	if debug := string(NewLogLine(rep, &discovery.Set{}, time.Now(), true).Append(nil)); !hasCanary(debug) || !strings.Contains(debug, `"input": {"event_type": "pre-tool-call"`) {
		t.Errorf("debugging shows no input: %s", debug)
	}
}

// Even then, what looks like a secret does not go into the log, nor does a
// large input.
func TestRedact(t *testing.T) {
	t.Parallel()
	raw := protocol.Raw(`{"api_key": "x", "Password": 5, "list": [{"auth_token": ["a"]}, "sk-abcdefghijklmnop0123"], "max_tokens": 5, "n": null, "secret": null}`)
	want := `{"api_key": "[redacted]", "Password": "[redacted]", "list": [{"auth_token": ["[redacted]"]}, "[redacted]"], "max_tokens": 5, "n": null, "secret": null}`
	if got := string(loggedInput(raw)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	big := LogLine{Input: protocol.Raw(`{"x": "` + strings.Repeat("y", maxInput) + `"}`)}
	if line := string(big.Append(nil)); len(line) > 1000 || !strings.Contains(line, `"input": {"omitted_bytes": 65545}`) {
		t.Errorf("%d bytes: %s", len(line), shorten(line))
	}
}

// Whatever stands in a log file, reading it neither fails nor invents: a line of
// ours is read back, and what is read can be written.
func FuzzReadLogLine(f *testing.F) {
	f.Add(sampleLine(time.Unix(0, 0)).Append(nil))
	f.Add([]byte(`{"v": 1, "id": "x", {"v": 1, "id": "y", "time": "2026-11-21T10:00:00Z"}`))
	f.Add([]byte(`{"hooks": [5, {"exit": "x"}], "warnings": {}, "time": "2026-11-21T10:00:00Z"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, ok := ParseLogLine(b)
		if !ok {
			return
		}
		again, ok := ParseLogLine(l.Append(nil))
		if !ok || again.ID != l.ID || len(again.Hooks) != len(l.Hooks) {
			t.Fatalf("%q\nread %+v\nthen %+v", b, l, again)
		}
	})
}

// Whatever a hook says, taking the input out of it leaves UTF-8 on one line, and
// nothing of the input.
func FuzzLogReason(f *testing.F) {
	f.Add("Bearer abcdefghijkl http://u:p@h -----BEGIN X PRIVATE KEY-----")
	f.Add("://:@:@://@:")
	f.Add("a\r\nb\tc")
	f.Fuzz(func(t *testing.T, s string) {
		l := LogLine{about: canaryEvent()}
		got := l.reason(s, nil)
		if utf8.ValidString(s) && !utf8.ValidString(got) || strings.ContainsAny(got, "\r\n") || utf8.RuneCountInString(got) > maxLogReason {
			t.Fatalf("%q became %q", s, got)
		}
		if got := l.reason(s+" CANARYprompt33", nil); strings.Contains(got, " CANARYprompt33") {
			t.Fatalf("%q is left", got)
		}
	})
}

// Why a hook decided as it did stands in the log on one line, without secrets,
// whatever the hook made of its text.
func TestLogReason(t *testing.T) {
	t.Parallel()
	ev := event(protocol.PreToolCall)
	var in protocol.Object
	in.SetText("command", "deploy production-cluster")
	ev.SetInput(in)
	token := "ghp_" + strings.Repeat("aB3dE5gH", 5)
	pem := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n", 9) + "-----END PRIVATE KEY-----"
	for _, c := range []struct{ said, want string }{
		{"not today", "not today"},
		{" two\r\n\tlines \n\n of it\n", "two lines of it"},
		{"", "blocked this and gave no reason"},
		{"deploy production-cluster is for Mondays", "… is for Mondays"},
		{"it found " + token, "it found [redacted]"},
		{"it found " + token[:20] + "\n   " + token[20:] + "\nin x", "it found [redacted] x"}, // broken where the line was full
		{"it found\npassword:\n  hunter2-and-3", "it found password: [redacted]"},
		{pem + "\nstands there", "[redacted] stands there"},
		{"a\x1b[31mred\x1b]0;title\x07 \u202eword\x00", "ared word"},
		{strings.Repeat("long ", 1000) + token, strings.TrimSpace(strings.Repeat("long ", 80)[:399]) + "…"},
		{strings.Repeat("x", 100<<10), "a reason of 100 KiB"},
	} {
		t.Run(fmt.Sprintf("%.80q", c.said), func(t *testing.T) {
			e := exitState{status: status{exit: 2}, stderr: capture{data: []byte(c.said)}}
			rep := Report{Event: ev, Results: []Result{interpret(&discovery.Hook{Name: "h"}, ev, e, &discovery.Settings{})}}
			line := NewLogLine(rep, &discovery.Set{}, time.Now(), false).Append(nil)
			l, ok := ParseLogLine(line)
			if !ok || l.Hooks[0].Reason != c.want {
				t.Errorf("%s: read %v, got %q, want %q", shorten(c.said), ok, l.Hooks[0].Reason, c.want)
			}
			if again, _ := ParseLogLine(l.Append(nil)); again.Hooks[0].Reason != c.want {
				t.Errorf("%s: written again %q", shorten(c.said), again.Hooks[0].Reason)
			}
			if len(line) > 3000 {
				t.Errorf("%s: a line of %d bytes", shorten(c.said), len(line))
			}
		})
	}
}

// A reason is told in the words of the hook, though the command has some of them; what
// the hook has from the event only is left out.
func TestLogReasonKeepsWhatTheHookSaysByItself(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		must.Script(t, path, text)
		return path
	}
	h := &discovery.Hook{
		Name:    "no-force-push",
		Dir:     dir,
		File:    write("HOOK.md", "---\nmatcher: {command: '^git push'}\n---\nAsk the maintainers, who permit.\n"),
		Entry:   discovery.Entry{Path: write("run", "#!/bin/sh\necho \"Do not force-push to $1; push a new commit.\" >&2\nexit 2\n")},
		Command: discovery.Command{Line: "check --strictly"},
	}
	ev := event(protocol.PreToolCall)
	var in protocol.Object
	in.SetText("command", "git push --force secret-remote maintainers strictly")
	ev.SetInput(in)
	ev.Fields.Set("commands", protocol.Raw(`[{"text": "git push --force secret-remote", "argv": ["git", "push", "--force", "secret-remote", "ermi"]}]`))
	for said, want := range map[string]string{
		"Do not force-push; push a new commit.":             "Do not force-push; push a new commit.",
		"Do not force-push to secret-remote; push a commit": "Do not force-push to …; push a commit",
		"git push --force secret-remote is not for you":     "… is not for you",
		"ask the maintainers, strictly":                     "ask the maintainers, strictly", // of HOOK.md, and of the command
		"they permit":                                       "they p…t",                      // part of a word of the hook is not its word
	} {
		t.Run(said, func(t *testing.T) {
			e := exitState{status: status{exit: 2}, stderr: capture{data: []byte(said)}}
			rep := Report{Event: ev, Results: []Result{interpret(h, ev, e, &discovery.Settings{})}}
			l, ok := ParseLogLine(NewLogLine(rep, &discovery.Set{}, time.Now(), false).Append(nil))
			if !ok || l.Hooks[0].Reason != want {
				t.Errorf("read %v, got %q, want %q", ok, l.Hooks[0].Reason, want)
			}
		})
	}
}

// That a hook changed the input is in the log; what the input was, and became, only
// when debugging, and then without secrets.
func TestLogChangedInput(t *testing.T) {
	t.Parallel()
	before, after := protocol.ObjectOf(protocol.Raw(`{"command": "curl -H 'Authorization: Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a' a"}`)), protocol.ObjectOf(protocol.Raw(`{"command": "ls -la"}`))
	rep := Report{Event: &protocol.Event{Type: protocol.PreToolCall}, Results: []Result{{Hook: &discovery.Hook{Name: "h"}, Verdict: OK, before: before, after: after}, {Hook: &discovery.Hook{Name: "k"}, Verdict: OK}}}
	for _, debug := range []bool{false, true} {
		line := string(NewLogLine(rep, &discovery.Set{}, time.Now(), debug).Append(nil))
		l, ok := ParseLogLine([]byte(line))
		if !ok || !l.Hooks[0].Changed || l.Hooks[1].Changed || strings.Contains(line, "ghp_") || strings.Contains(line, "ls -la") != debug || debug != (len(l.Hooks[0].Before) > 0 && len(l.Hooks[0].After) > 0) {
			t.Errorf("debug %v: %s", debug, line)
		}
	}
}
