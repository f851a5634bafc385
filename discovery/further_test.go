package discovery

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A further is an item of a project that is neither a hook nor its settings.
type further struct {
	*testing.T
	src          Sources
	project, dir string
}

func newFurther(t *testing.T) further {
	project, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	f := further{t, Sources{State: t.TempDir(), Home: t.TempDir()}, project, filepath.Join(project, ".x", "skill", "hooks")}
	f.write(filepath.Join(project, ".git", "HEAD"), "")
	f.write(filepath.Join(f.dir, "hooks.json"), "{}")
	return f
}

func (f further) write(path, text string) {
	f.Helper()
	must.Write(f, path, text)
}

// vouched reports whether the set of an event vouches for it, and checks that the
// settings alone say the same.
func (f further) vouched(src Sources) bool {
	f.Helper()
	from, vouches := LoadEvent(src, protocol.PostToolCall, f.project).ApprovedCopy("skills/skill", f.dir)
	if again, of := LoadSettings(src, f.project).ApprovedCopy("skills/skill", f.dir); of != vouches || again != from {
		f.Errorf("the settings alone vouch otherwise than %t", vouches)
	}
	return vouches
}

// always are the sources of a person who trusts all projects.
func (f further) always() Sources {
	src := f.src
	src.TrustAlways = true
	return src
}

// state checks that it is in a state, and vouched for only if it is approved.
func (f further) state(want trust.State) trust.Item {
	f.Helper()
	things := []trust.Thing{{ID: "skills/skill", Path: f.dir}}
	if want == trust.Gone {
		things = nil
	}
	items, err := trust.List(f.src.State, f.project, things)
	if err != nil || len(items) != 1 || items[0].Name() != "skills/skill" || items[0].State != want {
		f.Fatalf("%+v, %v; want %s", items, err, want)
	}
	if on := f.vouched(f.src); on != (want == trust.Trusted) {
		f.Errorf("%s, and vouched is %t", want, on)
	}
	return items[0]
}

func (f further) approve(it trust.Item) {
	f.Helper()
	must.Do(f, must.Err(trust.Approve(f.src.State, f.project, []trust.Item{it}, time.Now())))
}

// A project's further items are listed, approved as they are, and no longer vouched for
// once a byte of them changed.
func TestFurtherItemsAreTrustedByContent(t *testing.T) {
	t.Parallel()
	f := newFurther(t)
	f.approve(f.state(trust.New))
	f.state(trust.Trusted)
	f.write(filepath.Join(f.dir, "new.md"), "more")
	changed := f.state(trust.Changed)
	if diff, err := changed.Diff(f.src.State, f.project); err != nil || diff == "" {
		t.Errorf("%q, %v", diff, err)
	}
	f.approve(changed)
	f.state(trust.Trusted)
	if names, err := trust.Revoke(f.src.State, f.project, []string{"skills/skill"}); err != nil || len(names) != 1 {
		t.Errorf("%v, %v", names, err)
	}
	f.approve(f.state(trust.New))
	must.Do(t, os.RemoveAll(f.dir))
	f.state(trust.Gone)
}

// What is read is what was hashed, whatever is put in its place from then on.
func TestFurtherItemsAreReadAsTheyWereApproved(t *testing.T) {
	t.Parallel()
	f := newFurther(t)
	f.write(filepath.Join(f.dir, "new.md"), "more")
	f.approve(f.state(trust.New))
	from, _ := LoadSettings(f.src, f.project).ApprovedCopy("skills/skill", f.dir)
	f.write(filepath.Join(f.dir, "new.md"), "something else")
	if b, err := os.ReadFile(filepath.Join(from, "new.md")); string(b) != "more" || from == f.dir {
		t.Errorf("read in %s: %q, %v", from, b, err)
	}
}

// Whoever trusts all projects need not approve them; where the project is left out,
// nothing of it is vouched for.
func TestFurtherItemsOfTrustedProjects(t *testing.T) {
	t.Parallel()
	f := newFurther(t)
	none := f.always()
	none.NoProject = true
	if !f.vouched(f.always()) || f.vouched(none) {
		t.Error("always, or the project left out")
	}
}

// Nothing is vouched for that leads out of its folder, or out of the project.
func TestFurtherItemsLeadNowhere(t *testing.T) {
	t.Parallel()
	f := newFurther(t)
	f.approve(f.state(trust.New))
	outside := filepath.Join(t.TempDir(), "secret")
	f.write(outside, "secret")
	linktest.Make(t, outside, filepath.Join(f.dir, "link.md"))
	f.state(trust.Refused)
	if f.vouched(f.always()) {
		t.Error("a link leads out of the folder, and it is vouched for")
	}
	must.Do(t, os.RemoveAll(f.dir))
	linktest.Make(t, filepath.Dir(outside), f.dir)
	if f.vouched(f.always()) {
		t.Error("the folder is a link out of the project, and it is vouched for")
	}
}
