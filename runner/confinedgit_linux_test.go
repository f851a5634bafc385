package runner

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Git works in the project: in a repository, in a further working tree of one and
// in a submodule, with a configuration of the person's that cannot be read.
func TestConfinedGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	p := newSpot(t)
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, append(p.env, "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git(p.project, "init", "-q")
	git(p.project, "add", ".")
	git(p.project, "commit", "-qm", "first")
	write(filepath.Join(p.project, "file"), "changed\n", 0o644)
	git(p.project, "worktree", "add", "-q", filepath.Join(p.home, "tree"))
	super := filepath.Join(p.home, "super")
	git(p.home, "init", "-q", super)
	git(super, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", p.project, "sub")
	r := p.runner(t)
	for _, tt := range []struct{ name, dir, want string }{
		{"the project", p.project, "+changed"},
		{"a worktree", filepath.Join(p.home, "tree"), "first"},
		{"a submodule", filepath.Join(super, "sub"), "first"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			at := p
			at.project = tt.dir
			rep, said := at.run(t, r, hook("confined-git"), &discovery.Sandbox{})
			if !strings.Contains(said, tt.want) || strings.Contains(said, "fatal") || strings.Contains(said, "warning") {
				t.Errorf("%s: %q %v", tt.dir, said, rep.Warnings)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(p.project, ".git", "index.lock")); err == nil {
		t.Error("a lock was left")
	}
}

// A repository cannot widen what its hooks read by where it says that git lies.
func TestAGitDirectoryIsBelievedByBothSides(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	in := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	write(in(".ssh", "id"), "x", 0o600)
	write(in(".git", "modules", "real", "HEAD"), "x", 0o600)
	write(in("repo", "HEAD"), "x", 0o600)
	write(in("repo", "objects", "x"), "x", 0o600)
	write(in("repo", "worktrees", "t", "gitdir"), in("other", ".git")+"\n", 0o600)
	write(in("repo", "worktrees", "mine", "gitdir"), in("tree", ".git")+"\n", 0o600)
	// A folder that was unpacked, and calls itself registered.
	write(in("worktrees", "t", "gitdir"), in("tree", ".git")+"\n", 0o600)
	must.Do(t, os.Symlink(in(".ssh"), in(".git", "modules", "link")))
	for said, want := range map[string][]string{
		"gitdir: " + in(".ssh"):                         nil,
		"gitdir: ../.ssh":                               nil,
		"gitdir: " + in("repo", "worktrees", "t"):       nil,
		"gitdir: ../worktrees/t":                        nil,
		"gitdir: " + in(".git", "modules"):              nil,
		"gitdir: ../.git/modules/link":                  nil,
		"gitdir: ../.git/modules/../../.ssh":            nil,
		"gitdir: ../.ssh\ngitdir: x":                    nil,
		"":                                              nil,
		"gitdir: " + in("repo", "worktrees", "mine"):    {in("repo")},
		"gitdir: ../repo/worktrees/mine\n":              {in("repo")},
		"gitdir: ../.git/modules/real\n":                {in(".git", "modules", "real")},
		"gitdir: " + in(".git", "modules", "real/../x"): {in(".git", "modules", "x")},
	} {
		t.Run(fmt.Sprintf("%q", strings.ReplaceAll(said, dir, "")), func(t *testing.T) {
			write(in("tree", ".git"), said, 0o600)
			got := gitDir(in("tree"))
			if len(got) == 1 && !isDir(got[0]) {
				got, want = nil, nil // what is not there is not read
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q: %v, want %v", said, got, want)
			}
		})
	}
}

// What counts as the project: never the home directory, nor what hides in it.
func TestProjectOfASandbox(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	home := filepath.Join(dir, "me")
	for _, d := range []string{".ssh", "code/p/sub", ".config/nvim"} {
		must.Do(t, os.MkdirAll(filepath.Join(home, d), 0o700))
	}
	must.Do(t, os.Symlink(home, filepath.Join(dir, "alias")))
	for _, tt := range []struct{ name, project, root, want string }{
		{"nothing known", "", "", ""},
		{"the root of all", "", "/", ""},
		{"the home", "", home, ""},
		{"what the home is in", "", dir, ""},
		{"a hidden folder of the home", "", filepath.Join(home, ".ssh"), ""},
		{"a folder of the home", "", filepath.Join(home, "code", "p"), filepath.Join(home, "code", "p")},
		{"the project before where the hook is", filepath.Join(home, "code", "p", "sub"), filepath.Join(home, "code", "p"), filepath.Join(home, "code", "p")},
		{"and before a hidden one", filepath.Join(home, "code", "p"), filepath.Join(home, ".ssh"), filepath.Join(home, "code", "p")},
		{"and before the home", filepath.Join(home, "code", "p"), home, filepath.Join(home, "code", "p")},
		{"a hidden folder that is one's project", filepath.Join(home, ".config", "nvim"), filepath.Join(home, ".config", "nvim"), filepath.Join(home, ".config", "nvim")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, named := range []string{home, filepath.Join(dir, "alias")} {
				r := &Runner{Home: named}
				if got := r.project(&hookEnv{project: tt.project, root: tt.root}, &discovery.Hook{}); got != tt.want {
					t.Errorf("%+v with the home %s: %q", tt, named, got)
				}
			}
		})
	}
}
