// Package shelltest is shared by tests of commands: a command line on an empty machine.
package shelltest

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// New is a command line with the environment of an empty machine.
func New(t *testing.T) *shell.Shell {
	home := t.TempDir()
	return shell.New("agents-hooks", Host(home, home), strings.NewReader(""), &strings.Builder{}, &strings.Builder{})
}

// Host is a machine of this system with nothing but a home and the given environment.
func Host(home, workDir string, env ...string) host.Host {
	self := "/bin/agents-hooks"
	if runtime.GOOS == "windows" {
		self = `C:\Programs\agents-hooks.exe`
	}
	return host.New(append(Env(home), env...), runtime.GOOS, workDir, self, time.Now)
}

// Env is an environment with a home. The base directories are in their Unix places on
// Windows too, through the variables that can move them everywhere: what a test
// writes below ~/.config is read there.
func Env(home string) []string {
	env := []string{"HOME=" + home, "USERPROFILE=" + home, "XDG_CONFIG_DIRS=" + filepath.Join(home, "etc")}
	if runtime.GOOS != "windows" {
		return env
	}
	return append(env, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"), "XDG_STATE_HOME="+filepath.Join(home, ".local", "state"),
		"XDG_CACHE_HOME="+filepath.Join(home, ".cache"), "XDG_DATA_HOME="+filepath.Join(home, ".local", "share"))
}
