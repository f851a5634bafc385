package dispatch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func (w *world) memoryOn() {
	w.file(w.settings(), "[builtin.memory]\nenabled = true\n", 0o644)
}

// The built-in hooks run inside the dispatcher, in the form of the agent: a
// session from its begin to its end (MEM-8, MEM-10, MEM-12 d, MEM-15).
func TestBuiltinMemoryInAnAgentsForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.memoryOn()
	say := func(event, fields string) string {
		t.Helper()
		r := w.run(w.claude(event, fields), "--agent", "claude-code")
		if r.exit != 0 || r.stderr != "" {
			t.Errorf("%s: exit %d, stderr %q", event, r.exit, r.stderr)
		}
		return r.stdout
	}
	if out := say("SessionStart", `,"source":"startup"`); out != "" {
		t.Errorf("nothing is remembered, and said: %s", out)
	}
	for _, prompt := range []string{"what", "is", "this"} {
		say("UserPromptSubmit", `,"prompt":"`+prompt+`"`)
	}
	// The compaction instructions are plain text there.
	if out := say("PreCompact", `,"trigger":"auto","custom_instructions":""`); !strings.HasPrefix(out, "[Memory Flush]\n") {
		t.Errorf("%.80q", out)
	}
	has(t, "after the compaction", say("SessionStart", `,"source":"compact"`), "additionalContext", "[Memory Flush]", "memory save")
	has(t, "at the stop", say("Stop", `,"stop_hook_active":false,"last_assistant_message":"done"`), "[Session Save]", "memory summary", "--session s-1")
	if out := say("Stop", `,"stop_hook_active":true,"last_assistant_message":"saved"`); out != "" {
		t.Errorf("asked again: %s", out)
	}
	has(t, "the run log", w.log(), `"name": "memory-session-save", "layer": "builtin"`)
}

// Issue 5, 9: with memory off nothing is said and no file of its is there.
func TestBuiltinMemoryOffTouchesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"} {
		if r := w.run(w.claude(event, `,"source":"startup","prompt":"x","trigger":"auto","reason":"exit"`), "--agent", "claude-code"); r.exit != 0 || r.stdout != "" || r.stderr != "" {
			t.Errorf("%s: %+v", event, r)
		}
	}
	for _, path := range []string{filepath.Join(w.project, ".agents"), w.state()} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s was made", path)
		}
	}
}

// The environment switches on and off only where no repository may have set it.
func TestBuiltinEnvironment(t *testing.T) {
	t.Parallel()
	on := newWorld(t)
	on.env = []string{"AGENTS_HOOKS_MEMORY=1"}
	if r := on.run(on.claude("PreCompact", `,"trigger":"auto"`), "--agent", "claude-code"); r.stdout != "" {
		t.Errorf("an agent's environment switched memory on: %s", r.stdout)
	}
	has(t, "spec form", on.run(on.specEvent("pre-context-compact", "")).stdout, "[Memory Flush]")
	for _, env := range []string{"AGENTS_HOOKS_MEMORY=off", "CLAUDE_CODE_DISABLE_AUTO_MEMORY=1", "AGENTS_HOOKS_DISABLED_HOOKS=memory-flush", "AGENTS_HOOKS_DISABLE=1"} {
		w := newWorld(t)
		w.memoryOn()
		w.env = []string{env}
		if r := w.run(w.specEvent("pre-context-compact", "")); r.stdout != "" {
			t.Errorf("%s: %s", env, r.stdout)
		}
		// A repository can set an agent's environment.
		name, _, _ := strings.Cut(env, "=")
		has(t, env+" in agent form", w.run(w.claude("PreCompact", `,"trigger":"auto"`), "--agent", "claude-code").stdout, "[Memory Flush]")
		has(t, "the log", w.log(), name+": set in the environment and not read")
	}
	marked := newWorld(t)
	marked.memoryOn()
	marked.file(filepath.Join(marked.project, ".agents", ".memory-disable"), "", 0o644)
	if r := marked.run(marked.claude("PreCompact", `,"trigger":"auto"`), "--agent", "claude-code"); r.stdout != "" {
		t.Errorf("the marker file: %s", r.stdout)
	}
}

// COM-6: a text that waited, and was taken for an event which another hook then
// blocked, is delivered with the next one.
func TestCOM6DroppedTextIsPutBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.memoryOn()
	w.hook(w.userHooks(), "late", "trigger: pre-agent-turn\npriority: 10", "case $(cat) in *forbidden*) echo no >&2; exit 2 ;; esac")
	w.run(w.claude("PreCompact", `,"trigger":"auto","custom_instructions":""`), "--agent", "claude-code")
	if r := w.run(w.claude("UserPromptSubmit", `,"prompt":"forbidden"`), "--agent", "claude-code"); strings.Contains(r.stdout, "[Memory Flush]") || !strings.Contains(r.stdout+r.stderr, "no") {
		t.Errorf("the prompt was not blocked, or says more: %+v", r)
	}
	r := w.run(w.claude("UserPromptSubmit", `,"prompt":"go on"`), "--agent", "claude-code")
	has(t, "the next prompt", r.stdout, "additionalContext", "[Memory Flush]")
	if r := w.run(w.claude("UserPromptSubmit", `,"prompt":"and on"`), "--agent", "claude-code"); strings.Contains(r.stdout, "[Memory Flush]") {
		t.Errorf("delivered twice: %s", r.stdout)
	}
}
