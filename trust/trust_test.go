package trust

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// A world is a project with things in it, and a state directory.
type world struct {
	*testing.T
	project, state string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	return &world{t, filepath.Join(base, "a b&c%d$e'é日本"), filepath.Join(base, "state")}
}

func (w *world) file(path, content string, mode fs.FileMode) string {
	w.Helper()
	must.Do(w, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(w, os.WriteFile(path, []byte(content), mode))
	must.Do(w, os.Chmod(path, mode))
	return path
}

// hook makes a folder with two files and is the thing that it is.
func (w *world) hook(name string) Thing {
	w.Helper()
	dir := filepath.Join(w.project, ".agents", "hooks", name)
	w.file(filepath.Join(dir, "HOOK.md"), "---\nname: "+name+"\n---\n\nText.\n", 0o644)
	w.file(filepath.Join(dir, "scripts", "run"), "#!/bin/sh\nexit 0\n", 0o755)
	return Thing{HookID(name), dir}
}

func (w *world) list(things ...Thing) []Item {
	w.Helper()
	items, err := List(w.state, w.project, things)
	if err != nil {
		w.Error(err)
	}
	return items
}

func (w *world) want(things []Thing, want ...State) []Item {
	w.Helper()
	items := w.list(things...)
	var got []State
	for _, it := range items {
		got = append(got, it.State)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		w.Errorf("%v, want %v", got, want)
	}
	return items
}

func (w *world) approve(items ...Item) {
	w.Helper()
	must.Do(w, must.Err(Approve(w.state, w.project, items, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))))
}

// An approval is for what was looked at.
func TestApproveWhatWasShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, q := w.hook("p"), w.hook("q")
	items := w.list(p, q)
	w.file(filepath.Join(p.Path, "scripts", "run"), "#!/bin/sh\nrm -rf ~\n", 0o755)
	if _, err := Approve(w.state, w.project, items, noon); err == nil || !strings.Contains(err.Error(), `"p": it has changed since it was listed`) {
		t.Errorf("error %v", err)
	}
	w.want([]Thing{p, q}, New, New)
	if _, err := Approve(w.state, w.project, []Item{{Thing: Thing{ID: HookID("x")}, State: Gone}}, noon); err == nil {
		t.Error("what is gone was approved")
	}
}

// A file with every kind of change is shown as a diff that hides nothing.
func TestDiff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.hook("p")
	dir := p.Path
	run := filepath.Join(dir, "scripts", "run")
	w.file(run, "#!/bin/sh\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", 0o755)
	w.file(filepath.Join(dir, "binary"), "a\x00b", 0o644)
	w.file(filepath.Join(dir, "gone"), "old\n", 0o644)
	w.file(filepath.Join(dir, "mode"), "same\n", 0o644)
	fresh, err := w.list(p)[0].Diff(w.state, w.project)
	bit := "(executable)\n"
	if runtime.GOOS == "windows" {
		bit = "" // there is none
	}
	if err != nil || !strings.HasPrefix(fresh, "--- /dev/null\n+++ b/HOOK.md\n@@ -0,0 +1,5 @@\n+---\n+name: p\n") ||
		!strings.Contains(fresh, "--- /dev/null\n+++ b/scripts/run\n"+bit+"@@ -0,0 +1,10 @@\n") {
		t.Errorf("of a new item, all of it: %v\n%s", err, fresh)
	}
	w.approve(w.list(p)...)
	w.file(run, "#!/bin/sh\n1\n2\n3\n4\nfive\n6\n7\n8\n9\nhid\x1b[2Kden\u202e\r", 0o755)
	w.file(filepath.Join(dir, "binary"), "a\x00bc", 0o644)
	os.Remove(filepath.Join(dir, "gone"))
	w.file(filepath.Join(dir, "mode"), "same\n", 0o755)
	w.file(filepath.Join(dir, "new"), "", 0o644)
	got, err := w.list(p)[0].Diff(w.state, w.project)
	want := `--- a/binary
+++ b/binary
(not shown: no text, or too large; 4 bytes, before 3)
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-old
--- a/mode
+++ b/mode
(executable)
--- /dev/null
+++ b/new
--- a/scripts/run
+++ b/scripts/run
@@ -3,8 +3,9 @@
 2
 3
 4
-5
+five
 6
 7
 8
 9
+hid\x1b[2Kden\u{202e}\x0d
\ No newline at end of file
`
	if runtime.GOOS == "windows" {
		want = strings.Replace(want, "--- a/mode\n+++ b/mode\n(executable)\n", "", 1)
	}
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	copiesIn(w.state).remove(map[string]bool{w.list(p)[0].last: true})
	if got, err := w.list(p)[0].Diff(w.state, w.project); err != nil || !strings.HasPrefix(got, "(what was approved on 2026-01-02T03:04:05Z was not kept;") {
		t.Errorf("without the kept files: %v, %.100q", err, got)
	}
}

// Approvals given at once are all kept.
func TestApproveAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var things []Thing
	for i := range 8 {
		things = append(things, w.hook(fmt.Sprint("p", i)))
	}
	items := w.list(things...)
	errs := make(chan error, len(items))
	for _, it := range items {
		go func() {
			_, err := Approve(w.state, w.project, []Item{it}, noon)
			errs <- err
		}()
	}
	for range items {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	for _, it := range w.list(things...) {
		if it.State != Trusted {
			t.Errorf("%s is %s", it.Name(), it.State)
		}
	}
	if b, err := statefile.Read(recordPath(w.state)); err != nil || !strings.HasPrefix(string(b), "{\"schema\": 1, ") {
		t.Errorf("%v: %.50s", err, b)
	}
}

// A hook that is too large to be hashed at each event cannot be trusted.
func TestHugeHookIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.hook("p")
	path := w.file(filepath.Join(p.Path, "data"), "", 0o644)
	must.Do(t, os.Truncate(path, maxTreeBytes+1))
	if it := w.list(p)[0]; it.State != Refused || !strings.Contains(it.Problem, "more than 64 MiB") {
		t.Errorf("%s: %q", it.State, it.Problem)
	}
}

// What was approved with an older version of this program stays approved: the
// hash of a folder is that of this text.
func TestHashIsOfPathModeAndContent(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("executable bits as Unix has them")
	}
	w := newWorld(t)
	p := w.hook("p")
	sum := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	want := sum("agents-hooks tree 1\n" +
		"HOOK.md\x00-\x00" + sum("---\nname: p\n---\n\nText.\n") + "\n" +
		"scripts/run\x00x\x00" + sum("#!/bin/sh\nexit 0\n") + "\n")
	if it := w.list(p)[0]; it.Hash != want {
		t.Errorf("hash %s, want %s", it.Hash, want)
	}
}

// Nothing but the thing, the project and the bytes that were approved is
// approved by it, and a record that cannot be read approves nothing.
func TestRecordApprovesWhatWasApproved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, q := w.hook("p"), w.hook("q")
	settings := Thing{SettingsID, w.file(filepath.Join(w.project, ".agents", "hooks.toml"), "a = 1\n", 0o644)}
	empty, err := Read(w.state)
	if err != nil || empty.Knows(w.project, p.ID) || empty.Approves(t.Context(), w.project, p) {
		t.Errorf("an empty record: %v", err)
	}
	w.approve(w.list(p, settings)...)
	record, err := Read(w.state)
	must.Do(t, err)
	for what, got := range map[string]bool{
		"the thing":           record.Approves(t.Context(), w.project, p) && record.Knows(w.project, p.ID),
		"the settings":        record.Approves(t.Context(), w.project, settings) && record.ApprovesSettings(w.project, []byte("a = 1\n")),
		"not other settings":  !record.ApprovesSettings(w.project, []byte("a = 2\n")),
		"not other things":    !record.Approves(t.Context(), w.project, q) && !record.Knows(w.project, q.ID),
		"not other projects":  !record.Approves(t.Context(), filepath.Dir(w.project), p) && !record.ApprovesSettings(w.state, []byte("a = 1\n")),
		"not another's bytes": !record.Approves(t.Context(), w.project, Thing{q.ID, p.Path}),
	} {
		t.Run(what, func(t *testing.T) {
			if !got {
				t.Error(what)
			}
		})
	}
	w.file(filepath.Join(p.Path, "more"), "", 0o644)
	if record.Approves(t.Context(), w.project, p) || !record.Knows(w.project, p.ID) {
		t.Error("a file more, and it is approved still")
	}
	w.file(recordPath(w.state), "{", 0o600)
	broken, err := Read(w.state)
	if unreadable, ok := errors.AsType[*Unreadable](err); !ok || unreadable.File != recordPath(w.state) || broken.Knows(w.project, p.ID) || broken.ApprovesSettings(w.project, []byte("a = 1\n")) {
		t.Errorf("a broken record: %v", err)
	}
	if list, err := List(w.state, w.project, []Thing{p}); err == nil || len(list) != 1 || list[0].State != New {
		t.Errorf("the list of a broken record: %v, %v", list, err)
	}
}

// A file that a diff does not show is named, whatever was there before it; one with
// some odd bytes is shown with them.
func TestUnseenFilesAreNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.hook("p")
	file := func(name string) string { return filepath.Join(p.Path, name) }
	w.file(file("binary"), strings.Repeat("\x00\x01", 50), 0o644)
	if runtime.GOOS != "windows" {
		w.file(file("a\n--- b HOOK.md"), "x", 0o644)
		if diff, err := w.list(p)[0].Diff(w.state, w.project); err != nil || !strings.Contains(diff, `+++ b/a\x0a--- b HOOK.md`) {
			t.Errorf("%v\n%s", err, diff)
		}
		os.Remove(file("a\n--- b HOOK.md"))
	}
	w.file(file("long"), strings.Repeat("x\n", maxKeptFile), 0o644)
	w.file(file("odd"), strings.Repeat("text ", 50)+"\x00\xff\x1b[2K", 0o644)
	unseen := func() string {
		t.Helper()
		list, err := w.list(p)[0].Unseen(w.state, w.project)
		if err != nil {
			t.Error(err)
		}
		return fmt.Sprint(list)
	}
	if got, want := unseen(), "[{binary 100 no text} {long 131072 over 64 KiB}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if diff, err := w.list(p)[0].Diff(w.state, w.project); err != nil || !strings.Contains(diff, `text \x00\xff\x1b[2K`) {
		t.Errorf("%v\n%s", err, diff)
	}
	w.approve(w.list(p)...)
	w.file(file("binary"), "now a script\n", 0o755)
	w.file(file("more"), "\x00", 0o644)
	if got, want := unseen(), "[{more 1 no text}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if diff, err := w.list(p)[0].Diff(w.state, w.project); err != nil || !strings.Contains(diff, "+now a script") || strings.Contains(diff, "b/long") {
		t.Errorf("%v\n%s", err, diff)
	}
	for i := range 10 {
		w.file(file(fmt.Sprint("many", i)), strings.Repeat("y\n", maxKeptFile/2), 0o644)
	}
	if got := unseen(); !strings.Contains(got, "{many9 65536 too much to show}") {
		t.Errorf("%s", got)
	}
}
