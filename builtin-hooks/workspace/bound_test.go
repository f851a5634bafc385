package workspace

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

var shanghai = time.FixedZone("CST", 8*3600)

// theirs lays out the store of testdata as the original would have written it.
func theirs(t *testing.T) (p Place, home, project string) {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", "store.txtar"))
	must.Do(t, err)
	home, project = t.TempDir(), t.TempDir()
	for _, f := range a.Files {
		name := strings.Replace(strings.Replace(f.Name, "HOME", home, 1), "PROJECT", project, 1)
		data := strings.ReplaceAll(string(f.Data), `"PROJECT"`, `"`+strings.ReplaceAll(project, `\`, `\\`)+`"`)
		must.Write(t, name, data)
	}
	return Find(home, filepath.Join(home, "data"), "", shanghai, noenv), home, project
}

func noenv(string) string { return "" }

func date(s string) time.Time {
	t, err := time.ParseInLocation(logTime, s, shanghai)
	if err != nil {
		panic(err)
	}
	return t
}

var noon = date("2025-12-18 15:00:00")

// Folders are named by dirName, the title stands in the front matter, and neither
// placeholder nor format note counts.
func TestBound(t *testing.T) {
	t.Parallel()
	p, _, project := theirs(t)
	s, ok, err := p.Bound("abc123", noon)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if n := s.Focus.Node; n == nil || n.ID() != "node-mjb6mj4h-a60yht" || s.Graph.Node(n.ID()) != n {
		t.Errorf("the node in focus: %+v", n)
	}
	s.Binding, s.Workspace, s.Graph, s.in, s.Focus.Node = Binding{}, Entry{}, nil, reader{}, nil
	dir := filepath.Join(project, ".tanmi-workspace", "重构认证模块_mjb65az5")
	want := State{
		Dir: dir, Goal: "将 session 认证替换为 JWT",
		Rules:     []string{"所有 API 必须添加认证中间件", "密钥必须从环境变量读取"},
		RulesHash: RulesHash([]string{"所有 API 必须添加认证中间件", "密钥必须从环境变量读取"}),
		Focus: &Focus{
			ID: "node-mjb6mj4h-a60yht", Type: Execution, Title: "实现 token 验证", Status: Implementing,
			Requirement: "中间件里验证签名\n与有效期", Docs: 1, StartedAt: ParseStamp("2025-12-18T06:40:00.000Z"),
			Logs: 2, LastLog: date("2025-12-18 14:52:00"), Problem: "测试环境没有公钥",
			Acceptance: []Criterion{{"token 过期", "返回 401"}},
			Dir:        filepath.Join(dir, "nodes", "实现 token 验证_mjb6mj4h"),
		},
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("\nhave %+v %+v\nwant %+v %+v", s, s.Focus, want, want.Focus)
	}
}
