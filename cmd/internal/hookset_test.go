package internal_test

import (
	"path/filepath"
	"slices"
	"testing"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// withHook is a machine with one hook, its user's.
func withHook(t *testing.T, name, more string) (h host.Host, dir string) {
	t.Helper()
	h = shelltest.New(t).Host
	dir = filepath.Join(h.Config, "hooks", name)
	must.Write(t, filepath.Join(dir, "HOOK.md"), "---\nname: "+name+"\ndescription: a hook\ntrigger: pre-tool-call\n"+more+"---\n")
	must.Script(t, filepath.Join(dir, "scripts", "run"), "#!/bin/sh\n")
	return h, dir
}

// All has each hook of each behaviour under the behaviour's name; Set has none of
// them until somebody enables one.
func TestBuiltInHooksGoByTheirBehaviour(t *testing.T) {
	h, _ := withHook(t, "memory-mine", "")
	all := hookset.All(h, h.Home)
	for _, b := range builtinhooks.Behaviours() {
		var have []string
		for _, hook := range hookset.BehaviourHooks(all, b.Name) {
			have = append(have, hook.Name)
		}
		if len(have) != len(b.Hooks) {
			t.Errorf("%s: %d hooks, want %d: %v", b.Name, len(have), len(b.Hooks), have)
		}
		if slices.Contains(have, "memory-mine") {
			t.Errorf("%s: has a hook of the user", b.Name)
		}
	}
	set := hookset.Set(h, h.Home)
	if len(set.Hooks) != 1 || set.Hooks[0].Name != "memory-mine" || slices.ContainsFunc(set.Layers, func(l discovery.Layer) bool { return l.Name == discovery.BuiltinLayer }) {
		t.Errorf("hooks %v of layers %v", hookset.Rows(set.Hooks), set.Layers)
	}
}

// A path means the hooks below it, however it is written.
func TestHookFoldersOfAPath(t *testing.T) {
	_, dir := withHook(t, "one", "")
	project := t.TempDir()
	must.Write(t, filepath.Join(project, ".agents", "hooks", "two", "HOOK.md"), "---\n---\n")
	must.Write(t, filepath.Join(project, ".agents", "hooks", ".hidden", "HOOK.md"), "---\n---\n")
	must.Write(t, filepath.Join(project, ".agents", "hooks", "none", "README.md"), "")
	for _, c := range []struct{ name, path, want string }{
		{"a hook's folder", dir, dir},
		{"its HOOK.md", filepath.Join(dir, "HOOK.md"), dir},
		{"a folder of hooks", filepath.Dir(dir), dir},
		{"a project", project, filepath.Join(project, ".agents", "hooks", "two")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := hookset.HookFolders(c.path); err != nil || !slices.Equal(got, []string{c.want}) {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	if got, err := hookset.HookFolders(filepath.Join(dir, "scripts", "run")); err == nil {
		t.Errorf("an entry: %v", got)
	}
}

// What an agent's own limit leaves is the limit of a hook that asks for more.
func TestExplainKnowsTheAgentsLimit(t *testing.T) {
	h, dir := withHook(t, "patient", "timeout: 600000\n")
	ev := &protocol.Event{Type: protocol.PreToolCall, WorkDir: h.Home, Call: &protocol.Call{Name: "Shell"}}
	alone := hookset.Explain(hookset.Set(h, h.Home), ev)
	ev.Agent, ev.NativeEvent = "claude-code", "PreToolUse"
	inAgent := hookset.Explain(hookset.Set(h, h.Home), ev)
	if len(alone.Hooks) != 1 || !alone.Hooks[0].Runs || alone.Hooks[0].Limit != 600_000 {
		t.Fatalf("%s alone: %+v", dir, alone.Hooks)
	}
	if got := inAgent.Hooks[0].Limit; got >= 600_000 || got <= 0 {
		t.Errorf("in an agent the limit is %d ms", got)
	}
}
