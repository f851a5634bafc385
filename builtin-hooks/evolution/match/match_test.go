package match

import (
	"os"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
)

// A sample is a failure, and the genes that are about it.
type sample struct {
	where, command, text string
	exit                 int
	genes                []string
}

// samples reads "@@@ genes | command" and the output below it. "-" is none.
func samples(t testing.TB, file string) (list []sample) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split("\n"+string(b), "\n@@@ ")[1:] {
		head, text, _ := strings.Cut(block, "\n")
		genes, command, ok := strings.Cut(head, " | ")
		if !ok {
			t.Fatalf("%s: %q: no command", file, head)
		}
		list = append(list, sample{where: head, command: command, text: text, exit: 1, genes: strings.Fields(genes)})
	}
	return list
}

func seeds(t testing.TB) []gene.Gene {
	t.Helper()
	list, err := gene.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func caseOf(command, text string, exit int) Case {
	c := Case{Failure: failure.Of(command, text, exit), Command: command}
	for _, k := range failure.Ended(command, failure.End{Text: text, Exit: exit, Failed: true}) {
		c.Signals = append(c.Signals, string(k))
	}
	return c
}

// Each seed has failures that find it, but for those that are for who has not tried
// anything yet, which their class finds.
func TestEachSeedIsFound(t *testing.T) {
	t.Parallel()
	genes, found := seeds(t), map[string]bool{}
	for _, s := range samples(t, "testdata/seeds.txt") {
		list := Rank(caseOf(s.command, s.text, s.exit), genes, nil)
		if len(list) == 0 || "seed_"+s.genes[0] != genes[list[0].Gene].ID {
			got := "nothing"
			if len(list) > 0 {
				got = genes[list[0].Gene].ID + " (" + list[0].Why + ")"
			}
			t.Errorf("%s: %s", s.where, got)
		}
		found["seed_"+s.genes[0]] = true
	}
	for i := range genes {
		if g := &genes[i]; !g.Platitude && !found[g.ID] {
			t.Errorf("no failure finds %s", g.ID)
		}
	}
}

// A platitude is never found by what happened.
func TestPlatitudesAreNotFound(t *testing.T) {
	t.Parallel()
	genes := seeds(t)
	for _, s := range samples(t, "testdata/seeds.txt") {
		for _, m := range Rank(caseOf(s.command, s.text, s.exit), genes, nil) {
			if genes[m.Gene].Platitude {
				t.Errorf("%s: %s", s.where, genes[m.Gene].ID)
			}
		}
	}
}

func lexiconOf(t testing.TB) *lexicon.Lexicon {
	t.Helper()
	l, err := lexicon.Read([]byte(words.File))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// lessons are genes as agents learn them: one cured one failure.
func lessons(t testing.TB) []gene.Gene {
	t.Helper()
	var list []gene.Gene
	for _, l := range [...]struct{ id, title, command, text string }{
		{"gradle_jdk", "Point Gradle at the JDK that the build asks for", "./gradlew build", "FAILURE: Build failed with an exception.\n* What went wrong:\nUnsupported class file major version 65\nBUILD FAILED in 2s"},
		{"pg_start", "Start the database of the compose file first", "npm test", "Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect\nTests: 12 failed"},
		{"libpq", "Install libpq before psycopg2", "pip install -r requirements.txt", "Error: pg_config executable not found.\npg_config is required to build psycopg2 from source.\nerror: subprocess-exited-with-error"},
		{"snapshot_time", "Freeze the clock in snapshots", "npx jest", "  - Snapshot  - 1\n  + Received  + 1\n  › 1 snapshot failed.\nSnapshot Summary\n › 1 snapshot failed from 1 test suite. Inspect your code changes or run `npm test -- -u` to update them."},
	} {
		g := gene.Gene{ID: l.id, Title: l.title, Category: gene.Repair, Visibility: gene.Private, Strategy: []string{"Do it."}}
		g.Cured(caseOf(l.command, l.text, 1).Failure)
		list = append(list, g)
	}
	return list
}

// What one failure taught is offered for the same failure in other words, in another
// project, and for no other failure.
func TestLearnedGenes(t *testing.T) {
	t.Parallel()
	all := append(lessons(t), seeds(t)...)
	l := lexiconOf(t)
	for _, s := range samples(t, "testdata/learned.txt") {
		list := Rank(caseOf(s.command, s.text, s.exit), all, l)
		got := "-"
		if len(list) > 0 && !strings.HasPrefix(all[list[0].Gene].ID, "seed_") {
			got = all[list[0].Gene].ID
		}
		if got != s.genes[0] {
			t.Errorf("%s: %s", s.where, got)
		}
	}
}
