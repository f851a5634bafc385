package memory_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// What was found out on a branch before its first commit does not hold elsewhere because the
// branch is gone: what it was when it was left decides, and if that was not merged, a review
// asks.
// BM-GIT-08, BM-GIT-16.
func TestABranchThatIsGoneHoldsIfItWasMerged(t *testing.T) {
	t.Parallel()
	for way, steps := range map[string]struct {
		git   []string
		holds bool
	}{
		"given up":                 {[]string{"branch -q -D f"}, false},
		"given up, main went on":   {[]string{"commit -q --allow-empty -m meanwhile", "branch -q -D f"}, false},
		"given up without commits": {[]string{"branch -q -f f main", "branch -q -D f"}, false},
		"merged":                   {[]string{"merge -q --no-ff -m merge f", "branch -q -d f"}, true},
		"merged by going forward":  {[]string{"merge -q --ff-only f", "branch -q -d f"}, true},
		"picked":                   {[]string{"commit -q --allow-empty -m meanwhile", "cherry-pick f", "branch -q -D f"}, true},
		"squashed":                 {[]string{"merge -q --squash f", "commit -q -m squashed", "branch -q -D f"}, true},
	} {
		if !slowtest.Among(way, "given up", "merged", "squashed") {
			continue
		}
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			d := newTrial(t)
			d.repository()
			d.table["git"] = "ignore"
			d.says("memory_save", `{"content": "The cache TTL is 60 seconds"}`)
			d.git("checkout", "-q", "-b", "f")
			d.says("memory_save", `{"content": "The cache TTL is 90 seconds"}`)
			if !strings.Contains(way, "without commits") {
				d.commit("work")
			}
			d.git("checkout", "-q", "main")
			for _, args := range steps.git {
				d.git(strings.Fields(args)...)
			}
			if got := d.finds("cache TTL", "90 seconds"); got != steps.holds || d.finds("cache TTL", "60 seconds") == got {
				t.Errorf("what the branch found out holds: %v", got)
			}
			if asks := strings.Contains(d.says("memory_review", `{}`), `"why":"abandoned"`); asks == steps.holds {
				t.Errorf("a review asks: %v", asks)
			}
		})
	}
}

// A branch that was worked on in a working tree of its own, which is gone with what git recorded
// there, holds if the other one merged it.
// BM-GIT-16.
func TestABranchOfAWorkingTreeThatIsGoneHoldsIfItWasMerged(t *testing.T) {
	t.Parallel()
	for _, merge := range []string{"merge -q --ff-only side", "merge -q --no-ff -m merged side"} {
		t.Run(merge, func(t *testing.T) {
			t.Parallel()
			d := newTrial(t)
			d.repository()
			d.table["git"] = "ignore"
			main, tree := d.call.Project, filepath.Join(t.TempDir(), "tree")
			d.git("worktree", "add", "-q", tree, "-b", "side")
			d.call.Project = tree
			d.says("memory_save", `{"content": "The relay is drained with SIGUSR2"}`)
			d.commit("work")
			d.call.Project = main
			d.git(strings.Fields(merge)...)
			d.git("worktree", "remove", tree)
			d.git("branch", "-q", "-d", "side")
			if !d.finds("relay drained", "SIGUSR2") {
				t.Error("what was found out on a merged branch holds no longer")
			}
			if got := d.says("memory_review", `{}`); strings.Contains(got, "abandoned") {
				t.Errorf("a review asks: %s", got)
			}
		})
	}
}

// A branch that has the name of one that was thrown away is another one: what was found out on the
// first holds neither on it nor where it is merged.
// BM-GIT-16.
func TestABranchOfAnOldNameIsAnotherOne(t *testing.T) {
	t.Parallel()
	for _, committed := range []bool{true, false} {
		t.Run(fmt.Sprint("committed ", committed), func(t *testing.T) {
			t.Parallel()
			d := newTrial(t)
			d.repository()
			d.table["git"] = "ignore"
			d.git("checkout", "-q", "-b", "fix")
			if committed {
				d.commit("work")
			}
			d.says("memory_save", `{"content": "The export job writes CSV with semicolons"}`)
			if !d.finds("export job", "semicolons") {
				t.Fatal("not known on its branch")
			}
			d.git("checkout", "-q", "main")
			d.git("branch", "-q", "-D", "fix")
			again := exec.Command("git", "checkout", "-q", "-b", "fix")
			again.Dir, again.Env = d.call.Project, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + d.world.Home, "GIT_COMMITTER_DATE=" + time.Now().Add(time.Hour).Format(time.RFC3339)}
			must.Do(t, again.Run())
			if d.finds("export job", "semicolons") {
				t.Error("it holds on another branch of the name")
			}
			d.commit("other")
			d.git("checkout", "-q", "main")
			d.git("merge", "-q", "--no-ff", "-m", "merged", "fix")
			if d.finds("export job", "semicolons") {
				t.Error("it holds where another branch of the name was merged")
			}
			if got := d.says("memory_review", `{}`); !strings.Contains(got, "abandoned") {
				t.Errorf("no review asks: %s", got)
			}
		})
	}
}

// What is found out while a rebase of a branch has stopped is of that branch, though git has none
// checked out then.
// BM-GIT-08.
func TestAStoppedRebaseIsOfItsBranch(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.repository()
	d.table["git"] = "ignore"
	change := func(text string) {
		must.Write(t, filepath.Join(d.call.Project, "begun.txt"), text)
		d.git("commit", "-q", "-a", "-m", text)
	}
	d.git("checkout", "-q", "-b", "topic")
	change("theirs")
	d.git("checkout", "-q", "main")
	change("ours")
	d.git("checkout", "-q", "topic")
	stopped := exec.Command("git", "rebase", "-q", "main")
	stopped.Dir, stopped.Env = d.call.Project, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + d.world.Home}
	if stopped.Run() == nil {
		t.Fatal("the rebase did not stop")
	}
	d.says("memory_save", `{"content": "The buoy answers on channel 16"}`)
	if !d.finds("buoy channel", "channel 16") {
		t.Error("not known where it was found out")
	}
	d.git("rebase", "--abort")
	if !d.finds("buoy channel", "channel 16") {
		t.Error("not known on its branch")
	}
	d.git("checkout", "-q", "main")
	if d.finds("buoy channel", "channel 16") {
		t.Error("it holds on main")
	}
}

// onTwoBranches is a repository with a fact on main, and another one on a branch q, which is not
// checked out and has committed nothing.
func onTwoBranches(t *testing.T) *trial {
	t.Helper()
	d := newTrial(t)
	d.repository()
	d.says("memory_save", `{"content": "The cache TTL is 60 seconds"}`)
	d.commit("facts")
	d.git("checkout", "-q", "-b", "q")
	d.says("memory_save", `{"content": "The cache TTL is 90 seconds"}`)
	d.git("checkout", "-q", "main")
	return d
}

// The file of a branch that lay about when another branch was committed came with no merge,
// here and in a clone; one that was committed on its branch comes with a squashed merge.
// BM-GIT-08, BM-GIT-16.
func TestAFileThatItsBranchDoesNotHaveCameWithNoMerge(t *testing.T) {
	t.Parallel()
	d := onTwoBranches(t)
	d.commit("everything")
	if !strings.Contains(d.git("ls-files"), "@q@") {
		t.Fatal("the file of the branch was not committed on main")
	}
	stays := func(where string, d *trial) {
		t.Helper()
		d.says("memory_review", `{}`)
		if d.finds("cache TTL", "90 seconds") || !d.finds("cache TTL", "60 seconds") {
			t.Errorf("%s: what a branch found out holds before it is merged", where)
		}
	}
	stays("here", d)
	clone := d.cloneOf("clone")
	if files := ops.At(clone.world, clone.call).Place.FactFiles(); slices.ContainsFunc(files, func(file string) bool { return strings.Contains(file, "@q") }) {
		t.Errorf("it holds in a clone: %q", files)
	}
	d.git("branch", "-q", "-D", "q")
	stays("when the branch is gone", d)
}

// Facts of a branch lie where no other branch commits them: aside while another one is
// checked out, also if a worktree has theirs, and beside the others when theirs is or was
// merged, so that it goes to the team with that.
// BM-GIT-17, BM-GIT-08.
func TestFactsOfABranchAreNotCommittedWithAnother(t *testing.T) {
	t.Parallel()
	d := onTwoBranches(t)
	d.says("memory_save", `{"content": "The roof is green slate"}`)
	tree := *d
	tree.call.Project = filepath.Join(d.world.Home, "tree")
	tree.call.Dir = tree.call.Project
	d.git("worktree", "add", "-q", "-b", "w", tree.call.Project)
	tree.says("memory_save", `{"content": "The lathe needs oil number 7"}`)
	if !tree.finds("lathe oil", "number 7") || d.finds("lathe oil", "number 7") {
		t.Error("what was found out in a worktree holds not there, or elsewhere")
	}
	d.commit("everything")
	if got := d.git("ls-files"); strings.Contains(got, "@") {
		t.Errorf("committed on main: %s", got)
	}
	d.git("checkout", "-q", "q")
	d.says("memory_save", `{"content": "The cache has 8 shards"}`)
	if !d.finds("cache TTL", "90 seconds") || !d.finds("cache shards", "8 shards") {
		t.Error("it does not hold on its branch")
	}
	d.commit("work")
	if got := d.git("ls-files"); strings.Count(got, "@q@") != 1 || strings.Contains(got, "@w") {
		t.Errorf("committed on the branch: %s", got)
	}
	d.git("checkout", "-q", "main")
	if d.finds("cache TTL", "90 seconds") {
		t.Error("it holds on main")
	}
	must.Write(t, filepath.Join(tree.call.Project, "lathe.txt"), "oil")
	tree.git("add", "-A")
	tree.git("commit", "-q", "-m", "lathe")
	d.git("merge", "-q", "-m", "merge", "w")
	d.says("memory_save", `{"content": "The roof leaks in the north"}`)
	d.commit("after the merge")
	if got := d.git("ls-files"); strings.Count(got, "@w@") != 1 || !d.finds("lathe oil", "number 7") {
		t.Errorf("what a worktree found out does not go to the team with its merge: %s", got)
	}
}
