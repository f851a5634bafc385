package match

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What a failure that comes again waits for: the seeds read and ranked, with a message of
// the length that is kept. It is measured with all of them, and with half of them.
func BenchmarkRank(b *testing.B) {
	text := "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\n" + strings.Repeat("npm error Could not resolve dependency: while resolving app, found a version that fits nothing here\n", 12)
	c := caseOf("npm install", text, 1)
	for _, part := range []struct {
		name string
		n    int
	}{{"half", 2}, {"all", 1}} {
		b.Run(part.name, func(b *testing.B) {
			for b.Loop() {
				genes, err := gene.Seeds()
				must.Do(b, err)
				Rank(c, genes[:len(genes)/part.n], nil)
			}
		})
	}
}

// What it takes beside 300 genes that were learned here, each from another failure.
func BenchmarkRankLearned(b *testing.B) {
	genes := seeds(b)
	var learned []gene.Gene
	for _, s := range samples(b, "testdata/causes.txt")[:300] {
		g := gene.Gene{ID: "learned_" + s.genes[0], Title: "Mend " + s.genes[0], Visibility: gene.Draft, Strategy: []string{"Do it."}}
		g.Cured(Named(caseOf(s.command, s.text, s.exit).Failure))
		learned = append(learned, g)
	}
	c := caseOf("npm install", "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error Found: react@19.0.0", 1)
	all := append(learned, genes...)
	for b.Loop() {
		Rank(c, all, nil)
	}
}
