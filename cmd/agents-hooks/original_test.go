package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// original is the server of TanmiWorkspace itself, in a home of ours: the program that
// AGENTS_HOOKS_TANMI names, or the one that npm installed.
func original(t *testing.T, h mcpHome) *sdk.ClientSession {
	t.Helper()
	program := os.Getenv("AGENTS_HOOKS_TANMI")
	if program == "" {
		found, err := exec.LookPath("tanmi-workspace")
		if err != nil {
			t.Skip("tanmi-workspace 1.9.1 is not installed here: npm i -g tanmi-workspace, where a registry has it, or AGENTS_HOOKS_TANMI=PROGRAM; its forms alone are held by TestRoundTrip and TestNewFilesAreTheirs")
		}
		program = found
	}
	cmd := exec.Command(program)
	cmd.Dir, cmd.Env = h.project, append(h.env, "DISABLE_HTTP=true")
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	must.Do(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// withOriginal is a home in which both programs keep their workspaces in one place.
func withOriginal(t *testing.T) mcpHome {
	t.Helper()
	h := newMCPHome(t, "workspace")
	must.Do(t, os.Mkdir(filepath.Join(h.home, ".tanmi-workspace"), 0o700))
	settings := filepath.Join(h.home, ".config", "agents", "hooks.toml")
	b, err := os.ReadFile(settings)
	if err == nil { // what the other program writes is let in
		err = os.WriteFile(settings, append(b, "\n[trust]\nproject = \"always\"\n"...), 0o600)
	}
	must.Do(t, err)
	return h
}

// folder is the files of the one workspace of a project, by their paths in it.
func (h mcpHome) folder(t *testing.T) map[string]string {
	t.Helper()
	dirs, _ := filepath.Glob(filepath.Join(h.project, ".tanmi-workspace", "*", "graph.json"))
	if len(dirs) != 1 {
		t.Fatalf("%d workspaces: %v", len(dirs), dirs)
	}
	root := filepath.Dir(dirs[0])
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		files[filepath.ToSlash(rel)] = string(b)
		return err
	})
	must.Do(t, err)
	return files
}

// BW-STO-02, BW-TRV-09: TanmiWorkspace itself reads a workspace that was made here, changes
// no byte by reading, works on it, and what it does not know of is there still.
func TestOriginalWorksOnOurs(t *testing.T) {
	t.Parallel()
	h := withOriginal(t)
	plan := "# Ours\n\nThe goal.\n\n## Rules\n- rule one\n- 规则二\n\n## Part\n- [ ] First\n  Do \"it\" | twice.\n  - accept: x|y => z\n- [ ] Second (after: First)\n  - priority: high\n- [ ] Third (after: Second)\n- [x] Old\n"
	must.Write(t, filepath.Join(h.project, "plan.md"), plan)
	h.run(t, "workspace", "init", "--from", "plan.md")
	h.run(t, "workspace", "begin", "First", "--session-id", "s")
	h.run(t, "workspace", "log", "append", "did | it", "--session-id", "s", "--node-id", "First")
	h.run(t, "workspace", "problem", "update", "why?", "--next-step", "ask", "--node-id", "First")
	h.run(t, "workspace", "memo", "create", "--title", "Draft", "--summary", "short", "--content", "long")

	theirs := original(t, h)
	before := h.folder(t)
	var list struct{ Workspaces []struct{ ID, Name string } }
	ask(t, theirs, "workspace_list", map[string]any{}, &list)
	if len(list.Workspaces) != 1 || list.Workspaces[0].Name != "Ours" {
		t.Fatalf("%+v", list)
	}
	ws := list.Workspaces[0].ID
	var whole struct {
		RulesHash string
		Graph     struct {
			Nodes map[string]struct{ DirName, Status string }
		}
	}
	ask(t, theirs, "workspace_get", map[string]any{"workspaceId": ws}, &whole)
	ids := map[string]string{}
	for id, n := range whole.Graph.Nodes {
		title, _, _ := strings.Cut(n.DirName, "_")
		ids[title] = id
		if text := ask(t, theirs, "context_get", map[string]any{"workspaceId": ws, "nodeId": id}, nil); !strings.Contains(text, "规则二") || strings.Contains(text, `"error"`) {
			t.Errorf("%s: %s", title, text)
		}
	}
	text := ask(t, theirs, "context_get", map[string]any{"workspaceId": ws, "nodeId": ids["First"]}, nil)
	for _, want := range []string{`Do \"it\" | twice.`, `x|y`, "did | it", "why?"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not told by it: %s", want, text)
		}
	}
	if memos := ask(t, theirs, "memo_list", map[string]any{"workspaceId": ws}, nil); !strings.Contains(memos, `"Draft"`) {
		t.Error(memos)
	}
	for name, is := range h.folder(t) {
		if is != before[name] && name != "workspace.json" { // in which it notes that it was read
			t.Errorf("%s was changed by reading:\n%s", name, is)
		}
	}

	for _, c := range []struct {
		tool string
		args map[string]any
	}{
		{"log_append", map[string]any{"nodeId": ids["First"], "operator": "AI", "event": "theirs"}},
		{"node_transition", map[string]any{"nodeId": ids["First"], "action": "complete", "conclusion": "done by theirs"}},
		{"workspace_update_rules", map[string]any{"action": "add", "rule": "third"}},
		{"node_move", map[string]any{"nodeId": ids["Old"], "newParentId": "root"}},
	} {
		t.Run(c.tool, func(t *testing.T) {
			c.args["workspaceId"] = ws
			if said := ask(t, theirs, c.tool, c.args, nil); !strings.Contains(said, "true") {
				t.Errorf("%s: %s", c.tool, said)
			}
		})
	}
	if next := h.run(t, "workspace", "next"); !strings.Contains(next, "next: Second, what it waited for is done: “First”") || !strings.Contains(next, "“Third” waits for “Second”") {
		t.Error(next)
	}
	told := h.run(t, "workspace", "get") + h.run(t, "workspace", "context", "get", "First")
	for _, want := range []string{"third", "规则二", "done by theirs", "theirs"} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is not told here:\n%s", want, told)
		}
	}
	if said := h.run(t, "doctor"); !strings.Contains(said, "1 workspace here, whole") {
		t.Error(said)
	}
}

// BW-STO-01: a workspace that TanmiWorkspace itself made is worked on here, and it goes on
// with it.
func TestOursWorksOnTheOriginals(t *testing.T) {
	t.Parallel()
	h := withOriginal(t)
	theirs := original(t, h)
	call := func(tool string, args map[string]any) (answer map[string]any) {
		t.Helper()
		text := ask(t, theirs, tool, args, nil)
		if err := json.Unmarshal([]byte(text), &answer); err != nil || answer["error"] != nil {
			t.Fatalf("%s: %s", tool, text)
		}
		return answer
	}
	ws := call("workspace_init", map[string]any{"name": "Theirs 项目", "goal": "g", "rules": []string{"r1"}, "scenario": "feature"})["workspaceId"].(string)
	hash, _ := call("workspace_get", map[string]any{"workspaceId": ws})["rulesHash"].(string)
	info := call("node_create", map[string]any{"workspaceId": ws, "parentId": "root", "type": "planning", "title": "Collect", "requirement": "look", "rulesHash": hash, "role": "info_collection"})["nodeId"].(string)
	call("node_transition", map[string]any{"workspaceId": ws, "nodeId": info, "action": "start"})
	look := call("node_create", map[string]any{"workspaceId": ws, "parentId": info, "type": "execution", "title": "Look", "requirement": "look at it", "rulesHash": hash, "acceptanceCriteria": []map[string]string{{"when": "a|b", "then": "c"}}})["nodeId"].(string)

	h.run(t, "workspace", "begin", "Look", "--session-id", "s")
	h.run(t, "workspace", "log", "append", "seen here", "--session-id", "s", "--node-id", "Look")
	h.run(t, "workspace", "done", "Look", "-m", "found | it", "--session-id", "s")
	told := ask(t, theirs, "context_get", map[string]any{"workspaceId": ws, "nodeId": look}, nil)
	for _, want := range []string{"found | it", "seen here", "a|b"} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is not told by it: %s", want, told)
		}
	}
	call("node_transition", map[string]any{"workspaceId": ws, "nodeId": look, "action": "reopen"})
	if tree := h.run(t, "workspace", "tree", "--all"); !strings.Contains(tree, "● Look (implementing)") {
		t.Error(tree)
	}
	if said := h.run(t, "doctor"); !strings.Contains(said, "1 workspace here, whole") {
		t.Error(said)
	}
}
