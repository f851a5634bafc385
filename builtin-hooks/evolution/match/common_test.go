package match

import (
	"cmp"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

var write = flag.Bool("write", false, "write common.txt anew")

// How common a word is in messages is counted in the failures of the corpora, and written
// down by: go test ./builtin-hooks/evolution/match -run CommonWords -write
func TestCommonWords(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../signal/testdata/*/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	for _, name := range [...]string{"seeds.txt", "causes.txt", "outside.txt", "unseen.txt"} {
		files = append(files, "testdata/"+name)
	}
	seen, all := map[string]int{}, 0
	for _, file := range files {
		for _, s := range samples(t, file) {
			if s.genes[0] == "ok" {
				continue
			}
			all++
			f := failure.Of(s.command, s.text, 1)
			m := messageOf(f.Text)
			for _, w := range m.terms {
				seen[w]++
			}
			var rows []string
			for i := range len(m.turns) - 2 {
				rows = append(rows, strings.Join(m.turns[i:i+3], " "))
			}
			slices.Sort(rows)
			for _, row := range slices.Compact(rows) {
				seen[row]++
			}
		}
	}
	type word struct {
		text string
		n    int
	}
	var list []word
	for w, n := range seen {
		const often, row = 4, 8 // what is rarer tells as much as what nobody has seen
		if n >= often && (n >= row || !strings.Contains(w, " ")) {
			list = append(list, word{w, n})
		}
	}
	slices.SortFunc(list, func(a, b word) int { return cmp.Or(b.n-a.n, strings.Compare(a.text, b.text)) })
	var b strings.Builder
	fmt.Fprintln(&b, all)
	for _, w := range list {
		fmt.Fprintln(&b, w.n, w.text)
	}
	if *write {
		must.Write(t, "common.txt", b.String())
		return
	}
	// What is added to a corpus moves a count by little: only what nobody wrote down in time is told.
	have, _ := common()
	for _, w := range list[:100] {
		if n := have[w.text]; n < w.n*3/4 || n > w.n*4/3+1 {
			t.Errorf("%q is in %d messages, and common.txt says %d: go test ./builtin-hooks/evolution/match -run CommonWords -write", w.text, w.n, n)
		}
	}
}
