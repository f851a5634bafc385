package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
)

// MEMORY.md is replaced whole, in the order of its sections, and only by something.
// BM-TRU-13, BM-TRU-15.
func TestDistill(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.write("MEMORY.md", "# mine\n- before\n")
	d, err := f.Distill([]byte(`{"Other": ["z"], "重要决策": ["use Go", "- no cgo"], "用户偏好": ["短句"], "Empty": []}`), false, locale.Chinese)
	if err != nil {
		t.Fatal(err)
	}
	want := "# 核心记忆\n\n## 用户偏好\n- 短句\n\n## 项目背景\n\n## 项目规范\n\n## 重要决策\n- use Go\n- no cgo\n\n## 常用工具\n\n## Other\n- z\n"
	if d.Page != want || f.read("MEMORY.md") != want || f.read("MEMORY.md.bak") != "# mine\n- before\n" || f.read(d.Before) != "# mine\n- before\n" {
		t.Errorf("page %q, file %q, kept %q", d.Page, f.read("MEMORY.md"), d.Before)
	}
	if !strings.Contains(d.Changes, "\n-- before\n") || !strings.Contains(d.Changes, "\n+- 短句\n") {
		t.Errorf("the difference is not shown:\n%s", d.Changes)
	}
	many := `{"x": ["` + strings.Repeat(`a b","`, 50) + `last"]}`
	for _, bad := range []string{"", "[]", "{}", `{"a": "b"}`, `{"a": [1]}`, `{"a": []}`, "null", many} {
		t.Run(fmt.Sprintf("refused: %.40q", bad), func(t *testing.T) {
			if _, err := f.Distill([]byte(bad), false, locale.Chinese); err == nil {
				t.Error("it was taken")
			}
		})
	}
	if _, err := f.Distill([]byte(many), true, locale.Chinese); err != nil {
		t.Error(err)
	}
}

// The pages are found by their parts; a heading alone is nothing, and a part
// that is taken out is not found any more.
// BM-HND-10.
func TestPages(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.write("MEMORY.md", "# 核心记忆\n\n## 用户偏好\n- 喜欢短句\n\n## 项目背景\n\n## 常用工具\n- ripgrep\n")
	f.write("NOTES.md", "my own note about otters\n"+strings.Repeat("filler words of a long page\n", 200)+"walrus at the end\n")
	x := f.index()
	for query, id := range map[string]string{"短句": "core-0", "ripgrep": "core-1", "otters": "notes-0"} {
		t.Run(query, func(t *testing.T) {
			if got := f.find(x, query); len(got) == 0 || got[0] != id {
				t.Errorf("%v, want %s", got, id)
			}
		})
	}
	if got := f.find(x, "walrus"); len(got) == 0 || got[0] == "notes-0" {
		t.Errorf("a long page has one part: %v", got)
	}
	f.write("MEMORY.md", "# 核心记忆\n\n## 用户偏好\n- 喜欢短句\n")
	if got := f.find(x, "ripgrep"); len(got) > 0 {
		t.Errorf("taken out, and found: %v", got)
	}
}
