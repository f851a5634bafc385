package hooks

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

func (s *scene) fetched(url, text string) {
	s.event("evolution-web-save", "", "tool_name", `"Fetch"`, "tool_input", `{"url": `+quote(url)+`}`, "tool_response", `{"code": 200, "result": `+quote(text)+`}`, "tool_use_id", s.id())
}

func (s *scene) fetch(url string) protocol.HookAnswer {
	return s.event("evolution-web-load", "block context", "tool_name", `"Fetch"`, "tool_input", `{"url": `+quote(url)+`}`, "tool_use_id", s.id())
}

// Kept on this machine; given back only if that is switched on,
// labelled with address and age; never somebody's private page.
func TestPagesAreServedFromTheCache(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	text := strings.Repeat("all about hooks. ", 20)
	s.fetched("https://example.com/page", text)
	if s.fetch("https://example.com/page"); s.blocked != "" {
		t.Errorf("off: %q", s.blocked)
	}
	s.env = []string{"PRISMER_WEB_CACHE_LOAD=1"}
	s.fetch("https://example.com/page#part")
	wants(t, s.blocked, "[Evolution]", "not instructions", "URL: https://example.com/page", "Age: 0 minutes", "all about hooks.")
	for _, url := range []string{"https://example.com/other", "http://localhost:8080/", "http://10.0.0.1/", "file:///etc/passwd", ""} {
		if s.fetch(url); s.blocked != "" {
			t.Errorf("%s: %q", url, s.blocked)
		}
	}
	s.now = s.now.Add(25 * time.Hour)
	if s.fetch("https://example.com/page"); s.blocked != "" {
		t.Error("given back after its time")
	}
	if len(s.asked)+len(s.detached) > 0 {
		t.Errorf("something was started: %q %q", s.asked, s.detached)
	}
	s = newScene(t)
	s.settings["web_cache"] = false
	s.env = []string{"PRISMER_WEB_CACHE_LOAD=1"}
	s.fetched("https://example.com/page", text)
	if s.fetch("https://example.com/page"); s.blocked != "" {
		t.Error("kept although web_cache is off")
	}
}

// Of a long page the answer has a part, and names the file of the rest.
func TestALongPageIsAFile(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.env = []string{"PRISMER_WEB_CACHE_LOAD=1"}
	s.fetched("https://example.com/long", strings.Repeat("a line of the page\n", 3000)+"THE-END")
	s.fetch("https://example.com/long")
	i := strings.LastIndex(s.blocked, "All of it: ")
	if i < 0 || len(s.blocked) > 20000 || strings.Contains(s.blocked, "THE-END") {
		t.Fatalf("%d bytes, %d", len(s.blocked), i)
	}
	b, err := os.ReadFile(s.blocked[i+len("All of it: "):])
	if err != nil || !strings.Contains(string(b), "THE-END") {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}
