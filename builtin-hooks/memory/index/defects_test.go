package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
)

// A shop is a memory folder as the original writes it, with its index and its
// snapshot: what holds for one holds for the other.
type shop struct {
	*testing.T
	at find.Shelf
	x  *Index
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{t, find.Shelf{Dir: t.TempDir(), Cache: t.TempDir()}, nil}
	x, err := Open(filepath.Join(s.at.Dir, FileName), Hash{})
	if err != nil {
		t.Fatal(err)
	}
	s.x = x
	t.Cleanup(func() { x.Close() })
	return s
}

func (s *shop) write(file, text string) {
	s.Helper()
	path := filepath.Join(s.at.Dir, file)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
}

// want is what the best hit says, by the index and by the snapshot; "" for none.
func (s *shop) want(query, part string) {
	s.Helper()
	at := time.Now()
	if _, err := s.x.Sync(context.Background(), s.at.Sources(), at); err != nil {
		s.Fatal(err)
	}
	q := Query{Text: query, Max: 1, Method: find.Hybrid, Now: at}
	slow, err := s.x.Search(context.Background(), q)
	if err != nil {
		s.Fatal(err)
	}
	if err := s.at.Keep(at, 0); err != nil {
		s.Fatal(err)
	}
	quick, ok, err := find.Quick(context.Background(), []find.Shelf{s.at}, Hash{}, q, at)
	if err != nil || !ok {
		s.Fatal(ok, err)
	}
	for name, got := range map[string]int{"the index": len(slow), "the snapshot": len(quick)} {
		if got > 0 != (part != "") {
			s.Errorf("%q: %s finds %d, want %q", query, name, got, part)
			return
		}
	}
	if part != "" && (!strings.Contains(slow[0].Content, part) || !strings.Contains(quick[0].Content, part)) {
		s.Errorf("%q: found %q and %q, want %q", query, slow[0].Content, quick[0].Content, part)
	}
}

func sum(n int, text string) string {
	return fmt.Sprintf(`{"id": "sum-%d", "session_id": "s%d", "topic": "%s", "summary": "", "timestamp": "2026-02-17T11:30:00Z"}`+"\n", n, n, text)
}

func fact(id, text string) string {
	return fmt.Sprintf(`{"id": %q, "type": "fact", "memory_type": "W", "content": %q, "timestamp": "2026-02-17T11:30:00Z"}`+"\n", id, text)
}

// 2.5, 1: after sessions.jsonl was cut to its newest lines, new summaries were
// never indexed.
func TestDefect1SummariesAfterATruncation(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	var all []string
	for i := range 30 {
		all = append(all, sum(i, fmt.Sprintf("about subject%d", i)))
	}
	s.write("sessions.jsonl", strings.Join(all, ""))
	s.want("subject3", "subject3")
	s.write("sessions.jsonl", strings.Join(all[20:], ""))
	s.want("subject25", "subject25")
	s.write("sessions.jsonl", strings.Join(all[20:], "")+sum(99, "the zeppelin landed"))
	s.want("zeppelin", "zeppelin landed")
}

// 2.5, 2: a second append within the second of a sync was invisible.
func TestDefect2AppendInTheSameSecond(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	text := fact("log-1", "the parser reads front matter")
	s.write("daily/2026-02-17.jsonl", text)
	s.want("parser", "front matter")
	for i, word := range []string{"zeppelin", "okapi", "quince"} {
		text += fact(fmt.Sprintf("log-x%d", i), "something about a "+word)
		s.write("daily/2026-02-17.jsonl", text)
		s.want(word, word)
	}
}

// 2.5, 3: deleted sections of MEMORY.md stayed searchable.
func TestDefect3DeletedSections(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.write("MEMORY.md", "# 核心记忆\n\n## 用户偏好\n\n- likes zeppelins\n\n## 常用工具\n\n- uses an okapi\n")
	s.want("zeppelins", "zeppelins")
	s.write("MEMORY.md", "# 核心记忆\n\n## 常用工具\n\n- uses an okapi\n")
	s.want("zeppelins", "")
	s.want("okapi", "okapi")
}

// 2.5, 4: queries of two characters missed, and punctuation yielded nothing.
func TestDefect4ShortChineseAndPunctuation(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.write("daily/2026-02-17.jsonl", fact("log-1", "提交信息写英文")+fact("log-2", "plugins are built in C++ with node.js beside them"))
	for query, part := range map[string]string{"提交": "提交信息", "信息": "提交信息", `"信息`: "提交信息", "C++": "C++", "node.js": "node.js", `plugins "`: "plugins", "-plugins*": "plugins"} {
		s.want(query, part)
	}
}
