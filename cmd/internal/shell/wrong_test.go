package shell_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
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
