package hooks

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/runner"
)

// How an event of the log is explained.
const (
	replayed = "replayed" // the log kept its input, so the present matchers are tried on it
	logged   = "logged"   // it did not: known are the hooks that ran, and of the others what holds for any event
)

// A loggedEvent is an event of the run log, with what happened to it then.
type loggedEvent struct {
	ID       string    `json:"id"`
	Time     time.Time `json:"time"`
	Agent    string    `json:"agent"`
	Native   string    `json:"native_event"`
	Session  string    `json:"session"`
	Decision string    `json:"decision"`
	Ran      []ranHook `json:"ran"`
	Warned   []string  `json:"warned"` // of what did not run, and why, and of other things
	By       string    `json:"by"`     // replayed or logged
}

// A ranHook says how a hook ended then.
type ranHook struct {
	Name    string         `json:"name"`
	Result  runner.Verdict `json:"result"`
	Exit    int            `json:"exit"`
	Reason  string         `json:"reason,omitempty"`
	Warning string         `json:"warning"`

	how  string
	said []string
}

// explainLast explains an event of the run log.
func explainLast(sh *shell.Shell, o explainOptions) (x explained, err error) {
	var l runner.LogLine
	found := 0
	for line, err := range runlog.Backward(sh.Host.State, o.of) {
		if err != nil {
			return x, fmt.Errorf("explain: reading the log: %w", err)
		}
		if line.Ref != "" || !protocol.EventType(line.Event).Known() { // the end of an async hook
			continue
		}
		if found++; found == o.last {
			l = line
			break
		}
	}
	if found < o.last {
		such := ""
		if o.of.Blocked || o.of.Agent != "" || o.of.Events != nil {
			such = " of that kind"
		}
		return x, shell.WithHint(fmt.Errorf("explain: the log has %s%s", text.Count(found, "event"), such), "agents-hooks log shows them")
	}
	x.last = &loggedEvent{ID: l.ID, Time: l.Time, Agent: l.Agent, Native: l.NativeEvent, Session: l.Session, Decision: l.Decision, Ran: []ranHook{}, Warned: append([]string{}, eventlog.Warned(l)...), By: logged}
	for _, h := range l.Hooks {
		x.last.Ran = append(x.last.Ran, ranHook{h.Name, h.Result, h.Exit, h.Reason, h.Warning, eventlog.Ending(sh, h), eventlog.Said(h)})
	}
	for _, name := range l.Async {
		x.last.Ran = append(x.last.Ran, ranHook{Name: name, how: "started, nobody waited"})
	}
	x.event = eventOfLog(sh, l)
	if x.event.Call != nil || len(x.event.Fields) > 0 {
		x.last.By = replayed
	} else if d, ok := agents.Lookup(l.Agent); ok && l.Tool != "" {
		x.event.Call = d.Tools.NewCall(cmp.Or(l.NativeTool, l.Tool), nil) // its name is all that is known
	}
	if o.moved || x.event.WorkDir == "" {
		x.event.WorkDir = cmp.Or(l.Project, o.from)
	}
	set := hookset.OfEvent(sh.Host, x.event)
	x.problems, x.Explanation = set.Problems, hookset.Explain(set, x.event)
	if x.last.By == logged {
		x.Explanation.Hooks = x.last.known(x.Explanation.Hooks)
	}
	return x, nil
}

// eventOfLog is the event of a log line, with its input if the log kept that.
func eventOfLog(sh *shell.Shell, l runner.LogLine) *protocol.Event {
	ev := &protocol.Event{Type: protocol.EventType(l.Event), SessionID: l.Session}
	if o := protocol.ObjectOf(l.Input); o.Has("event_type") {
		if kept, err := eventarg.Decode(sh.Host, o); err == nil {
			ev = kept
		}
	}
	if l.NativeEvent != "" {
		ev.Agent, ev.NativeEvent = l.Agent, l.NativeEvent
	}
	return ev
}

// known is what can be said about hooks without the event's input: which of them ran, which no
// event starts now, and what prevents most of the others.
func (l *loggedEvent) known(hooks []hookset.ExplainedHook) []hookset.ExplainedHook {
	for i := range hooks {
		h := &hooks[i]
		ran := false
		for _, r := range l.Ran {
			if r.Name == h.Name {
				ran = true
			}
		}
		switch {
		case ran:
			h.Runs, h.Gate, h.Detail, h.Tried = true, "", "it ran then", []string{}
		case h.Gate == "" || isInput(h.Gate):
			h.Detail = "it did not run then: " + l.whyNot(h.OfInput)
			h.Runs, h.Gate, h.Tried = false, "", []string{}
		}
	}
	return hooks
}

// whyNot is what may have kept a hook from running then that would run now, as far as can be said
// without the input, at which its matcher may look.
func (l *loggedEvent) whyNot(ofInput bool) string {
	why := "it was switched off, not approved or not there yet"
	if ofInput {
		why = "its matcher may not have matched, which takes the input that the log did not keep, or " + why
	}
	if l.Decision == "block" {
		why = "a hook before it blocked, or " + why
	}
	return why
}

// isInput reports whether a key of the matcher looks at the input, and not at the tool's name.
func isInput(gate string) bool {
	switch gate {
	case "pattern", "command", "path", "content":
		return true
	}
	return false
}

// printLast says which event of the log it is, what ran then, and what the rest is based on.
func printLast(sh *shell.Shell, l *loggedEvent, e protocol.EventType) {
	line := func(label, format string, args ...any) { printLabelled(sh, label, fmt.Sprintf(format, args...)) }
	from := ""
	if l.Native != "" {
		from = fmt.Sprintf(", from %s as %s", shell.Plain(l.Agent), shell.Plain(l.Native))
	}
	line("then", "%s%s, at %s: %s", e, from, l.Time.Local().Format(time.DateTime), strings.TrimSpace(eventlog.Decision(sh, l.Decision)))
	if len(l.Ran) == 0 {
		line("", "no hook ran")
	}
	for _, r := range l.Ran {
		sh.Printf("         %s %s\n", text.Pad(shell.Plain(r.Name), 28), r.how) // columns: not wrapped
		for _, said := range r.said {
			line("", "    %s", said)
		}
	}
	for _, said := range l.Warned {
		line("", "! %s", said)
	}
	switch l.By {
	case replayed:
		line("now", "the log kept its input: below, what the hooks of now would make of it")
	default:
		line("now", "the log kept no input: what ran is from the log, the rest from the hooks of now")
		sh.Hints([]string{"hooks.debug = true in your hooks.toml keeps inputs in the log from then on"})
	}
	sh.Printf("\n")
}

// ofLog are the events of the log that a command line means.
func ofLog(blocked bool, agent, event string) (f runlog.Filter, err error) {
	f.Blocked = blocked
	if agent != "" {
		d, err := agentarg.Lookup(agent)
		if err != nil {
			return f, err
		}
		f.Agent = d.ID
	}
	if event != "" {
		if f.Events = agents.EventsCalled(event); len(f.Events) == 0 {
			return f, eventarg.Unknown("explain", event)
		}
	}
	return f, nil
}

// lastOf is the number of the event from the end.
func lastOf(words []string) (int, error) {
	if len(words) == 0 {
		return 1, nil
	}
	n, err := strconv.Atoi(words[0])
	if err != nil || n < 1 {
		return 0, shell.Usagef("explain: --last %s: want a number from 1", strconv.Quote(words[0]))
	}
	return n, nil
}
