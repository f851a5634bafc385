package evolution

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// printAnswer prints an answer for people.
func printAnswer(sh *shell.Shell, answer any) error {
	switch a := answer.(type) {
	case *ops.Analysis:
		printAnalysis(sh, a)
	case *ops.Recorded:
		printRecorded(sh, a)
	case *ops.Created:
		printCreated(sh, a)
	case *ops.Listing:
		printListing(sh, a)
	case *ops.Shown:
		printGene(sh, a)
	case *ops.Passive:
		printProven(sh, a)
	case *ops.Imported:
		printImported(sh, a)
	case *ops.Changed:
		for _, id := range a.Genes {
			sh.Printf("%s  %s\n", id, cmp.Or(string(a.Visibility), "gone"))
		}
		for _, g := range a.Read {
			sh.Printf("%s  %s\n", g.ID, sh.Tidy(g.Title))
			if g.Author != "" {
				sh.Printf("  by %s\n", sh.Tidy(g.Author))
			}
			if g.HeldFor != "" {
				sh.Printf("  was held: %s\n", sh.Tidy(g.HeldFor))
			}
			steps(sh, g.Strategy)
		}
	case *ops.Achievements:
		printMilestones(sh, a.Milestones)
	case *ops.Skill:
		sh.Printf("%s", a.Content)
	case *ops.Distilled:
		printDistilled(sh, a)
	case *ops.Review:
		printReview(sh, a)
	case *ops.Stats:
		printStats(sh, a)
	default: // export prints JSON anyway
		return sh.JSON(answer)
	}
	return nil
}

func steps(sh *shell.Shell, list []string) {
	for i, s := range list {
		sh.Printf("  %d. %s\n", i+1, text.Wrap(sh.Tidy(s), sh.Columns()-5, "     "))
	}
}

// sure says how certain it is that a gene helps. Confidence grows with use: 0 means that it was
// never used.
func sure(confidence float64) string {
	if confidence == 0 {
		return "nobody has tried it yet"
	}
	return fmt.Sprintf("%.0f %% sure", 100*confidence)
}

func printAnalysis(sh *shell.Shell, a *ops.Analysis) {
	switch a.Action {
	case selector.Apply, selector.Explore:
		sh.Printf("%s  %s\n", a.GeneID, sh.Tidy(a.Title))
		sh.Printf("  %s, covers %.0f %%, %s\n", sure(a.Confidence), 100*a.Coverage, a.Reason)
		steps(sh, a.Strategy)
		for _, r := range a.Alternatives {
			sh.Printf("or %s  %s (%s)\n", r.GeneID, sh.Tidy(r.Title), sure(r.Confidence))
		}
	case selector.Suggest:
		sh.Printf("no gene is about %s yet\n", strings.Join(a.Signals, ", "))
		signal := a.Signals[0]
		if strings.Contains(signal, " ") { // no signal has one
			sh.Hints([]string{"the text of an error: agents-hooks evolution analyze --error " + sh.Word(signal)})
			return
		}
		sh.Hints([]string{"when it is solved: agents-hooks evolution create --category repair --signals-match " + sh.Word(signal) + " --strategy STEP"})
	default:
		sh.Printf("%s\n", a.Reason)
	}
}

func printRecorded(sh *shell.Shell, a *ops.Recorded) {
	what := "recorded"
	switch {
	case a.Status == "duplicate":
		what = "known already"
	case a.Frozen:
		what = "recorded; learning rests, because nearly everything fails just now"
	case a.GeneID != "" && !a.EdgeUpdated:
		what = "recorded; it changes nothing of what is known of the gene"
	}
	sh.Printf("%s  %s\n", a.ID, what)
	if a.Reflection != "" {
		sh.Printf("  think about: %s\n", a.Reflection)
	}
	for _, s := range a.DistillReady {
		sh.Hints([]string{"agents-hooks evolution distill " + s})
	}
}

func printCreated(sh *shell.Shell, a *ops.Created) {
	switch a.Status {
	case "created", "merged":
		sh.Printf("%s  %s\n", a.GeneID, a.Status)
		return
	case "held":
		sh.Printf("%s  held: %s\n", a.GeneID, sh.Tidy(a.Gene.HeldFor))
		sh.Hints([]string{"a person reads it, then agents-hooks evolution approve " + a.GeneID})
		return
	case "similar":
		sh.Say("evolution create: another gene already says the same")
		for _, n := range a.Similar {
			sh.Printf("%s  %s (signals %.0f %%, steps %.0f %%)\n", n.ID, sh.Tidy(n.Title), 100*n.Coverage, 100*n.Similarity)
		}
		sh.Hints([]string{"--merge-into " + a.Similar[0].ID + " adds what is new; --force keeps both"})
		return
	}
	sh.Say("evolution create: this would not help elsewhere")
	for _, p := range a.Problems {
		sh.Printf("%s: %q: %s\n", p.Field, sh.Tidy(p.Value), p.Fix)
	}
	if !slices.ContainsFunc(a.Problems, func(p gene.Problem) bool { return !p.Forceable() }) {
		sh.Hints([]string{"--force keeps it anyway"})
	}
}

// printListing leaves out seed genes that were never tried here, unless a filter was given:
// there are hundreds.
func printListing(sh *shell.Shell, a *ops.Listing) {
	list := a.Genes
	if a.Whole {
		list = slices.DeleteFunc(slices.Clone(list), func(g ops.Summary) bool { return g.Visibility == string(gene.Seed) && g.Rate == nil })
	}
	printGenes(sh, list, "no genes of yours yet")
	if n := len(a.Genes) - len(list); n > 0 {
		sh.Printf("%s came with the program, and nobody has tried them here: --origin seed lists them\n", text.Count(n, "more gene"))
	}
}

func printGenes(sh *shell.Shell, list []ops.Summary, none string) {
	if len(list) == 0 {
		sh.Printf("%s\n", none)
	}
	width := 0
	for _, g := range list {
		width = max(width, len(g.ID))
	}
	for _, g := range list {
		rate := "untested"
		if g.Rate != nil {
			rate = fmt.Sprintf("%3.0f %% of %d", 100**g.Rate, g.Runs)
		}
		if g.Banned {
			rate += ", banned"
		}
		sh.Printf("%-*s  %-11s %-12s %s\n", width, g.ID, g.Visibility, rate, sh.Tidy(g.Title))
	}
}

func printGene(sh *shell.Shell, a *ops.Shown) {
	g := a.Gene
	sh.Printf("%s  %s\n", g.ID, sh.Tidy(g.Title))
	sh.Printf("  %s, %s, from %s, for %s\n", g.Category, g.Visibility, a.Origin, strings.Join(gene.Types(g.SignalsMatch), ", "))
	if g.Visibility == gene.Held && g.HeldFor != "" {
		sh.Printf("  held: %s\n", text.Wrap(sh.Tidy(g.HeldFor), sh.Columns()-8, "        "))
	}
	if g.Author != "" {
		sh.Printf("  by %s%s\n", sh.Tidy(g.Author), reviewedBy(sh, g))
	}
	if e := g.Evidence; e != nil {
		sh.Printf("  used by %s in %s: helped %.3g of %.3g\n", text.Count(e.Persons, "person"), text.Count(e.Projects, "project"), e.Helped, e.Helped+e.Failed)
	}
	if g.Description != "" {
		sh.Printf("  %s\n", text.Wrap(sh.Tidy(g.Description), sh.Columns()-2, "  "))
	}
	for _, p := range g.Preconditions {
		sh.Printf("  first: %s\n", sh.Tidy(p))
	}
	steps(sh, g.Strategy)
	sh.Printf("  helped %g times, failed %g times here; elsewhere %g and %g\n", a.Here.Successes, a.Here.Failures, a.Elsewhere.Successes, a.Elsewhere.Failures)
	if a.Worse > 0 {
		sh.Printf("  made it worse: %s\n", text.Count(a.Worse, "time"))
	}
	for _, p := range a.Problems {
		sh.Printf("  %s\n", sh.Tidy(p.String()))
	}
	for _, o := range a.Outcomes {
		sh.Printf("  %s  %-7s %s\n", (*o.At)[:10], o.Outcome, sh.Tidy(shell.Headline(o.Summary)))
		if o.Evidence != nil {
			printEvidence(sh, o.Evidence)
		}
	}
}

// printEvidence says what an outcome is based on.
func printEvidence(sh *shell.Shell, e *store.Evidence) {
	if e.Worse {
		sh.Printf("    there was more amiss than before\n")
	}
	if e.Proof != "" {
		sh.Printf("    proved by: %s\n", sh.Tidy(e.Proof))
	}
	for _, part := range []struct {
		what string
		list []string
	}{{"changed", e.Files}, {"ran", e.Commands}, {"set", e.Environment}} {
		if len(part.list) > 0 {
			sh.Printf("    %s: %s\n", part.what, sh.Tidy(strings.Join(part.list, ", ")))
		}
	}
}

func reviewedBy(sh *shell.Shell, g *gene.Gene) string {
	if g.Reviewed == "" {
		return ", reviewed by nobody"
	}
	return ", reviewed by " + sh.Tidy(g.Reviewed)
}

func printProven(sh *shell.Shell, a *ops.Passive) {
	if len(a.Genes) == 0 {
		sh.Printf("nothing is proven yet in %s\n", a.Scope)
	}
	for _, g := range a.Genes {
		sh.Printf("%s  %s: %.0f %% of %d\n", g.ID, sh.Tidy(g.Title), 100*g.Rate, g.Runs)
		steps(sh, g.Strategy)
	}
}

func printImported(sh *shell.Shell, a *ops.Imported) {
	if a.GeneID != "" {
		sh.Printf("%s  forked\n", a.GeneID)
		return
	}
	for _, r := range a.Refused {
		sh.Say("evolution import: gene %d %s: %s", r.Index+1, r.ID, sh.Tidy(r.Reason))
	}
	sh.Printf("%d added, %d updated, %d skipped, %d refused\n", a.Added, a.Updated, a.Skipped, len(a.Refused))
	if len(a.Held) > 0 {
		sh.Printf("held: %s\n", strings.Join(a.Held, " "))
		sh.Hints([]string{"agents-hooks evolution show GENE, then approve GENE or reject GENE"})
	}
}

func printDistilled(sh *shell.Shell, a *ops.Distilled) {
	if len(a.Proposals) == 0 {
		sh.Printf("nothing to distill: want ten successes with at least two genes\n")
	}
	for _, p := range a.Proposals {
		sh.Printf("%s  %s of %s  %s\n", p.Signal, p.Status, strings.Join(p.From, ", "), sh.Tidy(p.Gene.Title))
		steps(sh, p.Gene.Strategy)
	}
}

func printReview(sh *shell.Shell, a *ops.Review) {
	n := 0
	part := func(title string, list []string) {
		if len(list) > 0 {
			n++
			sh.Printf("%s:\n", title)
		}
		for _, l := range list {
			sh.Printf("  %s\n", sh.Tidy(l))
		}
	}
	var list []string
	for _, u := range a.Unrecorded {
		list = append(list, fmt.Sprintf("%s  %s (%s)", u.GeneID, u.Title, cmp.Or(u.Concluded, "unknown")))
	}
	part("suggested, and nobody said how it went", list)
	genes := func(title string, of []ops.Summary) {
		list = nil
		for _, g := range of {
			list = append(list, g.ID+"  "+g.Title)
		}
		part(title, list)
	}
	genes("held", a.Held)
	genes("failing", a.Failing)
	genes("on trial", a.OnTrial)
	part("ripe for distilling", a.Ripe)
	list = nil
	for _, pair := range a.Alike {
		list = append(list, pair[0]+" and "+pair[1])
	}
	part("say the same", list)
	list = nil
	for _, w := range a.Waiting {
		list = append(list, fmt.Sprintf("%s  %s failed %d times, and %s showed that it was over: %s", w.Session, w.Failed, w.Times, w.Proof, w.Message))
	}
	part("was over, and nobody said what helped (create --session SESSION)", list)
	if n == 0 {
		sh.Printf("nothing waits\n")
	}
}

func printStats(sh *shell.Shell, a *ops.Stats) {
	var genes []string
	for _, v := range slices.Sorted(maps.Keys(a.Genes)) {
		genes = append(genes, fmt.Sprintf("%d %s", a.Genes[v], v))
	}
	sh.Printf("genes        %s\n", strings.Join(genes, ", "))
	sh.Printf("outcomes     %d, %s, %d looked at\n", a.Outcomes.All, text.Count(a.Outcomes.Successes, "success"), a.Outcomes.Explicit)
	sh.Printf("suggestions  %d, %d followed, %d not, of %d nobody said, %d unknown\n", a.Suggestions.All, a.Suggestions.Followed, a.Suggestions.NotFollowed, a.Suggestions.Concluded, a.Suggestions.Unknown)
	number := func(name, meaning string, f *float64) {
		value := "-"
		if f != nil {
			value = fmt.Sprintf("%.2f", *f)
		}
		sh.Printf("%-12s %-6s %s\n", name, value, meaning)
	}
	number("repeatRate", "of problems came back in another session", a.North.RepeatRate)
	number("frrApprox", "were solved when they were met first", a.North.FirstRate)
	number("errApprox", "more success with experience than without", a.North.Gain)
	printRecovery(sh, a.Recovery)
	for _, s := range a.Signals[:min(10, len(a.Signals))] {
		sh.Printf("  %-28s %d of %d\n", s.Signal, s.Successes, s.Outcomes)
	}
}

// printRecovery says how many steps of the agent it took to solve failures that had occurred
// before.
func printRecovery(sh *shell.Shell, r selector.Recovery) {
	arm := func(a selector.Arm) string {
		if a.Median == nil {
			return "none was over"
		}
		return fmt.Sprintf("%g steps (%d over, %d not)", *a.Median, a.Over, a.Not)
	}
	without := "without"
	if r.HeldOut > 0 {
		without = "held out"
	}
	sh.Printf("recovery     with a suggestion %s, %s %s\n", arm(r.With), without, arm(r.Without))
	if r.Difference != nil {
		sh.Printf("             difference %+g, 95 %% between %+g and %+g\n", *r.Difference, *r.Low, *r.High)
	}
}

func printMilestones(sh *shell.Shell, list []ops.Milestone) {
	for _, m := range list {
		sign := " "
		if m.Reached {
			sign = "x"
		}
		sh.Printf("[%s] %s: %d of %d\n", sign, m.Title, m.Has, m.Wants)
	}
}
