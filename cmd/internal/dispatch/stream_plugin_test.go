package dispatch

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// frame is what a plugin sends of a command.
func (w *world) frame(id, command string) string {
	return fmt.Sprintf(`{"id": %s, "hook": "tool.execute.before", "agent": "opencode", "directory": %q, "worktree": %q, "mcp": [], "state": {}, `+
		`"input": {"tool": "bash", "sessionID": "s", "callID": "call_%s"}, "output": {"args": {"command": %q}}}`, id, w.project, w.project, id, command)
}

// A plugin's line is begun and then answered, in the words of plugins, each as a process
// of its own would: a hook that was edited meanwhile is the edited one.
func TestStreamOfAPlugin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call\nmatcher:\n  command: ^rm", `echo no >&2; exit 2`)
	l := w.talk(t, "--agent=opencode")
	has(t, "hello", l.ask(`{"request": "hello", "stream": 1}`), `"hello": {"stream": 1`)
	next := func(id, command, want string) {
		t.Helper()
		if begun := l.ask(w.frame(id, command)); !strings.HasSuffix(begun, `"id": `+id+`, "begun": true}`) {
			t.Errorf("line %s: first %s", id, begun)
		}
		if got := string(l.next().Raw()); !strings.HasSuffix(got, `"id": `+id+`, "answer": `+want+`}`) {
			t.Errorf("line %s: %s, want %s", id, got, want)
		}
	}
	next("2", "ls", "{}")
	next("3", "rm -rf x", `{"block": "[guard] no"}`)
	w.file(filepath.Join(w.userHooks(), "guard", "scripts", "run"), "#!/bin/sh\n"+`printf '{"modified_input":\n {"command":\n "echo kept"}}'`+"\n", 0o755)
	next("4", "rm y", `{"args": {"command": "echo kept"}}`)
	w.hook(w.userHooks(), "other", "trigger: pre-tool-call", `echo never >&2; exit 2`)
	next("5", "ls", `{"block": "[other] never"}`)
	begun, answer := l.ask(`{"id": 6, "hook": "tool.execute.before", "input": 7`), string(l.next().Raw())
	if !strings.Contains(begun, `"begun": true`) || !strings.Contains(answer, `"answer": {`) {
		t.Errorf("a line that is no JSON: %s, %s", begun, answer)
	}
	next("7", "rm z", `{"block": "[other] never"}`)
	if code := l.end(); code != 0 {
		t.Errorf("left with %d", code)
	}
}

// An agent without a plugin of ours knows no stream: what it sends is one event.
func TestStreamIsForPlugins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", `echo no >&2; exit 2`)
	got := w.run(w.claude("PreToolUse", `,"tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t"`), "--agent=claude-code", "--stream")
	has(t, "the answer", got.stdout, `"permissionDecision": "deny"`, "[guard] no")
	hasNot(t, "the answer", got.stdout, "begun")
}
