package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

func TestDirName(t *testing.T) {
	t.Parallel()
	const id = "node-mjb6mj4h-a60yht"
	for name, want := range map[string]string{
		"UI优化":                  "UI优化_mjb6mj4h",
		`a/b\c:d*e?f"g<h>i|j`:   "a_b_c_d_e_f_g_h_i_j_mjb6mj4h",
		"  two   spaces\tand ":  "two spaces and_mjb6mj4h",
		strings.Repeat("界", 60): strings.Repeat("界", 50) + "_mjb6mj4h",
		strings.Repeat("😀", 30): strings.Repeat("😀", 25) + "_mjb6mj4h",
		"..":                    ".._mjb6mj4h",
		"":                      "_mjb6mj4h",
		"nul\x00l":              "nul_l_mjb6mj4h",
	} {
		t.Run(name, func(t *testing.T) {
			if have := DirName(name, id); have != want {
				t.Errorf("%q: %q, want %q", name, have, want)
			}
		})
	}
	if DirName("x", RootID) != RootID {
		t.Error("the root's folder is root")
	}
	if id := NewID("ws", time.UnixMilli(1766023865729), 1<<63); len(id) != len("ws-mjb65az5-0wcjuu") || ShortID(id) != "mjat0fwh" {
		t.Errorf("%s", id)
	}
	if RulesHash(nil) != "" || RulesHash([]string{"a", "b"}) != "8cdeb444" {
		t.Errorf("%s", RulesHash([]string{"a", "b"}))
	}
}

// What is not set stays byte for byte, in whatever form it came.
func TestPage(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "no front matter", "---\nunclosed", "\ufeff---\ntitle: x\n---\n## 需求\n\ny\n", "---\r\ntitle: 'x'\r\n---\r\n\r\n## 需求\r\n\r\ny\r\n\r\n## 备注\r\n\r\nz\r\n",
		"---\ntitle: \"x\"\n---\n\n## 需求\n\n> note\n\ny\n\n### small\n\n## Mine\n  ## not one\nend",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			p := ParsePage([]byte(text))
			if string(p.Bytes()) != text {
				t.Errorf("%q became %q", text, p.Bytes())
			}
			before := p.Section("Mine")
			p.SetField("title", `"quoted: yes"`)
			p.SetSection(secNeed, "line 1\nline 2")
			p.SetSection(secNotes, "")
			again := ParsePage(p.Bytes())
			if again.Field("title") != `"quoted: yes"` || again.Section(secNeed) != "line 1\nline 2" || again.Section(secNotes) != "" || again.Section("Mine") != before {
				t.Errorf("%q: %q", text, p.Bytes())
			}
			if strings.Contains(text, "\r\n") && strings.Contains(strings.ReplaceAll(string(p.Bytes()), "\r\n", ""), "\n") {
				t.Errorf("mixed line ends: %q", p.Bytes())
			}
			once := string(p.Bytes())
			p.SetSection(secNeed, "line 1\nline 2")
			if string(p.Bytes()) != once {
				t.Errorf("setting the same changes %q to %q", once, p.Bytes())
			}
		})
	}
	p := ParsePage([]byte("## 规则\n\n> note\n\nsome words\n- a\n- b\nmore words\n\n## 文档\n"))
	p.SetRules([]string{"c"})
	if have := string(p.Bytes()); have != "## 规则\n\n> note\n\nsome words\n- c\nmore words\n\n## 文档\n" {
		t.Errorf("%q", have)
	}
}

// The placeholder is no problem, and the note on the format no document.
func TestPlaceholders(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"（暂无）": "", "(暂无)": "", "": "", " - ": "", "None": "", "暂无法登录": "暂无法登录", "none of them works": "none of them works"} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if have := real(text); have != want {
				t.Errorf("%q: %q", text, have)
			}
		})
	}
	docs := parseDocs("> 格式：- [文件名](路径) - 说明 (状态)\n\n- [a](x/a.md) - what (active)\n- [b](b.md) - old (expired)\n- [c](c.md)\n- plain\n- [d]\n")
	if len(docs) != 3 || docs[0] != (Doc{"x/a.md", "what", false}) || docs[1] != (Doc{"b.md", "old", true}) || docs[2] != (Doc{"c.md", "c", false}) {
		t.Errorf("%+v", docs)
	}
	for _, d := range docs {
		if again := parseDocs(d.String()); len(again) != 1 || again[0] != d {
			t.Errorf("%+v became %+v", d, again)
		}
	}
}

func TestLogRows(t *testing.T) {
	t.Parallel()
	rows := ParseLog([]byte("## 日志\n\n| 时间 | 操作者 | 事件 |\n|------|--------|------|\n| 2025-12-18 14:45:10 | AI | a<br>b｜c |\n| 14:45 | Human | 时间 and Time |\r\n|x|\n| 2025-12-18 14:45:11 | AI | cut"), shanghai)
	if len(rows) != 3 || rows[0].Event != "a\nb|c" || !rows[0].Time.Equal(date("2025-12-18 14:45:10")) || rows[1].Event != "时间 and Time" || !rows[1].Time.IsZero() || rows[2].Event != "cut" {
		t.Errorf("%+v", rows)
	}
	for event, want := range map[string]bool{"开始: pending → implementing (x)": true, "pending → implementing": true, "a → b": false, "moved: pending → elsewhere": false, "plain": false} {
		t.Run(event, func(t *testing.T) {
			if have := (Row{Event: event}).transition(); have != want {
				t.Errorf("%q: %v", event, have)
			}
		})
	}
}

// A row that a person added without ending it stays, and so does the next one.
func TestARowTypedByHandStays(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "Log.md")
	for i, typed := range []string{"", "| 2025-12-18 14:46:00 | Human | typed by hand |", "and no row at all"} {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		must.Do(t, err)
		if _, err := f.WriteString(typed); err != nil || f.Close() != nil {
			t.Fatal(err)
		}
		must.Do(t, appendRow(nil, path, Row{Time: date("2025-12-18 14:45:10"), Operator: "AI", Event: "row " + strconv.Itoa(i)}))
	}
	b, err := os.ReadFile(path)
	must.Do(t, err)
	var have []string
	for _, r := range ParseLog(b, shanghai) {
		have = append(have, r.Event)
	}
	if want := []string{"row 0", "typed by hand", "row 1", "row 2"}; !slices.Equal(have, want) || !strings.Contains(string(b), "\nand no row at all\n") {
		t.Errorf("%q, want %q; the file:\n%s", have, want, b)
	}
}
