package internal_test

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/dirs"
)

// An environment of a system, with a home. Paths are those of the system that the test runs on.
func environment(goos string, vars map[string]string) dirs.Environment {
	return dirs.Environment{GOOS: goos, Home: absolute("home"), Getenv: func(name string) string { return vars[name] }}
}

func absolute(names ...string) string {
	root := "/"
	if runtime.GOOS == "windows" {
		root = `C:\`
	}
	return filepath.Join(append([]string{root}, names...)...)
}

// Where the directories are: what an absolute variable of XDG says, else on Windows the
// system's own variable, else below the home; without a home nowhere.
func TestWhereTheDirectoriesAre(t *testing.T) {
	t.Parallel()
	a, b := absolute("a"), absolute("b")
	for _, c := range []struct {
		goos                       string
		vars                       map[string]string
		config, state, cache, data string
	}{
		{"linux", nil, "home .config agents", "home .local state agents-hooks", "home .cache agents-hooks", "home .local share agents-hooks"},
		{"linux", map[string]string{"AppData": b, "LocalAppData": b, "XDG_STATE_HOME": "relative"}, "home .config agents", "home .local state agents-hooks", "home .cache agents-hooks", "home .local share agents-hooks"},
		{"darwin", map[string]string{"XDG_CONFIG_HOME": a, "XDG_STATE_HOME": a, "XDG_CACHE_HOME": a, "XDG_DATA_HOME": b}, "a agents", "a agents-hooks", "a agents-hooks", "b agents-hooks"},
		{"windows", nil, "home AppData Roaming agents", "home AppData Local agents-hooks", "home AppData Local agents-hooks cache", "home AppData Local agents-hooks data"},
		{"windows", map[string]string{"AppData": a, "LocalAppData": b}, "a agents", "b agents-hooks", "b agents-hooks cache", "b agents-hooks data"},
		{"windows", map[string]string{"AppData": "x", "LocalAppData": "x", "XDG_CACHE_HOME": a, "XDG_DATA_HOME": "relative"}, "home AppData Roaming agents", "home AppData Local agents-hooks", "a agents-hooks", "home AppData Local agents-hooks data"},
	} {
		t.Run(fmt.Sprint(c.goos, c.vars), func(t *testing.T) {
			e := environment(c.goos, c.vars)
			own := e.Below(e.Base())
			for got, want := range map[string]string{own.Config: c.config, own.State: c.state, own.Cache: c.cache, own.Data: c.data} {
				if want := absolute(strings.Fields(want)...); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			}
		})
	}
	for _, goos := range []string{"linux", "windows"} {
		e := environment(goos, nil)
		e.Home = ""
		if own := e.Below(e.Base()); own.Config+own.State+own.Cache+own.Data != "" {
			t.Errorf("%s, without a home: %+v", goos, own)
		}
	}
}

// The system's folders are the absolute ones of XDG_CONFIG_DIRS, each once, else the usual one.
func TestWhereTheSystemsFoldersAre(t *testing.T) {
	t.Parallel()
	a, b := absolute("a"), absolute("b")
	list := strings.Join([]string{b, "relative", a, "", b}, string(filepath.ListSeparator))
	for _, c := range []struct {
		goos string
		vars map[string]string
		want string
	}{
		{"linux", nil, filepath.Join("/etc/xdg", "agents")},
		{"linux", map[string]string{"ProgramData": a, "XDG_CONFIG_DIRS": "relative"}, filepath.Join("/etc/xdg", "agents")},
		{"linux", map[string]string{"XDG_CONFIG_DIRS": list}, filepath.Join(b, "agents") + " " + filepath.Join(a, "agents")},
		{"windows", map[string]string{"XDG_CONFIG_DIRS": a, "ProgramData": b}, filepath.Join(a, "agents")},
		{"windows", map[string]string{"ProgramData": b}, filepath.Join(b, "agents")},
		{"windows", map[string]string{"ProgramData": "relative"}, ""},
		{"windows", nil, ""},
	} {
		e := environment(c.goos, c.vars)
		if got := strings.Join(e.Below(e.Base()).System, " "); got != c.want {
			t.Errorf("%s with %v: %q, want %q", c.goos, c.vars, got, c.want)
		}
	}
}

// The home is what an absolute variable says, by its name on the system, else the account's.
func TestWhereTheHomeIs(t *testing.T) {
	t.Parallel()
	a, b := absolute("a"), absolute("b")
	for _, c := range []struct {
		goos string
		vars map[string]string
		want string
	}{
		{"linux", map[string]string{"HOME": a + string(filepath.Separator), "USERPROFILE": b}, a},
		{"windows", map[string]string{"HOME": a, "USERPROFILE": b}, b},
		{"linux", map[string]string{"HOME": "relative", "USERPROFILE": b}, dirs.Account()},
		{"windows", map[string]string{"HOME": a}, dirs.Account()},
	} {
		if got := environment(c.goos, c.vars).FindHome(); got != c.want {
			t.Errorf("%s with %v: %q, want %q", c.goos, c.vars, got, c.want)
		}
	}
	if u, err := user.LookupId(strconv.Itoa(os.Getuid())); runtime.GOOS == "linux" && err == nil && dirs.Account() != u.HomeDir {
		t.Errorf("the account has the home %q, want %q", dirs.Account(), u.HomeDir)
	}
}
