package libhost

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
)

// variables are all variables that the base directories depend on.
var variables = []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_DIRS"}

// The command line and the dispatcher find the same directories, whatever the
// environment: the hooks that one lists are those that the other runs.
func TestDirectoriesAreTheDispatchers(t *testing.T) {
	root := t.TempDir()
	abs := func(name string) string { return filepath.Join(root, name) }
	list := func(dirs ...string) string { return strings.Join(dirs, string(filepath.ListSeparator)) }
	for name, env := range map[string]map[string]string{
		"nothing set but home":  {},
		"all set":               {"XDG_CONFIG_HOME": abs("c"), "XDG_STATE_HOME": abs("s"), "XDG_CACHE_HOME": abs("k"), "XDG_DATA_HOME": abs("d"), "XDG_CONFIG_DIRS": list(abs("x"), abs("y"))},
		"one set":               {"XDG_STATE_HOME": abs("s")},
		"not clean":             {"HOME": abs("h") + "/", "XDG_CONFIG_HOME": abs("a") + "//b/../c/", "XDG_CONFIG_DIRS": abs("x") + "/"},
		"set and empty":         {"XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "", "XDG_CACHE_HOME": "", "XDG_DATA_HOME": "", "XDG_CONFIG_DIRS": ""},
		"relative":              {"XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "./s", "XDG_CACHE_HOME": "../k", "XDG_DATA_HOME": ".", "XDG_CONFIG_DIRS": "x"},
		"relative among others": {"XDG_CONFIG_DIRS": list("a", abs("x"), "", abs("y"))},
		"twice":                 {"XDG_CONFIG_DIRS": list(abs("x"), abs("y"), abs("x"))},
		"a tilde":               {"XDG_CONFIG_HOME": "~/c", "XDG_STATE_HOME": "$HOME/s", "XDG_CACHE_HOME": "~", "XDG_CONFIG_DIRS": list("~/x", abs("y"))},
		"a home with blanks":    {"HOME": abs("a b&c'é日本")},
		"no home":               {"HOME": ""},
		"no home, all set":      {"HOME": "", "XDG_CONFIG_HOME": abs("c"), "XDG_STATE_HOME": abs("s"), "XDG_CACHE_HOME": abs("k"), "XDG_DATA_HOME": abs("d")},
		"a relative home":       {"HOME": "home"},
		"only separators":       {"XDG_CONFIG_DIRS": list("", "", "")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("HOME", abs("home")) // restored at the end, like all below
			t.Setenv("USERPROFILE", abs("home"))
			for _, v := range variables[2:] {
				t.Setenv(v, "")
				os.Unsetenv(v)
			}
			for v, value := range env {
				t.Setenv(v, value)
			}
			t.Cleanup(xdg.Reload)
			xdg.Reload()
			want := host.New(os.Environ(), runtime.GOOS, root, "/bin/agents-hooks", time.Now)
			if got := want.Below(base(want)); got.Config != want.Config || got.State != want.State || got.Cache != want.Cache || got.Data != want.Data || !reflect.DeepEqual(got.System, want.System) {
				t.Errorf("config %q, state %q, cache %q, data %q, system %q\nwant %q, %q, %q, %q, %q", got.Config, got.State, got.Cache, got.Data, got.System,
					want.Config, want.State, want.Cache, want.Data, want.System)
			}
		})
	}
}

// The library is asked: what it is told when it looks is what comes out.
func TestDirectoriesAreTheLibrarys(t *testing.T) {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		t.Skip("other defaults there")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, v := range variables[2:] {
		t.Setenv(v, "")
	}
	t.Cleanup(xdg.Reload)
	xdg.Reload()
	h := host.New(os.Environ(), runtime.GOOS, home, "/bin/agents-hooks", time.Now)
	b := base(h)
	if b.Config != xdg.ConfigHome || b.State != xdg.StateHome || b.Cache != xdg.CacheHome || b.Data != xdg.DataHome || !reflect.DeepEqual(b.System, xdg.ConfigDirs) {
		t.Errorf("%+v", b)
	}
}
