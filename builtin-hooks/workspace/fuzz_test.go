package workspace

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever a page holds: what is not set stays byte for byte, and what is set can
// be read again.
func FuzzPage(f *testing.F) {
	f.Add("---\ntitle: x\n---\n\n## 需求\n\ny\n\n## Mine\n\nz\n", "new", "t")
	f.Add("## 需求\r\n\r\n> note\r\n\r\ny\r\n## Mine\r\n", "a\nb", "'q'")
	f.Add("## 需求\n> no blank line\ny", "", "")
	f.Add("## 需求\n\nx", "> quoted\n\nrest", "t")
	f.Add("---\nno end\n## 需求", "x", "a: b")
	f.Fuzz(func(t *testing.T, text, need, title string) {
		if !utf8.ValidString(text+need+title) || strings.ContainsAny(need+title, "\r") || strings.ContainsAny(title, "\n") ||
			strings.HasPrefix(need, "## ") || strings.Contains(need, "\n## ") || strings.HasPrefix(strings.TrimSpace(need), "## ") {
			return // refused before it gets here
		}
		p := ParsePage([]byte(text))
		if string(p.Bytes()) != text {
			t.Fatalf("%q became %q", text, p.Bytes())
		}
		mine, had := p.Section("Mine"), p.Has("Mine")
		p.SetField("title", strings.TrimSpace(title))
		p.SetSection(secNeed, need)
		again := ParsePage(p.Bytes())
		if have := again.Field("title"); have != strings.TrimSpace(title) {
			t.Fatalf("title %q became %q in %q", title, have, p.Bytes())
		}
		if have := again.Section(secNeed); have != strings.TrimSpace(need) {
			t.Fatalf("%q became %q in %q", need, have, p.Bytes())
		}
		if again.Has("Mine") != had || again.Section("Mine") != mine {
			t.Fatalf("%q became %q in %q", mine, again.Section("Mine"), p.Bytes())
		}
	})
}
