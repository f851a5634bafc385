package host

import (
	"path/filepath"
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
		{"Windows", []string{"USERPROFILE=/h", "APPDATA=/roam", "LocalAppData=/loc", "ProgramData=/pd"}, "windows", "/roam/agents", "/loc/agents-hooks", []string{"/pd/agents"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := New(tc.env, tc.goos, "/w", "/bin/agents-hooks", time.Now)
			if h.Config != filepath.FromSlash(tc.config) || h.State != filepath.FromSlash(tc.state) || !slices.Equal(h.System, tc.system) {
				t.Errorf("config %q state %q system %q", h.Config, h.State, h.System)
			}
		})
	}
}

func TestHomeWithoutEnvironment(t *testing.T) {
	// An agent started from a desktop may have no HOME.
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
