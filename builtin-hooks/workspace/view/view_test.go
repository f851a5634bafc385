package view

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/page/pagetest"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func written(t *testing.T, p Page) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, p.Write(&b))
	return b.String()
}

// The log begins with the last row, also where several are of one second.
func TestRowsOfOneSecond(t *testing.T) {
	t.Parallel()
	home, project := t.TempDir(), t.TempDir()
	place := workspace.Find(home, filepath.Join(home, "data"), "", time.UTC, func(string) string { return "" })
	made, err := place.Create(workspace.New{Name: "shop", Goal: "sell", ProjectRoot: project, Opened: "made", Random: 7}, now.Add(-time.Hour))
	must.Do(t, err)
	for _, event := range []string{"one", "two", "three"} {
		must.Do(t, must.Err(place.Log(made.Entry, "", workspace.AI, event, now)))
	}
	s, err := place.Open(made.Entry.ID)
	must.Do(t, err)
	var said []string
	for _, l := range Of(s).Logs {
		said = append(said, l.Text)
	}
	if have := strings.Join(said, ", "); have != "three, two, one, made" {
		t.Error(have)
	}
}

// A task says which session holds it, and what waits lacks no proof yet.
func TestWhoHoldsATask(t *testing.T) {
	t.Parallel()
	home, project := t.TempDir(), t.TempDir()
	place := workspace.Find(home, filepath.Join(home, "data"), "", time.UTC, func(string) string { return "" })
	made, err := place.Create(workspace.New{Name: "shop", Goal: "sell", ProjectRoot: project, Opened: "made", Random: 7}, now.Add(-time.Hour))
	must.Do(t, err)
	must.Do(t, place.Bind("window", made.Entry.ID, "", now))
	must.Do(t, place.Claim(made.Entry.ID, "window", time.Hour, now, func(map[string]workspace.Claim) (string, error) { return "root", nil }))
	s, err := place.Open(made.Entry.ID)
	must.Do(t, err)
	s.Now = now
	if p := Of(s); len(p.Nodes) != 1 || p.Nodes[0].Owner != "window" || len(p.Nodes[0].Unproven) != 0 {
		t.Errorf("%+v", p.Nodes)
	}
	s.Now = now.Add(2 * time.Hour)
	if p := Of(s); p.Nodes[0].Owner != "" {
		t.Errorf("%+v after its time", p.Nodes)
	}
}

// What is in the page of a store as the original writes it.
func TestOf(t *testing.T) {
	t.Parallel()
	a, err := txtar.ParseFile(filepath.Join("..", "testdata", "store.txtar"))
	must.Do(t, err)
	home, project := t.TempDir(), t.TempDir()
	quoted, _ := json.Marshal(project)
	for _, f := range a.Files {
		name := strings.Replace(strings.Replace(f.Name, "HOME", home, 1), "PROJECT", project, 1)
		must.Write(t, name, strings.ReplaceAll(string(f.Data), `"PROJECT"`, string(quoted)))
	}
	place := workspace.Find(home, "", "", time.FixedZone("CST", 8*3600), func(string) string { return "" })
	s, err := place.Open("ws-mjb65az5-0wcjuu")
	must.Do(t, err)
	s.Now = now
	p := Of(s)
	if p.Name != "重构认证模块" || p.Goal != "将 session 认证替换为 JWT" || len(p.Rules) != 2 || len(p.Docs) != 2 || !p.Docs[1].Expired || p.Focus != "node-mjb6mj4h-a60yht" || p.Made != "2026-11-21T12:00:00.000Z" {
		t.Errorf("%+v", p)
	}
	var tree []string
	for _, n := range p.Nodes {
		tree = append(tree, n.Parent+"/"+n.ID+" "+n.Title+" "+n.Status)
	}
	if want := "/root 重构认证模块 monitoring\nroot/node-mjb6a000-plan01 JWT 方案 monitoring\n" +
		"node-mjb6a000-plan01/node-mjb6b000-done01 设计 JWT 结构 completed\nnode-mjb6a000-plan01/node-mjb6mj4h-a60yht 实现 token 验证 implementing"; strings.Join(tree, "\n") != want {
		t.Errorf("%s", strings.Join(tree, "\n"))
	}
	n := p.Nodes[3]
	if n.Problem != "测试环境没有公钥" || n.Next != "" || n.Requirement != "中间件里验证签名\n与有效期" || n.Acceptance[0] != (Criterion{"token 过期", "返回 401"}) || n.Docs[0].Path != "docs/rfc7519.md" || n.References[0] != "node-mjb6b000-done01" || !slices.Equal(n.Unproven, []int{1}) || n.Owner != "" {
		t.Errorf("%+v", n)
	}
	if len(p.Logs) != 4 || p.Logs[0].Text != "Time is short" || p.Logs[0].Time != "2025-12-18T06:52:00Z" || p.Logs[0].Operator != "Human" || p.Logs[0].Node != n.ID || p.Logs[1].Text != "写好了中间件\n还差测试：a|b" || p.Logs[3].Node != "" {
		t.Errorf("%+v", p.Logs)
	}
	if len(p.Memos) != 1 || !strings.Contains(p.Memos[0].Text, "1. 生成") || p.Memos[0].Tags[0] != "security" {
		t.Errorf("%+v", p.Memos)
	}
	if len(p.Sessions) != 1 || p.Sessions[0].ID != "abc123" {
		t.Errorf("%+v", p.Sessions)
	}
}

// A graph that hand edits damaged has all its nodes in the page, each once.
func TestDamagedTree(t *testing.T) {
	t.Parallel()
	g, err := workspace.ParseGraph([]byte(`{"version": "5.0", "nodes": {
		"root": {"id": "root", "type": "planning", "parentId": null, "children": ["a", "gone"], "status": "planning"},
		"a": {"id": "a", "type": "planning", "parentId": "root", "children": ["b"], "status": "planning"},
		"b": {"id": "b", "type": "planning", "parentId": "a", "children": ["a", "c"], "status": "planning"},
		"c": {"id": "c", "type": "execution", "parentId": "b", "children": [], "status": "odd"},
		"x": {"id": "x", "type": "execution", "parentId": "nowhere", "children": ["y"], "status": "pending"},
		"y": {"id": "y", "type": "execution", "parentId": "y", "children": ["x"], "status": "pending"}}}`))
	must.Do(t, err)
	p := Of(&workspace.Store{Dir: t.TempDir(), Graph: g, Now: now})
	var ids []string
	for _, n := range p.Nodes {
		ids = append(ids, n.Parent+">"+n.ID)
	}
	if got := strings.Join(ids, " "); got != ">root root>a a>b b>c >x >y" {
		t.Errorf("%s", got)
	}
	pagetest.Browser(t)
	text := pagetest.Shown(t, pagetest.DOM(t, written(t, p), nil))
	if strings.Count(text, `class="name"`) != 6 {
		t.Errorf("not all nodes are shown:\n%s", text)
	}
}

// example is a workspace as it may look after some weeks, of about n nodes.
func example(n int) Page {
	p := Page{
		Language: "en", Name: "Orders in cents", Dir: "~/src/orders/.agents/workspace/Orders in cents_mjb65az5", Made: workspace.Stamp(now), ID: "ws-mjb65az5-0wcjuu", Status: "active",
		Goal:  "All amounts become integers of cents, from the API to the reports.\n所有金额改为以分为单位的整数。",
		Rules: []string{"No floating point in money", "每次迁移都要能回滚", "Public fields keep their names"}, Docs: []Doc{{"docs/money.md", "how amounts are stored", false}, {"docs/old.md", "旧的舍入规则", true}},
		Nodes: []Node{{ID: "root", Type: "planning", Title: "Orders in cents", Status: "monitoring", Requirement: "All amounts become integers of cents.", Acceptance: []Criterion{}, Docs: []Doc{}, References: []string{}, Time: workspace.Stamp(now)}},
		Logs:  []Log{}, Memos: []Memo{{"memo-1", "Half-even or half-up", "银行家舍入与四舍五入的比较", "Half-even everywhere.\n\n1. sums stay unbiased", []string{"rounding", "金额"}, workspace.Stamp(now)}},
		Sessions: []Session{{"7b0e-window-a", "node-2", workspace.Stamp(now), false}, {"1c9d-window-b", "", workspace.Stamp(now.Add(-50 * time.Hour)), true}},
	}
	plans := []string{"Store amounts as integers", "迁移历史数据", "API: accept and answer cents", "报表与导出", "Roll out"}
	tasks := []string{"write the migration", "列出所有读取金额的地方", "tests of rounding", "删除旧字段", "document the change"}
	status := []string{"completed", "completed", "failed", "cancelled", "completed", "implementing", "validating", "pending", "pending", "pending"}
	parent := ""
	for i := 0; len(p.Nodes) < n; i++ {
		node := Node{ID: fmt.Sprint("node-", i), Parent: parent, Type: "execution", Status: status[i*7%len(status)], Requirement: "Each amount of " + fmt.Sprint("table", i) + " becomes cents.\nNothing is rounded twice.", Acceptance: []Criterion{}, Docs: []Doc{}, References: []string{}, Time: workspace.Stamp(now.Add(-time.Duration(i) * time.Hour))}
		if i%6 == 0 {
			parent = node.ID
			node.Parent, node.Type, node.Status, node.Title = "root", "planning", []string{"monitoring", "completed", "planning", "pending"}[i/6%4], plans[i/6%len(plans)]
			if i >= 30 {
				node.Title += fmt.Sprint(" ", i/30)
			}
		} else {
			node.Title = tasks[i%6-1]
		}
		if i == 5 || i == 8 {
			node.Status, node.Problem, node.Next = "implementing", "The replica of the test system lags behind by minutes, so that counts differ.\n复制延迟导致计数不一致。", "ask the database team for a window"
			node.Acceptance = []Criterion{{"a row has 0.005", "it becomes 0 or 1 by half-even"}, {"金额为空", "保持为空"}}
			node.Docs, node.References, node.Conclusion = []Doc{{"docs/money.md", "how amounts are stored", false}}, []string{"node-1", "memo-1"}, ""
			p.Focus = node.ID
		}
		if node.Status == "completed" {
			node.Conclusion = "Done; `go test ./...` passes."
		}
		p.Nodes = append(p.Nodes, node)
	}
	for i := range n * 10 {
		who, text := "AI", []string{"状态变更: pending → implementing (开始)", "wrote the first half of the migration", "the counts agree on staging", "改了三个文件：a.go、b.go、c.go", "reviewed; naming changed"}[i%5]
		if i%5 == 4 {
			who = "Human"
		}
		p.Logs = append(p.Logs, Log{Node: p.Nodes[1+(i*17)%(n-1)].ID, Time: now.Add(-time.Duration(i*7) * time.Minute).Format(time.RFC3339), Operator: who, Text: text})
	}
	return p
}

// 500 nodes with 5,000 rows of logs: the tree opens at the work at hand, all of it
// is found by a search, in the language that is asked for.
// BW-BRD-04.
func TestBrowserFiveHundredNodes(t *testing.T) {
	t.Parallel()
	p := example(500)
	p.Nodes[400].Title = "Nadel 灰度发布"
	page := written(t, p)
	text := pagetest.Shown(t, pagetest.DOM(t, page, url.Values{"q": {"灰度 NADEL"}, "lang": {"zh"}}))
	for _, want := range []string{"<mark>灰度</mark>", "<mark>Nadel</mark>", "1 / 500 个节点", "任务树"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%.3000s", want, text)
		}
	}
	if n := strings.Count(text, `class="name"`); n != 3 {
		t.Errorf("%d nodes, want the one that fits and its two ancestors", n)
	}
	// A number is looked for as a whole, in titles and ids.
	hits := 0
	for _, n := range p.Nodes {
		if strings.HasSuffix(n.Title, " 3") || n.ID == "node-3" {
			hits++
		}
	}
	text = pagetest.Shown(t, pagetest.DOM(t, page, url.Values{"q": {"3"}}))
	if want := fmt.Sprintf("%d of 500 nodes", hits); hits == 0 || !strings.Contains(text, want) {
		t.Errorf("no %q in\n%.2000s", want, text)
	}
	pagetest.Browser(t)
	text = pagetest.Shown(t, pagetest.DOM(t, page, nil))
	for _, want := range []string{"All amounts become integers", "500 nodes", "in progress", "499 nodes are done", `class="flag focus"`, `aria-expanded="false"`, `aria-current="page"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%.3000s", want, text)
		}
	}
	if n := strings.Count(text, `class="name"`); n > 110 || n < 90 {
		t.Errorf("%d nodes are open", n)
	}
}

// The detail of a node; the log of one; what is in the way; what holds for all.
func TestBrowserViews(t *testing.T) {
	t.Parallel()
	pagetest.Browser(t)
	page := written(t, example(40))
	for _, c := range []struct {
		state url.Values
		want  []string
	}{
		{url.Values{"node": {"node-8"}}, []string{"Requirement", "becomes cents", "a row has 0.005", "half-even", "lags behind", "ask the database team", "docs/money.md", "Half-even or half-up", "all 10 rows"}},
		{url.Values{"status": {"failed"}}, []string{`aria-pressed="true">✗ failed<b>`, "of 40 nodes"}},
		{url.Values{"view": {"log"}, "node": {"node-8"}}, []string{"only 列出所有读取金额的地方", "2026-11-21", "Human", "the counts agree"}},
		{url.Values{"view": {"problems"}}, []string{"lags behind by minutes", "复制延迟", "Next step"}},
		{url.Values{"view": {"about"}, "lang": {"zh"}}, []string{"目标", "规则", "每次迁移都要能回滚", `class="past">旧的舍入规则`, "绑定的会话", "7b0e-window-a", "已结束", "备忘", "Half-even everywhere"}},
	} {
		t.Run(c.state.Encode(), func(t *testing.T) {
			text := pagetest.Shown(t, pagetest.DOM(t, page, c.state))
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("%v: no %q in\n%.4000s", c.state, want, text)
				}
			}
		})
	}
}

// hostilePage has hostile texts wherever somebody's words stand.
func hostilePage(address string) Page {
	p := Page{Language: "en", Made: workspace.Stamp(now), Name: `</title><script>document.body.dataset.pwned="1"</script>`, Dir: `<b onclick=x>`, Nodes: []Node{}, Logs: []Log{}}
	for i, h := range pagetest.Hostile(address) {
		id := h
		if i == 0 {
			id = "root"
		}
		p.ID, p.Status, p.Goal, p.Problem, p.Next = h, h, p.Goal+h, h, h
		p.Rules, p.Docs = append(p.Rules, h), append(p.Docs, Doc{h, h, false})
		p.Nodes = append(p.Nodes, Node{ID: id, Type: h, Title: h, Status: h, Role: h, Requirement: h, Conclusion: h, Notes: h, Problem: h, Next: h,
			Acceptance: []Criterion{{h, h}}, Docs: []Doc{{h, h, true}}, References: []string{h}, Time: h})
		p.Logs = append(p.Logs, Log{id, workspace.Stamp(now), h, h})
		p.Memos = append(p.Memos, Memo{h, h, h, h, []string{h}, h})
		p.Sessions = append(p.Sessions, Session{h, h, h, true})
	}
	return p
}

// Nothing that a file says does anything, whichever way it is shown, and nobody
// is asked for anything.
func TestHostile(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	page := written(t, hostilePage(server.URL))
	var back Page
	if err := json.Unmarshal([]byte(pagetest.Harmless(t, page)), &back); err != nil || back.Nodes[0].Title != pagetest.Hostile(server.URL)[0] {
		t.Errorf("the data is not what was put in: %v", err)
	}
	defer func() {
		if n := asked.Load(); n > 0 {
			t.Errorf("%d requests left the page", n)
		}
	}()
	pagetest.Browser(t)
	for _, state := range []url.Values{{"node": {"root"}, "q": {"<"}}, {"view": {"log"}}, {"view": {"problems"}, "q": {"<"}}, {"view": {"about"}}} {
		dom := pagetest.DOM(t, page, state)
		pagetest.Dead(t, dom)
		if text := pagetest.Shown(t, dom); !strings.Contains(text, "img src=x onerror=") {
			t.Errorf("%v: what was said is not shown:\n%.2000s", state, text)
		}
	}
}

// The page and the terminal have the same signs.
func TestSigns(t *testing.T) {
	t.Parallel()
	for _, status := range []string{workspace.Pending, workspace.Planning, workspace.Implementing, workspace.Validating, workspace.Monitoring, workspace.Completed, workspace.Failed, workspace.Cancelled} {
		t.Run(status, func(t *testing.T) {
			if want := status + ": '" + ops.Sign(status) + "'"; !strings.Contains(script, want) {
				t.Errorf("the page has not %s", want)
			}
		})
	}
}

// Both languages have the same texts.
func TestTextsInBothLanguages(t *testing.T) {
	t.Parallel()
	pagetest.SameWords(t, script, "const statuses")
}

// axe-core finds nothing in any view.
func TestBrowserAccessible(t *testing.T) {
	t.Parallel()
	p := example(40)
	pagetest.AccessibleViews(t, written(t, p), "tree", "tree&node="+p.Nodes[1].ID, "log", "problems", "about")
}
