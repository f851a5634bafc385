package runner

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A LogFilter picks lines of the run log. An empty member picks all.
type LogFilter struct {
	Session string
	Hook    string // of a line: one of its hooks, run or started
	Agent   string
	Event   string
	Last    int // the newest ones only; 0: all
}

func (f LogFilter) picks(l *LogLine) bool {
	if f.Session != "" && f.Session != l.Session || f.Agent != "" && f.Agent != l.Agent || f.Event != "" && f.Event != l.Event {
		return false
	}
	return f.Hook == "" || slices.Contains(l.Async, f.Hook) ||
		slices.ContainsFunc(l.Hooks, func(h LogHook) bool { return h.Name == f.Hook }) ||
		slices.ContainsFunc(l.Warnings, func(w Warning) bool { return w.Hook == f.Hook })
}

// ReadLog returns the lines of the run log that f picks, the oldest first. What
// is no line of ours is passed over: a full disk may have cut one off. No log at
// all is no error.
func ReadLog(stateDir string, f LogFilter) ([]LogLine, error) {
	dir := filepath.Join(stateDir, "log")
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var newestFirst []LogLine
	for _, e := range slices.Backward(entries) {
		if filepath.Ext(e.Name()) != ".jsonl" {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		for _, text := range slices.Backward(bytes.Split(b, []byte("\n"))) {
			l, ok := parseLogLine(text)
			if !ok || !f.picks(&l) {
				continue
			}
			newestFirst = append(newestFirst, l)
			if len(newestFirst) == f.Last {
				break
			}
		}
		if f.Last > 0 && len(newestFirst) == f.Last {
			break
		}
	}
	slices.Reverse(newestFirst)
	return newestFirst, nil
}

// parseLogLine reads one line. If it is none, but has the beginning of one
// inside, the line before it was cut off when the disk was full.
func parseLogLine(text []byte) (LogLine, bool) {
	o, err := protocol.ParseObject(text)
	if err != nil {
		i := bytes.LastIndex(text, []byte(`{"v": 1, "id": `))
		if i <= 0 {
			return LogLine{}, false
		}
		if o, err = protocol.ParseObject(text[i:]); err != nil {
			return LogLine{}, false
		}
	}
	l := LogLine{
		V: number(o.Get("v")), ID: o.Text("id"), Ref: o.Text("ref"),
		Agent: o.Text("agent"), Event: o.Text("event"), NativeEvent: o.Text("native_event"),
		Session: o.Text("session"), Project: o.Text("project"), Decision: o.Text("decision"),
		Duration: duration(o.Get("duration_ms")), Input: o.Get("input"),
	}
	l.Time, err = time.Parse(time.RFC3339Nano, o.Text("time"))
	for _, raw := range protocol.ElementsOf(o.Get("hooks")) {
		l.Hooks = append(l.Hooks, parseLogHook(protocol.ObjectOf(raw)))
	}
	for _, raw := range protocol.ElementsOf(o.Get("allowed_by")) {
		l.Allowed = append(l.Allowed, protocol.TextOf(raw))
	}
	for _, raw := range protocol.ElementsOf(o.Get("async")) {
		l.Async = append(l.Async, protocol.TextOf(raw))
	}
	for _, raw := range protocol.ElementsOf(o.Get("warnings")) {
		w := protocol.ObjectOf(raw)
		l.Warnings = append(l.Warnings, Warning{w.Text("hook"), w.Text("kind"), w.Text("text")})
	}
	return l, err == nil
}

func parseLogHook(o protocol.Object) LogHook {
	return LogHook{
		Name: o.Text("name"), Layer: discovery.LayerName(o.Text("layer")),
		Duration: duration(o.Get("duration_ms")), Exit: number(o.Get("exit")), Signal: o.Text("signal"),
		Result: Verdict(o.Text("result")), Warning: o.Text("warning"), Async: o.Bool("async"),
		Log: o.Get("log"), Reason: o.Text("reason"), Stdout: o.Text("stdout"), Stderr: o.Text("stderr"),
	}
}

func duration(raw protocol.Raw) time.Duration {
	ms, _ := strconv.ParseFloat(string(raw), 64)
	return time.Duration(math.Round(ms*1000)) * time.Microsecond
}
