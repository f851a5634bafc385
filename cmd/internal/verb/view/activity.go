package view

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/page"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/runner"
)

// maxText is how much of a hook's text a page shows, in bytes.
const maxText = 64 << 10

// An activity is the events, as the page has them.
type activity struct {
	Name   string            `json:"name"`
	Cut    bool              `json:"cut"` // there are older events
	Agents map[string]string `json:"agents"`
	Events []event           `json:"events"` // the newest first
}

// An event is a line of the run log.
type event struct {
	ID         string   `json:"id"`
	Ref        string   `json:"ref,omitempty"` // for async hooks: the event that started them
	Time       string   `json:"time"`
	Agent      string   `json:"agent,omitempty"`
	Event      string   `json:"event,omitempty"`
	Native     string   `json:"native,omitempty"`
	Tool       string   `json:"tool,omitempty"`
	NativeTool string   `json:"native_tool,omitempty"`
	Session    string   `json:"session,omitempty"`
	Project    string   `json:"project,omitempty"`
	MS         float64  `json:"ms"`
	Decision   string   `json:"decision,omitempty"`
	Allowed    []string `json:"allowed,omitempty"`
	Hooks      []run    `json:"hooks,omitempty"`
	Async      []string `json:"async,omitempty"`
	Warnings   []notice `json:"warnings,omitempty"`
	Input      string   `json:"input,omitempty"`
}

// A run is the result of one hook.
type run struct {
	Name     string  `json:"name"`
	Layer    string  `json:"layer,omitempty"`
	MS       float64 `json:"ms"`
	Exit     int     `json:"exit,omitempty"`
	Signal   string  `json:"signal,omitempty"`
	Result   string  `json:"result"`
	Decision string  `json:"decision,omitempty"`
	Warning  string  `json:"warning,omitempty"`
	Async    bool    `json:"async,omitempty"`
	Changed  bool    `json:"changed,omitempty"`
	Diff     string  `json:"diff,omitempty"`
	Blotted  bool    `json:"blotted,omitempty"` // the changed input differs only in secrets
	Log      string  `json:"log,omitempty"`
	Reason   string  `json:"reason,omitempty"`
	Stdout   string  `json:"stdout,omitempty"`
	Stderr   string  `json:"stderr,omitempty"`
}

type notice struct {
	Hook    string `json:"hook,omitempty"`
	Text    string `json:"text"`
	Refused bool   `json:"refused,omitempty"` // by the user: not a problem
}

func seeActivity(sh *shell.Shell, l lookOptions) activity {
	a := activity{Name: "log", Agents: map[string]string{}, Events: []event{}}
	for line, err := range runlog.Backward(sh.Host.State, l.filter) {
		if err != nil {
			sh.Say("view: reading the log: %v", err)
			continue
		}
		if l.last > 0 && len(a.Events) == l.last {
			a.Cut = true
			break
		}
		a.Events = append(a.Events, eventOf(sh, line))
	}
	for _, d := range agents.All() {
		a.Agents[d.ID] = d.Name
	}
	return a
}

func (a activity) part() page.Part {
	return page.Part{Name: "activity", English: "Activity", Chinese: "动态", Style: activityStyle, Script: activityScript, Docs: []any{a}}
}

// sessions is the number of sessions of the events.
func (a activity) sessions() int {
	seen := map[string]bool{}
	for _, e := range a.Events {
		seen[e.Session] = true
	}
	return len(seen)
}

func eventOf(sh *shell.Shell, l runner.LogLine) event {
	e := event{
		ID: l.ID, Ref: l.Ref, Time: l.Time.UTC().Format(time.RFC3339Nano), Agent: l.Agent, Event: l.Event, Native: l.NativeEvent,
		Tool: l.Tool, NativeTool: l.NativeTool, Session: l.Session, Project: sh.Short(l.Project), MS: milliseconds(l.Duration),
		Decision: l.Decision, Allowed: l.Allowed, Async: l.Async, Input: indented(l.Input),
	}
	for _, h := range l.Hooks {
		e.Hooks = append(e.Hooks, runOf(h))
	}
	for _, w := range l.Warnings {
		e.Warnings = append(e.Warnings, notice{w.Hook, clipped(w.Text), w.Kind == "refused"})
	}
	return e
}

func runOf(h runner.LogHook) run {
	r := run{
		Name: h.Name, Layer: string(h.Layer), MS: milliseconds(h.Duration), Exit: h.Exit, Signal: h.Signal, Result: string(h.Result), Decision: h.Decision,
		Warning: clipped(h.Warning), Async: h.Async, Changed: h.Changed, Log: clipped(string(h.Log)), Reason: clipped(h.Reason), Stdout: clipped(h.Stdout), Stderr: clipped(h.Stderr),
	}
	if len(h.Before) > 0 || len(h.After) > 0 {
		r.Diff = clipped(inputDiff(protocol.ObjectOf(h.Before), protocol.ObjectOf(h.After)))
		r.Blotted = r.Diff == ""
	}
	return r
}

// inputDiff shows the changes of an input, argument by argument: texts as lines, and anything
// else as JSON.
func inputDiff(before, after protocol.Object) string {
	var b strings.Builder
	var names []string
	for _, o := range []protocol.Object{before, after} {
		for _, m := range o {
			if !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	for _, name := range names {
		b.WriteString(shell.UnifiedDiff(name, argument(before.Get(name)), argument(after.Get(name))))
	}
	return b.String()
}

// argument is a value in readable form, nil if there is none.
func argument(raw protocol.Raw) []byte {
	if raw == nil {
		return nil
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return []byte(s)
	}
	if o := protocol.ObjectOf(raw); len(o) == 1 && o.Has("omitted_bytes") {
		return []byte(string(o.Get("omitted_bytes")) + " bytes, which the log did not keep\n")
	}
	return []byte(indented(raw))
}

func indented(raw protocol.Raw) string {
	if len(raw) == 0 {
		return ""
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

func clipped(s string) string {
	if len(s) > maxText {
		return text.HeadBytes(s, maxText) + " …"
	}
	return s
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
