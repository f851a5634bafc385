package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/hooks"
)

// Within the framework a guard blocks a tool, an input is changed, context is added, and
// a gate has the agent go on.
func TestHooksHoldInTheFramework(t *testing.T) {
	home := t.TempDir()
	hook := func(name, front, script string) {
		dir := filepath.Join(home, ".config", "agents", "hooks", name)
		if err := os.MkdirAll(filepath.Join(dir, "scripts"), 0o755); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{
			"HOOK.md":     "---\nname: " + name + "\ndescription: d.\n" + front + "\n---\n",
			"scripts/run": "#!/bin/sh\n" + script + "\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	hook("guard", "trigger: pre-tool-call\nmatcher: {tool: Shell, command: touch}", `echo "make no files" >&2; exit 2`)
	hook("rewrite", "trigger: pre-tool-call\nmatcher: {command: 'echo old'}", `echo '{"modified_input": {"command": "echo new"}}'`)
	hook("day", "trigger: pre-agent-turn", `echo '{"additional_context": "It is Monday."}'`)
	hook("gate", "trigger: pre-agent-turn-stop\nmetadata: {loop_limit: 1}", `echo "say it louder" >&2; exit 2`)

	h, err := hooks.New(hooks.Options{Agent: "eino-example", WorkDir: home, Env: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_CONFIG_DIRS=" + home}})
	if err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(home, "made")
	m := &scripted{commands: []string{"touch " + made, "echo old"}}
	s := h.Session("")
	agent, err := newAgent(t.Context(), s, m)
	if err != nil {
		t.Fatal(err)
	}
	said, err := Turn(t.Context(), s, agent, "go")
	if err != nil || !strings.Contains(said, "say it louder") {
		t.Errorf("%q %v", said, err)
	}
	if _, err := os.Stat(made); err == nil {
		t.Error("the guard did not hold")
	}
	var read []string
	for _, messages := range m.read {
		read = append(read, messages[len(messages)-1].Content)
	}
	for i, want := range []string{"It is Monday.", "[guard] make no files", "new", "say it louder"} {
		if len(read) != 4 || !strings.Contains(read[i], want) {
			t.Errorf("the model read %q, want %q at %d", read, want, i)
		}
	}
}
