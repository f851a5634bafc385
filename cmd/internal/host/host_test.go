package host

import (
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

func TestDirectories(t *testing.T) {
	for _, tc := range []struct {
		name   string
		env    []string
		goos   string
		config string
		state  string
		system []string
	}{
		{"defaults", []string{"HOME=/h"}, "linux", "/h/.config/agents", "/h/.local/state/agents-hooks", []string{"/etc/xdg/agents"}},
		{"macOS is a Unix", []string{"HOME=/h"}, "darwin", "/h/.config/agents", "/h/.local/state/agents-hooks", []string{"/etc/xdg/agents"}},
		{"XDG", []string{"HOME=/h", "XDG_CONFIG_HOME=/c", "XDG_STATE_HOME=/s", "XDG_CONFIG_DIRS=/a:/b"}, "linux", "/c/agents", "/s/agents-hooks", []string{"/a/agents", "/b/agents"}},
		{"relative values are ignored", []string{"HOME=/h", "XDG_CONFIG_HOME=c", "XDG_STATE_HOME=./s", "XDG_CONFIG_DIRS=a:/b"}, "linux", "/h/.config/agents", "/h/.local/state/agents-hooks", []string{"/b/agents"}},
		{"Windows", []string{"USERPROFILE=C:/h", "APPDATA=C:/roam", "LocalAppData=C:/loc", "ProgramData=C:/pd"}, "windows", "C:/roam/agents", "C:/loc/agents-hooks", []string{`C:\pd\agents`}},
		{"Windows without them", []string{"USERPROFILE=C:/h"}, "windows", "C:/h/AppData/Roaming/agents", "C:/h/AppData/Local/agents-hooks", nil},
		{"XDG on Windows", []string{"USERPROFILE=C:/h", "xdg_config_home=D:/c", "XDG_STATE_HOME=s", `XDG_CONFIG_DIRS=D:\a;\\host\share\b;c`}, "windows", "D:/c/agents", "C:/h/AppData/Local/agents-hooks", []string{`D:\a\agents`, `\\host\share\b\agents`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if (tc.goos == "windows") != (runtime.GOOS == "windows") {
				t.Skip("its paths are those of another system")
			}
			h := New(tc.env, tc.goos, "/w", "/bin/agents-hooks", time.Now)
			if h.Config != filepath.FromSlash(tc.config) || h.State != filepath.FromSlash(tc.state) || !slices.Equal(h.System, tc.system) {
				t.Errorf("config %q state %q system %q", h.Config, h.State, h.System)
			}
		})
	}
}

func TestHomeWithoutEnvironment(t *testing.T) {
	// An agent started from an operatortop may have no HOME.
	if h := New(nil, "linux", "/w", "/x", time.Now); h.Home == "" {
		t.Error("no home directory without HOME")
	}
}

func TestSwitches(t *testing.T) {
	h := New([]string{"HOME=/h", "AGENTS_HOOKS_DISABLE=0", "AGENTS_HOOKS_DEBUG=1", "AGENTS_HOOKS_DISABLED_HOOKS=a, b,,c", "AGENTS_HOOKS_TRUST=always"}, "linux", "/w", "/x", time.Now)
	s := h.Sources()
	if s.Off || !s.Debug || !s.TrustAlways || !slices.Equal(s.OffNames, []string{"a", "b", "c"}) {
		t.Errorf("%+v", s)
	}
}
