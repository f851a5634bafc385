package memory_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// git runs git in the project of a trial.
func (d *trial) git(args ...string) string {
	d.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = d.call.Project
	cmd.Env = []string{"HOME=" + d.world.Home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// repository makes the project of a trial one, with a commit on main.
func (d *trial) repository() {
	d.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		d.Skip("git is not here")
	}
	d.world.Git = func(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir, cmd.Env = dir, env
		return cmd.Output()
	}
	d.git("init", "-q", "--template=", "-b", "main")
	d.git("config", "user.name", "Ann Lee")
	d.git("config", "user.email", "ann@example.org")
	d.commit("begun")
}

func (d *trial) commit(what string) {
	d.Helper()
	must.Write(d, filepath.Join(d.call.Project, what+".txt"), what)
	d.git("add", "-A")
	d.git("commit", "-q", "-m", what)
}

// finds reports whether a search finds a text.
func (d *trial) finds(query, text string) bool {
	d.Helper()
	return strings.Contains(d.says("memory_search", `{"query": "`+query+`"}`), text)
}

// who, on which branch and at which commit stands with a fact; and what was found out
// on a branch holds there, and elsewhere once the branch is merged.
// BM-GIT-07, BM-GIT-08, BM-GIT-09, BM-HND-17.
func TestFactsOfABranchWaitUntilItIsMerged(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"kept out of git", "in git", "squashed, in git", "squashed, branch gone"} {
		if !slowtest.Among(way, "kept out of git", "squashed, in git") {
			continue
		}
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			d := newTrial(t)
			d.repository()
			if strings.Contains(way, "out of") || strings.Contains(way, "gone") {
				d.table["git"] = "ignore"
			}
			d.says("memory_save", `{"content": "The parser uses recursive descent"}`)
			d.commit("main-facts")
			d.git("checkout", "-q", "-b", "feature/new#parser")
			d.says("memory_save", `{"content": "The parser uses goyacc now", "at": "parse.y:12"}`)
			if rows, err := ops.At(d.world, d.call).Rows(ops.Filter{}); err != nil || len(rows) == 0 {
				t.Fatal(rows, err)
			} else if _, err := ops.At(d.world, d.call).Promote(rows[0].ID, "", locale.English); err == nil || !strings.Contains(err.Error(), "waits for the branch feature/new#parser") {
				t.Errorf("a page of all branches has what was found out on one: %v", err)
			}
			d.says("memory_save", `{"content": "The person prefers short names", "type": "O"}`)
			if !d.finds("parser goyacc", "goyacc") || d.finds("parser recursive", "recursive") {
				t.Error("on the branch, what was found out there does not hold")
			}
			if rows, err := ops.At(d.world, d.call).Rows(ops.Filter{}); err != nil || rows[0].Author != "Ann Lee" && rows[1].Author != "Ann Lee" {
				t.Errorf("%+v, %v", rows, err)
			} else if b, _ := json.Marshal(rows); !strings.Contains(string(b), `"branch":"feature/new#parser"`) || !strings.Contains(string(b), `"at":"parse.y:12"`) || !strings.Contains(string(b), strings.TrimSpace(d.git("rev-parse", "HEAD"))) {
				t.Errorf("no branch, place or commit: %s", b)
			}
			stays := func(where string) {
				t.Helper()
				if d.finds("parser goyacc", "goyacc") || !d.finds("parser recursive", "recursive") {
					t.Errorf("%s: what was found out on a branch holds before it is merged", where)
				}
				if !d.finds("short names", "short names") {
					t.Errorf("%s: a preference waits for a branch", where)
				}
			}
			if strings.Contains(way, "out of") { // nothing to merge yet: the same commit
				d.git("checkout", "-q", "main")
				stays("before any commit")
				d.git("checkout", "-q", "feature/new#parser")
			}
			d.commit("work")
			d.git("checkout", "-q", "main")
			if !strings.Contains(way, "in git") {
				stays("before the merge")
			}
			switch {
			case strings.HasPrefix(way, "squashed"):
				d.git("merge", "-q", "--squash", "feature/new#parser")
				d.git("commit", "-q", "-m", "squashed")
			default:
				d.commit("meanwhile")
				d.git("merge", "-q", "-m", "merge", "feature/new#parser")
			}
			if strings.HasSuffix(way, "gone") {
				d.git("branch", "-q", "-D", "feature/new#parser")
			}
			if !d.finds("parser goyacc", "goyacc") || d.finds("parser recursive", "recursive") {
				t.Error("after the merge it does not hold")
			}
		})
	}
}

// Two people save on one day, and change the same lines: git puts both together,
// without a conflict; what a merge without our rule left is read, of both sides.
// BM-GIT-05, BM-GIT-06.
func TestTwoClonesMergeWithoutAConflict(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.repository()
	d.says("memory_save", `{"content": "Deploys are on Tuesdays"}`)
	d.says("memory_distill", `{"sections": {"Decisions": ["we use Go"]}}`)
	d.commit("facts")
	other := *d
	other.call.Project = filepath.Join(d.world.Home, "clone")
	other.call.Dir = other.call.Project
	d.git("clone", "-q", d.call.Project, other.call.Project)
	other.git("config", "user.name", "Bob")
	other.git("config", "user.email", "bob@example.org")
	m, n := ops.At(d.world, d.call), ops.At(other.world, other.call)
	d.says("memory_save", `{"content": "The gateway retries twice"}`)
	d.says("memory_distill", `{"sections": {"Decisions": ["we use Go", "errors are wrapped"]}}`)
	d.commit("ann")
	other.says("memory_save", `{"content": "Invoices are rounded to cents"}`)
	other.says("memory_distill", `{"sections": {"Decisions": ["we use Go", "tests need no network"]}}`)
	other.commit("bob")
	other.git("pull", "-q", "--no-rebase", "--no-edit")
	n.Waiting, m.Waiting = true, true
	facts, err := n.Facts()
	if err != nil || len(facts) != 3 {
		t.Fatalf("%d facts after the merge, %v", len(facts), err)
	}
	page, _ := n.Read("MEMORY.md")
	for _, item := range []string{"we use Go", "errors are wrapped", "tests need no network"} {
		if strings.Count(string(page), item) != 1 {
			t.Errorf("%q on the page:\n%s", item, page)
		}
	}
	if facts[0].From.Author != "Ann Lee" || facts[2].From.Author != "Bob" && facts[1].From.Author != "Bob" {
		t.Errorf("authors: %+v", facts)
	}
	// Marks of a conflict, as a merge without the attribute leaves them.
	day, _ := n.Read(facts[0].File)
	lines := strings.SplitAfter(string(day), "\n")
	marked := lines[0] + "<<<<<<< HEAD\n" + lines[1] + "||||||| base\n=======\n" + lines[2] + ">>>>>>> theirs\n"
	must.Write(t, n.Path(facts[0].File), marked)
	if facts, err := n.Facts(); err != nil || len(facts) != 3 {
		t.Errorf("%d facts of a file with marks, %v", len(facts), err)
	}
	if _, damaged, err := n.Damage(); err != nil || len(damaged) != 0 {
		t.Errorf("marks are taken for damage: %v, %v", damaged, err)
	}
	must.Write(t, n.Path("MEMORY.md"), "# Core memory\n\n## Decisions\n<<<<<<< HEAD\n- one side\n=======\n- the other side\n>>>>>>> theirs\n")
	if parts, err := n.Place.Page("MEMORY.md"); err != nil || strings.Contains(parts.Rest+parts.Known, "<<<") || len(parts.Waiting) != 2 {
		t.Errorf("%+v, %v", parts, err)
	}
}

// What a colleague deletes is asked for like what a colleague writes, and hidden then:
// also where a merge kept the line as it was before, on either side of the new one.
// BM-GIT-11, BM-WHO-11.
func TestADeletionReachesTheOtherClone(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.repository()
	d.says("memory_save", `{"content": "The mill turns on Mondays"}`)
	d.says("memory_save", `{"content": "The mill turns on Fridays now"}`)
	d.commit("facts")
	other := *d
	other.call.Project = filepath.Join(d.world.Home, "clone")
	other.call.Dir = other.call.Project
	d.git("clone", "-q", d.call.Project, other.call.Project)
	n := ops.At(other.world, other.call)
	accept := func() int {
		t.Helper()
		files, err := n.Place.Unapproved()
		if err == nil && len(files) > 0 {
			err = n.Place.Ledger.Let(ledger.Own, ledger.Keys(files))
		}
		if err != nil {
			t.Fatal(err)
		}
		n = ops.At(other.world, other.call)
		return ledger.Count(files)
	}
	accept()
	if !other.finds("mill Fridays", "Fridays") || other.finds("mill Mondays", "Mondays") {
		t.Error("what was let in is not found")
	}
	facts, err := ops.At(d.world, d.call).Facts()
	if err != nil || len(facts) != 2 {
		t.Fatalf("%+v, %v", facts, err)
	}
	d.says("memory_forget", `{"ids": ["`+facts[1].ID+`"]}`)
	b, err := ops.At(d.world, d.call).Read(facts[1].File)
	if err != nil {
		t.Fatal(err)
	}
	theirs := strings.SplitAfter(string(b), "\n")
	was, err := n.Read(facts[1].File)
	if err != nil {
		t.Fatal(err)
	}
	mine := strings.SplitAfter(string(was), "\n")
	for i, lines := range [][]string{{mine[0], mine[1], theirs[1]}, {mine[0], theirs[1], mine[1]}} {
		must.Write(t, n.Path(facts[1].File), strings.Join(lines, ""))
		if waits := accept(); waits != 1-i { // the second time it was looked at
			t.Errorf("%d lines wait", waits)
		}
		all, err := n.Facts()
		if living := store.Living(all, n.Now); err != nil || len(living) != 1 || !strings.Contains(living[0].Content, "Mondays") {
			t.Errorf("%+v, %v", living, err)
		}
		if other.finds("mill Fridays", "Fridays") || !other.finds("mill Mondays", "Mondays") {
			t.Error("what a colleague deleted is found, or what it had replaced is not")
		}
	}
}

// A fact and its deletion that come together, as a rebase leaves them, are let in together: no agent
// is told of the fact in between. A deletion alone, of nothing that is here, is asked of nobody.
// BM-GIT-11, BM-WHO-14.
func TestAFactAndItsDeletionAreLetInTogether(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.repository()
	d.says("memory_save", `{"content": "The quarry gate is green"}`)
	n := ops.At(d.world, d.call)
	facts, err := n.Facts()
	if err != nil || len(facts) != 1 {
		t.Fatal(facts, err)
	}
	own, err := n.Read(facts[0].File)
	must.Do(t, err)
	live := `{"id": "x1", "type": "fact", "memory_type": "W", "content": "The mill turns on Mondays", "timestamp": "2026-11-20T00:00:00Z"`
	gone := live + `, "deleted_at": "2026-11-21T00:00:00Z"}` + "\n"
	live += "}\n"
	for name, c := range map[string]struct {
		lines string
		waits int
	}{"the deletion last": {live + gone, 2}, "the deletion first": {gone + live, 2}, "the deletion alone": {gone, 0}} {
		must.Write(t, n.Path(facts[0].File), string(own)+c.lines)
		n = ops.At(d.world, d.call)
		files, err := n.Place.Unapproved()
		if err != nil || ledger.Count(files) != c.waits {
			t.Errorf("%s: %d lines wait, %v", name, ledger.Count(files), err)
		}
		if c.waits > 0 {
			must.Do(t, n.Place.Ledger.Let(ledger.Memory, ledger.Keys(files)))
		}
		all, err := n.Facts()
		if living := store.Living(all, n.Now); err != nil || len(living) != 1 || d.finds("mill Mondays", "Mondays") {
			t.Errorf("%s: %+v, %v", name, living, err)
		}
		if files, err := n.Place.Unapproved(); err != nil || len(files) > 0 {
			t.Errorf("%s: asked again: %+v, %v", name, files, err)
		}
		_, err = n.Place.Ledger.Revoke(ledger.Memory)
		must.Do(t, err)
	}
}

// A fact that somebody deletes in another clone stays in use here until that is let in, and that it
// waits is said: also where it is the user's own.
// BM-GIT-11, BM-WHO-11.
func TestADeletionWaitsForApproval(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.repository()
	d.table["git"] = "commit"
	d.says("memory_save", `{"content": "Deploys go through Argo"}`)
	d.commit("facts")
	m := ops.At(d.world, d.call)
	facts, err := m.Facts()
	must.Do(t, err)
	text := must.Read(t, m.Path(facts[0].File))
	must.Write(t, m.Path(facts[0].File), strings.TrimSuffix(strings.TrimSpace(text), "}")+`, "deleted_at": "2026-11-30T00:00:00Z", "deleted_by": "Ben"}`+"\n")
	place := ops.At(d.world, d.call).Place
	files, err := place.Unapproved()
	if err != nil || ledger.Count(files) != 1 {
		t.Fatalf("%d lines wait, %v", ledger.Count(files), err)
	}
	if !d.finds("deploys", "Argo") || !strings.Contains(d.begun(), "Argo") {
		t.Error("not in use though the deletion waits")
	}
	must.Do(t, place.Ledger.Let(ledger.Memory, ledger.Keys(files)))
	if d.finds("deploys", "Argo") || strings.Contains(d.begun(), "Argo") {
		t.Error("in use though the deletion was let in")
	}
	if files, err := place.Unapproved(); err != nil || len(files) > 0 {
		t.Errorf("asked again: %+v, %v", files, err)
	}
}

// What a session was asked stays on this machine, also where memory is committed.
// BM-GIT-04.
func TestPromptsStayOutOfCommits(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.repository()
	d.says("memory_save", `{"content": "asked: open the vault with pear-tree-42; changed: a.go", "type": "S"}`)
	d.says("memory_save", `{"content": "The vault is in the cellar"}`)
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "all")
	if out := d.git("log", "-p"); strings.Contains(out, "pear-tree") || !strings.Contains(out, "in the cellar") {
		t.Errorf("a prompt is in the commit: %s", out)
	}
}

// What is over is told no longer: found while it holds, and not after.
// BM-TRU-08.
func TestWhatIsOverIsNotFound(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	now := time.Now()
	d.world.Now = func() time.Time { return now }
	d.says("memory_save", `{"content": "The quarry pump is on loan", "until": "`+now.UTC().AddDate(0, 0, 2).Format(time.DateOnly)+`"}`)
	d.says("memory_save", `{"content": "The quarry gate is green"}`)
	if !d.finds("quarry pump loan", "on loan") {
		t.Error("it is not found while it holds")
	}
	now = now.AddDate(0, 0, 4)
	if d.finds("quarry pump loan", "on loan") || !d.finds("quarry gate", "green") {
		t.Error("it is found when it is over")
	}
	if _, err := ops.At(d.world, d.call).Sync(context.Background()); err != nil {
		t.Fatal(err)
	}
	if d.finds("quarry pump loan", "on loan") {
		t.Error("it is found in what was written down for searches")
	}
	d.says("memory_review", `{}`, `"why":"over"`, "on loan")
}
