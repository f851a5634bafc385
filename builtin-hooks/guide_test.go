package builtinhooks_test

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
)

// The guide of a behaviour is a skill: a name that is its folder's, a
// description by which an agent finds it, and the same headings in both
// languages.
func TestGuides(t *testing.T) {
	for _, b := range builtinhooks.Behaviours() {
		headings := map[string]int{}
		for _, language := range []string{"en", "zh"} {
			text := builtinhooks.Guide(&b, func(name string) string { return map[string]string{"LANG": language}[name] }, nil)
			if text == nil {
				t.Errorf("%s has no guide/%s.md", b.Name, language)
				continue
			}
			if ours, untouched := builtinhooks.IsGuide(text); !ours || !untouched {
				t.Errorf("%s/%s: ours %v, untouched %v", b.Name, language, ours, untouched)
			}
			if ours, untouched := builtinhooks.IsGuide(append([]byte("x"), text...)); !ours || untouched {
				t.Errorf("%s/%s, edited: ours %v, untouched %v", b.Name, language, ours, untouched)
			}
			front, body, ok := strings.Cut(strings.TrimPrefix(string(text), "---\n"), "\n---\n")
			var head struct{ Name, Description string }
			if err := yaml.Unmarshal([]byte(front), &head); err != nil || !ok {
				t.Errorf("%s/%s begins with no front matter: %v", b.Name, language, err)
				continue
			}
			if head.Name != builtinhooks.GuideName(b.Name) {
				t.Errorf("%s/%s: name %q, want %q", b.Name, language, head.Name, builtinhooks.GuideName(b.Name))
			}
			if n := len([]rune(head.Description)); n < 40 || n > 1024 {
				t.Errorf("%s/%s: a description of %d characters: want 40 to 1024", b.Name, language, n)
			}
			if n := len([]rune(body)); n > 6000 {
				t.Errorf("%s/%s: %d characters are no short guide: want 6000 at most", b.Name, language, n)
			}
			headings[language] = strings.Count(body, "\n#")
		}
		if headings["en"] != headings["zh"] {
			t.Errorf("%s: %v headings", b.Name, headings)
		}
	}
}
