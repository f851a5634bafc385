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

// printTested shows a test's result: on one screen if all is well, else with everything that is
// not.
func printTested(sh *shell.Shell, d *tested, o testOptions) {
	line := func(label, format string, args ...any) {
		sh.Printf("%-9s %s\n", label, indented(fmt.Sprintf(format, args...), 10))
	}
	line("hook", "%s in %s", shell.Plain(d.Hook), sh.Short(d.Dir))
	printCauses(sh, d, o)
	line("event", "%s, %s%s", d.event.Type, d.source, eventarg.CallText(d.event))
	line("verdict", "%s", text.Wrap(verdictText(d), sh.Columns()-10, ""))
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
	if len(d.Agents) > 0 && o.verbose && d.Matches {
		sh.Printf("\nwhat each agent would be told\n")
		for _, a := range o.agents {
			if answer, ok := d.Agents[a.ID]; ok {
				printTold(sh, a, answer)
			}
		}
	} else if len(d.Agents) > 0 && d.Matches {
		line("told", "%s", text.Wrap(toldText(d, o.agents), sh.Columns()-10, ""))
	}
	if o.hostile {
		printTrials(sh, d, o)
		printPlayed(sh, d, o)
	}
	if d.Proof != nil && d.Proof.Unproven != "" {
		sh.Printf("\n%s\n", text.Wrap("unproven: "+shell.Plain(d.Proof.Unproven), sh.Columns()-1, "  "))
		sh.Hints([]string{"a test is a file tests/NAME.txtar: an event.json, what is wanted, and what it finds in the project as tree/home/project/FILE; docs/conformance.md"})
	}
}

// most is the number of lines of a text to show.
func most(o testOptions, usual int) int {
	if o.verbose {
		return 200
	}
	return usual
}

// printProof shows the hook's own tests, and how much of the hook they reach.
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
	line("reached", "%d of the %s in them, %d blocked%s", p.Reached, text.Count(p.Events, "event"), p.Blocked, hitsTail(p.Keys))
}

// hitsTail says how often each key of the matcher matched.
func hitsTail(keys []keyHits) string {
	if len(keys) == 0 {
		return ""
	}
	return "; " + hitsText(keys)
}

// toldText summarizes what the agents would be told: which carry all of it, and which lose
// what.
func toldText(d *tested, dialects []*protocol.Dialect) string {
	whole := 0
	byLoss := map[string][]string{}
	var losses, never, unseen []string
	for _, a := range dialects {
		answer, ok := d.Agents[a.ID]
		switch {
		case !ok:
			never = append(never, a.ID)
		case slices.Contains(d.Unseen, a.ID):
			unseen = append(unseen, a.ID)
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
	parts := []string{fmt.Sprintf("%d of %s carry the answer whole", whole, text.Count(len(dialects), "agent"))}
	for _, lost := range losses {
		parts = append(parts, strings.Join(byLoss[lost], ", ")+": "+lost)
	}
	if len(unseen) > 0 {
		parts = append(parts, "the hook does not see the call in "+strings.Join(unseen, ", "))
	}
	if len(never) > 0 {
		parts = append(parts, "without such an event: "+strings.Join(never, ", "))
	}
	return strings.Join(parts, "; ")
}

// printTold shows what one agent would be told.
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
	if !d.Matches {
		return fmt.Sprintf("not asked: %s (run all the same: %s, %.1f ms)", gateText(d), end, d.Duration)
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

// indented indents all lines of a text but the first.
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

// printCauses shows what to change in the hook, and how to see why: a cause takes the same few
// lines whether one call gets past or a hundred.
func printCauses(sh *shell.Shell, d *tested, o testOptions) {
	const names = 8 // of each kind, that are shown
	label := "change"
	for i, c := range d.Causes {
		sh.Printf("%-9s %d. %s\n", label, i+1, text.Wrap(shell.Plain(c.Fix), sh.Columns()-13, strings.Repeat(" ", 13)))
		part := func(format string, args ...any) {
			sh.Printf("%13s%s\n", "", text.Wrap(shell.Plain(fmt.Sprintf(format, args...)), sh.Columns()-13, strings.Repeat(" ", 13)))
		}
		part("because %s", c.Text)
		if n := len(c.Spellings); n > 0 {
			part("in %s: %s", text.Count(n, "other spelling"), someOf(c.Spellings, names, o.verbose))
		}
		if n := len(c.Agents); n > 0 {
			part("by the tools of %s: %s", text.Count(n, "agent"), someOf(c.Agents, 22, o.verbose))
		}
		printExample(sh, c.Example.Payload, c.Example.Agent, 13, o)
		label = ""
	}
}

// someOf joins the first elements of a list, and says how many more there are.
func someOf(list []string, most int, all bool) string {
	if all || len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}

// printTrials shows the hostile runs: what failed, with equal failures merged, and how many did
// not.
func printTrials(sh *shell.Shell, d *tested, o testOptions) {
	if len(d.Hostile) == 0 {
		sh.Printf("\nno trials: no event of its tests reaches the hook and ends with a verdict\n")
		return
	}
	count, disguises := map[string]int{}, 0
	var ways []string
	var alike []trialResult
	for _, r := range d.Hostile {
		count[r.Class]++
		if r.Trial == "disguise" {
			disguises++
		}
		i := slices.IndexFunc(alike, func(a trialResult) bool { return a.Class == r.Class && a.Detail == r.Detail && a.Cause == "" })
		switch {
		case o.verbose:
			alike = append(alike, r)
		case r.Class == around:
			if !slices.Contains(ways, r.What) {
				ways = append(ways, r.What)
			}
		case r.Class == passed || r.Cause != "":
		case i >= 0:
			if !strings.Contains(alike[i].What, r.What) {
				alike[i].What += ", " + r.What
				alike[i].Trial = "" // several
			}
		default:
			alike = append(alike, r)
		}
	}
	heading := "\ntrials\n"
	for _, r := range alike {
		sh.Printf("%s  %-11s %-12s %s\n", heading, strings.ReplaceAll(r.Class, "_", " "), r.Trial, text.Wrap(shell.Plain(r.What), sh.Columns()-27, strings.Repeat(" ", 27)))
		heading = ""
		if r.Detail != "" {
			sh.Printf("              %s\n", text.Wrap(r.Detail, sh.Columns()-15, strings.Repeat(" ", 14)))
		}
		printExample(sh, r.Payload, "", 14, o)
	}
	if len(ways) > 0 {
		sh.Printf("%-9s %s\n", "around", indented(text.Wrap("ways to the same end that are other deeds, or that only the run tells: "+strings.Join(ways, ", "), sh.Columns()-10, ""), 10))
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

// printExample shows how to reproduce what got through.
func printExample(sh *shell.Shell, payload protocol.Raw, agent string, indent int, o testOptions) {
	if len(payload) == 0 {
		return
	}
	if agent != "" {
		agent = " --agent " + agent
	}
	test, event := "agents-hooks test "+sh.Shown(o.hook)+agent+" --input -", shell.Plain(string(payload))
	if sh.Host.GOOS == "windows" {
		sh.Printf("%*s'%s' | %s\n", indent, "", strings.ReplaceAll(event, "'", "''"), test) // for PowerShell
		return
	}
	sh.Printf("%*s%s <<< %s\n", indent, "", test, text.ShellQuote(event))
}

// printPlayed shows what happened to the tests' deeds by the tools of each agent: in how many
// agents they end as here, and which tools differ.
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
	sh.Printf("%-9s as %s would do it, %s in all: %d as here\n", "played", text.Count(agents, "agent"), text.Count(calls, "call"), fine)
	for _, a := range d.Played {
		switch {
		case !o.verbose || a.Calls == 0:
		case len(a.Missed) == 0:
			sh.Printf("  %-14s %s: %s\n", a.Agent, text.Count(a.Calls, "call"), shell.Plain(strings.Join(a.Tools, ", ")))
		default:
			sh.Printf("  %-14s not by %s\n", a.Agent, shell.Plain(a.missedTools()))
			for _, m := range a.Missed {
				sh.Printf("              %s: %s\n", shell.Plain(m.Tool), text.Wrap(shell.Plain(m.Detail), sh.Columns()-15, strings.Repeat(" ", 14)))
				printExample(sh, m.Payload, a.Agent, 14, o)
			}
		}
	}
}
