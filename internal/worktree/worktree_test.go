package worktree

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Git's folder is found for every way in which git itself makes a working tree; a folder that
// somebody made to look like one has none. (Package trust plays more of these.)
func TestGitsFolderIsOneThatKnowsTheTree(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	at := func(names ...string) string { return filepath.Join(append([]string{base}, names...)...) }
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@x", "-c", "protocol.file.allow=always"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	put := func(path, text string) {
		t.Helper()
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	}
	git(base, "init", "-q", "main")
	git(at("main"), "commit", "-q", "--allow-empty", "-m", "x")
	git(at("main"), "worktree", "add", "-q", at("tree"))
	git(base, "clone", "-q", "main", "other")
	git(at("other"), "submodule", "--quiet", "add", at("main"), "sub")
	put(at("names it", ".git"), "gitdir: "+at("main", ".git")+"\n")
	put(at("names a folder", ".git"), "gitdir: "+at("home")+"\n")
	put(at("home", "config"), "[core]\n\tworktree = elsewhere\n")
	put(at("has one that names it", ".git"), "gitdir: g\n")
	put(at("has one that names it", "g", "commondir"), at("main", ".git")+"\n")
	put(at("has one that names it", "g", "gitdir"), at("has one that names it", ".git")+"\n")
	for name, want := range map[string]string{
		"main": at("main", ".git"), "tree": at("main", ".git"), "other/sub": at("other", ".git", "modules", "sub"),
		"names it": "", "names a folder": "", "has one that names it": "", "home": "",
	} {
		t.Run(name, func(t *testing.T) {
			if got := Common(at(filepath.FromSlash(name))); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if own, common, ok := Of(at(filepath.FromSlash(name))); ok != (name == "tree") || ok && (common != want || own != filepath.Join(want, "worktrees", "tree")) || !ok && own+common != "" {
				t.Errorf("a further tree: %t, of %q in %q", ok, own, common)
			}
		})
	}
}
