package internal_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/page"
)

// Nothing in a text ends the element that it stands in, and what a person would not see is
// spelled; what joins an emoji stays, and so do the signs of every script.
func TestTextsOfAPage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a</script>&":   `a\u003c/script\u003e\u0026`,
		"a\u202eb":      `a\\u{202e}b`,
		"a\u200bb":      `a\\u{200b}b`,
		"\x01":          `\\u0001`,
		"\x1b[2K":       `\\u001b[2K`,
		"\b\f":          `\\b\\f`,
		"a\r\n\t\"\\ub": `a\r\n\t\"\\ub`,
		"é数\U0001f469\u200d\U0001f4bb\ufe0f\ufe0e!": "é数\U0001f469\u200d\U0001f4bb\ufe0f\ufe0e!",
	} {
		if got, err := page.JSON(text); err != nil || string(got) != `"`+want+`"` {
			t.Errorf("%q became %s, want %q; %v", text, got, want, err)
		}
	}
	for raw, want := range map[string]string{`"\u202ea"`: `"\\u202ea"`, `"a\u000d"`: `"a\u000d"`, `"\u00e9"`: `"\u00e9"`} {
		if got, err := page.JSON(json.RawMessage(raw)); err != nil || string(got) != want {
			t.Errorf("%s became %s, want %s; %v", raw, got, want, err)
		}
	}
	if _, err := page.JSON(func() {}); err == nil {
		t.Error("a function became JSON")
	}
}

// A page has the styles and scripts of its parts, each allowed by its hash, and the names in
// it are no markup.
func TestAPageHasItsParts(t *testing.T) {
	t.Parallel()
	for language, lang := range map[string]string{"zh": "zh-CN", "en": "en", "": "en"} {
		d := page.One(language, "<b>", "kind", "~", "2026-11-30T10:00:00Z", page.Part{Name: "own", Style: ".own{}", Script: "show(own);\n", Docs: []any{map[string]string{"name": "</script>"}}})
		var b strings.Builder
		must.Do(t, d.Write(&b))
		text := b.String()
		for _, part := range []string{`<html lang="` + lang + `"`, "<style>.own{}</style>", "begin['own'] = (data, show) => {\nshow(own);\n};", "&lt;b&gt;", `\u003c/script\u003e`} {
			if !strings.Contains(text, part) {
				t.Errorf("%q: without %s", language, part)
			}
		}
		policy := regexp.MustCompile(`(?s)default-src.*?;[^"]*`).FindString(text)
		if n := strings.Count(policy, "sha256-"); n != 3 || strings.Contains(policy, "connect-src") {
			t.Errorf("%q: the policy has %d hashes: %s", language, n, policy)
		}
		d.Live = "live();\n"
		b.Reset()
		must.Do(t, d.Write(&b))
		if !strings.Contains(b.String(), "connect-src") || !strings.Contains(b.String(), "live();\nstart();") {
			t.Errorf("%q: a page that is served may not ask its server", language)
		}
	}
}
