// Package linktest creates symbolic links in tests. Windows requires a privilege for
// that, and Wine 10 reports success without creating one. In such cases the test is
// skipped with the reason.
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
