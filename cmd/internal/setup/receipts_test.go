package setup

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Two agents may share a file; its bytes are restored when the last entry is removed,
// and not before.
func TestReceiptsOfASharedFile(t *testing.T) {
	t.Parallel()
	state, path := t.TempDir(), filepath.Join(t.TempDir(), "settings.json")
	must.Write(t, path, "before")
	step := func(who, after string, leave bool) (restored bool) {
		t.Helper()
		err := WithReceipts(state, "", func(r *Receipts) error {
			f, err := OpenConfig(path, "")
			if err != nil {
				return err
			}
			if !leave {
				return r.change(&f, []byte(after), who, true)
			}
			content, back, err := r.after(f, []byte(after), who)
			if err != nil {
				return err
			}
			restored = back
			return r.release(f, content, back, who)
		})
		must.Do(t, err)
		return restored
	}
	step("one user", "before one", false)
	step("two user", "before one two", false)
	if step("one user", "before  two", true) {
		t.Error("went back to before, with an entry of the other in it")
	}
	holds(t, path, "before  two")
	if !step("two user", "before  ", true) {
		t.Error("did not go back to before")
	}
	holds(t, path, "before")
	if got := names(t, filepath.Join(state, "backup")); got != "" {
		t.Errorf("a backup is left that says no more than the file: %s", got)
	}
}

// Unreadable receipts are moved aside, and block nobody.
func TestBrokenReceipts(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	must.Write(t, filepath.Join(state, "install.json"), "{broken")
	path := filepath.Join(t.TempDir(), "settings.json")
	err := WithReceipts(state, "", func(r *Receipts) error {
		f, err := OpenConfig(path, "")
		if err != nil {
			return err
		}
		return r.change(&f, []byte("new"), "one user", true)
	})
	must.Do(t, err)
	holds(t, path, "new")
	if got := names(t, state); !strings.Contains(got, "install.json.corrupt-") {
		t.Errorf("the state directory holds %s", got)
	}
}

// Of several files all are changed or none, and nothing is left of the attempt.
func TestAnInstallThatFailsHalfwayIsTakenBack(t *testing.T) {
	t.Parallel()
	state, dir := t.TempDir(), t.TempDir()
	old, made, theirs := filepath.Join(dir, "old.json"), filepath.Join(dir, "new", "made.json"), filepath.Join(dir, "theirs.json")
	must.Write(t, old, "old")
	must.Write(t, theirs, "changed meanwhile")
	files := []ChangedFile{
		Changed(protocol.Edit{Path: old, Before: []byte("old"), After: []byte("ours")}),
		Changed(protocol.Edit{Path: made, After: []byte("ours")}),
		Changed(protocol.Edit{Path: theirs, Before: []byte("theirs"), After: []byte("ours")}),
	}
	err := WithReceipts(state, "", func(r *Receipts) error { return r.ChangeAll(files, "one user", true) })
	if err == nil || !strings.Contains(err.Error(), "changed while") {
		t.Fatalf("error %v", err)
	}
	holds(t, old, "old")
	holds(t, theirs, "changed meanwhile")
	if got := names(t, dir); got != "old.json theirs.json" {
		t.Errorf("left: %s", got)
	}
	r, err := PeekReceipts(state, "")
	if err != nil || len(r.Files) > 0 {
		t.Errorf("receipts of %d files (%v), want none", len(r.Files), err)
	}
	err = WithReceipts(state, "", func(r *Receipts) error { return r.ChangeAll(files[:2], "one user", true) })
	must.Do(t, err)
	holds(t, made, "ours")
	if holds(t, files[0].Backup, "old"); files[1].Backup != "" {
		t.Errorf("of a new file there is a backup: %s", files[1].Backup)
	}
	if r, err = PeekReceipts(state, ""); err != nil || len(r.Files) != 2 {
		t.Errorf("receipts of %d files (%v), want 2", len(r.Files), err)
	}
}
