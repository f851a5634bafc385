package runner

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// ParseLogLine parses one line. If the line is not valid but contains the beginning of
// another, the line before was cut off, by a full disk for instance, and the second one
// is parsed. It keeps no reference to the text.
func ParseLogLine(text []byte) (LogLine, bool) {
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
		Tool: o.Text("tool"), NativeTool: o.Text("native_tool"), CallID: o.Text("call"),
		Session: o.Text("session"), Project: o.Text("project"), Decision: o.Text("decision"),
		Duration: duration(o.Get("duration_ms")), Input: slices.Clone(o.Get("input")),
	}
	l.Time, err = time.Parse(time.RFC3339Nano, o.Text("time"))
	for _, raw := range protocol.ElementsOf(o.Get("hooks")) {
		l.Hooks = append(l.Hooks, parseLogHook(protocol.ObjectOf(raw)))
	}
	l.Allowed = protocol.TextsOf(o.Get("allowed_by"))
	l.Async = protocol.TextsOf(o.Get("async"))
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
		Result: Verdict(o.Text("result")), Decision: o.Text("decision"), Warning: o.Text("warning"), Async: o.Bool("async"),
		Changed: o.Bool("changed_input"), Before: slices.Clone(o.Get("input_before")), After: slices.Clone(o.Get("input_after")),
		Log: slices.Clone(o.Get("log")), Reason: o.Text("reason"), Stdout: o.Text("stdout"), Stderr: o.Text("stderr"),
	}
}

func duration(raw protocol.Raw) time.Duration {
	ms, _ := strconv.ParseFloat(string(raw), 64)
	return time.Duration(math.Round(ms*1000)) * time.Microsecond
}
