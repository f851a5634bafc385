package hooktest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// printTested shows a test to a person: on one screen where all is well, and all of
// what is not.
func printTested(sh *shell.Shell, d *tested, o testOptions) {
	line := func(label, format string, args ...any) {
		sh.Printf("%-9s %s\n", label, indented(fmt.Sprintf(format, args...), 10))
	}
	line("hook", "%s in %s", shell.Plain(d.Hook), sh.Short(d.Dir))
	line("event", "%s, %s%s", d.event.Type, d.source, eventarg.CallText(d.event))
	if !d.Matches {
		line("", "%s", "would not reach this hook: "+gateText(d))
	}
	line("verdict", "%s", verdictText(d))
	if len(d.Outcome) > 0 {
		line("outcome", "%s", protocol.Plain(string(d.Outcome)))
	}
	if s := strings.TrimSpace(d.Stderr); s != "" {
		line("stderr", "%s", clipLines(protocol.Plain(s), most(o, 5)))
	}
	for _, w := range d.Warnings {
		line("warning", "%s", w)
	}
	if d.Proof != nil {
		printProof(line, d.Proof, o.verbose)
	}
	if len(d.Agents) > 0 && o.verbose {
		sh.Printf("\nwhat each agent would be told\n")
		for _, a := range o.agents {
			if answer, ok := d.Agents[a.ID]; ok {
				printTold(sh, a, answer)
			}
		}
	} else if len(d.Agents) > 0 {
		line("told", "%s", text.Wrap(toldText(d, o.agents), 69, ""))
	}
	if o.hostile {
		printTrials(sh, d, o)
		printPlayed(sh, d, o)
	}
	if d.Proof != nil && d.Proof.Unproven != "" {
		sh.Printf("\n%s\n", text.Wrap("unproven: "+shell.Plain(d.Proof.Unproven), 78, "  "))
		sh.Hints([]string{"a test is a file tests/NAME.txtar: an event.json, and what is wanted; docs/conformance.md"})
	}
}

// most is how many lines of a text are shown.
func most(o testOptions, usual int) int {
	if o.verbose {
		return 200
	}
	return usual
}

// printProof shows the hook's own tests, and what of it they reach.
func printProof(line func(label, format string, args ...any), p *proof, all bool) {
	right := 0
	for _, t := range p.Tests {
		if !t.wrong() {
			right++
		}
	}
	if len(p.Tests) == 0 {
		return
	}
	line("tests", "%d of %d as wanted", right, len(p.Tests))
	for _, t := range p.Tests {
		if t.wrong() || all {
			line("", "%-4s %s: %s", t.Result, shell.Plain(t.Test), shell.Plain(t.Title))
			for _, why := range t.Detail {
				line("", "     %s", shell.Plain(why))
			}
		}
	}
	line("reached", "%d of the %s in them, %d blocked%s", p.Reached, shell.Count(p.Events, "event"), p.Blocked, hitsTail(p.Keys))
}

// hitsTail says for each key of the matcher how often it was hit.
func hitsTail(keys []keyHits) string {
	if len(keys) == 0 {
		return ""
	}
	return "; " + hitsText(keys)
}

// toldText sums up what the agents would be told: who carries all of it, and who
// loses what.
func toldText(d *tested, dialects []*protocol.Dialect) string {
	whole := 0
	byLoss := map[string][]string{}
	var losses, never []string
	for _, a := range dialects {
		answer, ok := d.Agents[a.ID]
		switch {
		case !ok:
			never = append(never, a.ID)
		case len(answer.Lost) == 0:
			whole++
		default:
			lost := shell.Plain(strings.Join(answer.Lost, "; "))
			if byLoss[lost] == nil {
				losses = append(losses, lost)
			}
			byLoss[lost] = append(byLoss[lost], a.ID)
		}
	}
	parts := []string{fmt.Sprintf("%d of %s carry the answer whole", whole, shell.Count(len(dialects), "agent"))}
	for _, lost := range losses {
		parts = append(parts, strings.Join(byLoss[lost], ", ")+": "+lost)
	}
	if len(never) > 0 {
		parts = append(parts, "without such an event: "+strings.Join(never, ", "))
	}
	return strings.Join(parts, "; ")
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
		if d.result.Outcome.Decision == protocol.Ask {
			s = "ok: a person is asked"
		}
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
	case "tool", "pattern", "command", "path", "content":
		if d.source == "a sample" {
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

// maxShown bounds how many ways through are shown whole where nobody asked for all.
const maxShown = 6

// printTrials shows the hostile runs: what failed, and how many did not.
func printTrials(sh *shell.Shell, d *tested, o testOptions) {
	if len(d.Hostile) == 0 {
		sh.Printf("\nno trials: no event of its tests reaches the hook and ends with a verdict\n")
		return
	}
	count, disguises, shown := map[string]int{}, 0, 0
	var ways, more []string
	heading := "\ntrials\n"
	for _, r := range d.Hostile {
		count[r.Class]++
		if r.Trial == "disguise" {
			disguises++
		}
		if !o.verbose && r.Class == around && !slices.Contains(ways, r.What) {
			ways = append(ways, r.What)
		}
		if shown++; !o.verbose && (r.Class == passed || r.Class == around) {
			shown--
			continue
		}
		if r.Trial == "disguise" && shown > maxShown && !o.verbose {
			more = append(more, r.What)
			continue
		}
		sh.Printf("%s  %-11s %-12s %s\n", heading, strings.ReplaceAll(r.Class, "_", " "), r.Trial, shell.Plain(r.What))
		heading = ""
		if r.Detail != "" {
			sh.Printf("              %s\n", text.Wrap(r.Detail, 64, strings.Repeat(" ", 14)))
		}
		printPayload(sh, r.Payload, "", o)
	}
	if len(more) > 0 {
		sh.Printf("  %d more in other words: %s\n", len(more), indented(text.Wrap(strings.Join(more, ", "), 74, ""), 2))
	}
	if len(ways) > 0 {
		sh.Printf("%-9s %s\n", "around", indented(text.Wrap("ways to the same end that are other deeds, or that only the run tells: "+strings.Join(ways, ", "), 69, ""), 10))
	}
	sh.Printf("%-9s %d of %d passed", "trials", count[passed], len(d.Hostile))
	for _, class := range classes() {
		if n := count[class]; n > 0 {
			sh.Printf(", %d %s", n, strings.ReplaceAll(class, "_", " "))
		}
	}
	if disguises > 0 {
		sh.Printf("; %d of them in other words, seed %d", disguises, d.Seed)
	}
	sh.Printf("\n")
	if !d.Proof.stops() || !stops(d.result) {
		sh.Hints([]string{"nothing was blocked, so no hole can show; give an event that it blocks: --input FILE"})
	}
}

// printPayload shows how to see for oneself what got through.
func printPayload(sh *shell.Shell, payload protocol.Raw, agent string, o testOptions) {
	if len(payload) == 0 {
		return
	}
	shown := shell.Plain(string(payload))
	if !o.verbose {
		shown = text.Clip(shown, 1000)
	}
	if agent != "" {
		agent = " --agent " + agent
	}
	sh.Printf("              agents-hooks test %s%s --input - <<< %s\n", sh.Shown(o.hook), agent, text.ShellQuote(shown))
}

// printPlayed shows what became of the tests' deeds by the tools of each agent.
func printPlayed(sh *shell.Shell, d *tested, o testOptions) {
	agents, calls, fine := 0, 0, 0
	for _, a := range d.Played {
		if a.Calls == 0 {
			continue
		}
		agents++
		calls += a.Calls
		if len(a.Missed) == 0 {
			fine++
		}
	}
	if agents == 0 {
		return
	}
	sh.Printf("%-9s as %s would do it, %s in all: %d as here\n", "played", shell.Count(agents, "agent"), shell.Count(calls, "call"), fine)
	for _, a := range d.Played {
		if o.verbose && len(a.Missed) == 0 {
			sh.Printf("  %-14s %d calls: %s\n", a.Agent, a.Calls, shell.Plain(strings.Join(a.Tools, ", ")))
		}
		if len(a.Missed) == 0 {
			continue
		}
		sh.Printf("  %-14s not by %s\n", a.Agent, shell.Plain(a.missedTools()))
		for i, m := range a.Missed {
			if i == 1 && !o.verbose {
				break
			}
			sh.Printf("              %s: %s\n", shell.Plain(m.Tool), text.Wrap(shell.Plain(m.Detail), 64, strings.Repeat(" ", 14)))
			printPayload(sh, m.Payload, a.Agent, o)
		}
	}
}
