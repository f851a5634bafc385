package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A confined hook is stopped at its limit like any other, is given all of its
// input, and leaves nothing in its temporary directory, which is its own.
func TestConfinedRuns(t *testing.T) {
	t.Parallel()
	p := newSpot(t)
	r := p.runner(t)
	h := hook("confined-hang")
	h.Timeout = 300 * time.Millisecond
	rep, _ := p.run(t, r, h, &discovery.Sandbox{})
	if rep.Results[0].Verdict != TimedOut {
		t.Errorf("%+v", rep.Results[0])
	}
	found, _ := filepath.Glob(filepath.Join(r.State, "hooks", "project-*", "confined-hang", "pid"))
	if len(found) != 1 || alive(pids(t, found[0], 1)[0]) {
		t.Errorf("%v: it lives, or was not there", found)
	}
	_, first := p.run(t, r, hook("confined-litter"), &discovery.Sandbox{})
	if !strings.HasPrefix(first, tempsOf(r.State)) {
		t.Errorf("its temporary directory is %q", first)
	}
	eventually(t, "nothing is left", func() bool {
		left, err := filepath.Glob(filepath.Join(tempsOf(r.State), "*", "*"))
		return err == nil && len(left) == 0
	})
	r.EncodeEvent = func(*protocol.Event) []byte { return make([]byte, 1<<20) }
	if _, said := p.run(t, r, hook("confined-stdin"), &discovery.Sandbox{}); said != "1048576" {
		t.Errorf("of its input it was given %s", said)
	}
}

// A temporary directory is of one hook and one run at a time, and empty as it
// begins, whatever became of the one before.
func TestTemporaryDirectoriesAreApart(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	take := func(hook string) tempDir {
		t.Helper()
		d, err := takeTemp(state, hook)
		must.Do(t, err)
		if left, err := os.ReadDir(d.path); err != nil || len(left) > 0 {
			t.Errorf("%s: %v %v", d.path, left, err)
		}
		return d
	}
	a, b, other := take("a"), take("a"), take("b")
	if a.path == b.path || a.path == other.path {
		t.Errorf("%s, %s, %s", a.path, b.path, other.path)
	}
	write(filepath.Join(a.path, "d", "f"), "left", 0o600)
	a.release()
	again := take("a")
	// One whose dispatcher died: nobody emptied it.
	write(filepath.Join(again.path, "f"), "left", 0o600)
	again.lock.Close()
	if next := take("a"); next.path == again.path || next.path == b.path {
		t.Errorf("%s is given while it is emptied", next.path)
	}
	var all []tempDir
	for range maxTemps + 2 {
		all = append(all, take("c"))
	}
	for _, d := range all {
		d.release()
	}
	if left, _ := filepath.Glob(filepath.Join(tempsOf(state), "once-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// Directories of hooks that have not run for a day go with the daily cleaning, but
// for one that is in use.
func TestOldTemporaryDirectoriesAreRemoved(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	old, used, young := filepath.Join(tempsOf(state), "old"), tempDir{}, filepath.Join(tempsOf(state), "young")
	used, err := takeTemp(state, "used")
	must.Do(t, err)
	write(filepath.Join(old, "f"), "", 0o600)
	write(filepath.Join(young, "f"), "", 0o600)
	for _, dir := range []string{old, used.path} {
		at := time.Now().Add(-30 * time.Hour)
		must.Do(t, os.Chtimes(dir, at, at))
	}
	removeTemps(state, time.Now())
	if isDir(old) || !isDir(used.path) || !isDir(young) {
		t.Errorf("old %t, in use %t, young %t", isDir(old), isDir(used.path), isDir(young))
	}
}
