package memory_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A fact that `git add -A` took on another branch, before anything of this program ran there, is one
// of its branch still: it holds there alone until the merge, and once.
// BM-GIT-08, BM-GIT-20.
func TestFactsCommittedOnAnotherBranchStayThoseOfTheirs(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, other string }{{"on main", "main"}, {"on another branch", "side"}, {"and moved aside meanwhile", "main"}} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			d, other := newTrial(t), row.other
			d.repository()
			d.table["git"] = "commit"
			d.sessionBegins()
			d.commit("memory")
			d.git("branch", "side")
			d.git("checkout", "-q", "-b", "feat")
			d.commit("work")
			d.says("memory_save", `{"content": "The port of the shop is 8081"}`)
			d.git("checkout", "-q", other)
			d.commit("of all files")
			if got := d.git("show", "--stat", "--oneline"); !strings.Contains(got, "@feat@") {
				t.Fatalf("not committed there: %s", got)
			}
			if row.name == "and moved aside meanwhile" {
				days, err := filepath.Glob(d.memory().Path("daily/*@feat@*.jsonl"))
				if err != nil || len(days) != 1 {
					t.Fatalf("%q, %v", days, err)
				}
				must.Do(t, os.MkdirAll(d.memory().Path("local/branches"), 0o700))
				must.Do(t, os.Rename(days[0], d.memory().Path("local/branches/"+filepath.Base(days[0]))))
			}
			d.git("checkout", "-q", "feat")
			for range 2 {
				if !d.finds("port shop", "8081") {
					t.Error("not known on its branch")
				}
			}
			d.git("checkout", "-q", other)
			if d.finds("port shop", "8081") {
				t.Error("it holds where it was committed")
			}
			d.git("checkout", "-q", "feat")
			d.says("memory_save", `{"content": "The depot opens at nine"}`)
			d.commit("facts")
			d.git("checkout", "-q", other)
			d.git("merge", "-q", "--no-ff", "-m", "merged", "feat")
			if got := d.says("memory_search", `{"query": "port of the shop, depot opens"}`); strings.Count(got, "8081") != 1 || !strings.Contains(got, "nine") {
				t.Errorf("after the merge: %s", got)
			}
			d.git("checkout", "-q", "feat")
			d.git("checkout", "-q", other)
		})
	}
}
