package dispatch

import (
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

func itoa(n int) string { return strconv.Itoa(n) }

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// notices is all that the person should know of one event, in one list: what
// went wrong in the runner, what is wrong with the files, what was not trusted,
// and what the agent could not be told.
func (c *call) notices(rep runner.Report, set *discovery.Set, losses []protocol.Loss, lost []string) []runner.Warning {
	list := append([]runner.Warning(nil), c.notes...)
	c.notes = nil
	for _, text := range c.opt.warnings {
		list = append(list, runner.Warning{Kind: "arguments", Text: text})
	}
	c.opt.warnings = nil
	list = append(list, rep.Warnings...)
	for _, p := range set.Problems {
		list = append(list, runner.Warning{Kind: "settings", Text: p.String()})
	}
	if names := untrusted(set, rep.Event.Type); len(names) > 0 {
		list = append(list, runner.Warning{Kind: "untrusted", Text: sprintf("%s of this project did not run, because nobody has approved it: run `agents-hooks trust` in %s", hookList(names), set.Project)})
	}
	for _, l := range losses {
		list = append(list, runner.Warning{Kind: "unsupported", Text: c.dialect.Name + " " + l.Text})
	}
	for _, text := range lost {
		list = append(list, runner.Warning{Kind: "unsupported", Text: text})
	}
	return list
}

// untrusted names the hooks of the project that this event would have run.
func untrusted(set *discovery.Set, t protocol.EventType) []string {
	var names []string
	for _, h := range set.Untrusted(t) {
		names = append(names, h.Name)
	}
	return names
}

func hookList(names []string) string {
	if len(names) == 1 {
		return "hook " + names[0]
	}
	return sprintf("%d hooks (%s)", len(names), strings.Join(names, ", "))
}

// announce adds to the answer what the person has not been told yet in this
// session, on the agent's channel for that, and reports whether there was
// anything. Where the event has no such channel nothing is marked as told: a
// later event may have one.
func (c *call) announce(ses *runner.Session, ev *protocol.Event, o *protocol.Outcome, list []runner.Warning) bool {
	if !ev.Can.Has(protocol.CanMessage) {
		return false
	}
	var lines []string
	for _, w := range list {
		if !ses.Once(w.Kind + " " + w.Hook) {
			continue
		}
		lines = append(lines, warningLine(w))
	}
	if len(lines) == 0 {
		return false
	}
	text := strings.Join(lines, "\n")
	if o.UserMessage != "" {
		text = o.UserMessage + "\n\n" + text
	}
	o.UserMessage = text
	return true
}

// warningLines is how warnings look on stderr in spec form.
func warningLines(list []runner.Warning) []byte {
	var b []byte
	for _, w := range list {
		b = append(b, warningLine(w)...)
		b = append(b, '\n')
	}
	return b
}

func warningLine(w runner.Warning) string {
	said := text.OneLine(protocol.Plain(w.Text))
	if w.Hook == "" {
		return "agents-hooks: " + said
	}
	return "agents-hooks: hook " + protocol.Plain(w.Hook) + ": " + said
}
