package internal_test

import (
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/sqlite"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/ncruces/go-sqlite3"
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
			must.Do(t, os.Mkdir(filepath.Dir(path), 0o700))
			d, err := sqlite3.Open(sqlite.URI(path))
			if err != nil {
				t.Errorf("%q: %v", path, err)
				continue
			}
			if err := d.Exec("CREATE TABLE t (n)"); err != nil {
				t.Errorf("%q: %v", path, err)
			}
			if err := d.Close(); err != nil {
				t.Errorf("%q: %v", path, err)
			}
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Errorf("%q is not where it was made: %v", path, err)
			}
			if d, err = sqlite3.OpenFlags(sqlite.URI(path), sqlite3.OPEN_READONLY|sqlite3.OPEN_URI); err != nil {
				t.Errorf("%q: %v", path, err)
				continue
			}
			if err := d.Exec("SELECT n FROM t"); err != nil {
				t.Errorf("%q: %v", path, err)
			}
			if err := d.Close(); err != nil {
				t.Errorf("%q: %v", path, err)
			}
		}
	}
}
