package hooks

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Each event that reads memory puts the facts of branches where the branch that is checked out has
// them: out of the way of another one's commits, and back.
// BM-GIT-17, BM-GIT-20.
func TestAnEventPutsFactsWhereTheirBranchIs(t *testing.T) {
	t.Parallel()
	for name, look := range map[string]func(r *repo){
		"a session begins": func(r *repo) { r.begin() },
		"a prompt":         func(r *repo) { r.prompt("how is the quarry pump drained?") },
		"a turn ends":      func(r *repo) { r.stop() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t)
			r.git(r.project, "checkout", "-q", "-b", "topic")
			k := r.keeper()
			k.Root, k.Tree, k.Git, k.Now = r.place().Root, r.place().Tree, "commit", time.Now() // as git does
			k.From = func() memory.Source {
				at := r.place().Checkout()
				return memory.Source{Branch: at.Branch, Commit: at.Commit}
			}
			must.Do(t, must.Err(k.Save(memory.Fact{Kind: "W", Content: "The quarry pump is drained with SIGUSR2", Confidence: 0.9}, "")))
			in := func(folder string) int {
				list, err := filepath.Glob(filepath.Join(r.place().Dir, folder, "*@topic@*.jsonl"))
				must.Do(t, err)
				return len(list)
			}
			r.git(r.project, "checkout", "-q", "main")
			look(r)
			if in("daily") != 0 || in("local/branches") != 1 {
				t.Error("it lies where main commits it")
			}
			r.git(r.project, "checkout", "-q", "topic")
			look(r)
			if in("daily") != 1 || in("local/branches") != 0 {
				t.Error("it did not come back with its branch")
			}
		})
	}
}
