package search

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A writer that was killed leaves one file at most, which the next one clears away;
// one that is at it is left alone.
func TestAKilledWriterLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "snapshot")
	left := path + ".tmp-next"
	names := func() (list []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			list = append(list, e.Name())
		}
		return list
	}
	if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := New(path, nil).Write(); err != nil || len(names()) != 1 || names()[0] != "snapshot.tmp-next" {
		t.Errorf("beside one that writes: %v, %q", err, names())
	}
	old := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}
	if err := New(path, nil).Write(); err != nil || len(names()) != 1 || names()[0] != "snapshot" {
		t.Errorf("after one that was killed: %v, %q", err, names())
	}
}
