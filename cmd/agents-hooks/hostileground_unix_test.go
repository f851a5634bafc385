//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// canary stands in whatever lies outside of a hostile project.
const canary = "canary-outside"

// slowest is how long any one process may take, whatever lies in the project.
const slowest = 20 * time.Second

// A ground is a project that a stranger filled, the home directory of a person
// who has a guard, and a place outside with a canary in each file.
type ground struct {
	testing.TB
	program                      string
	root, project, home, outside string
	more                         []string // of the environment
	said                         bytes.Buffer
	took                         time.Duration            // the longest process
	meanwhile                    []func(project *os.Root) // what goes on, again and again
}

func newGround(t testing.TB, program string) *ground {
	t.Helper()
	root, err := os.MkdirTemp("", "hostile")
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	must.Do(t, err)
	// Not the test's own: what lies in it may not be readable, or be no file.
	t.Cleanup(func() { _ = exec.Command("rm", "-rf", root).Run() })
	g := &ground{TB: t, program: program, root: root, project: filepath.Join(root, "home", "project"), home: filepath.Join(root, "home"), outside: filepath.Join(root, "outside")}
	archive, err := txtar.ParseFile(filepath.Join("..", "..", "builtin-hooks", "workspace", "testdata", "store.txtar"))
	must.Do(t, err)
	for _, f := range archive.Files {
		name := strings.Replace(strings.Replace(f.Name, "HOME", g.home, 1), "PROJECT", g.project, 1)
		g.put(name, strings.ReplaceAll(string(f.Data), `"PROJECT"`, string(protocol.Quote(g.project))), 0o600)
	}
	hook := func(name, trigger string) string {
		return "---\nname: " + name + "\ndescription: A hook.\ntrigger: " + trigger + "\n---\n"
	}
	for name, text := range map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", "package.json": `{"name": "harbour"}`, "go.mod": "module harbour\n", "main.go": "package main\n",
		".agents/hooks.toml": "[hooks]\n", ".agents/hooks/own/HOOK.md": hook("own", "pre-tool-call"), ".agents/hooks/own/scripts/run": "#!/bin/sh\nexit 0\n",
		".agents/hooks/own/tests/first.txtar": "title: says nothing\n-- event.json --\n{\"event_type\": \"pre-tool-call\", \"work_dir\": \"@PROJECT@\", \"tool_name\": \"Shell\", \"tool_input\": {\"command\": \"ls\"}}\n-- want --\nexit: 0\n",
		".agents/hooks/new/HOOK.md":           hook("new", "pre-agent-turn"), ".agents/hooks/new/scripts/run": "#!/bin/sh\ntouch " + filepath.Join(g.root, "pwned") + "\n",
		".agents/memory-data/MEMORY.md": "# Core\n\n- the harbour has four cranes\n", ".agents/memory-data/NOTES.md": "- the ferry is red\n",
		".agents/memory-data/daily/2025-12-17.jsonl": `{"id":"log-1","type":"fact","memory_type":"W","content":"the pool holds forty","timestamp":"2025-12-17T10:00:00Z"}` + "\n",
		".agents/memory-data/facts.jsonl":            `{"id":"f-1","type":"W","content":"an old fact","timestamp":"2025-12-16T10:00:00Z"}` + "\n",
		".agents/memory-data/sessions.jsonl":         `{"id":"sum-1","session_id":"s0","topic":"cranes","summary":"all were painted","timestamp":"2025-12-17T10:00:00Z"}` + "\n",
		".agents/skills/tides/SKILL.md":              "---\nname: tides\ndescription: Of tides.\n---\n",
		".agents/skills/tides/hooks/hooks.json":      `{"hooks": [{"name": "a", "file": "a.md", "timing": "after_user_input", "role": "user", "persistent": false}]}`,
		".agents/skills/tides/hooks/a.md":            "mind the tide\n",
	} {
		g.put(filepath.Join(g.project, filepath.FromSlash(name)), text, 0o755)
	}
	config := filepath.Join(g.home, ".config", "agents")
	g.put(filepath.Join(config, "hooks.toml"), "[builtin.memory]\nenabled = true\nrecall = 3\n[builtin.workspace]\nenabled = true\n[builtin.skills]\nenabled = true\n[builtin.evolution]\nenabled = true\n", 0o600)
	g.put(filepath.Join(config, "hooks", "guard", "HOOK.md"), strings.Replace(hook("guard", "pre-tool-call"), "\n---\n", "\nmatcher:\n  tool: Shell\n---\n", 1), 0o600)
	g.put(filepath.Join(config, "hooks", "guard", "scripts", "run"), "#!/bin/sh\ncase $(cat) in *--force*) echo no force push >&2; exit 2 ;; esac\n", 0o755)
	return g
}

func (g *ground) put(path, text string, mode fs.FileMode) {
	g.Helper()
	must.Do(g, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(g, os.WriteFile(path, []byte(text), mode))
}

// run runs the program once, and keeps all that it says.
func (g *ground) run(stdin string, words ...string) string {
	g.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), slowest)
	defer cancel()
	cmd := exec.CommandContext(ctx, g.program, words...)
	cmd.Dir, cmd.Stdin, cmd.WaitDelay = g.project, strings.NewReader(stdin), time.Second
	cmd.Env = append([]string{"HOME=" + g.home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + g.root, "LANG=C.UTF-8", "WORDS_OF_MINE=" + canary}, g.more...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	begun := time.Now()
	_ = cmd.Run()
	if took := time.Since(begun); took > g.took {
		g.took = took
	}
	if ctx.Err() != nil {
		g.Errorf("%q did not end within %v", words, slowest)
	}
	fmt.Fprintf(&g.said, "$ %.200q\n%s\n", words, out.Bytes())
	return out.String()
}

// event sends an event of Claude Code, by an entry as install writes it.
func (g *ground) event(name string, members map[string]any) string {
	g.Helper()
	all := map[string]any{"session_id": "abc123", "cwd": g.project, "hook_event_name": name}
	maps.Copy(all, members)
	b, err := json.Marshal(all)
	must.Do(g, err)
	at := func(words ...string) string { return filepath.Join(append([]string{g.home}, words...)...) }
	return g.run(string(b), "run", "--agent=claude-code", "--home="+g.home, "--config="+at(".config", "agents"), "--state="+at(".local", "state", "agents-hooks"),
		"--cache="+at(".cache", "agents-hooks"), "--data="+at(".local", "share", "agents-hooks"), "--system="+filepath.Join(g.root, "etc"))
}

// guarded sends a call that the person's guard has to stop.
func (g *ground) guarded(id string) {
	g.Helper()
	answer := g.event("PreToolUse", map[string]any{"tool_name": "Bash", "tool_use_id": id, "tool_input": map[string]any{"command": "git push --force"}})
	if !strings.Contains(answer, "no force push") || !strings.Contains(answer, `"deny"`) {
		g.Errorf("the person's guard did not judge: %.1000s", answer)
	}
}

// session is what happens between the begin and the end of one.
func (g *ground) session() {
	g.Helper()
	file := filepath.Join(g.project, "main.go")
	g.event("SessionStart", map[string]any{"source": "startup"})
	g.event("UserPromptSubmit", map[string]any{"prompt": "how many cranes has the harbour, and what does the pool hold?"})
	g.guarded("t1")
	g.event("PreToolUse", map[string]any{"tool_name": "Bash", "tool_use_id": "t2", "tool_input": map[string]any{"command": "make test"}})
	g.event("PostToolUse", map[string]any{"tool_name": "Edit", "tool_use_id": "t3", "tool_input": map[string]any{"file_path": file, "old_string": "a", "new_string": "b"}, "tool_response": map[string]any{"filePath": file}})
	g.event("PostToolUseFailure", map[string]any{"tool_name": "Bash", "tool_use_id": "t4", "tool_input": map[string]any{"command": "go test ./..."}, "error": "exit 1: undefined: crane"})
	g.event("PreCompact", map[string]any{"trigger": "auto"})
	g.event("Stop", nil)
	g.event("SessionEnd", map[string]any{"reason": "logout"})
}

// commands are what a person does in a project; projects are the agents that have
// a configuration there.
func (g *ground) commands(projects []string) {
	g.Helper()
	const space, node = "ws-mjb65az5-0wcjuu", "node-mjb6mj4h-a60yht"
	for _, words := range [][]string{
		{"list"}, {"validate"}, {"validate", "--fix", ".agents/hooks/own"}, {"trust", "--show"}, {"explain", "pre-tool-call"}, {"prompt"}, {"doctor"},
		{"test", ".agents/hooks/own"}, {"new", "third", "--project"}, {"disable", "own", "--project"}, {"enable", "own", "--project"}, {"enable", "memory", "--project"},
		{"skills", "list"}, {"memory", "list"}, {"memory", "search", "cranes"}, {"memory", "save", "--content", "the quay was mended in May"}, {"memory", "doctor"},
		{"memory", "summary", "--session", "abc123", "--topic", "quay", "--summary", "mended"}, {"memory", "accept", "--show"},
		{"memory", "export"}, {"evolution", "list"}, {"skills", "explain", "tides"}, {"workspace", "tree", "--workspace-id", space},
		{"workspace", "list"}, {"workspace", "context", "get", "--workspace-id", space, "--node-id", node},
		{"workspace", "log", "append", "--workspace-id", space, "--node-id", node, "--operator", "AI", "--event", "looked"},
	} {
		g.run("", words...)
	}
	g.run(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"cranes"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"memory_save","arguments":{"content":"the crane was oiled"}}}
`, "mcp")
	g.run("", append(append([]string{"install"}, projects...), "--project", "--guides", "--mcp")...)
	g.run("", append(append([]string{"uninstall"}, projects...), "--project")...)
}

// outsideState is all that lies outside: names, kinds and bytes.
func (g *ground) outsideState() string {
	var b strings.Builder
	_ = filepath.WalkDir(g.outside, func(path string, e fs.DirEntry, err error) error {
		fmt.Fprintf(&b, "%s", path)
		if err == nil && e.Type().IsRegular() {
			text, _ := os.ReadFile(path)
			fmt.Fprintf(&b, " %s", text)
		}
		b.WriteByte('\n')
		return nil
	})
	return b.String()
}

// changedLines are the lines that stand in one text only.
func changedLines(before, after string) string {
	var b strings.Builder
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	for _, turn := range []struct {
		mark       string
		list, than []string
	}{{"- ", old, now}, {"+ ", now, old}} {
		for _, line := range turn.list {
			if !slices.Contains(turn.than, line) {
				b.WriteString("\n" + turn.mark + line)
			}
		}
	}
	return b.String()
}

// kept are the files of the person that hold a text: what was read outside may
// stand in a log, an index, a state.
func (g *ground) kept(text string) (files []string) {
	for _, dir := range []string{".local", ".cache", ".config", ".claude"} {
		_ = filepath.WalkDir(filepath.Join(g.home, dir), func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				if b, _ := os.ReadFile(path); bytes.Contains(b, []byte(text)) {
					files = append(files, path)
				}
			}
			return nil
		})
	}
	return files
}

// hold looks at the four properties; what lay outside before is given.
func (g *ground) hold(before string) {
	g.Helper()
	said := g.said.String()
	if i := strings.Index(said, canary); i >= 0 {
		g.Errorf("what lies outside is said: …%s", said[max(0, i-300):min(len(said), i+100)])
	}
	if files := g.kept(canary); len(files) > 0 {
		g.Errorf("what lies outside is kept in %q", files)
	}
	if after := g.outsideState(); after != before {
		g.Errorf("outside changed: %s", changedLines(before, after))
	}
	if _, err := os.Lstat(filepath.Join(g.root, "pwned")); err == nil {
		g.Error("a process was started that nobody approved")
	}
	if strings.Contains(said, "internal error") || strings.Contains(said, "goroutine ") {
		g.Errorf("a crash of ours: %.3000s", said[max(0, strings.Index(said, "internal error")):])
	}
	for _, file := range g.kept("internal error") {
		b, _ := os.ReadFile(file)
		i := bytes.Index(b, []byte("internal error"))
		g.Errorf("a crash of ours stands in %s: %.2000s", file, b[i:])
	}
}
