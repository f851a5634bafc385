package pagecache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/modetest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

var body = strings.Repeat("A paragraph of a page that is worth keeping. ", 5)

func fresh(t *testing.T) Cache {
	return Cache{Dir: filepath.Join(t.TempDir(), "web"), TTL: 24 * time.Hour, Size: 32 << 20}
}

// What was kept is given back within 24 hours, for all spellings
// of the address, and not afterwards.
func TestKeptForADay(t *testing.T) {
	t.Parallel()
	c, at := fresh(t), time.Now().Truncate(time.Millisecond)
	must.Do(t, c.Save(Page{URL: "https://Go.dev/doc#top", Text: body, Saved: at}))
	p, ok := c.Load("https://go.dev:443/doc#end", at.Add(23*time.Hour))
	if !ok || p.Text != body || p.URL != "https://go.dev/doc" || !p.Saved.Equal(at) {
		t.Errorf("%+v, %v", p, ok)
	}
	for _, miss := range []struct {
		what, url string
		at        time.Time
	}{
		{"a day later", "https://go.dev/doc", at.Add(24 * time.Hour)},
		{"saved in the future", "https://go.dev/doc", at.Add(-time.Hour)},
		{"another page", "https://go.dev/other", at},
		{"not encrypted", "http://go.dev/doc", at},
		{"of this machine", "http://localhost/doc", at},
	} {
		t.Run(miss.what, func(t *testing.T) {
			if _, ok := c.Load(miss.url, miss.at); ok {
				t.Errorf("%+v is a hit", miss)
			}
		})
	}
	modetest.Kept(t)
	for _, f := range []string{c.Dir, c.name(p.URL)} {
		if info, err := os.Stat(f); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: others may read it: %v, %v", f, info.Mode(), err)
		}
	}
}

// A search is kept and never given back.
func TestSearchIsNotServed(t *testing.T) {
	t.Parallel()
	c, now := fresh(t), time.Now()
	var ev protocol.Object
	ev.Set("tool_input", protocol.Raw(`{"query": "go 1.26 & 发布"}`))
	ev.Set("tool_response", protocol.Raw(`{"results": [{"title": "`+body+`", "url": "https://go.dev"}]}`))
	p, err := Of(ev, now)
	if err != nil || p.URL != "prismer://search/go%201.26%20%26%20%E5%8F%91%E5%B8%83" || !p.Search() {
		t.Fatalf("%+v, %v", p, err)
	}
	must.Do(t, c.Save(p))
	if _, ok := c.Load(p.URL, now); ok {
		t.Error("a search came from the cache")
	}
	if b, err := os.ReadFile(c.name(p.URL)); err != nil || !strings.Contains(string(b), "worth keeping") {
		t.Errorf("it was not kept: %v", err)
	}
}

// Secrets and private parts never reach the disk; an address with a secret is not
// kept at all.
func TestRedactedBeforeStorage(t *testing.T) {
	t.Parallel()
	c, now := fresh(t), time.Now()
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	must.Do(t, c.Save(Page{URL: "https://go.dev/doc", Text: body + "<private>my own</private> token " + token, Saved: now}))
	p, _ := c.Load("https://go.dev/doc", now)
	if strings.Contains(p.Text, token) || strings.Contains(p.Text, "my own") || !strings.Contains(p.Text, "[REDACTED:github-token]") {
		t.Errorf("kept: %q", p.Text)
	}
	if err := c.Save(Page{URL: "https://go.dev/doc?access_token=" + token, Text: body, Saved: now}); err == nil {
		t.Error("an address with a token was kept")
	}
	b, _ := os.ReadDir(c.Dir)
	for _, e := range b {
		text, _ := os.ReadFile(filepath.Join(c.Dir, e.Name()))
		if strings.Contains(string(text), token) {
			t.Errorf("%s holds the token", e.Name())
		}
	}
}

// The folder does not outgrow its size: the oldest go first, and what is too old.
func TestTheCacheIsBounded(t *testing.T) {
	t.Parallel()
	c, now := fresh(t), time.Now()
	c.Size = 4000
	for i := range 10 {
		url := fmt.Sprint("https://go.dev/", i)
		must.Do(t, c.Save(Page{URL: url, Text: strings.Repeat("x", 900), Saved: now}))
		at := now.Add(time.Duration(i-20) * time.Minute)
		must.Do(t, os.Chtimes(c.name(url), at, at))
	}
	var total int64
	files, _ := filepath.Glob(filepath.Join(c.Dir, "*"+ending))
	for _, f := range files {
		info, _ := os.Stat(f)
		total += info.Size()
	}
	if total > c.Size || len(files) != 4 {
		t.Errorf("%d bytes in %d pages", total, len(files))
	}
	if _, ok := c.Load("https://go.dev/9", now); !ok {
		t.Error("the newest is gone")
	}
	old := now.Add(-25 * time.Hour)
	must.Do(t, os.Chtimes(c.name("https://go.dev/9"), old, old))
	must.Do(t, c.Save(Page{URL: "https://go.dev/0", Text: body, Saved: now}))
	if _, err := os.Stat(c.name("https://go.dev/9")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is too old is still there: %v", err)
	}
}

// Many keep pages at once, and each page is whole. Who is told that others kept the lock
// for too long, as on a busy machine, comes again.
func TestManyCacheAtOnce(t *testing.T) {
	t.Parallel()
	c, now := fresh(t), time.Now()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for k := range 5 {
				text := strings.Repeat(string(rune('a'+i)), 2000)
				err := statefile.ErrLocked
				for errors.Is(err, statefile.ErrLocked) {
					err = c.Save(Page{URL: fmt.Sprint("https://go.dev/", k), Text: text, Saved: now})
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for k := range 5 {
		p, ok := c.Load(fmt.Sprint("https://go.dev/", k), now)
		if !ok || len(p.Text) != 2000 || strings.Trim(p.Text, p.Text[:1]) != "" {
			t.Errorf("page %d: %v, %d bytes", k, ok, len(p.Text))
		}
	}
}

// A damaged file, or one of another address, is no page.
func TestDamagedPageIsAMiss(t *testing.T) {
	t.Parallel()
	c, now := fresh(t), time.Now()
	must.Do(t, os.MkdirAll(c.Dir, 0o700))
	for name, text := range map[string]string{
		"an empty file":     "",
		"another format":    "x",
		"no address":        magic,
		"no time":           magic + "\nhttps://go.dev/\n",
		"a time that is no": magic + "\nhttps://go.dev/\nx\n",
		"another address":   magic + "\nhttps://other.dev/\n" + fmt.Sprint(now.UnixMilli()) + "\nbody",
	} {
		t.Run(name, func(t *testing.T) {
			must.Write(t, c.name("https://go.dev/"), text)
			if p, ok := c.Load("https://go.dev/", now); ok {
				t.Errorf("%q is a page: %+v", text, p)
			}
		})
	}
}

// What of a tool's answer is kept: code 200, a public address before and
// after redirects, more than 100 characters.
func TestWhatOfAnEventIsCached(t *testing.T) {
	t.Parallel()
	long := string(protocol.Quote(body))
	for _, c := range []struct {
		name, input, answer string
		ok                  bool
	}{
		{"an object with a result", `{"url": "https://go.dev", "prompt": "p"}`, `{"bytes": 1, "code": 200, "codeText": "OK", "result": ` + long + `, "url": "https://go.dev"}`, true},
		{"plain text", `{"url": "https://go.dev"}`, long, true},
		{"content blocks", `{"url": "https://go.dev"}`, `[{"type": "text", "text": ` + long + `}]`, true},
		{"nested content", `{"url": "https://go.dev"}`, `{"content": [{"type": "text", "text": ` + long + `}]}`, true},
		{"a status in words", `{"url": "https://go.dev"}`, `{"status": "success", "output": ` + long + `}`, true},
		{"404", `{"url": "https://go.dev"}`, `{"code": 404, "result": ` + long + `}`, false},
		{"999, as robots get it", `{"url": "https://go.dev"}`, `{"status": 999, "result": ` + long + `}`, false},
		{"301", `{"url": "https://go.dev"}`, `{"status": 301, "result": ` + long + `}`, false},
		{"exactly 100", `{"url": "https://go.dev"}`, `"` + strings.Repeat("字", 100) + `"`, false},
		{"101", `{"url": "https://go.dev"}`, `"` + strings.Repeat("字", 101) + `"`, true},
		{"private", `{"url": "http://localhost:3000"}`, long, false},
		{"redirected inside", `{"url": "https://go.dev"}`, `{"code": 200, "result": ` + long + `, "url": "http://169.254.169.254/"}`, false},
		{"no answer", `{"url": "https://go.dev"}`, ``, false},
		{"nothing", `{}`, long, false},
		{"short search", `{"query": "x"}`, `"none"`, false},
	} {
		t.Run(fmt.Sprintf("name %q", c.name), func(t *testing.T) {
			ev, err := protocol.ParseObject([]byte(`{"tool_input": ` + c.input + `}`))
			must.Do(t, err)
			if c.answer != "" {
				ev.Set("tool_response", protocol.Raw(c.answer))
			}
			p, err := Of(ev, time.Now())
			if (err == nil) != c.ok || c.ok && !strings.Contains(p.Text, "keeping") && !strings.Contains(p.Text, "字") {
				t.Errorf("%s: %+v, %v", c.name, p, err)
			}
		})
	}
}
