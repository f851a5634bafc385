package discovery

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	preTool  = protocol.PreToolCall
	postTool = protocol.PostToolCall
	session  = protocol.PreSession
)

// Later layers override earlier ones by name, and it is said.
func TestOverride(t *testing.T) {
	t.Parallel()
	for _, ev := range []protocol.EventType{preTool, session} {
		w := newWorld(t)
		w.src.TrustAlways = true
		w.hook(SystemLayer, "a", ev)
		w.hook(UserLayer, "a", ev)
		w.hook(ProjectLayer, "a", ev)
		w.hook(SystemLayer, "b", ev)
		w.wantDue(ev, "system b", "project a")
		h := w.wantStatus(UserLayer, "a", Overridden)
		if want := "project " + filepath.Join(w.hooksOf(ProjectLayer), "a"); h.OverriddenBy != want {
			t.Errorf("overridden by %q, want %q", h.OverriddenBy, want)
		}
		w.wantStatus(SystemLayer, "a", Overridden)
		w.wantProblems(w.event(ev).Problems,
			`home/src/project/.agents/hooks/a/HOOK.md: name: the project hook "a" stands in place of the user hook of that name`,
			`home/src/project/.agents/hooks/a/HOOK.md: name: the project hook "a" stands in place of the system hook of that name`)
	}
}

// HM-DIS-10: by name alone. A hook of another event takes the place too, and at
// the event whose guard is gone it is said.
func TestOverrideByAnotherEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(UserLayer, "guard", preTool)
	dir := w.hook(ProjectLayer, "guard", session)
	w.wantDue(preTool, "user guard") // gap 21: not before it is trusted
	w.wantDue(session)
	w.approve()
	w.wantDue(preTool)
	w.wantDue(session, "project guard")
	w.wantProblems(w.event(preTool).Problems, `home/src/project/.agents/hooks/guard/HOOK.md: name: the project hook "guard" stands in place of the user hook of that name`)
	w.file(filepath.Join(dir, "more"), "x", 0o644)
	w.wantDue(preTool, "user guard") // any change takes the trust away
}

// What cannot run stands in nobody's place: a guard must not vanish.
func TestBrokenHookOverridesNothing(t *testing.T) {
	t.Parallel()
	unixOnly(t)
	for name, breakIt := range map[string]func(w *world, dir string){
		"front matter": func(w *world, dir string) { w.file(filepath.Join(dir, "HOOK.md"), "---\nname: guard\n", 0o644) },
		"expression": func(w *world, dir string) {
			w.hookAt(dir, "guard", preTool, "matcher:", "  pattern: '('")
		},
		"entry":       func(w *world, dir string) { w.file(filepath.Join(dir, "scripts", "run"), "", 0o644) },
		"other event": func(w *world, dir string) { w.hookAt(dir, "guard", postTool, "matcher:", "  tool: '('") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.src.TrustAlways = true
			w.hook(UserLayer, "guard", preTool)
			breakIt(w, w.hook(ProjectLayer, "guard", preTool))
			w.wantDue(preTool, "user guard")
			w.wantStatus(ProjectLayer, "guard", Broken)
		})
	}
}

// HM-DIS-12: a lock keeps a hook from being overridden or disabled by
// the layers above.
func TestLock(t *testing.T) {
	t.Parallel()
	lock := "[[hooks.lock]]\nname = \"guard\"\n"
	disable := "[[hooks.disable]]\nname = \"guard\"\n"
	override := "[[hooks.override]]\nname = \"guard\"\npriority = 1\nasync = true\n"
	t.Run("the user's keeps the project off", func(t *testing.T) {
		w := newWorld(t)
		w.src.TrustAlways = true
		w.hook(UserLayer, "guard", preTool)
		w.hook(ProjectLayer, "guard", preTool)
		file := w.settings(UserLayer, lock)
		w.settings(ProjectLayer, disable)
		w.wantDue(preTool, "user guard")
		h := w.wantStatus(ProjectLayer, "guard", Overridden)
		if !strings.HasSuffix(h.OverriddenBy, ", locked by "+file+":1") {
			t.Errorf("overridden by %q", h.OverriddenBy)
		}
		w.wantProblems(w.event(preTool).Problems, `home/.config/agents/hooks/guard/HOOK.md: name: the user hook "guard" is locked and stays in place of the project hook of that name`)
	})
	t.Run("the system's keeps the user off", func(t *testing.T) {
		w := newWorld(t)
		w.hook(SystemLayer, "guard", preTool)
		w.hook(UserLayer, "guard", preTool)
		w.settings(SystemLayer, lock)
		w.settings(UserLayer, "[hooks]\nenabled = false\n[hooks.defaults]\nasync = true\n"+disable+override)
		w.wantDue(preTool, "system guard")
		h := w.wantStatus(SystemLayer, "guard", Ready)
		if h.Priority != 100 || h.Async {
			t.Errorf("the user changed a locked hook: priority %d, async %t", h.Priority, h.Async)
		}
	})
	t.Run("and the environment", func(t *testing.T) {
		w := newWorld(t)
		w.hook(UserLayer, "guard", preTool)
		w.hook(UserLayer, "other", preTool)
		w.settings(UserLayer, lock)
		w.src.OffNames = []string{"guard"}
		w.wantDue(preTool, "user guard", "user other")
		w.src.Off = true
		w.wantDue(preTool, "user guard")
		w.wantDue(session)
	})
	t.Run("against a disable beside it, but not against the system's", func(t *testing.T) {
		w := newWorld(t)
		w.hook(UserLayer, "guard", preTool)
		w.settings(UserLayer, lock+disable)
		w.wantDue(preTool, "user guard")
		w.settings(SystemLayer, disable)
		w.wantDue(preTool)
	})
	t.Run("by another event", func(t *testing.T) {
		w := newWorld(t)
		w.src.TrustAlways = true
		w.hook(UserLayer, "guard", session)
		w.hook(ProjectLayer, "guard", preTool)
		w.settings(UserLayer, lock)
		w.wantDue(preTool)
		w.wantDue(session, "user guard")
	})
	t.Run("a lock on a name that only a weaker layer has", func(t *testing.T) {
		w := newWorld(t)
		w.src.TrustAlways = true
		w.hook(UserLayer, "guard", preTool)
		w.hook(ProjectLayer, "guard", preTool)
		w.settings(SystemLayer, lock)
		w.wantDue(preTool, "user guard")
	})
}

// gap 22: two folders of one layer with the same name.
func TestDuplicateNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hookAt(filepath.Join(w.hooksOf(UserLayer), "B"), "same", preTool)
	w.hookAt(filepath.Join(w.hooksOf(UserLayer), "a"), "same", preTool)
	w.wantDue(preTool, "user same")
	w.wantStatus(UserLayer, "B", Ready)
	h := w.wantStatus(UserLayer, "a", Broken)
	if got := w.short(h.Problems); len(got) != 2 || !strings.Contains(got[0], `"same" is the name of the hook in "B" too, which comes first and runs; give it another name`) {
		t.Errorf("problems: %q", got)
	}
	if got := w.event(preTool).Broken(preTool); len(got) != 1 || got[0].folder != "a" {
		t.Errorf("the event is told of %v", got)
	}
	w.hookAt(filepath.Join(w.hooksOf(UserLayer), "a"), "same", session)
	w.wantDue(session)
	if got := w.event(session).Broken(session); len(got) != 1 {
		t.Errorf("the first is of another event: %v", got)
	}
	if got := w.event(preTool).Broken(preTool); len(got) != 0 {
		t.Errorf("the second is of another event: %v", got)
	}
}

// HM-DIS-08: of the system directories the first wins, and nobody is broken.
func TestSystemDirectories(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := filepath.Join(w.root, "xdg2", "agents")
	w.src.System = append(w.src.System, second)
	first := w.hook(SystemLayer, "a", preTool)
	w.hookAt(filepath.Join(second, "hooks", "a"), "a", preTool)
	w.hookAt(filepath.Join(second, "hooks", "b"), "b", preTool)
	w.wantDue(preTool, "system a", "system b")
	for _, h := range w.all().Hooks {
		if h.Name == "a" && (h.Status == Ready) != (h.Dir == first) {
			t.Errorf("%s is %s", h.Dir, h.Status)
		}
	}
}

// gap 50: layer by layer, priority inside each, ties by name; or priority over all
// layers, ties by layer. A locked hook is first either way.
func TestOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.src.TrustAlways = true
	w.hook(SystemLayer, "s-low", preTool, "priority: 1")
	w.hook(SystemLayer, "s", preTool)
	w.hook(UserLayer, "u-b", preTool)
	w.hook(UserLayer, "u-a", preTool)
	w.hook(UserLayer, "u-high", preTool, "priority: 900")
	w.hook(ProjectLayer, "p", preTool)
	w.hook(ProjectLayer, "p-high", preTool, "priority: 999")
	w.src.Builtins = func() []*Hook {
		return []*Hook{builtin("memory", "x", preTool, 100), builtin("memory", "y", preTool, 950)}
	}
	w.settings(UserLayer, "[builtin.memory]\nenabled = true\n")
	w.wantDue(preTool, "system s", "system s-low", "user u-high", "user u-a", "user u-b", "project p-high", "project p", "builtin memory-y", "builtin memory-x")
	w.settings(UserLayer, "[hooks]\norder = \"priority\"\n[builtin.memory]\nenabled = true\n")
	w.wantDue(preTool, "project p-high", "builtin memory-y", "user u-high", "system s", "user u-a", "user u-b", "project p", "builtin memory-x", "system s-low")
	locks := "[builtin.memory]\nenabled = true\n[[hooks.lock]]\nname = \"p\"\n[[hooks.lock]]\nname = \"u-b\"\n[[hooks.lock]]\nname = \"s-low\"\n[[hooks.lock]]\nname = \"memory-x\"\n"
	w.settings(UserLayer, locks)
	w.wantDue(preTool, "system s-low", "user u-b", "system s", "user u-high", "user u-a", "project p", "project p-high", "builtin memory-x", "builtin memory-y")
	w.settings(UserLayer, "[hooks]\norder = \"priority\"\n"+locks)
	w.wantDue(preTool, "user u-b", "system s-low", "project p", "builtin memory-x", "project p-high", "builtin memory-y", "user u-high", "system s", "user u-a")
}

func builtin(behaviour, name string, t protocol.EventType, priority int) *Hook {
	return &Hook{Name: behaviour + "-" + name, Layer: BuiltinLayer, Behaviour: behaviour, Trigger: t, Priority: priority, Timeout: DefaultTimeout, Entry: Entry{Builtin: true}}
}

// HM-ORD-07: an overriding hook stands where its own priority and layer put it.
func TestOverrideTakesItsOwnPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.src.TrustAlways = true
	w.hook(UserLayer, "a", preTool, "priority: 900")
	w.hook(UserLayer, "b", preTool)
	w.hook(ProjectLayer, "a", preTool)
	w.wantDue(preTool, "user b", "project a")
}

// Built-in hooks run once somebody enables their behaviour, and are
// overridden by name like any other.
func TestBuiltins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	given := builtin("memory", "load", session, 200)
	w.src.Builtins = func() []*Hook { return []*Hook{given, builtin("skills", "turn", session, 150)} }
	w.wantDue(session)
	h := find1(t, w.all(), BuiltinLayer, "memory-load")
	if h.Status != Disabled || h.DisabledBy != "" {
		t.Errorf("not enabled: %s by %q", h.Status, h.DisabledBy)
	}
	if n := w.event(session).Found; n != 0 {
		t.Errorf("%d hooks exist before anything is enabled", n)
	}
	file := w.settings(UserLayer, "[builtin.memory]\nenabled = true\nmode = \"smart\"\n[builtin.skills]\nenabled = false\n")
	w.wantDue(session, "builtin memory-load")
	if h := find1(t, w.all(), BuiltinLayer, "skills-turn"); h.DisabledBy != file+":5" {
		t.Errorf("disabled by %q", h.DisabledBy)
	}
	w.settings(SystemLayer, "[builtin.memory]\nenabled = false\nmode = \"always\"\nextra = 5\n")
	w.settings(ProjectLayer, "[builtin.memory]\nextra = 6\n")
	w.approve()
	got := w.event(session).Settings.Builtin["memory"]
	if got["mode"] != "smart" || got["extra"] != int64(6) || got["enabled"] != true {
		t.Errorf("project over user over system, key by key: %v", got)
	}
	w.settings(ProjectLayer, "[[hooks.disable]]\nname = \"memory-load\"\n")
	w.approve()
	w.wantDue(session)
	w.settings(UserLayer, "[builtin.memory]\nenabled = true\n[[hooks.lock]]\nname = \"memory-load\"\n")
	w.wantDue(session, "builtin memory-load")
	w.settings(ProjectLayer, "[builtin.memory]\nenabled = false\n")
	w.approve()
	w.wantDue(session, "builtin memory-load")
	w.settings(UserLayer, "[builtin.memory]\nenabled = true\n")
	w.wantDue(session)
	w.settings(UserLayer, "[builtin.memory]\nenabled = true\n")
	w.settings(ProjectLayer, "")
	w.approve()
	w.hook(UserLayer, "memory-load", session)
	w.wantDue(session, "user memory-load")
	if given.Status != "" || given.Problems != nil {
		t.Errorf("the caller's hook was changed: %+v", given)
	}
}

// The name of a behaviour may have a hyphen, and may begin with another one's.
func TestABehaviourIsSwitchedByItsWholeName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.src.Builtins = func() []*Hook {
		return []*Hook{builtin("quiet", "say", session, 200), builtin("quiet-hours", "say", session, 150)}
	}
	for name, want := range map[string]string{"quiet": "builtin quiet-say", "quiet-hours": "builtin quiet-hours-say"} {
		w.settings(UserLayer, "[builtin."+name+"]\nenabled = true\n")
		w.wantDue(session, want)
	}
}

// A single hook, or all, can be switched off, and explain says by what.
func TestDisable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.src.TrustAlways = true
	w.hook(SystemLayer, "s", preTool)
	w.hook(UserLayer, "u", preTool)
	w.hook(ProjectLayer, "p", preTool)
	w.wantDue(preTool, "system s", "user u", "project p")
	file := w.settings(UserLayer, "[[hooks.disable]]\nname = \"p\"\n\n[[hooks.disable]]\nname = \"s\"\n")
	w.wantDue(preTool, "user u")
	if h := w.wantStatus(SystemLayer, "s", Disabled); h.DisabledBy != file+":4" {
		t.Errorf("disabled by %q", h.DisabledBy)
	}
	w.src.OffNames = []string{"u"}
	w.wantDue(preTool)
	if h := w.wantStatus(UserLayer, "u", Disabled); h.DisabledBy != "AGENTS_HOOKS_DISABLED_HOOKS" {
		t.Errorf("disabled by %q", h.DisabledBy)
	}
	w.src.OffNames, w.src.Off = nil, true
	w.wantDue(preTool)
	if h := w.wantStatus(UserLayer, "u", Disabled); h.DisabledBy != "AGENTS_HOOKS_DISABLE" {
		t.Errorf("disabled by %q", h.DisabledBy)
	}
	w.src.Off = false
	file = w.settings(UserLayer, "[hooks]\nenabled = false\n")
	w.wantDue(preTool)
	if h := w.wantStatus(UserLayer, "u", Disabled); h.DisabledBy != file+":2" {
		t.Errorf("disabled by %q", h.DisabledBy)
	}
	w.settings(UserLayer, "")
	w.src.NoProject = true
	w.wantDue(preTool, "system s", "user u")
	w.src.NoProject = false
	// gap 23: a project reaches only its own.
	w.settings(ProjectLayer, "[[hooks.disable]]\nname = \"u\"\n[[hooks.disable]]\nname = \"p\"\n")
	w.wantDue(preTool, "system s", "user u")
}

// A broken hook does not touch its neighbours and is told of on
// each event that it could have served, unless it was disabled.
func TestBroken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(UserLayer, "good", preTool)
	w.file(filepath.Join(w.hooksOf(UserLayer), "no-yaml", "HOOK.md"), "---\nname: [\n---\n", 0o644)
	w.file(filepath.Join(w.hooksOf(UserLayer), "no-trigger", "HOOK.md"), "---\nname: no-trigger\n---\n", 0o644)
	w.hook(UserLayer, "bad-trigger", "on-save")
	w.hook(UserLayer, "bad-regexp", preTool, "matcher:", "  tool: '('")
	w.hook(UserLayer, "bad-matcher", preTool, "matcher: Shell")
	w.hook(UserLayer, "bad-elsewhere", session, "matcher: Shell")
	w.wantDue(preTool, "user good")
	broken := func(t protocol.EventType) string {
		var names []string
		for _, h := range w.event(t).Broken(t) {
			names = append(names, h.Name)
		}
		return strings.Join(names, " ")
	}
	if got := broken(preTool); got != "bad-matcher bad-trigger no-trigger no-yaml" {
		t.Errorf("%s is told of %s", preTool, got)
	}
	if got := broken(session); got != "bad-elsewhere bad-trigger no-trigger no-yaml" {
		t.Errorf("%s is told of %s", session, got)
	}
	for _, name := range []string{"no-yaml", "no-trigger", "bad-trigger", "bad-regexp", "bad-matcher", "bad-elsewhere"} {
		h := w.wantStatus(UserLayer, name, Broken)
		if len(h.Problems) == 0 || h.Problems[0].File != filepath.Join(h.Dir, "HOOK.md") {
			t.Errorf("%s: problems %v", name, h.Problems)
		}
	}
	w.settings(UserLayer, "[[hooks.disable]]\nname = \"no-yaml\"\n[[hooks.disable]]\nname = \"bad-matcher\"\n")
	if got := broken(preTool); got != "bad-trigger no-trigger" {
		t.Errorf("after two were disabled, %s is told of %s", preTool, got)
	}
}

// A hook that waits for no tool has no use for its matcher, not even a broken
// one.
func TestUnusedMatcherBreaksNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(UserLayer, "a", session, "matcher:", "  tool: '('")
	w.wantDue(session, "user a")
	h := w.wantStatus(UserLayer, "a", Ready)
	if got := w.short(h.Problems); len(got) != 2 || !strings.Contains(strings.Join(got, "\n"), `matcher.tool: "(" does not compile`) {
		t.Errorf("problems: %q", got)
	}
}

// gap 16: another program's HOOK.md is named and never run.
func TestForeign(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := filepath.Join(w.hooksOf(UserLayer), "by-handler")
	w.file(filepath.Join(a, "HOOK.md"), "---\nname: by-handler\ndescription: x\n---\n", 0o644)
	w.file(filepath.Join(a, "handler.ts"), "", 0o644)
	w.file(filepath.Join(a, "scripts", "run"), "", 0o755)
	w.file(filepath.Join(w.hooksOf(UserLayer), "by-metadata", "HOOK.md"), "---\nname: x\ndescription: x\nmetadata:\n  openclaw:\n    emoji: y\n---\n", 0o644)
	w.wantDue(preTool)
	set := w.event(preTool)
	if n := len(set.Broken(preTool)); n != 0 || set.Found != 0 {
		t.Errorf("%d broken, %d found", n, set.Found)
	}
	w.wantStatus(UserLayer, "by-handler", Foreign)
	w.wantStatus(UserLayer, "by-metadata", Foreign)
}

// What is a hook in a hooks folder.
func TestWhatIsAHook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hooks := w.hooksOf(UserLayer)
	w.hookAt(filepath.Join(hooks, ".hidden"), "hidden", preTool)
	w.hookAt(filepath.Join(hooks, "pack", "deep"), "deep", preTool)
	w.hookAt(filepath.Join(hooks, "repo", "hooks", "deeper"), "deeper", preTool)
	w.file(filepath.Join(hooks, "HOOK.md"), "---\nname: top\n---\n", 0o644)
	w.file(filepath.Join(hooks, "README.md"), "x", 0o644)
	w.dir(filepath.Join(hooks, "empty"))
	lower := filepath.Join(hooks, "lower")
	w.hookAt(lower, "lower", preTool)
	must.Do(t, os.Rename(filepath.Join(lower, "HOOK.md"), filepath.Join(lower, "hook.md")))
	both := filepath.Join(hooks, "both")
	w.file(filepath.Join(both, "hook.md"), "---\nname: wrong\n---\n", 0o644)
	w.hookAt(both, "both", preTool)
	w.wantDue(preTool, "user both", "user lower")
	w.wantProblems(w.all().Problems,
		"home/.config/agents/hooks/pack: is a folder of hooks, not a hook (deep/HOOK.md): nothing in it runs; move it out of the hooks folder, then agents-hooks add FOLDER takes its hooks, and pins them",
		"home/.config/agents/hooks/repo: is a folder of hooks, not a hook (hooks/deeper/HOOK.md): nothing in it runs; move it out of the hooks folder, then agents-hooks add FOLDER takes its hooks, and pins them")
	if n := w.event(preTool).Found; n != 2 {
		t.Errorf("%d hooks found", n)
	}
}

// HM-DIS-14: no layer at all is no problem.
func TestNothingThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	set := w.event(preTool)
	if len(set.Hooks)+len(set.Problems)+len(set.Layers)+set.Found != 0 || !set.Settings.Enabled || set.Settings.StopRow != 5 || set.Settings.StopTotal != 20 {
		t.Errorf("%+v", set)
	}
	if n := len(w.all().Layers); n != 2 {
		t.Errorf("looked in %d layers, want system and user", n)
	}
	set = LoadEvent(Sources{}, preTool, "")
	if len(set.Hooks)+len(set.Problems) != 0 {
		t.Errorf("no sources: %+v", set)
	}
}
