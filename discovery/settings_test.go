package discovery

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// HM-CFG-01: the environment over the user's file, that over the
// system's, the first system directory over the next.
func TestSettingsPrecedence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := filepath.Join(w.root, "xdg2", "agents")
	w.src.System = append(w.src.System, second)
	w.file(filepath.Join(second, "hooks.toml"), "[hooks]\non_error = \"block\"\ndeny_json = \"block\"\norder = \"layer\"\n", 0o644)
	w.settings(SystemLayer, "[hooks]\non_error = \"allow\"\ndeny_json = \"block\"\non_unsupported = \"drop\"\n[hooks.defaults]\ntimeout = 1000\n")
	w.settings(UserLayer, "[hooks]\ndeny_json = \"warn\"\nblocked_command = \"block\"\nshell = \"none\"\nstop_limit = {row = 2, total = 4}\n")
	s := w.event(preTool).Settings
	if !s.PlainBlock || !s.NoShell || s.OnError != OnErrorAllow || s.DenyJSON || s.Order != OrderLayer || s.OnUnsupported != protocol.UnsupportedDrop ||
		s.StopRow != 2 || s.StopTotal != 4 || !s.Enabled || s.Debug {
		t.Errorf("%+v", s)
	}
	w.src.Debug = true
	w.src.Off = true
	if s := w.event(preTool).Settings; !s.Debug || s.Enabled {
		t.Errorf("the environment: %+v", s)
	}
	w.settings(ProjectLayer, "[hooks]\non_error = \"block\"\ndeny_json = \"block\"\non_unsupported = \"block\"\nstop_limit = 99\n")
	w.approve()
	s = w.all().Settings
	if s.OnError != OnErrorAllow || s.DenyJSON || s.StopRow != 2 || s.OnUnsupported != protocol.UnsupportedBlock {
		t.Errorf("HM-CFG-09, with a project's file: %+v", s)
	}
}

// HM-CFG-03, HM-CFG-04, HM-CFG-08: overrides and defaults, and whom they reach.
func TestOverridesAndDefaults(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.src.TrustAlways = true
	w.hook(UserLayer, "u", preTool)
	w.hook(UserLayer, "says", preTool, "timeout: 9000", "async: false", "metadata:", "  on_error: block")
	w.hook(ProjectLayer, "p", preTool)
	w.hook(ProjectLayer, "q", preTool)
	w.settings(SystemLayer, "[hooks.defaults]\ntimeout = 1000\n[[hooks.override]]\nname = \"p\"\npriority = 7\ntimeout = 700\n")
	w.settings(UserLayer, "[hooks.defaults]\ntimeout = 2000\nasync = true\n[[hooks.override]]\nname = \"p\"\ntimeout = 800\non_error = \"allow\"\n[[hooks.override]]\nname = \"says\"\non_error = \"allow\"\n")
	w.settings(ProjectLayer, "[hooks]\non_error = \"block\"\ndeny_json = \"block\"\n[hooks.defaults]\ntimeout = 3000\n[[hooks.override]]\nname = \"p\"\npriority = 9\nasync = false\ntimeout = 900\n[[hooks.override]]\nname = \"u\"\npriority = 999\non_error = \"block\"\n")
	check := func(layer LayerName, name string, priority int, timeout time.Duration, async bool, onError OnError, deny bool) {
		t.Helper()
		for _, set := range []*Set{w.all(), w.event(preTool)} {
			h := find1(t, set, layer, name)
			if h.Priority != priority || h.Timeout != timeout || h.Async != async || h.OnError != onError || h.DenyJSON != deny {
				t.Errorf("%s: priority %d, timeout %v, async %t, on_error %q, deny %t", name, h.Priority, h.Timeout, h.Async, h.OnError, h.DenyJSON)
			}
		}
	}
	check(UserLayer, "u", 100, 2*time.Second, true, "", false)
	check(UserLayer, "says", 100, 9*time.Second, false, OnErrorAllow, false)
	check(ProjectLayer, "p", 7, 800*time.Millisecond, false, OnErrorAllow, true)
	check(ProjectLayer, "q", 100, 3*time.Second, true, OnErrorBlock, true)
}

// HM-CFG-12: what is no TOML counts as empty, and is told at each event.
func TestBrokenSettings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(UserLayer, "u", preTool)
	w.settings(UserLayer, "[hooks]\nenabled = flase\n")
	w.wantDue(preTool, "user u")
	w.wantProblems(w.event(preTool).Problems, `home/.config/agents/hooks.toml:2:11: hooks.enabled: no valid TOML: expected value but found "flase" instead; the file counts as empty until then`)
}

// Explain names the first gate that a hook failed, in one order.
func TestExplain(t *testing.T) {
	t.Parallel()
	unixOnly(t)
	w := newWorld(t)
	w.src.Builtins = func() []*Hook { return []*Hook{builtin("memory", "x", preTool, 100)} }
	w.hook(UserLayer, "runs", preTool, "matcher:", "  pattern: push")
	w.hook(UserLayer, "first", preTool, "priority: 900")
	w.hook(UserLayer, "no-tool", preTool, "matcher:", "  tool: ^Edit$", "  pattern: nothing")
	w.hook(UserLayer, "no-pattern", preTool, "matcher:", "  tool: Shell", "  pattern: pull")
	w.hook(UserLayer, "no-trigger", session)
	w.hook(UserLayer, "off", session) // disabled comes before trigger
	w.hook(UserLayer, "both", preTool)
	w.hook(UserLayer, "locked", preTool)
	w.hook(ProjectLayer, "locked", session)
	foreign := filepath.Join(w.hooksOf(UserLayer), "foreign")
	w.file(filepath.Join(foreign, "HOOK.md"), "---\nname: foreign\nmetadata: {openclaw: {}}\n---\n", 0o644)
	w.hook(ProjectLayer, "new", session) // untrusted comes before trigger
	w.hook(ProjectLayer, "broken", session, "timeout: 1", "timeout: 2")
	file := w.settings(UserLayer, "[[hooks.disable]]\nname = \"off\"\n[[hooks.disable]]\nname = \"both\"\n[[hooks.lock]]\nname = \"locked\"\n")
	w.hook(SystemLayer, "locked", preTool)

	set := w.all()
	got := map[string]Explanation{}
	var order []string
	for _, e := range set.Explain(toolEvent(t, "Shell", "run_shell_command", `{"command": "git push"}`)) {
		got[string(e.Hook.Layer)+" "+e.Hook.folder] = e
		if e.Gate == "" {
			order = append(order, e.Hook.Name)
		}
	}
	if want := []string{"locked", "first", "runs"}; !slices.Equal(order, want) {
		t.Errorf("runs %q, want %q", order, want)
	}
	for name, want := range map[string]struct{ gate, detail, tried string }{
		"user runs":        {"", "", "git push"},
		"user no-tool":     {"tool", `matcher.tool "^Edit$" was found in none of the tool's names`, "Shell run_shell_command"},
		"user no-pattern":  {"pattern", `matcher.pattern "pull" was not found in the 1 text of the input`, "git push"},
		"user no-trigger":  {"trigger", "it waits for pre-session, and this is pre-tool-call", ""},
		"user off":         {"disabled", "it is switched off by " + file + ":1", ""},
		"user both":        {"disabled", "it is switched off by " + file + ":3", ""},
		"user foreign":     {"foreign", "its HOOK.md belongs to another program", ""},
		"project new":      {"untrusted", "nobody has approved it as it is: agents-hooks trust", ""},
		"project broken":   {"broken", filepath.Join(w.hooksOf(ProjectLayer), "broken", "HOOK.md") + `:6:1: timeout: the key "timeout" stands twice, first on line 5; remove one of the two`, ""},
		"project locked":   {"overridden", "the user " + filepath.Join(w.hooksOf(UserLayer), "locked") + ", locked by " + file + ":5 stands in its place", ""},
		"system locked":    {"overridden", "the user " + filepath.Join(w.hooksOf(UserLayer), "locked") + " stands in its place", ""},
		"builtin memory-x": {"disabled", "[builtin.memory] is not enabled", ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := got[name]
			if e.Gate != want.gate || e.Detail != want.detail || strings.Join(e.Tried, " ") != want.tried {
				t.Errorf("gate %q, detail %q, tried %q; want %q, %q, %q", e.Gate, e.Detail, e.Tried, want.gate, want.detail, want.tried)
			}
		})
	}
}

// An event reads no more than it needs.
func TestProgressiveDisclosure(t *testing.T) {
	t.Parallel()
	unixOnly(t)
	w := newWorld(t)
	w.hook(UserLayer, "due", preTool)
	w.hook(UserLayer, "elsewhere", postTool, "matcher:", "  tool: '('")
	os.RemoveAll(filepath.Join(w.hooksOf(UserLayer), "elsewhere", "scripts"))
	w.hook(UserLayer, "not-now", preTool, "matcher:", "  tool: Edit", "  pattern: '('")
	os.RemoveAll(filepath.Join(w.hooksOf(UserLayer), "not-now", "scripts"))
	set := w.event(preTool)
	if len(set.Hooks) != 2 || set.Found != 3 || set.Settings.Builtin != nil {
		t.Errorf("%d hooks of %d", len(set.Hooks), set.Found)
	}
	var b Budget
	for _, h := range set.Ready(preTool) {
		if h.Entry.Path != "" || h.tried[0] != nil {
			t.Errorf("%s: looked at before its turn", h.Name)
		}
		h.Match(toolEvent(t, "Shell", "Bash", "{}"), &b, false)
		if (h.Entry.Path != "") != (h.Name == "due") || h.tried[1] != nil || h.Status != Ready {
			t.Errorf("%s: entry %q, %s", h.Name, h.Entry.Path, h.Status)
		}
	}
	if n := len(set.Broken(preTool)); n != 0 {
		t.Errorf("%d hooks are broken that this call was not for", n)
	}
}

// A long front matter is read to its end, in one more read.
func TestFrontMatterOverTheFirstRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(UserLayer, "long", preTool, "# "+strings.Repeat("x", 3*firstRead), "priority: 7")
	w.wantDue(preTool, "user long")
	if h := w.wantStatus(UserLayer, "long", Ready); h.Priority != 7 {
		t.Errorf("priority %d", h.Priority)
	}
}

// A folder that was added, changed or removed counts at the next event.
func TestNoCache(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.wantDue(preTool)
	dir := w.hook(UserLayer, "a", preTool)
	w.wantDue(preTool, "user a")
	w.hook(UserLayer, "a", session)
	w.wantDue(preTool)
	w.hook(UserLayer, "a", preTool)
	os.RemoveAll(dir)
	w.wantDue(preTool)
}

// A command of what is built in reads the settings that an event would read, and
// no hook.
func TestLoadSettingsReadsNoHook(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(UserLayer, "fine", protocol.PreSession)
	w.file(filepath.Join(w.hooksOf(UserLayer), "broken", "HOOK.md"), "---\nname: [\n", 0o644)
	w.file(filepath.Join(w.system, "hooks.toml"), "[builtin.memory]\nbudget = 900\nrecall = 2\n", 0o644)
	w.file(filepath.Join(w.user, "hooks.toml"), "[builtin.memory]\nbudget = 1000\n", 0o644)
	w.file(filepath.Join(w.project, ".agents", "hooks.toml"), "[builtin.memory]\nbudget = 2000\n", 0o644)
	below := filepath.Join(w.project, "below")
	w.dir(below)
	for _, always := range []bool{false, true} {
		w.src.TrustAlways = always
		set, event := LoadSettings(w.src, below), LoadEvent(w.src, protocol.PreSession, below)
		event.Open()
		want := map[bool]int64{false: 1000, true: 2000}[always]
		if got := set.Settings.Builtin["memory"]; got["budget"] != want || got["recall"] != int64(2) || !reflect.DeepEqual(got, event.Settings.Builtin["memory"]) {
			t.Errorf("trusted %t: %v, and for an event %v", always, got, event.Settings.Builtin["memory"])
		}
		if set.Project != w.project || len(set.Hooks) != 0 || set.Found != 0 || len(event.Hooks) == 0 {
			t.Errorf("project %q, %d hooks, %d found", set.Project, len(set.Hooks), set.Found)
		}
	}
}
