package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/replay"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// printReplay shows a line for each event, with the differences below it.
func printReplay(sh *shell.Shell, r *replay.Result) {
	async, redacted := map[string]bool{}, 0
	for _, f := range r.Files {
		sh.Printf("%s\n", sh.Paint(shell.Bold, sh.Shown(f.File)))
		for _, e := range f.Events {
			printPlayed(sh, e, r.Agent != "")
			for _, name := range e.Async {
				async[name] = true
			}
			if e.Redacted {
				redacted++
			}
		}
		for _, n := range f.Bad {
			sh.Say("%s:%d: not an event, skipped", sh.Short(f.File), n)
		}
	}
	sh.Printf("\n%s\n", sum(r))
	if len(async) > 0 {
		var names []string
		for name := range async {
			names = append(names, shell.Plain(name))
		}
		slices.Sort(names)
		sh.Say("replay: async hooks were not started: %s", strings.Join(names, ", "))
	}
	if redacted > 0 {
		sh.Say("replay: %s had something redacted or cut when recorded; a hook that looks for that may decide differently now", text.Count(redacted, "event"))
	}
}

func sum(r *replay.Result) string {
	parts := []string{text.Count(r.Same+r.Differs+r.New+r.Skipped, "event")}
	for _, n := range []struct {
		n    int
		word string
	}{{r.Same, replay.Same}, {r.Differs, replay.Differs}, {r.New, "without a recorded answer"}, {r.Skipped, replay.Skipped}} {
		if n.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.n, n.word))
		}
	}
	return parts[0] + ": " + strings.Join(parts[1:], ", ")
}

func printPlayed(sh *shell.Shell, e replay.Event, another bool) {
	at := "        "
	if when, err := time.Parse(time.RFC3339Nano, e.Time); err == nil {
		at = when.Local().Format(time.TimeOnly)
	}
	c := map[string]shell.Colour{replay.Same: shell.Green, replay.Differs: shell.Red, replay.New: shell.Dim, replay.Skipped: shell.Yellow}[e.Result]
	name := shell.Plain(cmp.Or(e.Event, "payload"))
	if e.Native != "" && e.Native != e.Event {
		name += " (" + shell.Plain(e.Native) + ")"
	}
	if e.Tool != "" {
		name += "  " + shell.Plain(e.Tool)
	}
	sh.Printf("  %s %s  %s%s\n", sh.Paint(c, fmt.Sprintf("%-7s", e.Result)), at, name, decided(sh, e))
	below := func(what string) { sh.Printf("            %s\n", text.Wrap(what, sh.Columns()-12, "            ")) }
	if e.Why != "" {
		below(shell.Plain(e.Why))
	}
	if e.Result != replay.Differs {
		return
	}
	below("decision " + whatChanged(e.Recorded.Decision, e.Now.Decision))
	if e.Recorded.Reason != e.Now.Reason {
		below("reason " + whatChanged(quoted(e.Recorded.Reason), quoted(e.Now.Reason)))
	}
	below("hooks " + whatChanged(hooksRun(e.Recorded.Hooks), hooksRun(e.Now.Hooks)))
	if another {
		return
	}
	for line := range strings.Lines(shell.UnifiedDiff("answer", page(e.Recorded), page(e.Now))) {
		if !strings.HasPrefix(line, "--- ") && !strings.HasPrefix(line, "+++ ") {
			sh.Printf("            %s\n", strings.TrimRight(line, "\n"))
		}
	}
}

// decided says what was decided, after the name of an event.
func decided(sh *shell.Shell, e replay.Event) string {
	if e.Now == nil || e.Result == replay.Differs {
		return ""
	}
	said := ""
	if e.Now.Decision != "none" {
		said = "  " + strings.TrimSpace(eventlog.Decision(sh, e.Now.Decision))
	}
	if e.Result == replay.New && strings.TrimSpace(e.Now.Stdout+e.Now.Stderr) != "" {
		said += "\n            " + text.Wrap(text.Clip(shell.Plain(e.Now.Stdout+e.Now.Stderr), 400), sh.Columns()-12, "            ")
	}
	return said
}

func whatChanged(was, now string) string {
	if was == now {
		return was
	}
	return was + " → " + now
}

func quoted(s string) string { return fmt.Sprintf("%q", text.Clip(shell.Plain(s), 200)) }

func hooksRun(list []record.Hook) string {
	var words []string
	for _, h := range list {
		words = append(words, shell.Plain(h.Name)+" "+shell.Plain(h.Result))
	}
	return cmp.Or(strings.Join(words, ", "), "none")
}

// page is an answer as lines, for comparison.
func page(a *replay.Answer) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "exit %d\n", a.Exit)
	part := func(name, text string) {
		if text == "" {
			return
		}
		fmt.Fprintf(&b, "%s\n", name)
		if json.Indent(&b, []byte(strings.TrimSpace(text)), "", "  ") != nil {
			b.WriteString(strings.TrimRight(text, "\n"))
		}
		b.WriteByte('\n')
	}
	part("stdout", a.Stdout)
	part("stderr", a.Stderr)
	for _, f := range a.Files {
		part("file", f)
	}
	return b.Bytes()
}
