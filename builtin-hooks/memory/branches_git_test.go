package memory_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// dailyFiles are the files of days that git sees in the folder, tracked or not.
func (d *trial) dailyFiles(args ...string) string {
	d.Helper()
	return d.git(append([]string{"ls-files"}, args...)...)
}

// sessionBegins records that, as the hook does.
func (d *trial) sessionBegins() {
	d.Helper()
	must.Do(d, ops.At(d.world, d.call).Place.Begin("log-20261121090000000-begin1", "s-2", d.world.Now(), locale.English))
}

// A branch that was merged and is worked on again: what is found out on it since holds nowhere else,
// and is in nothing that another branch commits, though the branch's first facts are there.
// BM-GIT-08, BM-GIT-17, BM-GIT-19.
func TestABranchThatIsMergedAgainAndAgainKeepsWhatIsNew(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"main", "release"} {
		for _, merge := range []string{"--ff-only", "--no-ff", "--squash"} {
			t.Run(target+" "+merge, func(t *testing.T) {
				t.Parallel()
				d := newTrial(t)
				d.repository()
				d.says("memory_save", `{"content": "The shop is called heron"}`)
				d.commit("facts")
				d.git("branch", "release")
				d.git("checkout", "-q", "-b", "dev")
				d.says("memory_save", `{"content": "The lock of the depot is in etcd"}`)
				d.commit("work")
				d.git("checkout", "-q", target)
				d.git("merge", "-q", merge, "dev")
				if merge == "--squash" {
					d.git("commit", "-q", "-m", "squashed")
				}
				d.git("checkout", "-q", "dev")
				d.commit("more")
				d.says("memory_save", `{"content": "Invoices are sent by a cron job in Zurich"}`)
				d.git("checkout", "-q", target)
				if begun := d.begun(); strings.Contains(begun, "Zurich") || !strings.Contains(begun, "etcd") {
					t.Errorf("told: %s", begun)
				}
				if d.finds("invoices cron", "Zurich") || !d.finds("lock depot", "etcd") {
					t.Error("what is new holds where the branch is not merged, or what was merged does not")
				}
				if got := d.git("status", "--porcelain", "-uall"); strings.Contains(got, "daily") {
					t.Errorf("to be committed with the other branch: %s", got)
				}
				d.git("checkout", "-q", "dev")
				if !d.finds("invoices cron", "Zurich") {
					t.Error("it does not hold on its branch")
				}
				d.commit("third")
				d.git("checkout", "-q", target)
				d.git("merge", "-q", "--no-ff", "-m", "again", "dev")
				if !d.finds("invoices cron", "Zurich") || !d.finds("lock depot", "etcd") {
					t.Error("it does not hold after the merge")
				}
			})
		}
	}
}

// What is found out on a branch after its merge, before its next commit, waits for the next merge.
// BM-GIT-08, BM-GIT-19.
func TestWhatIsFoundOutAfterAMergeWaitsForTheNext(t *testing.T) {
	t.Parallel()
	for _, git := range []string{"commit", "ignore"} {
		d := newTrial(t)
		d.repository()
		d.table["git"] = git
		d.git("checkout", "-q", "-b", "dev")
		d.commit("work")
		d.git("checkout", "-q", "main")
		d.git("merge", "-q", "--ff-only", "dev")
		d.git("checkout", "-q", "dev")
		d.says("memory_save", `{"content": "Invoices are sent by a cron job in Zurich"}`)
		d.git("checkout", "-q", "main")
		if d.finds("invoices cron", "Zurich") {
			t.Errorf("%s: it holds on main", git)
		}
		d.git("checkout", "-q", "dev")
		if !d.finds("invoices cron", "Zurich") {
			t.Errorf("%s: it does not hold on its branch", git)
		}
		d.commit("more")
		d.git("checkout", "-q", "main")
		d.git("merge", "-q", "--ff-only", "dev")
		if !d.finds("invoices cron", "Zurich") {
			t.Errorf("%s: it does not hold after the merge", git)
		}
	}
}

// What was found out before a merge holds where that was, also if nobody committed it and the branch
// goes on; what was found out since does not.
// BM-GIT-08, BM-GIT-19.
func TestWhatWasMergedHoldsThoughItsBranchGoesOn(t *testing.T) {
	t.Parallel()
	for _, git := range []string{"commit", "ignore"} {
		d := newTrial(t)
		d.repository()
		d.table["git"] = git
		d.git("checkout", "-q", "-b", "dev")
		d.says("memory_save", `{"content": "The lock of the depot is in etcd"}`)
		goesOn := func(name string) {
			must.Write(t, filepath.Join(d.call.Project, name), name)
			d.git("add", name)
			d.git("commit", "-q", "-m", name)
		}
		goesOn("first")
		d.git("checkout", "-q", "main")
		later := exec.Command("git", "merge", "-q", "--no-ff", "-m", "merged", "dev") // git records seconds
		later.Dir, later.Env = d.call.Project, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + d.world.Home, "GIT_COMMITTER_DATE=" + time.Now().Add(time.Hour).Format(time.RFC3339)}
		must.Do(t, later.Run())
		d.git("checkout", "-q", "dev")
		d.world.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
		goesOn("second")
		d.says("memory_save", `{"content": "Invoices are sent by a cron job in Zurich"}`)
		if !d.finds("lock depot", "etcd") || !d.finds("invoices cron", "Zurich") {
			t.Errorf("%s: not known on its branch", git)
		}
		d.git("checkout", "-q", "main")
		if !d.finds("lock depot", "etcd") || d.finds("invoices cron", "Zurich") {
			t.Errorf("%s: what was merged does not hold, or what was not does", git)
		}
	}
}

// Facts come back with their branch for whoever only reads, and are in its next commit.
// BM-GIT-17, BM-GIT-20.
func TestFactsComeBackWithTheirBranchForWhoeverReads(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(d *trial){
		"a search":  func(d *trial) { d.finds("cache TTL", "90 seconds") },
		"a review":  func(d *trial) { d.says("memory_review", `{}`) },
		"a session": func(d *trial) { d.begun() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := onTwoBranches(t)
			d.finds("cache TTL", "90 seconds")
			if got := d.dailyFiles("-o", "--exclude-standard"); strings.Contains(got, "@q@") {
				t.Fatalf("in the way of main: %s", got)
			}
			d.git("checkout", "-q", "q")
			read(d)
			d.commit("work")
			if got := d.dailyFiles(); strings.Count(got, "@q@") != 1 {
				t.Errorf("not in the commit of its branch: %s", got)
			}
		})
	}
}

// A branch with the name of one that was given up has none of its facts, commits none, and makes none
// of them true where it is merged; a review asks, also when the second one is gone, too.
// BM-GIT-16, BM-GIT-17.
func TestANameThatIsUsedAgainBringsBackNothing(t *testing.T) {
	t.Parallel()
	for _, git := range []string{"commit", "ignore"} {
		for _, looked := range []bool{true, false} {
			d := newTrial(t)
			d.repository()
			d.table["git"] = git
			d.says("memory_save", `{"content": "The shop is called heron"}`)
			d.commit("facts")
			d.git("checkout", "-q", "-b", "fix")
			d.commit("first")
			d.says("memory_save", `{"content": "The lock of the depot is in etcd"}`)
			d.git("checkout", "-q", "main")
			if looked && d.finds("lock depot", "etcd") {
				t.Errorf("%s: it holds on main", git)
			}
			d.git("branch", "-q", "-D", "fix")
			d.git("checkout", "-q", "-b", "fix")
			if d.finds("lock depot", "etcd") {
				t.Errorf("%s: it holds on another branch of the name", git)
			}
			d.commit("second")
			d.git("checkout", "-q", "main")
			d.git("merge", "-q", "--no-ff", "-m", "merged", "fix")
			for _, when := range []string{"merged", "merged and gone"} {
				if d.finds("lock depot", "etcd") {
					t.Errorf("%s, %s: it holds where another branch of the name was merged", git, when)
				}
				if got := d.says("memory_review", `{}`); !strings.Contains(got, `"why":"abandoned"`) {
					t.Errorf("%s, %s: no review asks: %s", git, when, got)
				}
				if when == "merged" {
					d.git("branch", "-q", "-d", "fix")
				}
			}
		}
	}
}

// stopped is a repository in which a rebase of a branch with memory has stopped before the commit
// with its facts; main has memory or has not.
func stopped(t *testing.T, onMain bool) *trial {
	d := newTrial(t)
	d.repository()
	if onMain {
		d.says("memory_save", `{"content": "The shop is called heron"}`)
		d.commit("facts")
	}
	change := func(text string) {
		must.Write(t, filepath.Join(d.call.Project, "begun.txt"), text)
		d.git("commit", "-q", "-a", "-m", text)
	}
	d.git("checkout", "-q", "-b", "topic")
	change("theirs")
	d.says("memory_save", `{"content": "The port of the depot is 4001"}`)
	d.commit("memory")
	d.git("checkout", "-q", "main")
	change("ours")
	d.git("checkout", "-q", "topic")
	if d.tryGit("rebase", "main") == nil {
		t.Fatal("the rebase did not stop")
	}
	return d
}

// tryGit runs git where it may fail.
func (d *trial) tryGit(args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = d.call.Project, []string{"HOME=" + d.world.Home, "PATH=" + os.Getenv("PATH"), "GIT_EDITOR=true"}
	return cmd.Run()
}

// A rebase that stopped goes on, whatever is saved meanwhile, and all of it holds on the branch.
// BM-GIT-19, BM-GIT-21.
func TestWhatIsSavedWhileARebaseStandsStillIsNotInItsWay(t *testing.T) {
	t.Parallel()
	for _, onMain := range []bool{true, false} {
		d := stopped(t, onMain)
		d.sessionBegins()
		d.says("memory_save", `{"content": "Cargo is moved with yaks"}`)
		must.Write(t, filepath.Join(d.call.Project, "begun.txt"), "both")
		d.git("add", "begun.txt")
		if err := d.tryGit("rebase", "--continue"); err != nil {
			t.Fatalf("memory on main: %v: %v: %s", onMain, err, d.git("status"))
		}
		for _, text := range []string{"4001", "yaks"} {
			if !d.finds("depot port cargo moved", text) {
				t.Errorf("memory on main: %v: %q does not hold on the branch", onMain, text)
			}
		}
		d.git("checkout", "-q", "main")
		if d.finds("cargo moved", "yaks") {
			t.Errorf("memory on main: %v: it holds on main", onMain)
		}
	}
}

// Where only a branch has memory, a session on another one is in the way of neither a checkout nor a
// merge, commits nothing of this machine, and what is committed there has all that belongs to it.
// BM-GIT-02, BM-GIT-21.
func TestASessionWhereGitTookMemoryAwayIsInNobodysWay(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.repository()
	d.table["git"] = "commit"
	d.git("checkout", "-q", "-b", "topic")
	d.sessionBegins()
	d.says("memory_save", `{"content": "The port of the depot is 4001"}`)
	d.commit("memory")
	d.git("checkout", "-q", "main")
	d.sessionBegins()
	if got := d.git("status", "--porcelain", "-uall"); got != "" {
		t.Errorf("a session that saved nothing left %s", got)
	}
	d.git("checkout", "-q", "topic")
	if !d.finds("depot port", "4001") {
		t.Error("not known on its branch")
	}
	d.git("checkout", "-q", "main")
	d.says("memory_save", `{"content": "The shop is called heron"}`)
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "facts of main")
	d.says("memory_save", `{"content": "The shop opens at nine"}`)
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "more")
	got := d.git("ls-files")
	for _, name := range []string{".gitignore", ".gitattributes", "daily/"} {
		if !strings.Contains(got, "memory-data/"+name) {
			t.Errorf("main has memory without %s: %s", name, got)
		}
	}
	if strings.Contains(got, "local") || strings.Contains(got, "session_state") || strings.Contains(got, "lock") {
		t.Errorf("committed: %s", got)
	}
	d.git("merge", "-q", "-m", "merged", "topic")
	if !d.finds("depot port", "4001") || !d.finds("shop opens", "nine") {
		t.Error("not known after the merge")
	}
}

// A MEMORY.md that only another branch has is not made anew by a session: git would go neither there
// nor merge it. Who writes on it gets it all the same.
// BM-GIT-21.
func TestASessionMakesNoPageThatAnotherBranchMayHave(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.repository()
	d.table["git"] = "commit"
	d.says("memory_save", `{"content": "The shop sells bicycles in Oslo", "type": "O"}`)
	d.commit("memory without a page")
	d.git("checkout", "-q", "-b", "topic")
	d.sessionBegins()
	d.says("memory_distill", `{"sections": {"Rules": ["always run the linter"]}}`)
	d.commit("a page")
	d.git("checkout", "-q", "main")
	d.sessionBegins()
	if got := d.git("status", "--porcelain", "-uall"); got != "" {
		t.Errorf("a session that saved nothing left %s", got)
	}
	d.git("checkout", "-q", "topic")
	d.git("checkout", "-q", "main")
	d.sessionBegins()
	d.git("merge", "-q", "--no-ff", "-m", "merged", "topic")
	if !d.finds("linter", "always run the linter") {
		t.Error("the page is not known after the merge")
	}
}
