package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Three outcomes make a gene one that the hooks know of, with the command that it
// helped with; one that mostly failed is none.
func TestHooksAreToldOfWhatIsProven(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, sample("gene_good", "error:timeout"))
	put(t, s, sample("gene_bad", "error:timeout"))
	for _, id := range []string{"gene_good", "gene_bad"} {
		must.Do(t, s.Cured(t.Context(), id, failure.Of("go test ./...", "dial tcp 127.0.0.1:5432: connect: connection refused", 1), day))
	}
	file := filepath.Join(dir, evolution.ProvenFile)
	for i := range 3 {
		if b, _ := os.ReadFile(file); strings.Contains(string(b), "gene_good") {
			t.Errorf("told after %d outcomes: %s", i, b)
		}
		record(t, s, Observation{Gene: "gene_good", Success: true, Scope: "shop", At: day.Add(time.Duration(i) * 2 * time.Hour)})
		record(t, s, Observation{Gene: "gene_bad", Success: false, Scope: "shop", At: day.Add(time.Duration(i) * 2 * time.Hour)})
	}
	b, err := os.ReadFile(file)
	if text := string(b); err != nil || !strings.Contains(text, `"shop":[{"id":"gene_good"`) || !strings.Contains(text, `"on":["go test"]`) || !strings.Contains(text, `"helped":3,"runs":3`) || strings.Contains(text, "gene_bad") {
		t.Errorf("%v %s", err, b)
	}
}
