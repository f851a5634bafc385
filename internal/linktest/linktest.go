// Package linktest makes symbolic links in tests. Not every system does: Windows wants
// a right for it, and Wine 10 says that it made one where it made none. There the test
// is left out, by the name of what is missing.
package linktest

import (
	"io/fs"
	"os"
	"testing"
)

// Make makes a link at path.
func Make(t testing.TB, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Skip("no symbolic links here: Wine makes none, and says that it did")
	}
}
