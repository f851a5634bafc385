package evolution_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/replay"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

func load(t *testing.T) ([]replay.Case, []gene.Gene) {
	t.Helper()
	files, err := filepath.Glob("replay/testdata/journals/*.md")
	must.Do(t, err)
	var cases []replay.Case
	for _, f := range files {
		b := must.Read(t, f)
		c, err := replay.Read(filepath.Base(f), b)
		if err != nil {
			t.Error(err)
		}
		cases = append(cases, c)
	}
	genes, err := gene.Seeds()
	must.Do(t, err)
	return cases, genes
}

// tuned is how many cases were there when the seeds were made. Nothing was tuned
// with those after them.
const tuned = 88

// The benchmark: suggestions from the journal, against suggesting always and
// against the words of the command (the original never fires on a
// plain build). -v prints the table that stands in the documentation.
func TestReplayBenchmark(t *testing.T) {
	cases, genes := load(t)
	if len(cases) < 60 {
		t.Errorf("%d cases, want at least 60", len(cases))
	}
	quiet := 0
	for _, c := range cases {
		if len(c.Wants) == 0 {
			quiet++
		}
	}
	if quiet < len(cases)/5 {
		t.Errorf("only %d of %d cases want nothing", quiet, len(cases))
	}
	ours := replay.Run(cases, replay.Journal(), genes)
	for _, n := range ours.Notes {
		t.Log(n)
	}
	if ours.HitRate() < 0.95 || ours.WrongRate() > 0.08 || ours.Early > 0 {
		t.Errorf("hit rate %.2f, want 0.95; wrong %.2f, want 0.08; %d too early", ours.HitRate(), ours.WrongRate(), ours.Early)
	}
	reports := []replay.Report{ours}
	if slowtest.On() {
		reports = append(reports, baselines(t, cases, genes, ours)...)
	}
	for _, name := range []string{"README.md", "README.zh.md"} {
		page := must.Read(t, "../../"+name)
		for _, r := range reports {
			if row := fmt.Sprintf("| %.0f %% | %.0f %% | %.0f %% | %.1f ", 100*r.HitRate(), 100*r.WrongRate(), 100*r.EarlyRate(), r.Time()); !strings.Contains(page, row) {
				t.Errorf("%s has no %q", name, row)
			}
		}
	}
}

// baselines are the reports that ours is compared with in the documentation, and ours of
// the cases that were written last. Each of them plays as long as ours.
func baselines(t *testing.T, cases []replay.Case, genes []gene.Gene, ours replay.Report) []replay.Report {
	t.Helper()
	always, word := replay.Run(cases, replay.Always(), genes), replay.Run(cases, replay.CommandWord(), genes)
	later := replay.Run(cases[tuned:], replay.Journal(), genes)
	later.Policy = fmt.Sprintf("journal, the %d written last", len(cases)-tuned)
	if always.WrongRate() < 2*ours.WrongRate() || word.HitRate() > ours.HitRate()/2 {
		t.Errorf("a baseline is as good: %+v %+v", always, word)
	}
	if again := replay.Run(cases, replay.Journal(), genes); again.Hits != ours.Hits || again.Entries != ours.Entries || len(again.Notes) != len(ours.Notes) {
		t.Error("the same journals gave another result")
	}
	doc := must.Read(t, "../../docs/evolution.md")
	if table := replay.Table([]replay.Report{ours, always, word, later}); !strings.Contains(doc, table) {
		t.Errorf("docs/evolution.md has another table than:\n%s", table)
	}
	return []replay.Report{always, later}
}

// A policy that says nothing, or the wrong thing, is found out: the benchmark can
// fail.
func TestTheBenchmarkCanFail(t *testing.T) {
	cases, genes := load(t)
	silent := replay.Run(cases, replay.Policy{Name: "silent", Asks: replay.Journal().Asks}, nil)
	if silent.Hits != 0 || silent.Suggestions != 0 || len(silent.Notes) != silent.Wants {
		t.Errorf("without genes: %+v", silent)
	}
	var oom []gene.Gene
	for _, g := range genes {
		if gene.Types(g.SignalsMatch)[0] == "error:oom" {
			for i := range g.SignalsMatch {
				g.SignalsMatch[i] = gene.Signal{Type: "error:typescript"}
			}
			oom = append(oom, g)
		}
	}
	if wrong := replay.Run(cases, replay.Journal(), oom); wrong.Hits > 0 || wrong.WrongRate() != 1 {
		t.Errorf("with genes about something else: %+v", wrong)
	}
	for _, bad := range []string{"# Session Journal\n", "<!-- want: none -->\n- bash: `a` (09:00)\n", "<!-- x -->\n<!-- want: none -->\n", "<!-- x -->\n<!-- want: 0 error:oom g -->\n- bash: `a` (09:00)\n", "<!-- x -->\n<!-- want: 9 error:oom g -->\n- bash: `a` (09:00)\n", "<!-- x -->\n- bash: `a` (09:00)\n"} {
		t.Run(fmt.Sprintf("%q", bad), func(t *testing.T) {
			if _, err := replay.Read("bad", bad); err == nil {
				t.Errorf("%q was read", bad)
			}
		})
	}
}

// A case needs no more than what it is about, what is wanted, and one entry.
func TestACaseOfOneEntry(t *testing.T) {
	c, err := replay.Read("one", "<!-- x -->\n<!-- want: 1 error:oom,error:timeout g h -->\n- bash: `a` (09:00)\n")
	if err != nil || c.About != "x" || len(c.Journal.Entries) != 1 || fmt.Sprint(c.Wants) != "[{0 [error:oom error:timeout] [g h]}]" {
		t.Errorf("%+v, %v", c, err)
	}
}

// A policy is asked once after each failure, as a hook is; and of what is wanted twice, each
// time is met by a suggestion of its own.
func TestAPolicyIsAskedOnceAFailure(t *testing.T) {
	const failed = "- bash: `npm test` (09:0%d) [FAILED]\n  - signal:error:oom (count: 1, at: 09:00)\n"
	c, err := replay.Read("one", "<!-- x -->\n<!-- want: 2 error:oom g -->\n<!-- want: 6 error:oom g -->\n"+fmt.Sprintf(failed, 0)+
		"- bash: `ls` (09:01)\n- edit: `a.go` (09:02)\n- bash: `ls` (09:03)\n"+"- bash: `npm test` (09:20) [FAILED]\n  - signal:error:oom (count: 1, at: 09:20)\n- bash: `npm test` (09:21)\n")
	must.Do(t, err)
	asked := 0
	r := replay.Run([]replay.Case{c}, replay.Policy{Name: "always", Asks: func(before journal.Journal, _ string) []string {
		asked++
		if len(before.Entries) == 0 {
			return nil
		}
		return []string{"error:oom"}
	}}, []gene.Gene{{ID: "g", Visibility: gene.Draft, SignalsMatch: gene.Signals("error:oom")}})
	if asked != 3 || r.Hits != 2 || r.Wants != 2 {
		t.Errorf("asked %d times: %+v", asked, r)
	}
}

// The table of the documentation has shares in per cent.
func TestTableOfReports(t *testing.T) {
	want := "| policy | hit rate | wrong suggestions | too early | time to suggestion |\n|---|---|---|---|---|\n| p | 75 % (3 of 4) | 20 % (1 of 5) | 40 % | 1.3 entries |\n| q | 0 % (0 of 0) | 0 % (0 of 0) | 0 % | 0.0 entries |\n"
	if got := replay.Table([]replay.Report{{Policy: "p", Wants: 4, Hits: 3, Suggestions: 5, Wrong: 1, Early: 2, Entries: 4}, {Policy: "q"}}); got != want {
		t.Errorf("got\n%s", got)
	}
}
