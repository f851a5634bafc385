package trust

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// admit is the folder that a thing runs from.
func (w *world) admit(t Thing) (dir string, ok bool) {
	w.Helper()
	record, err := Read(w.state)
	must.Do(w, err)
	dir, ok, err = record.Admit(w.Context(), w.project, t, Start{})
	must.Do(w, err)
	return dir, ok
}

// What runs is a copy that nobody may write, of the bytes that were approved, and
// the same one as long as nothing in it was touched.
func TestCopyIsOfWhatWasApproved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.hook("p")
	w.file(filepath.Join(p.Path, "lib", "deep", "one.sh"), "one\n", 0o644)
	linktest.Make(t, "lib", filepath.Join(p.Path, "also"))
	w.approve(w.list(p)...)
	dir, ok := w.admit(p)
	if !ok || strings.HasPrefix(dir, w.project) {
		t.Fatalf("%q, %t", dir, ok)
	}
	for path, mode := range map[string]os.FileMode{"HOOK.md": 0o400, "scripts/run": 0o500, "lib/deep/one.sh": 0o400, "also/deep/one.sh": 0o400, "lib": 0o700 | os.ModeDir, ".": 0o700 | os.ModeDir} {
		t.Run(fmt.Sprintf("%q", path), func(t *testing.T) {
			info, err := os.Lstat(filepath.Join(dir, path))
			if err != nil || info.Mode() != mode && runtime.GOOS != "windows" || info.Mode()&0o222 != mode&0o222 && !info.IsDir() {
				t.Errorf("%s: %v, %v", path, info, err)
			}
		})
	}
	if again, _ := w.admit(p); again != dir {
		t.Errorf("another copy, %s, where nothing changed", again)
	}
	run := filepath.Join(dir, "scripts", "run")
	past := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	for what, change := range map[string]func() error{
		"other bytes of the same length, with the old times": func() error {
			info, err := os.Stat(run)
			if err == nil {
				err = os.Chmod(run, 0o700)
			}
			if err == nil {
				err = os.WriteFile(run, []byte("#!/bin/sh\nexit 1\n"), 0)
			}
			if err == nil {
				err = os.Chmod(run, 0o500)
			}
			if err == nil {
				err = os.Chtimes(run, info.ModTime(), info.ModTime())
			}
			return err
		},
		"a file more":    func() error { return os.WriteFile(filepath.Join(dir, "lib", "deep", "two.sh"), nil, 0o600) },
		"a file less":    func() error { return os.Remove(filepath.Join(dir, "HOOK.md")) },
		"another mode":   func() error { return os.Chmod(run, 0o400) },
		"other times":    func() error { return os.Chtimes(run, past, past) },
		"a second name":  func() error { return os.Link(run, filepath.Join(w.state, "second")) },
		"a renamed file": func() error { return os.Rename(run, run+"2") },
		"a link instead": func() error {
			os.Remove(run)
			return os.Symlink("/bin/true", run)
		},
		"nothing left": func() error { return os.RemoveAll(dir) },
		"no seal":      func() error { return os.Remove(copiesIn(w.state).seal(w.list(p)[0].Hash)) },
		"a seal that leads elsewhere": func() error {
			return os.WriteFile(copiesIn(w.state).seal(w.list(p)[0].Hash), []byte("../x 9223372036854775807\n"), 0o600)
		},
	} {
		t.Run(what, func(t *testing.T) {
			if dir, ok = w.admit(p); !ok {
				t.Fatalf("before %s: not approved", what)
			}
			run = filepath.Join(dir, "scripts", "run")
			time.Sleep(20 * time.Millisecond) // clocks of files are coarse
			must.Do(t, change())
			fresh, ok := w.admit(p)
			b, err := os.ReadFile(filepath.Join(fresh, "scripts", "run"))
			if !ok || fresh == dir || err != nil || string(b) != "#!/bin/sh\nexit 0\n" {
				t.Errorf("%t, %q, %v", ok, b, err)
			}
			os.Remove(filepath.Join(w.state, "second"))
		})
	}
	if left, _ := filepath.Glob(filepath.Join(w.state, "trust", "*-*")); len(left) > 1+spareCopies {
		t.Errorf("%d copies pile up", len(left))
	}
}

// What was approved before copies were kept is copied when it is first asked for.
func TestCopyIsMadeWhenItIsMissing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.hook("p")
	w.approve(w.list(p)...)
	must.Do(t, os.RemoveAll(filepath.Join(w.state, "trust")))
	dir, ok := w.admit(p)
	if b, err := os.ReadFile(filepath.Join(dir, "HOOK.md")); !ok || err != nil || !strings.HasPrefix(string(b), "---\nname: p\n") {
		t.Errorf("%t, %v", ok, err)
	}
}

// What was acted on before the approval was asked for has to be what was approved.
func TestStartMustBeApproved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.hook("p")
	w.approve(w.list(p)...)
	record, err := Read(w.state)
	must.Do(t, err)
	for begin, want := range map[string]bool{"---\nname: p\n": true, "": true, "---\nname: q\n": false, "---\nname: p\n---\n\nText.\nand more": false} {
		t.Run(fmt.Sprintf("%q", begin), func(t *testing.T) {
			_, ok, err := record.Admit(t.Context(), w.project, p, Start{Path: "HOOK.md", Size: len(begin), Same: func(b []byte) bool { return string(b) == begin }})
			if ok != want || err != nil {
				t.Errorf("%q: %t, %v", begin, ok, err)
			}
		})
	}
}

// Copies go with the last approval that needs them.
func TestCopiesAreRemoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, q := w.hook("p"), w.hook("q")
	w.approve(w.list(p, q)...)
	kept := func() int {
		list, _ := os.ReadDir(filepath.Join(w.state, "trust"))
		n := 0
		for _, e := range list {
			if !strings.HasSuffix(e.Name(), ".lock") {
				n++
			}
		}
		return n
	}
	if got := kept(); got != 4 { // a folder and a seal of each
		t.Errorf("%d", got)
	}
	if _, err := Revoke(w.state, w.project, []string{"p"}); err != nil || kept() != 2 {
		t.Errorf("%v, %d", err, kept())
	}
	old := w.file(filepath.Join(w.state, "trust", strings.Repeat("a", hashLen)+"-1", "HOOK.md"), "", 0o400)
	gone := w.file(filepath.Join(w.state, "trust", making+"1", "HOOK.md"), "", 0o400)
	fresh := w.file(filepath.Join(w.state, "trust", making+"2", "HOOK.md"), "", 0o400)
	for _, path := range []string{old, gone} {
		long := time.Now().Add(-2 * spareTime)
		must.Do(t, os.Chtimes(filepath.Dir(path), long, long))
	}
	w.approve(w.list(q)...)
	if _, err := os.Stat(fresh); err != nil || kept() != 3 {
		t.Errorf("%v, %d", err, kept())
	}
}

// Approving many things reads the names of all copies once, and not once for each.
func TestCopiesAreListedOnceForManyItems(t *testing.T) {
	const items, others = 30, 500
	cost := func(others int) float64 {
		w := newWorld(t)
		for i := range others {
			must.Do(t, os.MkdirAll(filepath.Join(w.state, "trust", fmt.Sprintf("%0*x-1", hashLen, i)), 0o700))
		}
		var all []Thing
		for i := range items {
			all = append(all, w.hook(fmt.Sprint("h", i)))
		}
		list := w.list(all...)
		return testing.AllocsPerRun(1, func() {
			must.Do(t, os.RemoveAll(recordPath(w.state)))
			w.approve(list...)
			_, err := Revoke(w.state, w.project, nil)
			must.Do(t, err)
		})
	}
	if few, many := cost(0), cost(others); many-few > 50*others {
		t.Errorf("%d copies of others take %.0f steps more for %d items", others, many-few, items)
	}
}

// Of a state whose seal does not say which copy is in use, none is spare.
func TestCopiesOfAStateWithoutASealStay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.hook("p")
	w.approve(w.list(p)...)
	dir, ok := w.admit(p)
	if !ok {
		t.Fatal("not approved")
	}
	hash := w.list(p)[0].Hash
	must.Do(t, os.Mkdir(filepath.Join(filepath.Dir(dir), hash+"-1"), 0o700))
	must.Do(t, os.WriteFile(copiesIn(w.state).seal(hash), nil, 0o600))
	long := time.Now().Add(-2 * spareTime)
	must.Do(t, os.Chtimes(dir, long, long))
	w.approve(w.list(p, w.hook("q"))[1:]...)
	if _, err := os.Stat(filepath.Join(dir, "HOOK.md")); err != nil {
		t.Error(err)
	}
}
