package ops

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	theirWorkspace = "ws-mjb65az5-0wcjuu"
	theirNode      = "node-mjb6mj4h-a60yht"
)

// BW-STO-01: a store of the original is read and changed, and every byte that was not
// the matter stays: members and sections that nobody knows, other nodes, the spelling
// of numbers.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.original()
	dir := filepath.Join(s.project, ".tanmi-workspace", "重构认证模块_mjb65az5")
	info := filepath.Join(dir, "nodes", "实现 token 验证_mjb6mj4h", "Info.md")
	before := map[string]string{}
	for _, f := range []string{info, filepath.Join(dir, "graph.json"), filepath.Join(dir, "Workspace.md"), filepath.Join(dir, "workspace.json"), filepath.Join(s.home, ".tanmi-workspace", "index.json")} {
		before[f] = s.file(f)
	}
	untouched := s.file(filepath.Join(dir, "nodes", "设计 JWT 结构_mjb6b000", "Info.md"))
	at := []any{"workspaceId", theirWorkspace, "nodeId", theirNode}
	s.call("node_transition", append(at, "action", "complete", "conclusion", "验证完成")...)
	s.call("log_append", append(at, "operator", "AI", "event", "写完\n测试|通过")...)
	s.call("node_update", append(at, "note", "改用 ES256")...)
	s.call("workspace_update_rules", "workspaceId", theirWorkspace, "action", "add", "rule", "新规则")

	now := workspace.Stamp(s.now)
	same(t, info, s.file(info), strings.NewReplacer(
		"status: implementing", "status: completed", "updatedAt: 2025-12-18T06:40:00.000Z", "updatedAt: "+now,
		"先做 RS256", "改用 ES256", "> 节点完成时填写\n\n\n", "> 节点完成时填写\n\n验证完成\n").Replace(before[info]))
	file := filepath.Join(dir, "Workspace.md")
	same(t, file, s.file(file), strings.NewReplacer(
		"updatedAt: 2025-12-18T06:40:00.000Z", "updatedAt: "+now, "- 密钥必须从环境变量读取\n", "- 密钥必须从环境变量读取\n- 新规则\n").Replace(before[file]))
	file = filepath.Join(dir, "workspace.json")
	same(t, file, s.file(file), strings.Replace(before[file], `"updatedAt": "2025-12-18T06:40:00.000Z"`, `"updatedAt": "`+now+`"`, 1))
	file = filepath.Join(s.home, ".tanmi-workspace", "index.json")
	same(t, file, s.file(file), strings.Replace(before[file], `"updatedAt": "2025-12-18T06:40:00.000Z"`, `"updatedAt": "`+now+`"`, 1))
	file = filepath.Join(dir, "graph.json")
	head, node, _ := strings.Cut(before[file], `"node-mjb6mj4h-a60yht": {`)
	node = strings.NewReplacer(`"status": "implementing"`, `"status": "completed"`, `"conclusion": null`, `"conclusion": "验证完成"`, `"updatedAt": "2025-12-18T06:40:00.000Z"`, `"updatedAt": "`+now+`"`).Replace(node)
	same(t, file, s.file(file), head+`"node-mjb6mj4h-a60yht": {`+node)
	if s.file(filepath.Join(dir, "nodes", "设计 JWT 结构_mjb6b000", "Info.md")) != untouched {
		t.Error("another node was touched")
	}
	log := s.file(filepath.Join(dir, "nodes", "实现 token 验证_mjb6mj4h", "Log.md"))
	if !strings.HasSuffix(log, "| 2026-01-02 12:00:00 | AI | completed: implementing → completed |\n| 2026-01-02 12:00:00 | AI | 写完<br>测试｜通过 |\n") {
		t.Errorf("Log.md ends %q", log[len(log)-200:])
	}
	if _, err := os.Stat(filepath.Join(s.home, "data", "workspace")); err == nil {
		t.Error("a second store was made")
	}
}

func same(t *testing.T, name, have, want string) {
	t.Helper()
	if have == want {
		return
	}
	a, b := strings.Split(have, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			t.Errorf("%s differs from line %d on:\nhave %q\nwant %q", filepath.Base(name), i+1, a[min(i, len(a)-1):min(i+3, len(a))], b[min(i, len(b)-1):min(i+3, len(b))])
			return
		}
	}
}

// BW-STO-02: what this package makes is what the original would have made, byte for
// byte where it does not depend on ids and times.
func TestNewFilesAreTheirs(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	must.Do(t, os.Mkdir(filepath.Join(s.home, ".tanmi-workspace"), 0o700))
	s.Place = workspace.Find(s.home, "", "", shanghai, func(string) string { return "" })
	docs := []protocol.Object{object("path", "docs/d.md", "description", "设计")}
	o := s.call("workspace_init", "name", "新 功能", "goal", "第一行\n第二行", "rules", []string{"规则一"}, "docs", docs, "scenario", "debug")
	dir := o.Text("path")
	id := o.Text("workspaceId")
	if want := filepath.Join(s.project, ".tanmi-workspace", "新 功能_"+workspace.ShortID(id)); dir != want {
		t.Errorf("it lies in %s, want %s", dir, want)
	}
	now := workspace.Stamp(s.now)
	same(t, "Workspace.md", s.file(filepath.Join(dir, "Workspace.md")), "---\nname: 新 功能\ncreatedAt: "+now+"\nupdatedAt: "+now+"\n---\n\n"+
		"## 规则\n\n> 只读，上下文必须遵循的约束\n\n- 规则一\n\n## 文档\n\n> 读写，全局参考文档\n\n- [d.md](docs/d.md) - 设计 (active)\n\n## 目标\n\n第一行\n第二行\n")
	same(t, "workspace.json", s.file(filepath.Join(dir, "workspace.json")), "{\n  \"id\": \""+id+"\",\n  \"name\": \"新 功能\",\n  \"dirName\": \""+filepath.Base(dir)+"\",\n  \"status\": \"active\",\n  \"createdAt\": \""+now+"\",\n  \"updatedAt\": \""+now+"\",\n  \"rootNodeId\": \"root\",\n  \"scenario\": \"debug\"\n}")
	same(t, "Log.md", s.file(filepath.Join(dir, "Log.md")), "## 日志\n\n| 时间 | 操作者 | 事件 |\n|------|--------|------|\n| 2026-01-02 12:00:00 | AI | workspace created: 新 功能 |\n")
	same(t, "Problem.md", s.file(filepath.Join(dir, "Problem.md")), "## 当前问题\n\n（暂无）\n\n## 下一步\n\n（暂无）\n")
	n := s.add(id, "root", "execution", "a: \"b\"?", "rulesHash", workspace.RulesHash([]string{"规则一"}), "acceptanceCriteria", []protocol.Object{object("when", "x|y", "then", "z")})
	path := s.open(id).NodeDir(s.open(id).Graph.Node(n))
	if want := "a_ _b___" + workspace.ShortID(n); filepath.Base(path) != want {
		t.Errorf("the node lies in %s, want %s", filepath.Base(path), want)
	}
	same(t, "Info.md", s.file(filepath.Join(path, "Info.md")), "---\nid: "+n+"\ntype: execution\ntitle: a: \"b\"?\nstatus: pending\ncreatedAt: "+now+"\nupdatedAt: "+now+"\n---\n\n"+
		"## 节点类型\n\n执行节点\n\n## 需求\n\ndo a: \"b\"?\n\n## 验收标准\n\n| 条件 (WHEN) | 期望结果 (THEN) |\n|-------------|-----------------|\n| x｜y | z |\n\n"+
		"## 文档引用\n\n> 格式：- [文件名](路径) - 说明 (状态)\n\n\n\n## 备注\n\n\n\n## 结论\n\n> 节点完成时填写\n\n\n")
	in := s.open(id).Info(s.open(id).Graph.Node(n))
	if in.Title != `a: "b"?` || len(in.Acceptance) != 1 || in.Acceptance[0].When != "x|y" {
		t.Errorf("%+v", in)
	}
}

// BW-STO-03: older folders are found by id, and a new node in them is named the new
// way.
func TestOlderLayout(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.original()
	const old = "ws-mj0old00-abc123"
	s.call("node_transition", "workspaceId", old, "nodeId", "node-mj0old01-def456", "action", "start")
	dir := filepath.Join(s.project, ".tanmi-workspace", old)
	if page := s.file(filepath.Join(dir, "nodes", "node-mj0old01-def456", "Info.md")); !strings.Contains(page, "status: implementing") {
		t.Errorf("%s", page)
	}
	path := s.call("node_create", "workspaceId", old, "parentId", "root", "type", "execution", "title", "Second", "requirement", "r").Text("path")
	if filepath.Dir(path) != filepath.Join(dir, "nodes") || !strings.HasPrefix(filepath.Base(path), "Second_") {
		t.Errorf("the new node lies in %s", path)
	}
	// A folder that somebody renamed is found by the end of its name.
	must.Do(t, os.Rename(dir, filepath.Join(filepath.Dir(dir), "renamed_mj0old00")))
	if have := s.call("workspace_status", "workspaceId", old).Sub("summary").Text("goal"); have != "keep the old folders readable" {
		t.Errorf("goal %q", have)
	}
}

// BW-STO-10: archiving and bringing back loses nothing.
func TestArchive(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.original()
	s.call("session_bind", "sessionId", "new", "workspaceId", theirWorkspace)
	path := s.call("workspace_archive", "workspaceId", theirWorkspace).Text("archivePath")
	if want := filepath.Join(s.project, ".tanmi-workspace", "archive", "重构认证模块_mjb65az5"); path != want {
		t.Errorf("archived in %s", path)
	}
	if len(s.Place.Bindings()) != 0 {
		t.Error("sessions are bound to an archived workspace")
	}
	if o := s.call("workspace_list", "status", "archived"); strings.Count(string(o.Raw()), `"status": "archived"`) != 2 {
		t.Errorf("%s", o.Raw())
	}
	s.now = s.now.Add(time.Hour)
	s.call("workspace_restore", "workspaceId", theirWorkspace)
	if s.status(theirWorkspace, theirNode) != "implementing" {
		t.Error("the node changed")
	}
	s.call("workspace_delete", "workspaceId", theirWorkspace, "force", true)
	if _, err := os.Stat(filepath.Join(s.project, ".tanmi-workspace", "重构认证模块_mjb65az5")); err == nil {
		t.Error("the folder is there still")
	}
	s.refused("WORKSPACE_NOT_FOUND", "workspace_get", "workspaceId", theirWorkspace)
}
