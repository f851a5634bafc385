package shell_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What may not be made is in a folder that somebody can look at: the nearest one that is there.
func TestTheHintOfAPermissionIsAPathThatIsThere(t *testing.T) {
	t.Parallel()
	tool := shelltest.New(t)
	home := tool.Host.Home
	file := filepath.Join(home, "locked")
	must.Write(t, file, "")
	for name, path := range map[string]string{".": filepath.Join(home, ".local", "state"), "locked": file} {
		t.Run(name, func(t *testing.T) {
			_, fix := tool.Wrong(fmt.Errorf("x: %w", &fs.PathError{Op: "mkdir", Path: path, Err: fs.ErrPermission}))
			if want := " " + name + " shows whose it is and who may use it"; !strings.HasSuffix(fix, want) {
				t.Errorf("%q, want it to end with %q", fix, want)
			}
		})
	}
}

// Where a file stands in the way of a folder, it is the one that is named.
func TestAFileInTheWayIsNamed(t *testing.T) {
	t.Parallel()
	tool := shelltest.New(t)
	home := tool.Host.Home
	must.Write(t, filepath.Join(home, "notes"), "")
	said, fix := tool.Wrong(fmt.Errorf("x: %w", &fs.PathError{Op: "open", Path: filepath.Join(home, "notes", "a", "b"), Err: syscall.ENOTDIR}))
	if want := filepath.Join("~", "notes") + " is a file, not a folder"; !strings.HasSuffix(said, want) || !strings.HasSuffix(fix, " notes") {
		t.Errorf("%q, %q; want %q, and a look at it", said, fix, want)
	}
}
