package memory_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// cloneOf is another clone of a trial's repository, of a person with a git of their own.
func (d *trial) cloneOf(name string) *trial {
	d.Helper()
	other := *d
	other.call.Project = filepath.Join(d.world.Home, name)
	other.call.Dir = other.call.Project
	d.git("clone", "-q", d.call.Project, other.call.Project)
	other.git("config", "user.name", name)
	other.git("config", "user.email", name+"@example.org")
	return &other
}

// remembers saves a fact, a page and a summary with a word.
func (d *trial) remembers(git, word string) {
	d.Helper()
	d.table["git"] = git
	d.says("memory_save", `{"content": "The host of the `+word+` machines is in the cellar"}`, `"ok"`)
	d.says("memory_distill", `{"sections": {"Decisions": ["we never restart `+word+`"]}}`, `"ok"`)
	d.says("memory_summary", `{"session": "s-`+word+`", "topic": "the `+word+` outage", "summary": "it was the fan"}`, `"ok"`)
}

// knows fails unless a fact, a page and a summary with a word are found and read.
func (d *trial) knows(when, word string) {
	d.Helper()
	if !d.finds("host "+word+" machines", word+" machines") || !d.finds("never restart "+word, "never restart "+word) || !d.finds(word+" outage fan", word+" outage") {
		d.Errorf("%s: %s is not found", when, word)
	}
	m := ops.At(d.world, d.call)
	page, err := m.WholePage(memory.CoreFile)
	if err != nil || strings.Count(string(page), "never restart "+word) != 1 {
		d.Errorf("%s: %v, the page:\n%s", when, err, page)
	}
	facts, err := m.Facts()
	if n := len(slices.DeleteFunc(facts, func(f store.Entry) bool { return !strings.Contains(f.Content, word) })); err != nil || n != 1 {
		d.Errorf("%s: %d facts of %s, %v", when, n, word, err)
	}
}

// oldNames gives the memory of a trial the names that an earlier version wrote.
func (d *trial) oldNames() {
	d.Helper()
	dir := ops.At(d.world, d.call).Dir
	for _, name := range []string{"MEMORY.md", "sessions.jsonl", "daily"} {
		must.Do(d, os.RemoveAll(filepath.Join(dir, name)))
		must.Do(d, os.Rename(filepath.Join(dir, "own", name), filepath.Join(dir, name)))
	}
	must.Do(d, os.RemoveAll(filepath.Join(dir, "own")))
}

// Somebody commits memory, with files of the same day and the same pages; what another
// person keeps out of commits is not lost by any way in which git brings that, also if an
// earlier version wrote it, and what is told is still only their own.
// BM-GIT-14, BM-GIT-15, BM-WHO-01.
func TestNoGitOperationLosesWhatIsKeptOutOfCommits(t *testing.T) {
	t.Parallel()
	for name, way := range map[string][]string{
		"pull":                    {"pull -q --no-rebase --no-edit"},
		"pull with a rebase":      {"pull -q --rebase"},
		"merge":                   {"fetch -q origin", "merge -q origin/main"},
		"checkout there and back": {"fetch -q origin main:team", "checkout -q team", "checkout -q main"},
		"reset":                   {"fetch -q origin", "reset -q --hard origin/main"},
		"stash and pull":          {"stash -q -u", "pull -q --no-rebase --no-edit", "stash pop -q"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, old := range []bool{false, true} {
				ann := newTrial(t)
				ann.repository()
				bob := ann.cloneOf("bob")
				bob.remembers("ignore", "kobold")
				if old {
					bob.oldNames()
					bob.says("memory_review", `{}`)
					bob.says("memory_save", `{"content": "The cellar is locked at night"}`)
				}
				must.Write(t, filepath.Join(bob.call.Project, "begun.txt"), "begun")
				must.Write(t, filepath.Join(bob.call.Project, "new.txt"), "new")
				ann.remembers("commit", "goblin")
				ann.commit("memory")
				bob.table["git"] = "ignore"
				for _, args := range way {
					bob.git(strings.Fields(args)...)
					if strings.HasPrefix(args, "checkout") {
						bob.says("memory_save", `{"content": "Seen after `+args+`"}`)
					}
				}
				bob.knows("after "+name, "kobold")
				if bob.finds("host goblin machines", "goblin") {
					t.Error("what came with the repository is told as one's own")
				}
				if out := bob.git("status", "--porcelain"); strings.Contains(out, "own/") {
					t.Errorf("git would commit it: %s", out)
				}
				// Nothing is put back that the person removes.
				must.Do(t, os.RemoveAll(filepath.Join(ops.At(bob.world, bob.call).Dir, "own", "daily")))
				if bob.finds("host kobold machines", "kobold machines") {
					t.Error("a file that somebody deleted is still read")
				}
			}
		})
	}
}

// The memory of a project changes between being committed and being kept out, in both
// directions, and nothing of it is lost on the way: not by the switch, and not by what
// git does then.
// BM-GIT-14, BM-GIT-15.
func TestTheSwitchBetweenCommitsAndNoneLosesNothing(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.repository()
	share := func(git string) {
		t.Helper()
		p := ops.At(d.world, d.call).Place
		d.table["git"], p.Git = git, git
		must.Do(t, p.Share())
	}
	tracked := func() string { return d.git("ls-files", ".agents") }
	d.remembers("ignore", "kobold")
	d.commit("code")
	if got := tracked(); got != "" {
		t.Errorf("committed though it is to be kept out: %s", got)
	}
	share("commit")
	d.knows("committed", "kobold")
	d.says("memory_save", `{"content": "The cellar is locked at night"}`)
	d.commit("memory")
	day := "daily/" + time.Now().UTC().Format(time.DateOnly) + ".jsonl"
	if got := tracked(); !strings.Contains(got, "/"+day) || !strings.Contains(got, "MEMORY.md") || strings.Contains(got, "own") {
		t.Errorf("committed: %s", got)
	}
	d.git("checkout", "-q", "HEAD~")
	d.git("checkout", "-q", "main")
	d.knows("after a checkout there and back", "kobold")

	// Kept out again: what git tracks stays where it is, and what is new is apart.
	share("ignore")
	d.says("memory_save", `{"content": "The roof is green slate"}`)
	if b, err := os.ReadFile(ops.At(d.world, d.call).Path("own/" + day)); err != nil || strings.Contains(string(b), "kobold") || !strings.Contains(string(b), "slate") {
		t.Errorf("apart: %s, %v", b, err)
	}
	d.knows("kept out again", "kobold")
	d.git("rm", "-r", "-q", "--cached", ".agents")
	d.git("commit", "-q", "-m", "no memory")
	d.says("memory_review", `{}`)
	d.says("memory_save", `{"content": "The attic is dry"}`)
	d.git("checkout", "-q", "HEAD~")
	d.git("checkout", "-q", "main")
	d.knows("no longer tracked, after a checkout there and back", "kobold")
	if !d.finds("roof slate", "green slate") {
		t.Error("what was saved between is lost")
	}
}

// A repository that tracks files in the folder for memory that is kept out of commits is
// believed there no more than elsewhere.
// BM-GIT-14, BM-WHO-01.
func TestARepositoryThatTracksTheFolderOfOnesOwnIsNotBelieved(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.repository()
	d.remembers("ignore", "goblin")
	d.git("add", "-A", "-f")
	d.git("commit", "-q", "-m", "theirs")
	bob := d.cloneOf("bob")
	bob.remembers("ignore", "kobold")
	if bob.finds("host goblin machines", "goblin") || bob.finds("never restart goblin", "goblin") {
		t.Error("it is told as one's own")
	}
	bob.knows("beside theirs", "kobold")
}

// A page that an editor wrote again under its old name is put to the one that is kept
// apart: what is new of it is read, and what is there already is not repeated.
// BM-GIT-15.
func TestAPageUnderItsOldNameIsPutToTheOneApart(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.repository()
	d.remembers("ignore", "kobold")
	m := ops.At(d.world, d.call)
	b, err := os.ReadFile(m.Path("own/MEMORY.md"))
	must.Do(t, err)
	for _, text := range []string{string(b), string(b) + "\n## Tools\n\n- make\n", "# Core memory\n\n## Tools\n\n- just\n"} {
		must.Write(t, m.Path("MEMORY.md"), text)
		d.says("memory_save", `{"content": "The roof is green slate"}`)
		if _, err := os.Lstat(m.Path("MEMORY.md")); !os.IsNotExist(err) {
			t.Errorf("it is still under its old name: %v", err)
		}
	}
	page, err := os.ReadFile(m.Path("own/MEMORY.md"))
	for _, item := range []string{"never restart kobold", "- make", "- just"} {
		if err != nil || strings.Count(string(page), item) != 1 {
			t.Errorf("%q in the page, %v:\n%s", item, err, page)
		}
	}
}
