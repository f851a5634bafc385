package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
)

// printReplay shows each event on a line, and below it what differs.
func (t *tool) printReplay(r *replay) {
	async, redacted := map[string]bool{}, 0
	for _, f := range r.Files {
		t.printf("%s\n", t.paint(bold, t.shown(f.File)))
		for _, e := range f.Events {
			t.printPlayed(e, r.Agent != "")
			for _, name := range e.Async {
				async[name] = true
			}
			if e.Redacted {
				redacted++
			}
		}
		for _, n := range f.Bad {
			t.say("%s:%d: no event, passed over", t.short(f.File), n)
		}
	}
	t.printf("\n%s\n", r.sum())
	if len(async) > 0 {
		var names []string
		for name := range async {
			names = append(names, plain(name))
		}
		slices.Sort(names)
		t.say("replay: async hooks were not started: %s", strings.Join(names, ", "))
	}
	if redacted > 0 {
		t.say("replay: in %s something was blotted out or cut when recorded; a hook that looks for that decides otherwise now", count(redacted, "event"))
	}
}

func (r *replay) sum() string {
	parts := []string{count(r.Same+r.Differs+r.New+r.Skipped, "event")}
	for _, n := range []struct {
		n    int
		word string
	}{{r.Same, sameAnswer}, {r.Differs, otherAnswer}, {r.New, "without a recorded answer"}, {r.Skipped, notPlayed}} {
		if n.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n.n, n.word))
		}
	}
	return parts[0] + ": " + strings.Join(parts[1:], ", ")
}

func (t *tool) printPlayed(e playedEvent, another bool) {
	at := "        "
	if when, err := time.Parse(time.RFC3339Nano, e.Time); err == nil {
		at = when.Local().Format(time.TimeOnly)
	}
	c := map[string]colour{sameAnswer: green, otherAnswer: red, firstAnswer: dim, notPlayed: yellow}[e.Result]
	name := plain(orElse(e.Event, "payload"))
	if e.Native != "" && e.Native != e.Event {
		name += " (" + plain(e.Native) + ")"
	}
	if e.Tool != "" {
		name += "  " + plain(e.Tool)
	}
	t.printf("  %s %s  %s%s\n", t.paint(c, fmt.Sprintf("%-7s", e.Result)), at, name, t.decided(e))
	below := func(text string) { t.printf("            %s\n", wrap(text, 67, "            ")) }
	if e.Why != "" {
		below(plain(e.Why))
	}
	if e.Result != otherAnswer {
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
	for line := range strings.Lines(unifiedDiff("answer", e.Recorded.page(), e.Now.page())) {
		if !strings.HasPrefix(line, "--- ") && !strings.HasPrefix(line, "+++ ") {
			t.printf("            %s\n", strings.TrimRight(line, "\n"))
		}
	}
}

// decided is what was decided, after the name of an event.
func (t *tool) decided(e playedEvent) string {
	if e.Now == nil || e.Result == otherAnswer {
		return ""
	}
	text := ""
	if e.Now.Decision != "none" {
		text = "  " + strings.TrimSpace(t.decision(e.Now.Decision))
	}
	if e.Result == firstAnswer && strings.TrimSpace(e.Now.Stdout+e.Now.Stderr) != "" {
		text += "\n            " + wrap(clip(plain(e.Now.Stdout+e.Now.Stderr), 400), 67, "            ")
	}
	return text
}

func whatChanged(was, now string) string {
	if was == now {
		return was
	}
	return was + " → " + now
}

func quoted(s string) string { return fmt.Sprintf("%q", clip(plain(s), 200)) }

func hooksRun(list []record.Hook) string {
	var words []string
	for _, h := range list {
		words = append(words, plain(h.Name)+" "+plain(h.Result))
	}
	return orElse(strings.Join(words, ", "), "none")
}

// page is an answer as lines, for a comparison.
func (s *said) page() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "exit %d\n", s.Exit)
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
	part("stdout", s.Stdout)
	part("stderr", s.Stderr)
	for _, f := range s.Files {
		part("file", f)
	}
	return b.Bytes()
}
