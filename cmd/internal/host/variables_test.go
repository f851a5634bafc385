package host

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// spec/SETTINGS.md says for each variable whether it counts in agent form, and the
// code agrees: no variable in the code is missing there.
func TestSettingsSayWhatCountsInAgentForm(t *testing.T) {
	b := must.Read(t, filepath.Join("..", "..", "..", "spec", "SETTINGS.md"))
	told := map[string]bool{}
	_, table, _ := strings.Cut(b, "## Variables in agent form")
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		name, counts := strings.Trim(cells[1], " `"), strings.TrimSpace(cells[2]) == "yes"
		told[name] = true
		if CountsForAgent(name) != counts {
			t.Errorf("%s counts in agent form: the page says %t, the code does not", name, counts)
		}
	}
	names := append(append([]string{}, agentForm[:]...), switches[:]...)
	for _, behaviour := range New(nil, "linux", "/", "/x", time.Now).Behaviours() {
		names = append(append(names, behaviour.Variable()), behaviour.OffEnv...)
		for _, s := range behaviour.Settings() {
			if s.Env != "" {
				names = append(names, s.Env)
			}
		}
	}
	for _, name := range names {
		if !told[name] {
			t.Errorf("%s: SETTINGS.md does not say whether it counts in agent form: a row of its last table, \"Variables in agent form\"", name)
		}
	}
}

// An old entry has only its configuration and its state: the home is the one that
// contains those, whatever the environment says, and never a relative path.
func TestOldEntryIsServedSafely(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its places are those of a Unix")
	}
	hostile := []string{"HOME=/evil", "XDG_CONFIG_HOME=/evil/c", "XDG_DATA_HOME=/evil/d", "XDG_CONFIG_DIRS=/evil/e", "AGENTS_HOOKS_TRUST=always", "AGENTS_HOOKS_DISABLE=1"}
	h := New(hostile, "linux", "/w", "/x", time.Now).Closed(Entry{Config: "/h/.config/agents", State: "/h/.local/state/agents-hooks"})
	if h.Home != "/h" || h.Data != "/h/.local/share/agents-hooks" || h.Cache != "/h/.cache/agents-hooks" || strings.Join(h.System, " ") != "/etc/xdg/agents" {
		t.Errorf("%+v", h.Entry())
	}
	if src := h.Sources(); src.TrustAlways || src.Off {
		t.Errorf("%+v", src)
	}
	if env := strings.Join(h.Env, " "); strings.Contains(env, "/evil") || !strings.Contains(env, "HOME=/h") {
		t.Errorf("commands are given %s", env)
	}
	elsewhere := New(hostile, "linux", "/w", "/x", time.Now).Closed(Entry{Config: "/c/agents", State: "/s/agents-hooks"})
	if elsewhere.Home == "/evil" || elsewhere.Config != "/c/agents" || elsewhere.State != "/s/agents-hooks" || strings.HasPrefix(elsewhere.Data, ".") {
		t.Errorf("%+v", elsewhere.Entry())
	}
}

// A hook in agent form gets the environment without variables that steer a program,
// and with the entry's directories; in spec form it is unchanged.
func TestHookEnv(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its places are those of a Unix; TestHookEnvOfWindows")
	}
	var given []string
	for _, name := range []string{"BASH_ENV", "BASH_FUNC_exit%%", "ENV", "SHELLOPTS", "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "PYTHONHOME", "PYTHONIOENCODING",
		"NODE_OPTIONS", "npm_config_script_shell", "PERL5OPT", "RUBYOPT", "GIT_CONFIG_COUNT", "GIT_DIR", "GIT_EXEC_PATH", "ZDOTDIR", "JAVA_TOOL_OPTIONS", "OPENSSL_CONF", "HOME", "XDG_CONFIG_HOME"} {
		given = append(given, name+"=/evil")
	}
	keeps := []string{"MY_TOKEN=x", "NODE_ENV=test", "GIT_AUTHOR_NAME=a", "PYTHONPATH=/lib", "LD_LIBRARY_PATH=/lib", "HTTPS_PROXY=http://p", "SSH_AUTH_SOCK=/s", "LANG=C", "BASHFUL=1"}
	given = append(given, keeps...)
	h := New(given, "linux", "/work", "/x", time.Now)
	if got := h.HookEnv(); !slices.Equal(got, given) {
		t.Errorf("spec form: %q", got)
	}
	got := h.Closed(Entry{Home: "/home/me", Config: "/home/me/cfg/agents"}).HookEnv()
	if want := append(keeps, "HOME=/home/me", "XDG_CONFIG_HOME=/home/me/cfg"); !slices.Equal(got, want) {
		t.Errorf("agent form: %q\nwant %q", got, want)
	}
}
