package discovery

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/processor"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const lockGuard = "[[hooks.lock]]\nname = \"guard\"\n"

// wantHeld wants the one hook of a name, of all that are due, to be held, broken or
// not, and its failure to block.
func (w *world) wantHeld(t protocol.EventType, status Status, says string) {
	w.Helper()
	var held []*Hook
	for h := range LoadEvent(w.src, t, w.project).Due(t) {
		h.Match(toolEvent(w, "Shell", "Bash", `{"command": "ls"}`), &Budget{}, false)
		if h.Held != nil {
			held = append(held, h)
		}
	}
	if len(held) != 1 || held[0].Name != "guard" || held[0].Status != status || held[0].OnError != OnErrorBlock {
		w.Errorf("%s: held: %+v", t, held)
	} else if got := strings.Join(sayAll(held[0].Problems), "\n"); !strings.Contains(got, says) || says == "" && got != "" {
		w.Errorf("%s: problems: %s, want %q", t, got, says)
	}
	for _, h := range w.all().Hooks {
		if h.Held != nil && (h.Status != status || h.OnError != OnErrorBlock) {
			w.Errorf("of all, %s is %s, on_error %q", h.Name, h.Status, h.OnError)
		}
	}
}

// A lock whose hook cannot run blocks what it may have judged, whatever is wrong.
func TestWhatIsLockedAndCannotRun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil  func(w *world, dir string)
		status Status
		says   string
	}{
		"all is well":        {func(w *world, dir string) {}, Ready, ""},
		"no folder":          {func(w *world, dir string) { os.RemoveAll(dir) }, Broken, `no hook goes by the name "guard" that is locked here; put its folder back`},
		"no HOOK.md":         {func(w *world, dir string) { os.Remove(filepath.Join(dir, "HOOK.md")) }, Broken, "no hook goes by the name"},
		"an empty HOOK.md":   {func(w *world, dir string) { w.file(filepath.Join(dir, "HOOK.md"), "", 0o644) }, Broken, "fatal"},
		"no trigger":         {func(w *world, dir string) { w.file(filepath.Join(dir, "HOOK.md"), "---\nname: guard\n---\n", 0o644) }, Broken, "trigger: is missing"},
		"twice the same key": {func(w *world, dir string) { w.hookAt(dir, "guard", preTool, "timeout: 1", "timeout: 2") }, Broken, "stands twice"},
		"another name":       {func(w *world, dir string) { w.hookAt(dir, "guard2", preTool) }, Broken, "no hook goes by the name"},
		"another program's": {func(w *world, dir string) {
			w.file(filepath.Join(dir, "HOOK.md"), "---\nname: guard\nmetadata: {openclaw: {}}\n---\n", 0o644)
		}, Broken, "no hook goes by the name"},
		"no entry":         {func(w *world, dir string) { os.RemoveAll(filepath.Join(dir, "scripts")) }, Broken, "entry"},
		"a bad expression": {func(w *world, dir string) { w.hookAt(dir, "guard", preTool, "matcher:", "  pattern: '('") }, Broken, "pattern"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c.spoil(w, w.hook(UserLayer, "guard", preTool))
			w.settings(UserLayer, lockGuard)
			w.wantHeld(preTool, c.status, c.says)
			// Nothing of a project stands in for it, and no switch helps.
			w.hook(ProjectLayer, "guard", preTool)
			w.wantHeld(preTool, c.status, c.says)
			w.src.Off = true
			w.wantHeld(preTool, c.status, c.says)
		})
	}
}

// What is locked and nowhere holds what can be kept from happening, and not the end
// of a turn; on_error = "allow" beside the name takes that back.
func TestWhatIsLockedAndNowhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.settings(UserLayer, lockGuard)
	for _, ev := range protocol.EventTypes() {
		held := 0
		for h := range LoadEvent(w.src, ev, w.project).Due(ev) {
			if h.Held != nil && h.Status == Broken {
				held++
			}
		}
		if want := ev.Prevents() && ev != protocol.PreAgentTurnStop; (held == 1) != want {
			t.Errorf("%s: held by %d", ev, held)
		}
	}
	w.settings(UserLayer, lockGuard+"on_error = \"allow\"\n")
	if due := slices.Collect(w.event(preTool).Due(preTool)); len(due) != 0 {
		t.Errorf("%+v", due[0])
	}
	w.hook(UserLayer, "guard", session) // of another event: it judges that one
	w.settings(UserLayer, lockGuard)
	if due := slices.Collect(w.event(preTool).Due(preTool)); len(due) != 0 {
		t.Errorf("%+v", due[0])
	}
}

// on_error = "allow" leaves a lock a lock.
func TestLockThatMayFail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(UserLayer, "guard", preTool)
	w.settings(UserLayer, lockGuard+"on_error = \"allow\"\n[[hooks.disable]]\nname = \"guard\"\n")
	w.src.Off = true
	for h := range w.event(preTool).Due(preTool) {
		if h.Held == nil || !h.Held.Allow || h.OnError != OnErrorDefault {
			t.Errorf("%+v, on_error %q", h.Held, h.OnError)
		}
	}
	w.wantDue(preTool, "user guard")
	// The stricter one of two holds, and the system's over the user's.
	w.settings(UserLayer, lockGuard+"on_error = \"allow\"\n"+lockGuard)
	w.wantHeld(preTool, Ready, "")
	w.settings(SystemLayer, lockGuard+"on_error = \"allow\"\n")
	w.settings(UserLayer, lockGuard)
	for h := range w.event(preTool).Due(preTool) {
		if h.Held == nil || !h.Held.Allow || !strings.HasPrefix(h.Held.At, w.system) {
			t.Errorf("%+v", h.Held)
		}
	}
}

// A hook of the project that the person locks judges too, where it is approved; a
// project without it is one where it is nowhere.
func TestLockOnAHookOfTheProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := w.hook(ProjectLayer, "guard", preTool)
	w.settings(UserLayer, lockGuard)
	w.wantHeld(preTool, Broken, "no hook goes by the name")
	w.approve()
	w.wantHeld(preTool, Ready, "")
	w.settings(ProjectLayer, "[[hooks.disable]]\nname = \"guard\"\n")
	w.approve()
	w.wantHeld(preTool, Ready, "")
	w.hookAt(dir, "guard", preTool, "matcher:", "  pattern: '('")
	w.approve()
	w.wantHeld(preTool, Broken, "pattern")
	w.file(filepath.Join(dir, "more"), "", 0o644)
	w.wantHeld(preTool, Broken, "no hook goes by the name")
}

// What was approved is found however late it is, and however much lies beside it:
// that it was skipped must not go unseen.
func TestApprovedHooksAreFoundThoughItIsLate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(ProjectLayer, "z-guard", preTool, "metadata:", "  on_error: block")
	w.approve()
	for i := range 3 * crowd {
		w.hook(ProjectLayer, "a"+strings.Repeat("b", i%40)+string(rune('a'+i/40)), preTool)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	w.src.Ctx = ctx
	set := LoadEvent(w.src, preTool, w.project)
	found := 0
	for h := range set.Due(preTool) {
		m := h.Match(toolEvent(w, "Shell", "Bash", `{"command": "ls"}`), &Budget{}, false)
		if m.OK && h.Name == "z-guard" && h.OnError == OnErrorBlock {
			found++
		} else {
			t.Errorf("%s: %+v, %s, %v", h.Name, m, h.Status, sayAll(h.Problems))
		}
	}
	if found != 1 || set.Found != 1 {
		t.Errorf("%d times found, %d in all: %v", found, set.Found, sayAll(set.Problems))
	}
}

// What a lock holds against is shown to whoever asks for all.
func TestHeldAgainst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(UserLayer, "guard", preTool)
	project := w.hook(ProjectLayer, "guard", preTool)
	user := w.settings(UserLayer, lockGuard+"[[hooks.disable]]\nname = \"guard\"\n[hooks]\nenabled = false\n")
	own := w.settings(ProjectLayer, "[[hooks.override]]\nname = \"guard\"\npriority = 1\n[[hooks.disable]]\nname = \"guard\"\n")
	w.approve()
	w.src.OffNames = []string{"guard"}
	h := find1(t, w.all(), UserLayer, "guard")
	want := []string{"[[hooks.disable]] at " + user + ":3", "[[hooks.disable]] at " + own + ":4", "[[hooks.override]] at " + own + ":3",
		"hooks.enabled = false at " + user + ":6", "AGENTS_HOOKS_DISABLED_HOOKS", "the project hook " + project}
	if h.Held == nil || h.Held.At != user+":1" || !slices.Equal(slices.Sorted(slices.Values(h.Held.Against)), slices.Sorted(slices.Values(want))) {
		t.Errorf("%+v", h.Held)
	}
}

// The least time is that of a processor while others have all of them, and no more than
// a second where nothing is done with it.
func TestTheLeastTimeIsThatOfAProcessor(t *testing.T) {
	idle := grace{t.Context(), time.Now(), processor.Time(), leastTime}
	time.Sleep(2 * leastTime)
	if err := idle.Err(); err != nil {
		t.Errorf("over before anything was done with it: %v", err)
	}
	for processor.Time()-idle.had < leastTime {
	}
	if idle.Err() == nil {
		t.Error("goes on though it was used up")
	}
	if hung := (grace{t.Context(), time.Now().Add(-ofClock * leastTime), processor.Time(), leastTime}); hung.Err() == nil {
		t.Error("goes on though the clock says it is over")
	}
}
