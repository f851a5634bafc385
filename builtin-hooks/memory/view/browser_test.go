package view

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
)

// browser is a Chromium that is here, or the test is skipped.
func browser(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: a browser takes seconds")
	}
	for _, name := range []string{"chromium", "google-chrome", "google-chrome-stable", "chrome", "chromium-browser"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		// What snap installs sees no temporary directory but its own.
		if real, err := filepath.EvalSymlinks(path); err == nil && !strings.Contains(real, "snap") {
			return path
		}
	}
	t.Skip("no Chromium is here: looked for chromium, google-chrome, google-chrome-stable, chrome and chromium-browser, not as a snap")
	return ""
}

// dom is a page as the browser shows it, after its script has run.
func dom(t *testing.T, p Page, state url.Values, more ...string) string {
	t.Helper()
	program := browser(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(written(t, p)), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := []string{"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
		"--disable-background-networking", "--user-data-dir=" + filepath.Join(dir, "profile"), "--window-size=1100,1400", "--virtual-time-budget=3000"}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(file), Fragment: ""}
	args = append(append(args, more...), "--dump-dom", address.String()+"#"+state.Encode())
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(os.Environ(), "TZ=UTC", "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, errs.String())
	}
	return string(out)
}

// shown is what of a page a person sees: what stands before its data.
func shown(t *testing.T, dom string) string {
	t.Helper()
	before, _, ok := strings.Cut(dom, `<script type="application/json"`)
	if !ok || !strings.Contains(dom, `data-ready="`) {
		t.Fatalf("the script did not come to its end:\n%.2000s", dom)
	}
	_, body, _ := strings.Cut(before, "<body")
	return body
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
func TestBrowserShowsFiveThousandFacts(t *testing.T) {
	t.Parallel()
	p := example(5000)
	p.Facts = append(p.Facts, Fact{ID: "log-needle", Type: "W", Text: "Nadel im Heuhaufen: 灰度发布", Entities: []string{"needle"}, Confidence: 0.6, Time: memory.Stamp(now.AddDate(0, -1, 0))})
	text := shown(t, dom(t, p, url.Values{"q": {"灰度 NADEL"}, "lang": {"zh"}}))
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
	text := shown(t, dom(t, example(60), url.Values{"view": {"entities"}, "entity": {"git"}}))
	if n := strings.Count(text, `<li class="card O"`); n != 9 || strings.Contains(text, "PostgreSQL") {
		t.Errorf("%d facts about git:\n%.3000s", n, text)
	}
}

// Nothing that a fact says does anything, whichever way it is shown, and nobody
// is asked for anything.
func TestBrowserHostile(t *testing.T) {
	t.Parallel()
	browser(t)
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	for _, view := range []string{"timeline", "sessions", "core"} {
		page := dom(t, hostilePage(server.URL), url.Values{"view": {view}, "old": {"1"}, "q": {"<"}})
		if strings.Contains(page, "data-pwned") || strings.Contains(page, "<title>pwned") {
			t.Errorf("%s: a fact ran", view)
		}
		text := shown(t, page)
		for _, bad := range []string{"<img", "<svg", "<a ", "<link", "<b onclick"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %q became an element", view, bad)
			}
		}
		if view == "timeline" && !strings.Contains(text, `<span class="badge" title="{{script}}`) {
			t.Errorf("a type that is none has no badge:\n%.2000s", text)
		}
		if !strings.Contains(text, "<mark>&lt;</mark>img src=x onerror=") {
			t.Errorf("%s: what was said is not shown:\n%.2000s", view, text)
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests left the page", n)
	}
}
