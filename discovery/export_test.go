package discovery

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Where what hooks did is sent to is the person's word, the user's file over the
// system's, as a whole: headers go to nobody but whom the same file names.
func TestExportIsThePersons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, user, system, project string
		want                        string // address and header; "" for nowhere
	}{
		{"nobody says anything", "", "", "", ""},
		{"the user's", "[export]\notlp = 'https://u'\nheaders = {k = 'u'}\n", "", "", "https://u u"},
		{"the system's", "", "[export]\notlp = 'https://s'\nheaders = {k = 's'}\n", "", "https://s s"},
		{"the user's alone of both", "[export]\notlp = 'https://u'\n", "[export]\notlp = 'https://s'\nheaders = {k = 's'}\n", "", "https://u "},
		{"the user's headers go not to the system's collector", "[export]\nheaders = {k = 'u'}\n", "[export]\notlp = 'https://s'\n", "", "https://s "},
		{"the user wants none", "[export]\notlp = ''\n", "[export]\notlp = 'https://s'\n", "", ""},
		{"a project's counts for nothing", "", "", "[export]\notlp = 'https://p'\ncontents = true\n", ""},
		{"nor beside the user's", "[export]\notlp = 'https://u'\n", "", "[export]\notlp = 'https://p'\nheaders = {k = 'p'}\n", "https://u "},
		{"no address of HTTP", "[export]\notlp = 'localhost:4318'\n", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range map[string]string{"user/hooks.toml": c.user, "system/hooks.toml": c.system, "p/.agents/hooks.toml": c.project} {
				path := filepath.Join(dir, filepath.FromSlash(file))
				must.Write(t, path, text)
			}
			src := Sources{User: filepath.Join(dir, "user"), System: []string{filepath.Join(dir, "system")}, Home: dir, TrustAlways: true, AnyOwner: true}
			got := ""
			if e := LoadSettings(src, filepath.Join(dir, "p")).Settings.Export; e != nil {
				got = e.OTLP + " " + e.Headers["k"]
				if e.Contents {
					t.Error("contents go along, and nobody of the person's said so")
				}
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// What is wrong in [export] is told with its place, and no value of a header with it.
func TestExportProblems(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[export]\notlp = 7\n":                                  "export.otlp",
		"[export]\notlp = 'grpc://x'\n":                         "http://localhost:4318",
		"[export]\ncontents = 'yes'\n":                          "true or false",
		"[export]\nheaders = 'k=secret'\n":                      "a table",
		"[export]\nheaders = {k = 5}\n":                         "is no text",
		"[export]\nheaders = {'a b' = 'secret'}\n":              "no name of a header",
		"[export]\nheaders = {k = \"secret\\r\\nX: y\"}\n":      "control character",
		"[export]\nheaders = {Host = 'secret'}\n":               "not for you to set",
		"[export]\ninterval = 5\n":                              "known are otlp",
		"export = 'http://x'\n":                                 "a table",
		"[export]\notlp = 'http://x'\n[[export.more]]\na = 'x'": "unknown key",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			var all []string
			for _, p := range parseSettings(text, "/f", UserLayer, Behaviours{}).problems {
				all = append(all, p.String())
			}
			said := strings.Join(all, "\n")
			if !strings.Contains(said, want) || strings.Contains(said, "secret") {
				t.Errorf("%s: %q, want %q", text, said, want)
			}
		})
	}
	if ps := parseSettings("[export]\notlp = 'http://x'\n", "/f", ProjectLayer, Behaviours{}).problems; len(ps) != 1 || !strings.Contains(ps[0].String(), "your own hooks.toml") {
		t.Errorf("a project's: %v", ps)
	}
}
