package trust

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// git runs git in a folder.
func (w *world) git(dir string, args ...string) {
	w.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@x", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// repository makes one with a commit that holds what lies in a folder.
func (w *world) repository(dir string) {
	w.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		w.Skip(err)
	}
	w.file(filepath.Join(dir, "pkg", "x"), "", 0o644)
	w.git(dir, "init", "-q")
	w.git(dir, "add", "-A")
	w.git(dir, "commit", "-q", "-m", "x")
}

// Approvals are kept for a repository and its worktrees, whichever way git made
// them.
func TestWorktreesHaveOneHome(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repository(w.project)
	base := filepath.Dir(w.project)
	at := func(name string) string { return filepath.Join(base, name) }
	w.git(w.project, "worktree", "add", "-q", at("wortree"), "-b", "w")
	w.git(w.project, "worktree", "add", "-q", filepath.Join(w.project, "inside"))
	w.git(w.project, "worktree", "add", "-q", at("to move"), "-b", "m")
	w.git(w.project, "worktree", "move", at("to move"), at("moved"))
	w.git(base, "clone", "-q", "--bare", w.project, at("bare.git"))
	w.git(at("bare.git"), "worktree", "add", "-q", at("of bare"), "main")
	w.git(base, "clone", "-q", w.project, at("clone"))
	w.git(at("clone"), "submodule", "--quiet", "add", w.project, "sub module")
	sub := filepath.Join(at("clone"), "sub module")
	w.git(sub, "worktree", "add", "-q", at("of module"), "-b", "o")
	w.git(base, "clone", "-q", "--separate-git-dir", at("elsewhere"), w.project, at("separate"))
	// As git writes it with worktree.useRelativePaths.
	own := filepath.Join(w.project, ".git", "worktrees", "wortree")
	w.file(filepath.Join(own, "gitdir"), "../../../../wortree/.git\n", 0o644)
	w.file(filepath.Join(at("wortree"), ".git"), "gitdir: ../"+filepath.Base(w.project)+"/.git/worktrees/wortree\n", 0o644)

	for dir, want := range map[string]string{
		w.project:                           w.project,
		filepath.Join(w.project, "pkg"):     filepath.Join(w.project, "pkg"),
		at("wortree"):                       w.project,
		filepath.Join(at("wortree"), "pkg"): filepath.Join(w.project, "pkg"),
		filepath.Join(w.project, "inside"):  w.project,
		at("moved"):                         w.project,
		at("of bare"):                       at("bare.git"),
		at("clone"):                         at("clone"),
		sub:                                 sub,
		at("of module"):                     sub,
		at("separate"):                      at("separate"),
		at("no repository"):                 at("no repository"),
	} {
		t.Run(strings.TrimPrefix(dir, base+string(filepath.Separator)), func(t *testing.T) {
			if got := Home(dir); got != want {
				t.Errorf("%s: %s, want %s", dir, got, want)
			}
		})
	}
}

// A folder that says it is a worktree of somebody's repository borrows nothing:
// git's own record has to name it.
func TestFakeWorktreesBorrowNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repository(w.project)
	base := filepath.Dir(w.project)
	tree := filepath.Join(base, "tree")
	w.git(w.project, "worktree", "add", "-q", tree)
	w.git(w.project, "worktree", "add", "-q", filepath.Join(base, "before"))
	own := filepath.Join(w.project, ".git", "worktrees", "tree")
	fake := func(name string, make func(dir string)) string {
		dir := filepath.Join(base, name)
		must.Do(t, os.MkdirAll(dir, 0o755))
		make(dir)
		return dir
	}
	link := func(target, path string) { linktest.Make(t, target, path) }
	moved := filepath.Join(base, "moved by somebody")
	must.Do(t, os.Rename(filepath.Join(base, "before"), moved))
	for _, dir := range []string{
		moved, // not by git: until `git worktree repair` nobody knows
		fake("points to a worktree", func(dir string) { w.file(filepath.Join(dir, ".git"), "gitdir: "+own+"\n", 0o644) }),
		fake("points to the repository", func(dir string) {
			w.file(filepath.Join(dir, ".git"), "gitdir: "+filepath.Join(w.project, ".git")+"\n", 0o644)
		}),
		fake("has a directory of its own that says so", func(dir string) {
			g := filepath.Join(dir, "g")
			w.file(filepath.Join(dir, ".git"), "gitdir: g\n", 0o644)
			w.file(filepath.Join(g, "commondir"), filepath.Join(w.project, ".git")+"\n", 0o644)
			w.file(filepath.Join(g, "gitdir"), filepath.Join(dir, ".git")+"\n", 0o644)
		}),
		fake("the same through links", func(dir string) {
			common := filepath.Join(dir, "c")
			g := filepath.Join(common, "worktrees", "g")
			w.file(filepath.Join(dir, ".git"), "gitdir: c/worktrees/g\n", 0o644)
			w.file(filepath.Join(g, "gitdir"), filepath.Join(dir, ".git")+"\n", 0o644)
			link(filepath.Join(own, "commondir"), filepath.Join(g, "commondir"))
			link(filepath.Join(w.project, ".git", "config"), filepath.Join(common, "config"))
			os.Remove(filepath.Join(g, "commondir"))
			w.file(filepath.Join(g, "commondir"), filepath.Join(w.project, ".git")+"\n", 0o644)
		}),
		fake("its worktrees are a link", func(dir string) {
			w.file(filepath.Join(dir, ".git"), "gitdir: c/worktrees/tree\n", 0o644)
			must.Do(t, os.Mkdir(filepath.Join(dir, "c"), 0o755))
			link(filepath.Join(w.project, ".git", "worktrees"), filepath.Join(dir, "c", "worktrees"))
		}),
		fake("its .git is a link to a directory", func(dir string) { link(filepath.Join(w.project, ".git"), filepath.Join(dir, ".git")) }),
		fake("its .git is a link to a file", func(dir string) { link(filepath.Join(tree, ".git"), filepath.Join(dir, ".git")) }),
		fake("its .git is empty", func(dir string) { w.file(filepath.Join(dir, ".git"), "", 0o644) }),
		fake("its .git is long", func(dir string) {
			w.file(filepath.Join(dir, ".git"), "gitdir: "+strings.Repeat("./", 4<<10)+own+"\n", 0o644)
		}),
		fake("its configuration claims another's files", func(dir string) {
			// A worktree of a repository of its own, that says its files are the project's.
			c := filepath.Join(dir, "c")
			w.file(filepath.Join(dir, ".git"), "gitdir: c/worktrees/g\n", 0o644)
			w.file(filepath.Join(c, "worktrees", "g", "gitdir"), filepath.Join(dir, ".git")+"\n", 0o644)
			w.file(filepath.Join(c, "worktrees", "g", "commondir"), "../..\n", 0o644)
			w.file(filepath.Join(c, "config"), "[core]\n\tworktree = "+w.project+"\n", 0o644)
		}),
	} {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			if home := Home(dir); home == w.project || !strings.HasPrefix(home, dir) {
				t.Errorf("its home is %s", home)
			}
		})
	}
	if got := Home(tree); got != w.project {
		t.Errorf("the real one: %s", got)
	}
}

// An approval is of the repository: its worktrees share it, a clone does not, and
// what was mended in one place does not come back there unasked.
func TestWorktreesShareApprovals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.hook("p")
	w.repository(w.project)
	tree := *w
	tree.project = filepath.Join(filepath.Dir(w.project), "tree")
	clone := *w
	clone.project = filepath.Join(filepath.Dir(w.project), "clone")
	w.git(w.project, "worktree", "add", "-q", tree.project)
	w.git(filepath.Dir(w.project), "clone", "-q", w.project, clone.project)
	pt := Thing{HookID("p"), filepath.Join(tree.project, ".agents", "hooks", "p")}
	pc := Thing{HookID("p"), filepath.Join(clone.project, ".agents", "hooks", "p")}

	w.approve(w.list(p)...)
	w.want([]Thing{p}, Trusted)
	tree.want([]Thing{pt}, Trusted)
	clone.want([]Thing{pc}, New)

	// A change in the worktree is approved there, and both states stand.
	w.file(filepath.Join(pt.Path, "more"), "", 0o644)
	tree.approve(tree.want([]Thing{pt}, Changed)...)
	if it := w.want([]Thing{p}, Trusted)[0]; len(it.Also) != 1 || it.Also[0].Place != tree.project {
		t.Errorf("the other state is not listed: %+v", it)
	}
	tree.want([]Thing{pt}, Trusted)
	// With the worktree its approvals go.
	w.file(filepath.Join(p.Path, "more"), "", 0o644)
	w.want([]Thing{p}, Trusted)
	must.Do(t, os.RemoveAll(tree.project))
	w.want([]Thing{p}, Changed)
	if names, err := Revoke(w.state, w.project, nil); err != nil || len(names) != 1 {
		t.Errorf("%q, %v", names, err)
	}
	w.want([]Thing{p}, New)
}

// A state that another one replaced is asked for again: nobody goes back to an old
// guard, with git or by hand, unseen.
func TestAnOldStateIsAskedForAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.hook("p")
	more := filepath.Join(p.Path, "more")
	w.approve(w.list(p)...)
	w.file(more, "", 0o644)
	later := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	must.Do(t, must.Err(Approve(w.state, w.project, w.list(p), later)))
	os.Remove(more)
	it := w.want([]Thing{p}, Changed)[0]
	if it.Replaced != "2026-05-06T07:08:09Z" || it.Approved != it.Replaced {
		t.Errorf("%+v", it)
	}
	if diff, err := it.Diff(w.state, w.project); err != nil || !strings.Contains(diff, "--- a/more\n") {
		t.Errorf("%v, %q", err, diff)
	}
	// On purpose, both stand: for branches that are worked on in turn.
	must.Do(t, must.Err(ApproveBeside(w.state, w.project, []Item{it}, later.Add(time.Hour))))
	if it := w.want([]Thing{p}, Trusted)[0]; len(it.Also) != 1 || it.Replaced != "" {
		t.Errorf("%+v", it)
	}
	w.file(more, "", 0o644)
	w.want([]Thing{p}, Trusted)
	// What was taken back is as if it had never been.
	must.Do(t, must.Err(Revoke(w.state, w.project, nil)))
	w.want([]Thing{p}, New)
	os.Remove(more)
	w.want([]Thing{p}, New)
}
