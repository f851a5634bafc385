// Package eventlog prints the run log for people: one line with the event and its
// decision, and below it how each hook ended and what it said. demo, doctor and replay
// use the same wording.
package eventlog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/runner"
)

// A Printer prints one line after another and, whenever they change, the day, the
// project and the session.
type Printer struct {
	sh    *shell.Shell
	width int
	head  string // under which the last line was printed
}

// NewPrinter is a printer to stdout, as wide as the terminal is.
func NewPrinter(sh *shell.Shell) *Printer { return &Printer{sh: sh, width: sh.Width()} }

// unnamed is what a line without an event is about.
func unnamed(l runner.LogLine) string {
	if slices.ContainsFunc(l.Warnings, func(w runner.Warning) bool { return w.Kind == "background" }) {
		return "work in the background"
	}
	return "unreadable event"
}

// Print prints a line and what belongs to it.
func (p *Printer) Print(l runner.LogLine) {
	at := l.Time.Local()
	if head := p.headOf(l, at); head != p.head {
		p.head = head
		p.sh.Printf("%s\n", p.sh.Paint(shell.Bold, text.Fit(head, p.width)))
	}
	event := shell.Plain(cmp.Or(l.Event, unnamed(l)))
	if l.NativeEvent != "" && l.NativeEvent != l.Event {
		event += " (" + shell.Plain(l.NativeEvent) + ")"
	}
	if tool := cmp.Or(l.NativeTool, l.Tool); tool != "" {
		event += " " + shell.Plain(tool)
	}
	room := max(20, min(p.width, 100)-38)
	p.sh.Printf("%s  %-11s %s %s %s\n", at.Format(time.TimeOnly), text.Fit(shell.Plain(cmp.Or(l.Agent, "spec")), 11), text.Pad(text.Fit(event, room), room),
		Decision(p.sh, l.Decision), Spent(l.Duration))
	if len(l.Allowed) > 0 {
		p.sh.Printf("    permitted in your place by %s\n", shell.Plain(strings.Join(l.Allowed, ", ")))
	}
	for _, h := range l.Hooks {
		p.hook(h)
	}
	for _, name := range l.Async {
		p.sh.Printf("    %s async  started\n", text.Pad(shell.Plain(name), 20))
	}
	for _, said := range Warned(l) {
		p.sh.Printf("    %s %s\n", p.sh.Paint(shell.Yellow, "!"), text.Wrap(said, p.width-7, "      "))
	}
}

// headOf is the heading for the lines of a day, a project and a session.
func (p *Printer) headOf(l runner.LogLine, at time.Time) string {
	day, now := at.Format(time.DateOnly), p.sh.Host.Now().Local()
	switch day {
	case now.Format(time.DateOnly):
		day += " (today)"
	case now.AddDate(0, 0, -1).Format(time.DateOnly):
		day += " (yesterday)"
	default:
		day = at.Format("2006-01-02 Mon")
	}
	if l.Project != "" {
		day += "  " + shell.Plain(p.sh.Short(l.Project))
	}
	if l.Session != "" {
		day += "  session " + text.Clip(shell.Plain(l.Session), 12)
	}
	return day
}

func (p *Printer) hook(h runner.LogHook) {
	how := "sync "
	if h.Async {
		how = "async"
	}
	p.sh.Printf("    %s %s  %s\n", text.Pad(text.Fit(shell.Plain(h.Name), max(20, p.width-40)), 20), how, Ending(p.sh, h))
	for _, said := range Said(h) {
		p.sh.Printf("        %s\n", text.Wrap(said, p.width-9, "        "))
	}
	if len(h.Log) > 0 {
		p.sh.Printf("        log %s\n", text.Fit(shell.Plain(string(h.Log)), p.width-13))
	}
}

// Warned are the warnings of an event that are not said with one of its hooks already.
func Warned(l runner.LogLine) (list []string) {
	for _, w := range l.Warnings {
		if slices.ContainsFunc(l.Hooks, func(h runner.LogHook) bool { return h.Name == w.Hook && h.Warning == w.Text }) {
			continue
		}
		said := shell.Plain(w.Text)
		if w.Hook != "" {
			said = shell.Plain(w.Hook) + ": " + said
		}
		list = append(list, said)
	}
	return list
}

// Decision is the word of a decision, in its colour on a terminal.
func Decision(sh *shell.Shell, word string) string {
	switch word {
	case "block":
		return sh.Paint(shell.Red, "block")
	case "ask":
		return sh.Paint(shell.Yellow, "ask  ")
	case "none":
		return "-    "
	}
	return fmt.Sprintf("%-5s", shell.Plain(word))
}

// Ending is how a hook ended: verdict, exit code or signal, time.
func Ending(sh *shell.Shell, h runner.LogHook) string {
	how := ""
	switch {
	case h.Signal != "":
		how = shell.Plain(h.Signal)
	case h.Exit >= 0:
		how = fmt.Sprintf("exit %d", h.Exit)
	}
	word := fmt.Sprintf("%-11s", shell.Plain(string(h.Result)))
	switch h.Result {
	case runner.OK:
	case runner.Blocked:
		word = sh.Paint(shell.Red, word)
	default:
		word = sh.Paint(shell.Yellow, word)
	}
	return strings.TrimRight(fmt.Sprintf("%s %-8s %s", word, how, Spent(h.Duration)), " ")
}

// Said is what a hook said, one line each: the reason for its decision and its
// warnings; else its output.
func Said(h runner.LogHook) (lines []string) {
	reason, warning := shell.FirstLine(h.Reason), shell.FirstLine(h.Warning)
	if reason != "" {
		lines = append(lines, reason)
	}
	if warning != "" && !strings.Contains(reason, warning) {
		lines = append(lines, warning)
	}
	if said := shell.FirstLine(cmp.Or(h.Stderr, h.Stdout)); said != "" && len(lines) == 0 {
		lines = append(lines, said)
	}
	return lines
}

// Spent is a duration as text.
func Spent(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 10_000:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f s", ms/1000)
}
