package hooks

import (
	"fmt"
	"testing"
)

func TestSkeletonsAreFilled(t *testing.T) {
	t.Parallel()
	values := map[string]string{"Name": "n {{Yes}}", "Yes": "yes", "No": ""}
	for text, want := range map[string]string{
		"":                             "",
		"a { b } c":                    "a { b } c",
		"a {{Name}} b{{No}}":           "a n {{Yes}} b",
		"a\n\n{{- Yes}}\nb":            "ayes\nb",
		"{{if Yes}}a{{end}}b":          "ab",
		"{{if No}}a{{end}}b":           "b",
		"{{if No}}a{{else}}b{{end}}c":  "bc",
		"{{if Yes}}a{{else}}b{{end}}c": "ac",
		"{{if Yes}}a{{else if Yes}}b{{else}}c{{end}}":       "a",
		"{{if No}}a{{else if Yes}}b{{else}}c{{end}}":        "b",
		"{{if No}}a{{else if No}}b{{else}}c{{end}}":         "c",
		"{{if No}}a{{if Yes}}b{{else}}c{{end}}d{{end}}e":    "e",
		"{{if Yes}}a{{if No}}b{{else}}c{{end}}d{{end}}e":    "acde",
		"a\n{{- if No}} x{{end}}\n{{- if Yes}} y{{end}}\nb": "a y\nb",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if got := fill(text, values); got != want {
				t.Errorf("%q:\n got %q\nwant %q", text, got, want)
			}
		})
	}
	defer func() {
		if recover() == nil {
			t.Error("a value that there is not was filled in")
		}
	}()
	fill("{{if No}}{{else}}{{Nme}}{{end}}", values)
}
