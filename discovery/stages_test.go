package discovery

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/trust"
)

// asked are the hooks that an event asks in turn, until one of them is last. opened
// says whether the project was looked into until then.
func (w *world) asked(last string) (names []string, opened bool) {
	set := LoadEvent(w.src, preTool, w.project)
	for h := range set.Due(preTool) {
		names = append(names, string(h.Layer)+" "+h.Name)
		if h.Name == last {
			break
		}
	}
	return names, set.loader.opened
}

func (w *world) wantAsked(last string, opened bool, want ...string) {
	w.Helper()
	if got, did := w.asked(last); !slices.Equal(got, want) || did != opened {
		w.Errorf("until %q: asks %q, opened %t; want %q, %t", last, got, did, want, opened)
	}
}

// HM-ORD-12: the person's hooks are asked before the project is looked into, and
// where one of them blocks nobody looks.
func TestPersonIsAskedFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(SystemLayer, "s", preTool, "priority: 1")
	w.hook(UserLayer, "guard", preTool)
	w.hook(UserLayer, "z-broken", preTool, "timeout: 1", "timeout: 2")
	w.hook(ProjectLayer, "p", preTool, "priority: 999")
	w.settings(ProjectLayer, "[hooks]\non_error = \"block\"\n")
	w.approve()
	w.wantAsked("guard", false, "system s", "user guard")
	w.wantAsked("z-broken", false, "system s", "user guard", "user z-broken")
	w.wantAsked("", true, "system s", "user guard", "user z-broken", "project p")
	w.settings(UserLayer, "[hooks]\norder = \"priority\"\n")
	w.wantAsked("p", true, "project p")
	w.settings(UserLayer, "[hooks]\norder = \"priority\"\n[[hooks.lock]]\nname = \"guard\"\n")
	w.wantAsked("guard", false, "user guard")
	w.src.TrustAlways = true
	w.settings(UserLayer, "[[hooks.lock]]\nname = \"guard\"\n")
	w.wantAsked("guard", false, "user guard")
	w.wantAsked("s", true, "user guard", "system s")
}

// Which hooks of a project stand in for the person's is told by what was approved,
// under the name that they go by, as they are now.
func TestStandIns(t *testing.T) {
	t.Parallel()
	override := func(t *testing.T) *world {
		w := newWorld(t)
		w.hook(UserLayer, "guard", preTool, "priority: 500")
		w.hook(UserLayer, "last", preTool)
		w.hookAt(filepath.Join(w.hooksOf(ProjectLayer), "other"), "guard", preTool)
		w.approve()
		return w
	}
	t.Run("one that was approved, in a folder of another name", func(t *testing.T) {
		w := override(t)
		w.wantAsked("", true, "user last", "project guard")
		w.wantAsked("last", false, "user last")
	})
	t.Run("one that has changed since", func(t *testing.T) {
		w := override(t)
		w.file(filepath.Join(w.hooksOf(ProjectLayer), "other", "more"), "", 0o644)
		w.wantAsked("guard", false, "user guard")
	})
	t.Run("one that goes by another name since", func(t *testing.T) {
		w := override(t)
		w.hookAt(filepath.Join(w.hooksOf(ProjectLayer), "other"), "last", preTool)
		w.wantAsked("", true, "user guard", "user last")
	})
	t.Run("one that is gone", func(t *testing.T) {
		w := override(t)
		os.RemoveAll(filepath.Join(w.hooksOf(ProjectLayer), "other"))
		w.wantAsked("", true, "user guard", "user last")
	})
	t.Run("one of another event", func(t *testing.T) {
		w := override(t)
		w.hookAt(filepath.Join(w.hooksOf(ProjectLayer), "other"), "guard", session)
		w.approve()
		w.wantAsked("", true, "user last")
	})
	t.Run("one that its own project switches off", func(t *testing.T) {
		w := override(t)
		w.settings(ProjectLayer, "[[hooks.disable]]\nname = \"guard\"\n")
		w.wantAsked("", true, "user last", "project guard")
		w.approve()
		w.wantAsked("", true, "user guard", "user last")
	})
	t.Run("one whose place the project's settings change", func(t *testing.T) {
		w := override(t)
		w.hook(ProjectLayer, "p", preTool)
		w.settings(ProjectLayer, "[[hooks.override]]\nname = \"guard\"\npriority = 5\n")
		w.approve()
		w.wantAsked("", true, "user last", "project p", "project guard")
	})
	t.Run("not one that nobody approved, though its folder comes first", func(t *testing.T) {
		w := override(t)
		w.hookAt(filepath.Join(w.hooksOf(ProjectLayer), "a"), "guard", preTool)
		w.wantAsked("", true, "user last", "project guard")
	})
	t.Run("not over a lock", func(t *testing.T) {
		w := override(t)
		w.settings(UserLayer, "[[hooks.lock]]\nname = \"guard\"\n")
		w.wantAsked("", true, "user guard", "user last")
	})
	t.Run("not one of a record that does not say under which name", func(t *testing.T) {
		w := override(t)
		things, _ := ToApprove(w.src, w.project)
		items, err := trust.List(w.src.State, w.project, things)
		must.Do(t, err)
		os.Remove(filepath.Join(w.src.State, "trust.json"))
		must.Do(t, must.Err(trust.Approve(w.src.State, w.project, items, noon)))
		w.wantAsked("", true, "user guard", "user last")
	})
}
