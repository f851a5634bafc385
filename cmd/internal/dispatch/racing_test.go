package dispatch

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/trust"
)

// approve approves all that the project has, as it is.
func (w *world) approve() {
	w.t.Helper()
	project, err := filepath.EvalSymlinks(w.project)
	must.Do(w.t, err)
	things, hooks := discovery.ToApprove(discovery.Sources{Home: w.home, State: w.state(), GOOS: runtime.GOOS}, project)
	items, err := trust.List(w.state(), project, things)
	items = slices.DeleteFunc(items, func(it trust.Item) bool { return it.Hash == "" }) // refused
	for i := range items {
		for _, h := range hooks {
			if h.Dir == items[i].Path {
				items[i].As = h.Name
			}
		}
	}
	if err == nil {
		_, err = trust.Approve(w.state(), project, items, time.Now())
	}
	must.Do(w.t, err)
}

// TestNoWriterSlipsInAByte lets a writer change an approved hook all the time, in
// each way that a file is changed, and back again, while events ask for it. What
// runs is what was approved, and by the matcher that was approved.
func TestNoWriterSlipsInAByte(t *testing.T) {
	if !slowtest.On() {
		t.Parallel()
	}
	w := newWorld(t)
	marks := filepath.Join(w.home, "marks")
	mark := func(name string) string { return `echo >>"$HOME/marks/` + name + `"; ` }
	pad := "\n# " + strings.Repeat("x", 32<<10)
	w.file(filepath.Join(marks, "made"), "", 0o644)
	w.hook(w.projectHooks(), "swapped", "trigger: pre-tool-call", mark("approved")+"exit 0"+pad)
	w.hook(w.userHooks(), "replaced", "trigger: pre-tool-call", mark("of-the-person")+"exit 0")
	w.hook(w.projectHooks(), "replaced", "trigger: pre-tool-call", mark("approved")+"exit 0"+pad)
	w.hook(w.projectHooks(), "sourced", "trigger: pre-tool-call", `. "$AGENTS_HOOKS_HOOK_DIR/lib.sh"; exit 0`+pad)
	w.file(filepath.Join(w.projectHooks(), "sourced", "lib.sh"), mark("approved"), 0o644)
	w.hook(w.projectHooks(), "never", "trigger: pre-tool-call\nmatcher:\n  tool: Nothing", mark("unapproved"))
	w.approve()

	var stop atomic.Bool
	var writers sync.WaitGroup
	race := func(path string, mode os.FileMode, other string) {
		was := must.Read(t, path)
		put := map[string]func(string){
			"in place": func(text string) { _ = os.WriteFile(path, []byte(text), mode) },
			"renamed":  func(text string) { _ = os.WriteFile(path+"~", []byte(text), mode); _ = os.Rename(path+"~", path) },
		}
		writers.Go(func() {
			for !stop.Load() {
				for _, way := range put {
					way(other)
					way(was)
					time.Sleep(time.Millisecond) // so that it is approved now and then
				}
			}
		})
	}
	other := "#!/bin/sh\n" + mark("unapproved") + "exit 0" + pad
	race(filepath.Join(w.projectHooks(), "swapped", "scripts", "run"), 0o755, other)
	race(filepath.Join(w.projectHooks(), "replaced", "scripts", "run"), 0o755, other)
	race(filepath.Join(w.projectHooks(), "sourced", "lib.sh"), 0o644, mark("unapproved"))
	race(filepath.Join(w.projectHooks(), "never", "HOOK.md"), 0o644, "---\nname: never\ndescription: test\ntrigger: pre-tool-call\n---\n")

	length := time.Second
	if slowtest.On() || runtime.GOOS == "windows" { // where a process takes longer to begin than a writer to write
		length = 10 * time.Second
	}
	count := func(name string) int {
		b, _ := os.ReadFile(filepath.Join(marks, name))
		return strings.Count(string(b), "\n")
	}
	raced := func() bool { return count("approved") > 0 && count("of-the-person") > 0 }
	events, began := 0, time.Now()
	for ; time.Since(began) < length || !raced() && time.Since(began) < time.Minute; events++ {
		w.run(w.specEvent("pre-tool-call", shell))
	}
	stop.Store(true)
	writers.Wait()
	t.Logf("%d events, %d approved runs, %d unapproved, %d of the hook that stands in for one", events, count("approved"), count("unapproved"), count("of-the-person"))
	if n := count("unapproved"); n > 0 {
		t.Errorf("%d of %d events ran what nobody approved", n, events)
	}
	if !raced() {
		t.Error("nothing ran at all: the race proves nothing")
	}
}
