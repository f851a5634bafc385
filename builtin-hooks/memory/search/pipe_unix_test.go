//go:build unix

package search

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A pipe in place of a derived file is not waited for: it counts as missing, and is replaced.
// BM-FND-11.
func TestAPipeInPlaceOfADerivedFileIsAMissingOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, SnapshotFile)
	pipe := func(file string) {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		must.Do(t, syscall.Mkfifo(file, 0o600))
	}
	pipe(path)
	if _, err := Open(path, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a snapshot: %v", err)
	}
	s := snapshotOf(t, []Doc{{ID: "1", Kind: "fact", Content: "the crane is red"}}, nil)
	s.path = path
	must.Do(t, s.Write())
	pipe(s.recentPath())
	again, err := Open(path, nil)
	must.Do(t, err)
	defer again.Close()
	if again.Count() != 1 {
		t.Errorf("%d entries", again.Count())
	}
	vectors := filepath.Join(dir, "vectors")
	pipe(vectors)
	if k := OpenKept(vectors, "m"); k != nil {
		t.Error("vectors of a pipe")
	}
	words := filepath.Join(dir, "lexicon.bin")
	pipe(words)
	if _, err := lexicon.Open(words); err == nil {
		t.Error("a lexicon of a pipe")
	}
}
