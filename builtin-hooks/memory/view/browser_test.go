package view

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/page/pagetest"
)

// dom is a page as the browser shows it.
func dom(t *testing.T, p Page, state url.Values) string {
	t.Helper()
	return pagetest.DOM(t, written(t, p), state)
}

// example is a folder as it may look after some weeks, with n facts.
func example(n int) Page {
	p := Page{Language: "en", Name: "orders", Dir: "~/src/orders/.agents/memory-data", Made: memory.Stamp(now), Core: "# 核心记忆\n\n## 用户偏好\n\n- 回答用中文，代码注释用英文\n- Prefers small commits\n\n## 重要决策\n\n- PostgreSQL 16, goose migrations\n"}
	texts := []struct{ kind, text, about string }{
		{"W", "The orders service stores everything in PostgreSQL 16; schema changes go through goose migrations.", "postgres"},
		{"O", "用户偏好简短的提交信息，英文，祈使句。", "git"},
		{"B", "Upgraded the gateway to Go 1.26 and removed the vendored copy of the old client, because its retries hid timeouts.", "gateway"},
		{"W", "库存服务使用 MySQL 8.4，字符集统一为 utf8mb4。", "数据库"},
		{"S", "修复了 internal/rounding/money_half_even.go 的舍入；go test ./... 通过", "rounding"},
		{"W", "Canary gets 5 percent of the traffic for thirty minutes before a full roll-out.", "deploy"},
	}
	for i := range n {
		x := texts[i%len(texts)]
		text := x.text
		if i >= len(texts) {
			text += fmt.Sprintf(" (#%d)", i)
		}
		at := now.Add(-time.Duration(i*i%(n*3+1)) * time.Hour)
		p.Facts = append(p.Facts, Fact{ID: "log-" + at.Format("20060102150405") + fmt.Sprintf("000-%06d", i), Type: x.kind, Text: text, Entities: []string{x.about, fmt.Sprint("module", i%37)}, Confidence: 0.9, Time: memory.Stamp(at), Session: fmt.Sprint("session-", i/9), Seen: 1 + i%11/10, Old: i%13 == 12})
	}
	for i := range max(n/40, 2) {
		p.Sessions = append(p.Sessions, Session{ID: fmt.Sprint("sum-", i), Session: fmt.Sprint("session-", i), Topic: "Half-even rounding of amounts", Text: "金额一律用 half even 舍入；the tests of internal/rounding hold it.",
			Decisions: []string{"half even everywhere", "无浮点数"}, Todos: []string{"the reports still round by hand"}, Time: memory.Stamp(now.Add(-time.Duration(i*37) * time.Hour)), Auto: i%3 == 2})
	}
	return p
}

// 5,000 facts: shown at once, a part of them until one scrolls; found by a word of
// Chinese; in the language that is asked for.
// BM-VIE-03.
func TestBrowserShowsFiveThousandFacts(t *testing.T) {
	t.Parallel()
	p := example(5000)
	p.Facts = append(p.Facts, Fact{ID: "log-needle", Type: "W", Text: "Nadel im Heuhaufen: 灰度发布", Entities: []string{"needle"}, Confidence: 0.6, Time: memory.Stamp(now.AddDate(0, -1, 0))})
	text := pagetest.Shown(t, dom(t, p, url.Values{"q": {"灰度 NADEL"}, "lang": {"zh"}}))
	for _, want := range []string{"<mark>灰度</mark>", "<mark>Nadel</mark>", "log-needle", "时间线", "1 / 4617 条事实", "把握 60%", `aria-current="page"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%.3000s", want, text)
		}
	}
	if n := strings.Count(text, `<li class="card`); n != 1 {
		t.Errorf("%d cards, want the one that fits", n)
	}
}

// Facts by what they are about, without those that were replaced.
func TestBrowserShowsEntity(t *testing.T) {
	t.Parallel()
	text := pagetest.Shown(t, dom(t, example(60), url.Values{"view": {"entities"}, "entity": {"git"}}))
	if n := strings.Count(text, `<li class="card O"`); n != 9 || strings.Contains(text, "PostgreSQL") {
		t.Errorf("%d facts about git:\n%.3000s", n, text)
	}
}

// Nothing that a fact says does anything, whichever way it is shown, and nobody
// is asked for anything.
// BM-VIE-01.
func TestBrowserHostile(t *testing.T) {
	t.Parallel()
	pagetest.Browser(t)
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	for _, view := range []string{"timeline", "sessions", "core"} {
		t.Run(view, func(t *testing.T) {
			page := dom(t, hostilePage(server.URL), url.Values{"view": {view}, "old": {"1"}, "q": {"<"}})
			pagetest.Dead(t, page)
			text := pagetest.Shown(t, page)
			if view == "timeline" && !strings.Contains(text, `<span class="badge" title="{{script}}`) {
				t.Errorf("a type that is none has no badge:\n%.2000s", text)
			}
			if !strings.Contains(text, "<mark>&lt;</mark>img src=x onerror=") {
				t.Errorf("%s: what was said is not shown:\n%.2000s", view, text)
			}
		})
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests left the page", n)
	}
}

// axe-core finds nothing in any view.
// BM-VIE-05.
func TestBrowserAccessible(t *testing.T) {
	t.Parallel()
	pagetest.AccessibleViews(t, written(t, example(60)), "timeline", "entities", "entities&entity=git", "sessions", "core")
}
