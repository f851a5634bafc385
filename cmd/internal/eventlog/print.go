// Package eventlog prints lines of the run log for people: for log, which follows
// it too, and for demo and doctor.
package eventlog

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/runner"
)

// followEvery is how often log --follow looks for new lines.
const followEvery = 200 * time.Millisecond

// A logPrinter prints lines for a person, or each as one line of JSON.
type Printer struct {
	*shell.Shell
	Json bool
	day  string
	Seen map[string]bool // ids that were printed, nil if nobody asks
}

func (p *Printer) Print(l runner.LogLine) {
	if p.Seen != nil {
		key := l.ID + l.Ref
		if p.Seen[key] && key != "" {
			return
		}
		p.Seen[key] = true
	}
	if p.Json {
		p.Printf("%s", l.Append(nil))
		return
	}
	at := l.Time.Local()
	if day := at.Format(time.DateOnly); day != p.day {
		if p.day = day; !p.sameDay(at) {
			p.Printf("%s\n", day)
		}
	}
	p.Printf("%s\n", p.heading(l, at))
	for _, h := range l.Hooks {
		p.hook(h)
	}
	for _, name := range l.Async {
		p.Printf("    %-20s async  started\n", shell.Plain(name))
	}
	for _, w := range l.Warnings {
		p.warning(l, w)
	}
}

func (p *Printer) sameDay(at time.Time) bool {
	return at.Format(time.DateOnly) == p.Host.Now().Local().Format(time.DateOnly)
}

func (p *Printer) heading(l runner.LogLine, at time.Time) string {
	event := setup.OrElse(l.Event, "unreadable event")
	if l.NativeEvent != "" && l.NativeEvent != l.Event {
		event += " (" + shell.Plain(l.NativeEvent) + ")"
	}
	return fmt.Sprintf("%s  %-11s %-40s %-5s %s", at.Format(time.TimeOnly), shell.Plain(setup.OrElse(l.Agent, "spec")), event,
		Decision(p.Shell, l.Decision), Spent(l.Duration))
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
	return fmt.Sprintf("%-5s", word)
}

func (p *Printer) hook(h runner.LogHook) {
	how := "sync "
	if h.Async {
		how = "async"
	}
	p.Printf("    %-20s %s  %s\n", shell.Plain(h.Name), how, p.Ending(h))
	text := h.Warning
	if text == "" {
		text = setup.OrElse(h.Reason, setup.OrElse(h.Stderr, h.Stdout))
	}
	if text = shell.FirstLine(text); text != "" {
		p.Printf("        %s\n", shell.Wrap(text, 71, "        "))
	}
	if len(h.Log) > 0 {
		p.Printf("        log %s\n", shell.Clip(shell.Plain(string(h.Log)), 67))
	}
}

// Ending is how a hook ended: verdict, exit code or signal, time.
func (p *Printer) Ending(h runner.LogHook) string {
	how := ""
	switch {
	case h.Signal != "":
		how = h.Signal
	case h.Exit >= 0:
		how = fmt.Sprintf("exit %d", h.Exit)
	}
	word := fmt.Sprintf("%-11s", h.Result)
	switch h.Result {
	case runner.OK:
	case runner.Blocked:
		word = p.Paint(shell.Red, word)
	default:
		word = p.Paint(shell.Yellow, word)
	}
	return strings.TrimRight(fmt.Sprintf("%s %-8s %s", word, how, Spent(h.Duration)), " ")
}

// warning prints a warning that does not stand at its hook already.
func (p *Printer) warning(l runner.LogLine, w runner.Warning) {
	for _, h := range l.Hooks {
		if h.Name == w.Hook && h.Warning == w.Text {
			return
		}
	}
	text := shell.Plain(w.Text)
	if w.Hook != "" {
		text = shell.Plain(w.Hook) + ": " + text
	}
	p.Printf("    %s %s\n", p.Paint(shell.Yellow, "!"), shell.Wrap(text, 73, "      "))
}

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

// Follow prints what is added to the log until a signal ends it.
func (p *Printer) Follow(day string, at int64, f runner.LogFilter) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		// The old day is read once more before the new one is begun.
		next := runner.LogPath(p.Host.State, p.Host.Now())
		lines, to, err := runner.ReadLogFrom(day, at, f)
		if err != nil {
			return fmt.Errorf("log: %w", err)
		}
		for _, l := range lines {
			p.Print(l)
		}
		if at = to; next != day {
			day, at = next, 0
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
