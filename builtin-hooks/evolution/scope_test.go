package evolution_test

import (
	"fmt"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/scope"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"os"
	"path/filepath"
	"testing"
)

// One resolver, in the order of the statement, the nearest manifest first.
func TestScopeOfAProject(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, set string
		files     map[string]string
		want      string
	}{
		{"the setting wins", "team-a", map[string]string{"package.json": `{"name": "x"}`}, "team-a"},
		{"package.json", "", map[string]string{"package.json": `{"version": "1", "name": "@acme/shop"}`, "go.mod": "module y\n"}, "@acme/shop"},
		{"package.json without a name", "", map[string]string{"package.json": `{}`, "go.mod": "// c\nmodule example.com/y // z\n"}, "example.com/y"},
		{"broken package.json", "", map[string]string{"package.json": `{"name": `}, "global"},
		{"go.mod, quoted", "", map[string]string{"go.mod": "module \"example.com/q\"\n"}, "example.com/q"},
		{"pyproject", "", map[string]string{"pyproject.toml": "[build-system]\nname = 'no'\n[project]\nversion='1'\nname = \"wheel-house\" # c\n"}, "wheel-house"},
		{"poetry", "", map[string]string{"pyproject.toml": "[tool.poetry]\nname = 'verse'\n"}, "verse"},
		{"Cargo", "", map[string]string{"Cargo.toml": "[package]\r\nname = \"crab\"\r\n"}, "crab"},
		{"git", "", map[string]string{".git/config": "[core]\n\turl = no\n[remote \"origin\"]\n\turl = https://example.com/a.git\n"}, "git_" + scope.Hash("https://example.com/a.git")},
		{"git without origin", "", map[string]string{".git/config": "[core]\n"}, "global"},
		{"worktree", "", map[string]string{"../repo/.git/worktrees/w/commondir": "../..\n", "../repo/.git/worktrees/w/gitdir": "../../../../in/.git\n", ".git": "gitdir: ../repo/.git/worktrees/w\n", "../repo/.git/config": "[remote \"origin\"]\nurl = git@example.com:a/b\n"}, "git_" + scope.Hash("git@example.com:a/b")},
		{"submodule", "", map[string]string{".git": "gitdir: ../repo/.git/modules/s\n", "../repo/.git/modules/s/config": "[core]\nworktree = ../../../../in\n[remote \"origin\"]\nurl = s\n"}, "git_" + scope.Hash("s")},
		{"a repository that does not know the folder", "", map[string]string{".git": "gitdir: ../repo/.git\n", "../repo/.git/config": "[remote \"origin\"]\nurl = a\n"}, "global"},
		{"a worktree of a repository that does not know the folder", "", map[string]string{"g/commondir": "../../repo/.git\n", "g/gitdir": "../.git\n", ".git": "gitdir: g\n", "../repo/.git/config": "[remote \"origin\"]\nurl = a\n"}, "global"},
		{"nothing", "", map[string]string{".git/HEAD": "x"}, "global"},
		{"a name of control bytes", "\x1b\n", map[string]string{"go.mod": "module m\n"}, "m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "in")
			for file, text := range c.files {
				path := filepath.Join(root, filepath.FromSlash(file))
				must.Write(t, path, text)
			}
			if c.files[".git/config"] == "" && c.files[".git"] == "" {
				_ = os.Mkdir(filepath.Join(root, ".git"), 0o755)
			}
			sub := filepath.Join(root, "a", "b")
			must.Do(t, os.MkdirAll(sub, 0o755))
			for _, dir := range []string{root, sub} {
				if got := scope.Of(dir, c.set); got != c.want {
					t.Errorf("%s: %q, want %q", c.name, got, c.want)
				}
			}
		})
	}
	if got := scope.Of("relative", ""); got != scope.Global {
		t.Errorf("a relative directory: %q", got)
	}
}

// The hash is the original's: h*31+c in 32 bits, without its sign.
func TestHashOfAScope(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{"": "0", "a": "2p", "ab": "2e9", "https://github.com/acme/shop.git": scope.Hash("https://github.com/acme/shop.git")} {
		t.Run(fmt.Sprintf("%q", url), func(t *testing.T) {
			if got := scope.Hash(url); got != want {
				t.Errorf("%q: %s, want %s", url, got, want)
			}
		})
	}
}
