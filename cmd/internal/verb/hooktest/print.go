package hooktest

import (
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/runner"
)

// printTested shows a test to a person.
func printTested(sh *shell.Shell, d *tested, hostile bool) {
	line := func(label, format string, args ...any) {
		sh.Printf("%-9s %s\n", label, indented(fmt.Sprintf(format, args...), 10))
	}
	line("hook", "%s in %s", shell.Plain(d.Hook), sh.Short(d.Dir))
	what := "as given"
	if d.sampled {
		what = "a sample"
	}
	line("event", "%s, %s%s", d.event.Type, what, eventarg.CallText(d.event))
	if !d.Matches {
		line("", "%s", "would not reach this hook: "+gateText(d))
	}
	line("verdict", "%s", verdictText(d))
	if len(d.Outcome) > 0 {
		line("outcome", "%s", protocol.Plain(string(d.Outcome)))
	}
	if s := strings.TrimSpace(d.Stderr); s != "" {
		line("stderr", "%s", clipLines(protocol.Plain(s), 20))
	}
	for _, w := range d.Warnings {
		line("warning", "%s", w)
	}
	if len(d.Agents) > 0 {
		sh.Printf("\nwhat each agent would be told\n")
		for _, a := range agents.All() {
			if answer, ok := d.Agents[a.ID]; ok {
				printTold(sh, a, answer)
			}
		}
	}
	if hostile {
		printTrials(sh, d)
	}
}

// printTold shows one agent's answer.
func printTold(sh *shell.Shell, d *protocol.Dialect, a translate.Told) {
	sh.Printf("  %s, %s, exit %d\n", d.ID, a.Event, a.Exit)
	if a.Stdout == "" && a.Stderr == "" {
		sh.Printf("      nothing\n")
	}
	for _, s := range []string{a.Stdout, a.Stderr} {
		if s = strings.TrimSpace(s); s != "" {
			sh.Printf("      %s\n", indented(clipLines(protocol.Plain(s), 20), 6))
		}
	}
	for _, l := range a.Lost {
		sh.Printf("      lost: %s\n", shell.Plain(l))
	}
}

func verdictText(d *tested) string {
	s := string(d.Verdict)
	switch d.Verdict {
	case runner.OK:
		s = "ok: nothing is blocked"
	case runner.Blocked:
		s = "block: it does not happen"
		if !d.event.Type.Prevents() {
			s = "block: nothing is undone on " + string(d.event.Type) + ", stderr is feedback"
		}
	}
	end := fmt.Sprintf("exit %d", d.Exit)
	if d.Signal != "" {
		end = d.Signal
	}
	return fmt.Sprintf("%s (%s, %.1f ms)", s, end, d.Duration)
}

// gateText says what keeps an event from a hook.
func gateText(d *tested) string {
	switch d.Gate {
	case "trigger":
		return "it waits for " + string(d.hook.Trigger)
	case "tool", "pattern":
		if d.sampled {
			return "no sample fits matcher." + d.Gate + "; give an event with --input FILE"
		}
		return "matcher." + d.Gate + " does not match"
	}
	return d.Gate
}

// indented puts blanks before all lines of a text but the first.
func indented(s string, n int) string {
	return strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n"+strings.Repeat(" ", n))
}

// clipLines keeps the first lines of a text.
func clipLines(s string, most int) string {
	lines := strings.Split(s, "\n")
	if len(lines) <= most {
		return s
	}
	return strings.Join(lines[:most], "\n") + fmt.Sprintf("\n… %d more lines", len(lines)-most)
}

// printTrials shows the hostile runs: what failed, and how many did not.
func printTrials(sh *shell.Shell, d *tested) {
	if len(d.Hostile) == 0 {
		sh.Printf("\nno trials: the hook ended without a verdict on the plain event\n")
		return
	}
	sh.Printf("\ntrials\n")
	count := map[string]int{}
	for _, r := range d.Hostile {
		count[r.Class]++
		sh.Printf("  %-11s %-12s %s\n", strings.ReplaceAll(r.Class, "_", " "), r.Trial, r.What)
		if r.Detail != "" {
			sh.Printf("              %s\n", text.Wrap(r.Detail, 64, strings.Repeat(" ", 14)))
		}
	}
	sh.Printf("\n%d of %d passed", count[passed], len(d.Hostile))
	for _, class := range classes() {
		if n := count[class]; n > 0 {
			sh.Printf(", %d %s", n, strings.ReplaceAll(class, "_", " "))
		}
	}
	sh.Printf("\n")
	if d.result.Outcome.Decision != protocol.Block {
		sh.Hints([]string{"nothing was blocked, so no hole can show; give an event that it blocks: --input FILE"})
	}
}
