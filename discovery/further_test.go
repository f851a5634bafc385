package discovery

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// for what is no hook: a project's further items are listed, approved
// as they are, and no longer vouched for once a byte of them changed.
func TestFurtherItemsAreTrustedByContent(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	project, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(project, ".x", "skill", "hooks")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(project, ".git", "HEAD"), "")
	write(filepath.Join(dir, "hooks.json"), "{}")
	src := Sources{State: t.TempDir(), Home: t.TempDir(), Further: func(string) map[string]string { return map[string]string{"skills/skill": dir} }}
	vouched := func(src Sources) bool {
		return LoadEvent(src, protocol.PostToolCall, project).Vouches("skills/skill", dir)
	}
	state := func(want TrustState) TrustItem {
		t.Helper()
		items, problem := TrustItems(src, project)
		if problem != nil || len(items) != 1 || items[0].Name != "skills/skill" || items[0].State != want {
			t.Fatalf("%+v, %v; want %s", items, problem, want)
		}
		if on := vouched(src); on != (want == TrustedItem) {
			t.Errorf("%s, and vouched is %t", want, on)
		}
		return items[0]
	}
	approve := func(it TrustItem) {
		t.Helper()
		if _, err := Approve(src, project, []TrustItem{it}, time.Now()); err != nil {
			t.Fatal(err)
		}
	}

	approve(state(NewItem))
	state(TrustedItem)
	write(filepath.Join(dir, "new.md"), "more")
	changed := state(ChangedItem)
	if diff, err := changed.Diff(src, project); err != nil || diff == "" {
		t.Errorf("%q, %v", diff, err)
	}
	approve(changed)
	state(TrustedItem)

	always, none := src, src
	always.TrustAlways, none.NoProject = true, true
	if !vouched(always) || vouched(none) {
		t.Error("always, or the project left out")
	}
	if names, err := Revoke(src, project, []string{"skills/skill"}); err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
	approve(state(NewItem))

	// Nothing is vouched for that leads out of its folder, or out of the project.
	outside := filepath.Join(t.TempDir(), "secret")
	write(outside, "secret")
	if err := os.Symlink(outside, filepath.Join(dir, "link.md")); err != nil {
		t.Skip(err)
	}
	state(RefusedItem)
	if vouched(always) {
		t.Error("a link leads out of the folder, and it is vouched for")
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(outside), dir); err != nil {
		t.Fatal(err)
	}
	if vouched(always) {
		t.Error("the folder is a link out of the project, and it is vouched for")
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	src.Further = nil
	state(GoneItem)
}
