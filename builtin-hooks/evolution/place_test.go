package evolution_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The environment, then hooks.toml, then the original's own file, then the
// default; a key has to look like one.
func TestAccountOfAKey(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(home, ".prismer"), 0o700))
	must.Write(t, filepath.Join(home, ".prismer", "config.toml"), "# mine\n[default]\napi_key = \"sk-prismer-own\" # c\nbase_url='https://own.example/'\nbroken = \"x\n")
	for _, c := range []struct {
		name  string
		env   map[string]string
		files map[string]any
		home  string
		want  evolution.Account
	}{
		{"nothing", nil, nil, t.TempDir(), evolution.Account{"", evolution.DefaultURL}},
		{"own file", nil, nil, home, evolution.Account{"sk-prismer-own", "https://own.example"}},
		{"hooks.toml over own", nil, map[string]any{"api_key": "sk-prismer-toml"}, home, evolution.Account{"sk-prismer-toml", "https://own.example"}},
		{"environment over all", map[string]string{"PRISMER_API_KEY": "sk-prismer-env", "PRISMER_BASE_URL": "http://127.0.0.1:9//"}, map[string]any{"api_key": "sk-prismer-toml"}, home, evolution.Account{"sk-prismer-env", "http://127.0.0.1:9"}},
		{"malformed is none", map[string]string{"PRISMER_API_KEY": "sk-other-1"}, nil, home, evolution.Account{"", "https://own.example"}},
		{"the prefix alone is none", map[string]string{"PRISMER_API_KEY": "sk-prismer-"}, nil, home, evolution.Account{"", "https://own.example"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := setting.Resolve(evolution.Settings(), setting.Sources{Env: func(n string) string { return c.env[n] }, Files: c.files})
			if got := evolution.AccountOf(v, c.home); got != c.want {
				t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
			}
		})
	}
}

// The name of a scope's file stays the same from one version to the next: what was kept would be lost. Two scopes never
// have the same.
func TestFileOfAScope(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 81)
	for scope, want := range map[string]string{
		"shop": "draft-shop.json", "a-B_9": "draft-a-B_9.json", long[:80]: "draft-" + long[:80] + ".json",
		"a/b": "draft-a_b-c14cddc0.json", long: "draft-" + long[:60] + "-4d1f7bb8.json",
	} {
		t.Run(scope, func(t *testing.T) {
			if got := filepath.Base(evolution.ScopeFile("d", "draft", scope)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
