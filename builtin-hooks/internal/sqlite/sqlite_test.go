package sqlite

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A database is opened by the path that was asked for and by no other, whatever of it
// would mean something in a URI; on Windows with a drive or in its long form too.
func TestADatabaseIsTheFileThatWasAskedFor(t *testing.T) {
	names := []string{"plain", "a b", "100%", "a%20b", "x#1", "é日本", "a&b=c", "a;b", "a+b"}
	if runtime.GOOS != "windows" {
		names = append(names, "a?b=c", "a:b", `a\b`)
	}
	dirs := []string{t.TempDir()}
	if runtime.GOOS == "windows" {
		dirs = append(dirs, `\\?\`+t.TempDir())
	}
	for _, dir := range dirs {
		for _, name := range names {
			path := filepath.Join(dir, name, name+".sqlite")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			d, err := Open(path)
			if err != nil {
				t.Errorf("%q: %v", path, err)
				continue
			}
			if err := d.Run("CREATE TABLE t (n)"); err != nil {
				t.Errorf("%q: %v", path, err)
			}
			if err := d.Close(); err != nil {
				t.Errorf("%q: %v", path, err)
			}
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Errorf("%q is not where it was made: %v", path, err)
			}
			if d, err = OpenReadOnly(path); err != nil {
				t.Errorf("%q: %v", path, err)
				continue
			}
			if n, err := d.One("SELECT count(*) FROM t"); n != 0 || err != nil {
				t.Errorf("%q: %v", path, err)
			}
			if err := d.Close(); err != nil {
				t.Errorf("%q: %v", path, err)
			}
		}
	}
}
