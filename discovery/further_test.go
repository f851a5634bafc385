package discovery

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A project's further items are listed, approved
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
	src := Sources{State: t.TempDir(), Home: t.TempDir()}
	things := []trust.Thing{{ID: "skills/skill", Path: dir}}
	vouched := func(src Sources) bool {
		from, vouches := LoadEvent(src, protocol.PostToolCall, project).ApprovedCopy("skills/skill", dir)
		if again, of := LoadSettings(src, project).ApprovedCopy("skills/skill", dir); of != vouches || again != from {
			t.Errorf("the settings alone vouch otherwise than %t", vouches)
		}
		return vouches
	}
	state := func(want trust.State) trust.Item {
		t.Helper()
		items, err := trust.List(src.State, project, things)
		if err != nil || len(items) != 1 || items[0].Name() != "skills/skill" || items[0].State != want {
			t.Fatalf("%+v, %v; want %s", items, err, want)
		}
		if on := vouched(src); on != (want == trust.Trusted) {
			t.Errorf("%s, and vouched is %t", want, on)
		}
		return items[0]
	}
	approve := func(it trust.Item) {
		t.Helper()
		if _, err := trust.Approve(src.State, project, []trust.Item{it}, time.Now()); err != nil {
			t.Fatal(err)
		}
	}

	approve(state(trust.New))
	state(trust.Trusted)
	write(filepath.Join(dir, "new.md"), "more")
	changed := state(trust.Changed)
	if diff, err := changed.Diff(src.State, project); err != nil || diff == "" {
		t.Errorf("%q, %v", diff, err)
	}
	approve(changed)
	state(trust.Trusted)

	// What is read is what was hashed, whatever is put in its place from then on.
	from, _ := LoadSettings(src, project).ApprovedCopy("skills/skill", dir)
	write(filepath.Join(dir, "new.md"), "something else")
	if b, err := os.ReadFile(filepath.Join(from, "new.md")); string(b) != "more" || from == dir {
		t.Errorf("read in %s: %q, %v", from, b, err)
	}

	always, none := src, src
	always.TrustAlways, none.NoProject = true, true
	if !vouched(always) || vouched(none) {
		t.Error("always, or the project left out")
	}
	if names, err := trust.Revoke(src.State, project, []string{"skills/skill"}); err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
	approve(state(trust.New))

	// Nothing is vouched for that leads out of its folder, or out of the project.
	outside := filepath.Join(t.TempDir(), "secret")
	write(outside, "secret")
	linktest.Make(t, outside, filepath.Join(dir, "link.md"))
	state(trust.Refused)
	if vouched(always) {
		t.Error("a link leads out of the folder, and it is vouched for")
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	linktest.Make(t, filepath.Dir(outside), dir)
	if vouched(always) {
		t.Error("the folder is a link out of the project, and it is vouched for")
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	things = nil
	state(trust.Gone)
}
