// Package shelltest is what tests of commands share: a command line on a machine
// that has nothing, and files in it.
package shelltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// New is a command line with the environment of a machine that has nothing.
func New(t *testing.T) *shell.Shell {
	home := t.TempDir()
	h := host.New([]string{"HOME=" + home, "USERPROFILE=" + home, "XDG_CONFIG_DIRS=" + filepath.Join(home, "etc")}, "linux", home, "/bin/agents-hooks", time.Now)
	return shell.New("agents-hooks", h, strings.NewReader(""), &strings.Builder{}, &strings.Builder{})
}

// Write makes a file, with the folders above it.
func Write(t *testing.T, path, content string) {
	t.Helper()
	Put(t, path, content, 0o644)
}

// Put is Write with a mode.
func Put(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}
