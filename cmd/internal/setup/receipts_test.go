package setup

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
)

// Two agents may share a file; the bytes come back when the last entry goes,
// and not before.
func TestReceiptsOfASharedFile(t *testing.T) {
	t.Parallel()
	state, path := t.TempDir(), filepath.Join(t.TempDir(), "settings.json")
	shelltest.Put(t, path, "before", 0o600)
	step := func(who, after string, leave bool) (restored bool) {
		t.Helper()
		err := WithReceipts(state, func(r *Receipts) error {
			f, err := OpenConfig(path)
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
		if err != nil {
			t.Fatal(err)
		}
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

// Receipts that cannot be read are kept aside, and stop nobody.
func TestBrokenReceipts(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	shelltest.Put(t, filepath.Join(state, "install.json"), "{broken", 0o600)
	path := filepath.Join(t.TempDir(), "settings.json")
	err := WithReceipts(state, func(r *Receipts) error {
		f, err := OpenConfig(path)
		if err != nil {
			return err
		}
		return r.change(&f, []byte("new"), "one user", true)
	})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, path, "new")
	if got := names(t, state); !strings.Contains(got, "install.json.corrupt-") {
		t.Errorf("the state directory holds %s", got)
	}
}
