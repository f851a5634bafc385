package dispatch

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

var update = flag.Bool("update", false, "write the golden files")

// workspaceOn switches workspaces on and writes one, with the sessions s-1 and
// conv-1 bound to it.
func (w *world) workspaceOn() {
	w.file(w.settings(), "[builtin.workspace]\nenabled = true\nlanguage = \"zh\"\n", 0o644)
	store := filepath.Join(w.data(), "workspace")
	const id, node = "ws-mjb65az5-0wcjuu", "node-mjb6mj4h-a60yht"
	w.file(filepath.Join(store, "index.json"), fmt.Sprintf(`{"version": "5.0", "workspaces": [{"id": %q, "name": "重构认证模块", "dirName": "重构认证模块_mjb65az5", "projectRoot": %q, "status": "active"}]}`, id, w.project), 0o600)
	bound := fmt.Sprintf(`{"workspaceId": %q, "focusedNodeId": %q, "boundAt": %d}`, id, node, time.Now().UnixMilli())
	w.file(filepath.Join(store, "session-bindings.json"), `{"version": "1.0", "bindings": {"s-1": `+bound+`, "conv-1": `+bound+`}}`, 0o600)
	dir := filepath.Join(w.project, ".agents", "workspace", "重构认证模块_mjb65az5")
	w.file(filepath.Join(dir, "graph.json"), fmt.Sprintf(`{"version": "5.0", "currentFocus": %[1]q, "nodes": {
		"root": {"id": "root", "dirName": "root", "type": "planning", "parentId": null, "children": [%[1]q], "status": "monitoring"},
		%[1]q: {"id": %[1]q, "dirName": "实现 token 验证_mjb6mj4h", "type": "execution", "parentId": "root", "children": [], "status": "implementing"}}}`, node), 0o600)
	w.file(filepath.Join(dir, "Workspace.md"), "---\nname: 重构认证模块\n---\n\n## 规则\n\n> 只读\n\n- 所有 API 必须添加认证中间件\n\n## 文档\n\n## 目标\n\n将 session 认证替换为 JWT\n", 0o600)
	at := filepath.Join(dir, "nodes", "实现 token 验证_mjb6mj4h")
	w.file(filepath.Join(at, "Info.md"), "---\nid: "+node+"\ntype: execution\ntitle: 实现 token 验证\nstatus: implementing\n---\n\n## 需求\n\n验证 \"签名\" 与有效期\n", 0o600)
	w.file(filepath.Join(at, "Problem.md"), "## 当前问题\n\n测试环境没有公钥\n\n## 下一步\n\n（暂无）\n", 0o600)
	w.ownsWorkspaces()
}

// ownsWorkspaces says that what stands in the workspaces is the person's own.
func (w *world) ownsWorkspaces() {
	w.t.Helper()
	known := func(root string) *ledger.Ledger { return ledger.At(w.state(), root) }
	place := workspace.Find(w.home, w.data(), "", time.UTC, func(string) string { return "" })
	place.Known = known
	for _, e := range place.At(w.project) {
		files, err := place.Unapproved(e)
		must.Do(w.t, errors.Join(err, known(e.ProjectRoot).Let(ledger.Own, ledger.Keys(files))))
	}
}

// What the two agents of the specification are answered, to the byte:
// additionalContext for Claude Code, additional_context for Cursor (3.3,
// resolution 3). -update writes it.
func TestWorkspaceOutputShapes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.workspaceOn()
	claude := func(event, session, fields string) string {
		return strings.Replace(w.claude(event, fields), `"s-1"`, `"`+session+`"`, 1)
	}
	cursor := func(event, session, fields string) string {
		return fmt.Sprintf(`{"conversation_id":%q,"generation_id":"g","model":"m","hook_event_name":%q,"cursor_version":"3.2.0","workspace_roots":[%q],"user_email":null,"transcript_path":null%s}`, session, event, w.project, fields)
	}
	var got txtar.Archive
	for _, c := range []struct{ name, agent, event string }{
		{"claude-code, SessionStart, not bound", "claude-code", claude("SessionStart", "s-2", `,"source":"startup"`)},
		{"claude-code, UserPromptSubmit, not bound", "claude-code", claude("UserPromptSubmit", "s-2", `,"prompt":"what is a tuple?"`)},
		{"claude-code, UserPromptSubmit, not bound, a keyword", "claude-code", claude("UserPromptSubmit", "s-2", `,"prompt":"继续"`)},
		{"claude-code, SessionStart, bound", "claude-code", claude("SessionStart", "s-1", `,"source":"startup"`)},
		{"claude-code, UserPromptSubmit, bound", "claude-code", claude("UserPromptSubmit", "s-1", `,"prompt":"go on"`)},
		{"claude-code, SubagentStart, bound", "claude-code", claude("SubagentStart", "s-1", `,"agent_id":"a1","agent_type":"Explore"`)},
		{"cursor, sessionStart, not bound", "cursor", cursor("sessionStart", "conv-2", `,"session_id":"conv-2","is_background_agent":false,"composer_mode":"agent"`)},
		{"cursor, beforeSubmitPrompt, not bound, a keyword, no sessionStart", "cursor", cursor("beforeSubmitPrompt", "conv-3", `,"prompt":"workspace"`)},
		{"cursor, beforeSubmitPrompt, bound", "cursor", cursor("beforeSubmitPrompt", "conv-1", `,"prompt":"go on"`)},
		{"cursor, beforeSubmitPrompt, bound, again", "cursor", cursor("beforeSubmitPrompt", "conv-1", `,"prompt":"and on"`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := w.run(c.event, "--agent", c.agent)
			if r.exit != 0 || r.stderr != "" {
				t.Errorf("exit %d, stderr %q", r.exit, r.stderr)
			}
			self := strings.Trim(string(protocol.Quote(text.ShellWord(dispatcher))), `"`)
			out := strings.ReplaceAll(r.stdout, self, "agents-hooks")
			if out != "" && !strings.HasSuffix(out, "\n") {
				out += "\n"
			}
			got.Files = append(got.Files, txtar.File{Name: c.name, Data: []byte(out)})
		})
	}
	file := filepath.Join("testdata", "workspace.txtar")
	if *update {
		must.Write(t, file, txtar.Format(&got))
	}
	if is := txtar.Format(&got); !bytes.Equal(is, []byte(must.Read(t, file))) {
		t.Errorf("%s is not what is said now:\n%s", file, is)
	}
}

// Off by default, and then not a file is read or made; a marker switches it off.
func TestWorkspaceOff(t *testing.T) {
	t.Parallel()
	on := func() *world {
		w := newWorld(t)
		w.workspaceOn()
		return w
	}
	say := func(w *world) string {
		return w.run(w.claude("SessionStart", `,"source":"startup"`), "--agent", "claude-code").stdout
	}
	if out := say(on()); !strings.Contains(out, "tanmi-workspace-context") {
		t.Errorf("on: %q", out)
	}
	for name, change := range map[string]func(*world){
		"default": func(w *world) { _ = os.Remove(w.settings()) },
		"marker":  func(w *world) { w.file(filepath.Join(w.project, ".agents", ".workspace-disable"), "", 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			w := on()
			change(w)
			if out := say(w); out != "" {
				t.Error(out)
			}
			if _, err := os.Stat(filepath.Join(w.state(), "sessions")); err == nil {
				t.Error("a session's directory was made")
			}
		})
	}
}
