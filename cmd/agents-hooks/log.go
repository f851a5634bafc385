package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/runner"
)

// followEvery is how often log --follow looks for new lines.
const followEvery = 200 * time.Millisecond

func (t *tool) logCommand() *cli.Command {
	return &cli.Command{
		Name:  "log",
		Usage: "what ran, how it ended, and why something did not",
		Description: "Lists the events of the last 14 days, the newest last. Inputs and prompts\n" +
			"are in it only while AGENTS_HOOKS_DEBUG=1 or [hooks] debug is set.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "last", Aliases: []string{"n"}, Usage: "the newest `N` events", Value: 20},
			&cli.StringFlag{Name: "session", Usage: "of one `ID` only"},
			&cli.StringFlag{Name: "hook", Usage: "with this hook (`NAME`) only"},
			&cli.StringFlag{Name: "agent", Usage: "of one `AGENT` only"},
			&cli.StringFlag{Name: "event", Usage: "of one `EVENT` only"},
			&cli.BoolFlag{Name: "follow", Aliases: []string{"f"}, Usage: "wait for what comes next; ended by Ctrl-C"},
			jsonFlag(),
		},
		Action: t.log,
	}
}

func (t *tool) log(c *cli.Context) error {
	if _, err := args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	f, err := t.logFilter(c)
	if err != nil {
		return err
	}
	// Where to go on from is looked up before the lines are read, so that none
	// falls between: the few that come twice are told by their ids.
	day := runner.LogPath(t.host.State, t.host.Now())
	at := sizeOf(day)
	lines, err := runner.ReadLog(t.host.State, f)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	if !c.Bool("follow") {
		return t.printLog(c.Bool("json"), lines, f)
	}
	p := logPrinter{tool: t, json: c.Bool("json"), seen: map[string]bool{}}
	for _, l := range lines {
		p.print(l)
	}
	return p.follow(day, at, f)
}

func (t *tool) logFilter(c *cli.Context) (runner.LogFilter, error) {
	f := runner.LogFilter{Session: c.String("session"), Hook: c.String("hook"), Agent: c.String("agent"), Event: c.String("event"), Last: c.Int("last")}
	if f.Last < 0 {
		return f, usagef("log: --last %d is less than 0", f.Last)
	}
	if f.Agent != "" {
		d, err := lookupAgent(f.Agent)
		if err != nil {
			return f, err
		}
		f.Agent = d.ID
	}
	return f, nil
}

func (t *tool) printLog(asJSON bool, lines []runner.LogLine, f runner.LogFilter) error {
	if asJSON {
		raw := make([]json.RawMessage, len(lines))
		for i := range lines {
			raw[i] = lines[i].Append(nil)
		}
		return t.json(map[string]any{"schema": 1, "lines": raw})
	}
	if len(lines) == 0 {
		t.say("log: nothing recorded%s", filtered(f))
		t.hints([]string{
			"an event is recorded once a hook exists that could serve it: agents-hooks list",
			"whether agents call at all: agents-hooks doctor --probe",
		})
		return nil
	}
	p := logPrinter{tool: t}
	for _, l := range lines {
		p.print(l)
	}
	return nil
}

func filtered(f runner.LogFilter) string {
	if f.Session+f.Hook+f.Agent+f.Event != "" {
		return " that fits these flags"
	}
	return ""
}

// A logPrinter prints lines for a person, or each as one line of JSON.
type logPrinter struct {
	*tool
	json bool
	day  string
	seen map[string]bool // ids that were printed, nil if nobody asks
}

func (p *logPrinter) print(l runner.LogLine) {
	if p.seen != nil {
		key := l.ID + l.Ref
		if p.seen[key] && key != "" {
			return
		}
		p.seen[key] = true
	}
	if p.json {
		p.printf("%s", l.Append(nil))
		return
	}
	at := l.Time.Local()
	if day := at.Format(time.DateOnly); day != p.day {
		if p.day = day; !p.sameDay(at) {
			p.printf("%s\n", day)
		}
	}
	p.printf("%s\n", p.heading(l, at))
	for _, h := range l.Hooks {
		p.hook(h)
	}
	for _, name := range l.Async {
		p.printf("    %-20s async  started\n", plain(name))
	}
	for _, w := range l.Warnings {
		p.warning(l, w)
	}
}

func (p *logPrinter) sameDay(at time.Time) bool {
	return at.Format(time.DateOnly) == p.host.Now().Local().Format(time.DateOnly)
}

func (p *logPrinter) heading(l runner.LogLine, at time.Time) string {
	event := orElse(l.Event, "unreadable event")
	if l.NativeEvent != "" && l.NativeEvent != l.Event {
		event += " (" + plain(l.NativeEvent) + ")"
	}
	return fmt.Sprintf("%s  %-11s %-40s %-5s %s", at.Format(time.TimeOnly), plain(orElse(l.Agent, "spec")), event,
		p.decision(l.Decision), spent(l.Duration))
}

// decision is the word of a decision, in its colour on a terminal.
func (t *tool) decision(word string) string {
	switch word {
	case "block":
		return t.paint(red, "block")
	case "ask":
		return t.paint(yellow, "ask  ")
	case "none":
		return "-    "
	}
	return fmt.Sprintf("%-5s", word)
}

func (p *logPrinter) hook(h runner.LogHook) {
	how := "sync "
	if h.Async {
		how = "async"
	}
	p.printf("    %-20s %s  %s\n", plain(h.Name), how, p.ending(h))
	text := h.Warning
	if text == "" {
		text = orElse(h.Reason, orElse(h.Stderr, h.Stdout))
	}
	if text = firstLine(text); text != "" {
		p.printf("        %s\n", wrap(text, 71, "        "))
	}
	if len(h.Log) > 0 {
		p.printf("        log %s\n", clip(plain(string(h.Log)), 67))
	}
}

// ending is how a hook ended: verdict, exit code or signal, time.
func (p *logPrinter) ending(h runner.LogHook) string {
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
		word = p.paint(red, word)
	default:
		word = p.paint(yellow, word)
	}
	return strings.TrimRight(fmt.Sprintf("%s %-8s %s", word, how, spent(h.Duration)), " ")
}

// warning prints a warning that does not stand at its hook already.
func (p *logPrinter) warning(l runner.LogLine, w runner.Warning) {
	for _, h := range l.Hooks {
		if h.Name == w.Hook && h.Warning == w.Text {
			return
		}
	}
	text := plain(w.Text)
	if w.Hook != "" {
		text = plain(w.Hook) + ": " + text
	}
	p.printf("    %s %s\n", p.paint(yellow, "!"), wrap(text, 73, "      "))
}

// firstLine is the first line of a text with something in it, made safe to show.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if text := plain(line); text != "" {
			return text
		}
	}
	return ""
}

func spent(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 10_000:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f s", ms/1000)
}

// follow prints what is added to the log until a signal ends it.
func (p *logPrinter) follow(day string, at int64, f runner.LogFilter) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		// The old day is read once more before the new one is begun.
		next := runner.LogPath(p.host.State, p.host.Now())
		lines, to, err := runner.ReadLogFrom(day, at, f)
		if err != nil {
			return fmt.Errorf("log: %w", err)
		}
		for _, l := range lines {
			p.print(l)
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

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
