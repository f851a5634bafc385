//go:build unix

package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
)

// One lock works both on a system that keeps the executable bit and on one that does
// not: folders that either wrote, or that a checkout left without the bit, match it,
// a change of their bytes is noticed, and a pack from either can be added and removed
// on the other.
func TestOneLockForBareSystems(t *testing.T) {
	t.Parallel()
	for _, wroteBare := range []bool{false, true} {
		root := filepath.Join(t.TempDir(), "p")
		os.Mkdir(root, 0o755)
		writes := placeIn(root)
		writes.Bare = wroteBare
		a, plain := folder("a", "one"), pack.Folder{Name: "plain", Files: pack.Tree{{Path: "HOOK.md", Kind: pack.File, Data: []byte("x")}}}
		both := lockfile.Pack{Name: "p", Source: "./x"}
		both.Hooks, both.Bare = (&pack.Pack{Folders: []pack.Folder{a, plain}}).Hashes()
		if len(both.Bare) != 1 || both.Bare["a"] == both.Hooks["a"] {
			t.Fatalf("%+v", both)
		}
		if _, err := writes.Apply(t.Context(), Change{Put: []pack.Folder{a, plain}, Lock: to(both)}); err != nil {
			t.Fatal(wroteBare, err)
		}
		reads := placeIn(root)
		reads.Bare = true
		withoutBits(t, reads.Hooks()) // as such a system checks it out
		lock, err := reads.Read()
		must.Do(t, err)
		p := lock.Pack("p")
		for _, f := range p.Folders() {
			if is, err := reads.Hash(t.Context(), f); err != nil || is != p.Pin(f, true) {
				t.Errorf("written bare %t: %s has %s (%v), the lock %s", wroteBare, f, is, err, p.Pin(f, true))
			}
		}
		must.Write(t, filepath.Join(reads.Hooks(), "a", "HOOK.md"), "owned")
		b := folder("a", "two")
		next := lockfile.Pack{Name: "p", Source: "./x"}
		next.Hooks, next.Bare = (&pack.Pack{Folders: []pack.Folder{b, plain}}).Hashes()
		if _, err := reads.Apply(t.Context(), Change{Put: []pack.Folder{b}, Lock: to(next)}); err == nil {
			t.Error("what was changed here is replaced unasked")
		}
		if kept, err := reads.Apply(t.Context(), Change{Put: []pack.Folder{b}, Lock: to(next), Force: true}); err != nil || len(kept) != 1 {
			t.Errorf("written bare %t: %v %v", wroteBare, kept, err)
		}
		if is, err := reads.Hash(t.Context(), "a"); err != nil || is != b.Pin(true) {
			t.Errorf("updated to %s (%v), want %s", is, err, b.Pin(true))
		}
	}
}

// withoutBits takes the executable bit from all files.
func withoutBits(t *testing.T, dir string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		return os.Chmod(path, 0o644)
	}))
}
