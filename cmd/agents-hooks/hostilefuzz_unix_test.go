//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// elements are what the paths of a random tree are made of: all names that mean
// something below a project, and some that mean nothing.
var elements = []string{
	".agents", "hooks", "own", "HOOK.md", "scripts", "run", "hooks.toml", "hook.md", "new", "memory-data", "MEMORY.md", "daily", "2025-12-17.jsonl",
	"sessions.jsonl", "facts.jsonl", "skills", "tides", "SKILL.md", "hooks.json", "a.md", ".tanmi-workspace", "graph.json", "Workspace.md", "nodes",
	".claude", "settings.local.json", ".mcp.json", ".memory-disable", ".cursor", "x", "run.sh", "\x1b]52;c;aGk=\x07", "\u202e", "…", "-rf", "$(touch pwned)",
}

// roots are where a random path begins: a stranger knows where to put it.
var roots = []string{"", ".agents", ".agents/hooks", ".agents/hooks/own", ".agents/memory-data", ".agents/skills", ".tanmi-workspace", ".cursor/skills"}

// treeOf puts attacks at random places of a project, each later one into what the
// earlier ones made, as bytes say: a root, how many elements, these, a kind.
func (g *ground) treeOf(data []byte) (put []string) {
	next := func() int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b)
	}
	kinds := attacks()
	for n := 0; len(data) > 0 && n < 24; n++ {
		path := roots[next()%len(roots)]
		for range 1 + next()%3 {
			path = filepath.Join(path, elements[next()%len(elements)])
		}
		kind := kinds[next()%len(kinds)]
		if g.reachable(path) && g.place(kind, path, n) {
			put = append(put, kind.name+" at "+path)
		}
	}
	return put
}

// reachable reports whether the way to a path has no link in it and no file: what
// this test makes lies in the project.
func (g *ground) reachable(rel string) bool {
	for dir := filepath.Dir(rel); dir != "."; dir = filepath.Dir(dir) {
		info, err := os.Lstat(filepath.Join(g.project, dir))
		if err == nil && !info.IsDir() {
			return false
		}
	}
	return true
}

// FuzzHostileTree fills a project at random, and holds four properties of the
// program as an agent starts it: nothing outside is read or written, no process
// starts that nobody approved, the person's guard judges, the answer is in time.
func FuzzHostileTree(f *testing.F) {
	for i, seed := range []string{
		"", "\x01\x00\x01\x00", "\x02\x00\x02\x00\x03\x01\x04\x09\x00\x05", "\x03\x00\x03\x0a\x03\x01\x04\x05\x17", "\x02\x00\x02\x14\x04\x00\x0a\x02\x04\x00\x0d\x09",
		strings.Repeat("\x02\x01\x08\x03\x0a\x02\x01\x02\x04\x05\x17", 4), "\x00\x00\x14\x01\x06\x00\x15\x10\x06\x01\x17\x1d\x12\x07\x00\x09\x01", "\x02\x00\x1f\x13\x02\x00\x20\x00\x02\x00\x23\x17",
		"\x05\x01\x10\x01\x0b\x05\x02\x10\x01\x13\x11\x04\x01\x0b\x0c\x12", "\x02\x00\x02\x15\x02\x00\x08\x16", "\x01\x00\x06\x10\x01\x00\x09\x12", "\x04\x00\x0a\x00\x04\x00\x0d\x00",
	} {
		if slowtest.Part(i, 5) {
			f.Add([]byte(seed))
		}
	}
	program, err := exec.LookPath("agents-hooks")
	must.Do(f, err)
	f.Fuzz(func(t *testing.T, data []byte) {
		g := newGround(t, program)
		if len(data)%2 == 0 {
			g.begin()
		}
		put := g.treeOf(data)
		before := g.outsideState()
		end := g.attack()
		g.event("SessionStart", map[string]any{"source": "startup"})
		g.guarded("t1")
		g.event("PreToolUse", map[string]any{"tool_name": "Bash", "tool_use_id": "t2", "tool_input": map[string]any{"command": "make test"}})
		g.event("UserPromptSubmit", map[string]any{"prompt": "how many cranes has the harbour?"})
		g.event("SessionEnd", map[string]any{"reason": "logout"})
		end()
		g.hold(before)
		if t.Failed() {
			t.Logf("the tree: %q", put)
		}
	})
}
