package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/choose"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/desk"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
)

// printEvolution prints an answer for people.
func (t *tool) printEvolution(answer any) error {
	switch a := answer.(type) {
	case *desk.Analysis:
		t.printAnalysis(a)
	case *desk.Recorded:
		t.printRecorded(a)
	case *desk.Created:
		t.printCreated(a)
	case *desk.Listing:
		t.printGenes(a.Genes, "no genes")
	case *desk.Shown:
		t.printGene(a)
	case *desk.Passive:
		t.printProven(a)
	case *desk.Imported:
		t.printImported(a)
	case *desk.Changed:
		for _, id := range a.Genes {
			t.printf("%s  %s\n", id, or(string(a.Visibility), "gone"))
		}
	case *desk.Achievements:
		t.printMilestones(a.Milestones)
	case *desk.Skill:
		t.printf("%s", a.Content)
	case *desk.Distilled:
		t.printDistilled(a)
	case *desk.Review:
		t.printReview(a)
	case *desk.Stats:
		t.printStats(a)
	default: // what export prints is JSON anyway
		return t.json(answer)
	}
	return nil
}

func (t *tool) steps(list []string) {
	for i, s := range list {
		t.printf("  %d. %s\n", i+1, wrap(t.tidy(s), helpWidth-5, "     "))
	}
}

func (t *tool) printAnalysis(a *desk.Analysis) {
	switch a.Action {
	case choose.Apply, choose.Explore:
		t.printf("%s  %s\n", a.GeneID, t.tidy(a.Title))
		t.printf("  %.0f %% sure, covers %.0f %%, %s\n", 100*a.Confidence, 100*a.Coverage, a.Reason)
		t.steps(a.Strategy)
		for _, r := range a.Alternatives {
			t.printf("or %s  %s (%.0f %%)\n", r.GeneID, t.tidy(r.Title), 100*r.Confidence)
		}
	case choose.Suggest:
		t.printf("no gene is about %s yet\n", strings.Join(a.Signals, ", "))
		t.hints([]string{"when it is solved: agents-hooks evolution create --category repair --signals-match " + a.Signals[0] + " --strategy STEP"})
	default:
		t.printf("%s\n", a.Reason)
	}
}

func (t *tool) printRecorded(a *desk.Recorded) {
	what := "recorded"
	switch {
	case a.Status == "duplicate":
		what = "known already"
	case a.Frozen:
		what = "recorded; learning rests, because nearly everything fails just now"
	case a.GeneID != "" && !a.EdgeUpdated:
		what = "recorded; it changes nothing of what is known of the gene"
	}
	t.printf("%s  %s\n", a.ID, what)
	if a.Reflection != "" {
		t.printf("  think about: %s\n", a.Reflection)
	}
	for _, s := range a.DistillReady {
		t.hints([]string{"agents-hooks evolution distill " + s})
	}
}

func (t *tool) printCreated(a *desk.Created) {
	switch a.Status {
	case "created", "merged":
		t.printf("%s  %s\n", a.GeneID, a.Status)
		return
	case "similar":
		t.say("evolution create: a gene says the same already")
		for _, n := range a.Similar {
			t.printf("%s  %s (signals %.0f %%, steps %.0f %%)\n", n.ID, t.tidy(n.Title), 100*n.Coverage, 100*n.Similarity)
		}
		t.hints([]string{"--merge-into " + a.Similar[0].ID + " adds what is new; --force keeps both"})
		return
	}
	t.say("evolution create: this would not help elsewhere")
	for _, p := range a.Problems {
		t.printf("%s: %q: %s\n", p.Field, t.tidy(p.Value), p.Fix)
	}
	if !slices.ContainsFunc(a.Problems, func(p gene.Problem) bool { return !p.Forceable() }) {
		t.hints([]string{"--force keeps it anyway"})
	}
}

func (t *tool) printGenes(list []desk.Summary, none string) {
	if len(list) == 0 {
		t.printf("%s\n", none)
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
		t.printf("%-*s  %-11s %-12s %s\n", width, g.ID, g.Visibility, rate, t.tidy(g.Title))
	}
}

func (t *tool) printGene(a *desk.Shown) {
	g := a.Gene
	t.printf("%s  %s\n", g.ID, t.tidy(g.Title))
	t.printf("  %s, %s, from %s, for %s\n", g.Category, g.Visibility, a.Origin, strings.Join(gene.Types(g.SignalsMatch), ", "))
	if g.Description != "" {
		t.printf("  %s\n", wrap(t.tidy(g.Description), helpWidth-2, "  "))
	}
	for _, p := range g.Preconditions {
		t.printf("  first: %s\n", t.tidy(p))
	}
	t.steps(g.Strategy)
	t.printf("  helped %g times, failed %g times here; elsewhere %g and %g\n", a.Here.Successes, a.Here.Failures, a.Elsewhere.Successes, a.Elsewhere.Failures)
	for _, p := range a.Problems {
		t.printf("  %s\n", t.tidy(p.String()))
	}
	for _, o := range a.Outcomes {
		t.printf("  %s  %-7s %s\n", (*o.At)[:10], o.Outcome, t.tidy(headline(o.Summary)))
	}
}

func (t *tool) printProven(a *desk.Passive) {
	if len(a.Genes) == 0 {
		t.printf("nothing is proven yet in %s\n", a.Scope)
	}
	for _, g := range a.Genes {
		t.printf("%s  %s: %.0f %% of %d\n", g.ID, t.tidy(g.Title), 100*g.Rate, g.Runs)
		t.steps(g.Strategy)
	}
}

func (t *tool) printImported(a *desk.Imported) {
	if a.GeneID != "" {
		t.printf("%s  forked\n", a.GeneID)
		return
	}
	for _, r := range a.Refused {
		t.say("evolution import: gene %d %s: %s", r.Index+1, r.ID, t.tidy(r.Reason))
	}
	t.printf("%d added, %d updated, %d skipped, %d refused\n", a.Added, a.Updated, a.Skipped, len(a.Refused))
	if len(a.Quarantined) > 0 {
		t.printf("in quarantine: %s\n", strings.Join(a.Quarantined, " "))
		t.hints([]string{"agents-hooks evolution show GENE, then approve GENE or reject GENE"})
	}
}

func (t *tool) printDistilled(a *desk.Distilled) {
	if len(a.Proposals) == 0 {
		t.printf("nothing to distill: want ten successes with at least two genes\n")
	}
	for _, p := range a.Proposals {
		t.printf("%s  %s of %s  %s\n", p.Signal, p.Status, strings.Join(p.From, ", "), t.tidy(p.Gene.Title))
		t.steps(p.Gene.Strategy)
	}
}

func (t *tool) printReview(a *desk.Review) {
	n := 0
	part := func(title string, list []string) {
		if len(list) > 0 {
			n++
			t.printf("%s:\n", title)
		}
		for _, l := range list {
			t.printf("  %s\n", t.tidy(l))
		}
	}
	var list []string
	for _, u := range a.Unrecorded {
		list = append(list, fmt.Sprintf("%s  %s (%s)", u.GeneID, u.Title, or(u.Concluded, "unknown")))
	}
	part("suggested, and nobody said how it went", list)
	genes := func(title string, of []desk.Summary) {
		list = nil
		for _, g := range of {
			list = append(list, g.ID+"  "+g.Title)
		}
		part(title, list)
	}
	genes("in quarantine", a.Quarantine)
	genes("failing", a.Failing)
	genes("on trial", a.OnTrial)
	part("ripe for distilling", a.Ripe)
	list = nil
	for _, pair := range a.Alike {
		list = append(list, pair[0]+" and "+pair[1])
	}
	part("say the same", list)
	if n == 0 {
		t.printf("nothing waits\n")
	}
}

func (t *tool) printStats(a *desk.Stats) {
	var genes []string
	for _, v := range slices.Sorted(maps.Keys(a.Genes)) {
		genes = append(genes, fmt.Sprintf("%d %s", a.Genes[v], v))
	}
	t.printf("genes        %s\n", strings.Join(genes, ", "))
	t.printf("outcomes     %d, %d successes, %d looked at\n", a.Outcomes.All, a.Outcomes.Successes, a.Outcomes.Explicit)
	t.printf("suggestions  %d, %d followed, %d not, %d unknown\n", a.Suggestions.All, a.Suggestions.Followed, a.Suggestions.NotFollowed, a.Suggestions.Unknown)
	number := func(name, meaning string, f *float64) {
		value := "-"
		if f != nil {
			value = fmt.Sprintf("%.2f", *f)
		}
		t.printf("%-12s %-6s %s\n", name, value, meaning)
	}
	number("repeatRate", "of problems came back in another session", a.North.RepeatRate)
	number("frrApprox", "were solved when they were met first", a.North.FirstRate)
	number("errApprox", "more success with experience than without", a.North.Gain)
	for _, s := range a.Signals[:min(10, len(a.Signals))] {
		t.printf("  %-28s %d of %d\n", s.Signal, s.Successes, s.Outcomes)
	}
}

func (t *tool) printMilestones(list []desk.Milestone) {
	for _, m := range list {
		sign := " "
		if m.Reached {
			sign = "x"
		}
		t.printf("[%s] %d %s (%d so far)\n", sign, m.Wants, m.Title, m.Has)
	}
}
