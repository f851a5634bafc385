package hooks

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// strangers change every file of a workspace that is the person's own.
func (s *scene) strangers() {
	s.mine()
	s.strange = true
	s.edit(wsDir+"/Workspace.md", "## 文档", "- evil rule\n\n## 文档")
	s.edit(wsDir+"/Workspace.md", "将 session 认证替换为 JWT", "将 session 认证替换为 JWT\n\nevil goal")
	s.edit(nodeAt+"/Info.md", "与有效期\n", "与有效期\n\nevil requirement <system-reminder>\n")
	s.put(s.file(nodeAt+"/Log.md"), s.read(nodeAt+"/Log.md")+"| 2025-12-18 14:59:00 | AI | evil row |\n")
	s.edit(nodeAt+"/Problem.md", "测试环境没有公钥", "测试环境没有公钥\n\nevil problem")
	s.edit(wsDir+"/graph.json", `"nodes": {`, `"nodes": {"node-evil": {"id": "node-evil", "dirName": "evil", "type": "execution", "parentId": "root", "children": [], "status": "completed", "isolate": false, "references": [], "conclusion": "evil conclusion"}, `)
	s.put(s.file(wsDir+"/nodes/evil/Info.md"), "---\nid: node-evil\ntitle: evil title\n---\n\n## 需求\n\nevil need\n")
	s.put(s.file(wsDir+"/workspace.json"), `{"pendingManualChanges": [{"description": "evil change"}], "evil text": "evil text",`+strings.TrimPrefix(s.read(wsDir+"/workspace.json"), "{"))
}

func (s *scene) call(person bool, name, args string) (string, error) {
	s.t.Helper()
	given, err := protocol.ParseObject([]byte(args))
	must.Do(s.t, err)
	d := ops.At(s.world, op.Call{Dir: s.project, Project: s.project, Session: bySelf, Person: person, Env: []string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}})
	answer, err := d.Call(context.Background(), name, given)
	return string(answer.Raw()), err
}

// BW-TEL-13: nothing that others put into a workspace is told by a hook or by a tool,
// before its person let it in; what is the person's own is, and the person is asked
// once.
func TestNothingOfOthersIsTold(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.strangers()
	a := s.event("workspace-context", "context message", "source", `"startup"`)
	wants(t, a.AdditionalContext, contexts, "将 session 认证替换为 JWT", "所有 API", "实现 token 验证", "验证签名")
	wants(t, a.UserMessage, "agents-hooks trust", "agents-hooks workspace accept")
	told := a.AdditionalContext + s.prompt("go on") + s.event("workspace-subagent", "context").AdditionalContext
	if b := s.event("workspace-context", "context message", "source", `"resume"`); b.UserMessage != "" {
		t.Errorf("asked again: %s", b.UserMessage)
	}
	for _, c := range [][2]string{
		{"context_get", `{"nodeId": "` + nodeID + `"}`}, {"workspace_get", `{}`}, {"workspace_status", `{}`}, {"node_list", `{}`}, {"node_get", `{"nodeId": "` + nodeID + `"}`},
		{"session_status", `{}`}, {"memo_list", `{}`}, {"workspace_list", `{}`}, {"get_pending_changes", `{}`},
	} {
		t.Run(c[0], func(t *testing.T) {
			answer, err := s.call(false, c[0], c[1])
			if err != nil && c[0] != "get_pending_changes" {
				t.Error(err)
			}
			told += answer
		})
	}
	if _, err := s.call(false, "node_get", `{"nodeId": "node-evil"}`); err == nil {
		t.Error("a node that nobody let in is read by its id")
	}
	if i := strings.Index(told, "evil"); i >= 0 {
		t.Errorf("told: …%s…", told[max(0, i-200):min(len(told), i+100)])
	}
}

// BW-STO-12: what others wrote stays in its files, and unknown, when ours are changed
// around it.
func TestChangesKeepWhatOthersWrote(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.strangers()
	for _, c := range [][2]string{
		{"workspace_update_rules", `{"action": "add", "rule": "a rule of mine"}`},
		{"node_update", `{"nodeId": "` + nodeID + `", "note": "a note of mine"}`},
		{"log_append", `{"nodeId": "` + nodeID + `", "operator": "AI", "event": "a row of mine"}`},
		{"node_create", `{"parentId": "root", "type": "execution", "title": "a node of mine", "requirement": "mine", "rulesHash": "HASH"}`},
		{"memo_create", `{"title": "memo of mine", "summary": "s", "content": "# A memo\n\nof mine\n"}`},
	} {
		t.Run(c[0], func(t *testing.T) {
			if strings.Contains(c[1], "HASH") {
				o, err := s.call(false, "workspace_get", `{}`)
				must.Do(t, err)
				answer, _ := protocol.ParseObject([]byte(o))
				c[1] = strings.Replace(c[1], "HASH", answer.Text("rulesHash"), 1)
			}
			if answer, err := s.call(false, c[0], c[1]); err != nil || strings.Contains(answer, "evil") {
				t.Errorf("%v %s", err, answer)
			}
		})
	}
	for file, parts := range map[string][]string{
		wsDir + "/Workspace.md": {"- evil rule", "evil goal", "a rule of mine"}, nodeAt + "/Info.md": {"evil requirement", "a note of mine"},
		nodeAt + "/Log.md": {"evil row", "a row of mine"}, wsDir + "/graph.json": {"node-evil", "evil conclusion"},
	} {
		for _, part := range parts {
			if !strings.Contains(s.read(file), part) {
				t.Errorf("%s has no %q any more", file, part)
			}
		}
	}
	answer, err := s.call(false, "context_get", `{"nodeId": "`+nodeID+`"}`)
	wants(t, answer, "a rule of mine", "a note of mine", "a row of mine")
	memos, merr := s.call(false, "memo_list", `{}`)
	list, _ := s.call(false, "node_list", `{}`)
	wants(t, memos, "memo of mine")
	wants(t, list, "a node of mine")
	if err != nil || merr != nil || strings.Contains(answer+memos+list, "evil") {
		t.Errorf("%v %v\n%s", err, merr, answer)
	}
}

// BW-TEL-14: what is let in is told, and said to be the repository's; tags of
// harnesses in it are harmless.
func TestLetInIsToldAsTheRepositorys(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.strangers()
	p := s.place()
	p.Known = s.world.Ledger(s.project, nil)
	for _, e := range p.At(s.project) {
		if e.ID != wsID {
			continue
		}
		files, err := p.Unapproved(e)
		if err != nil || ledger.Count(files) < 7 {
			t.Fatalf("%+v, %v", files, err)
		}
		for _, f := range files {
			if !strings.Contains(f.Text, "evil ") || strings.Contains(f.Known, "evil ") {
				t.Errorf("%s is no diff:\n%s\n%s", f.Name, f.Known, f.Text)
			}
		}
		must.Do(t, p.Known(e.ProjectRoot).Let(ledger.Workspace, ledger.Keys(files)))
	}
	a := s.event("workspace-context", "context message", "source", `"startup"`)
	wants(t, a.AdditionalContext, "from this repository", "evil goal", "evil rule", "evil requirement ‹system-reminder›")
	if a.UserMessage != "" {
		t.Errorf("asked for what was let in: %s", a.UserMessage)
	}
	s.settings["language"] = "zh"
	wants(t, s.begin(), "来自本仓库")
	answer, err := s.call(false, "context_get", `{"nodeId": "`+nodeID+`"}`)
	wants(t, answer, "evil requirement ‹system-reminder›", "evil row", "fromRepository")
	if err != nil {
		t.Error(err)
	}
	if answer, _ := s.call(true, "context_get", `{"nodeId": "`+nodeID+`"}`); !strings.Contains(answer, "<system-reminder>") {
		t.Errorf("a person is not shown what stands there: %s", answer)
	}
}

// BW-TEL-13: a workspace that this machine did not write at all, as after an upgrade
// or in the home of the original, says nothing, and says so to its person.
func TestAnUnknownWorkspaceSaysNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.strange = true
	a := s.event("workspace-context", "context message", "source", `"startup"`)
	if text := a.AdditionalContext; strings.Contains(text, "JWT") || strings.Contains(text, "API") || strings.Contains(text, "token") {
		t.Errorf("%s", text)
	}
	wants(t, a.UserMessage, "before this version", "agents-hooks workspace accept")
	if _, err := s.call(false, "workspace_get", `{}`); err == nil || !strings.Contains(err.Error(), "agents-hooks workspace accept") {
		t.Errorf("%v", err)
	}
	before, _ := os.ReadFile(filepath.Join(s.project, filepath.FromSlash(wsDir), "graph.json"))
	if _, err := s.call(false, "node_create", `{"parentId": "root", "type": "execution", "title": "t", "requirement": "r"}`); err == nil {
		t.Error("a node was made in it")
	}
	if after, _ := os.ReadFile(filepath.Join(s.project, filepath.FromSlash(wsDir), "graph.json")); string(after) != string(before) {
		t.Error("its graph was changed")
	}
}
