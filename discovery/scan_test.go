package discovery

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// fronts are front matters that the pre-scan and the YAML parser must read the
// same way, or the pre-scan must not be sure of. They seed the fuzz tests too.
var fronts = []struct {
	text string
	sure bool
}{
	{"name: a\ndescription: Says hello.\ntrigger: pre-tool-call\n", true},
	{"name: a\ndescription: 用中文说明这个钩子做什么。\ntrigger: pre-tool-call\n", true},
	{"name: a\r\ndescription: x\r\ntrigger: pre-session\r\n", true},
	{"# a comment\nname: a   # the name\n\ntrigger: pre-session\n  # indented comment\n", true},
	{"name: 'it''s'\ndescription: \"say \\\"hi\\\" to C:\\\\x\"\n", true},
	{"name: a\nmatcher:\n  tool: Shell|EditFile\n  pattern: 'rm -rf'\ntimeout: 5000\nasync: true\npriority: 900\n", true},
	{"matcher:\n    pattern: \"^/etc/\"\n    # why\n    tool: ^Shell$\n", true},
	{"metadata:\n  author: me\n  version: \"1.0\"\n  on_error: block\n  loop_limit: 3\nname: a\n", true},
	{"metadata:\n  version: 1.0\n  count: 007\n", true},
	{"metadata:\n  openclaw: x\n", true},
	{"pattern: x\n", false},
	{"name: a#b\n", true},
	{"description: a, b [c] {d}\n", true},
	{"description: \"\"\n", true},
	{"", true},
	{"\n\n", true},
	{"async: false\n", true},
	{"async: TRUE\n", true},
	{"async: yes\n", true},
	{"timeout: 0\n", true},

	{"name: a\nname: b\n", false},
	{"name: a\n b: c\n", false},
	{"name: a\n  continued\n", false},
	{"name:\n", false},
	{"name: ~\n", false},
	{"name: null\n", false},
	{"name: 123abc\n", false},
	{"name: 2fa\n", false},
	{"timeout: 0100\n", false},
	{"timeout: 1_000\n", false},
	{"timeout: 1e3\n", false},
	{"timeout: -5\n", false},
	{"timeout: +5\n", false},
	{"timeout: 5000000000\n", false},
	{"description: a: b\n", false},
	{"description: ends:\n", false},
	{"description: 'open\n", false},
	{"description: \"tab\\t\"\n", false},
	{"description: \"\\.py$\"\n", false},
	{"description: 'a' b\n", false},
	{"description: 'a'#b\n", false},
	{"description: |\n  block\n", false},
	{"description: >-\n  folded\n", false},
	{"description: &x a\n", false},
	{"description: *x\n", false},
	{"description: !!str 5\n", false},
	{"description: [a]\n", false},
	{"description: @a\n", false},
	{"description: - a\n", false},
	{"description: %a\n", false},
	{"matcher: {tool: Shell}\n", false},
	{"matcher:\n", false},
	{"matcher:\n  tool: a\n   pattern: b\n", false},
	{"matcher:\n  tool: a\n pattern: b\n", false},
	{"matcher:\n  tools: a\n", false},
	{"matcher:\n  tool: a\n  tool: b\n", false},
	{"matcher:\n  - a\n", false},
	{"metadata:\n  a: 1\n  a: 2\n", false},
	{"metadata:\n  a:\n    b: c\n", false},
	{"metadata:\n  tags: [a, b]\n", false},
	{"metadata:\n  a: 1\nmetadata:\n  b: 2\n", false},
	{"unknown: x\n", false},
	{"name : a\n", false},
	{"\"name\": a\n", false},
	{"? name\n: a\n", false},
	{"name:a\n", false},
	{"- a\n", false},
	{"just text\n", false},
	{"name: a\n\tb: c\n", false},
	{"name: a\tb\n", false},
	{"name: a\x00\n", false},
	{"name: \xff\n", false},
	{"name: a\rb: c\n", false},
	{"name: a\u2028b\n", false},
	{"name: a\u0085trigger: b\n", false},
	{"\ufeffname: a\n", false},
	{"--- x\nname: a\n", false},
	{"name: a\n...\nname: b\n", false},
	{"%YAML 1.2\n", false},
	{"<<: a\n", false},
	{"name: <<\n", false},
	{"name: =\n", false},
}

// sameFront reports how two readings of one text differ, "" if they do not.
func sameFront(a, b front) string {
	for k := range a.fields {
		if a.fields[k] != b.fields[k] {
			return fmt.Sprintf("%s: pre-scan has %+v, YAML %+v", keyNames[k], a.fields[k], b.fields[k])
		}
	}
	if a.foreign != b.foreign {
		return fmt.Sprintf("foreign: pre-scan %t, YAML %t", a.foreign, b.foreign)
	}
	if len(a.problems) != len(b.problems) {
		return fmt.Sprintf("problems: pre-scan %v, YAML %v", a.problems, b.problems)
	}
	return ""
}

func TestPrescanAgreesWithYAML(t *testing.T) {
	t.Parallel()
	for _, tt := range fronts {
		t.Run(fmt.Sprintf("%q", tt.text), func(t *testing.T) {
			got, sure := prescan(tt.text, 2)
			if sure != tt.sure {
				t.Errorf("%q: sure is %t, want %t", tt.text, sure, tt.sure)
			}
			if !sure {
				return
			}
			if diff := sameFront(got, parseYAML(tt.text, 2)); diff != "" {
				t.Errorf("%q: %s", tt.text, diff)
			}
		})
	}
}

// The pre-scan must be of use, not only right: the hooks that come with this
// repository and its samples are all read by it.
func TestPrescanReadsWhatPeopleWrite(t *testing.T) {
	t.Parallel()
	n := 0
	for _, glob := range []string{"testdata/hooks/*/HOOK.md", "../.agents/hooks/*/HOOK.md"} {
		files, err := filepath.Glob(glob)
		must.Do(t, err)
		for _, file := range files {
			b, err := os.ReadFile(file)
			must.Do(t, err)
			block, ok := CutFront(b)
			if !ok {
				t.Errorf("%s: %s", file, uncut(b))
				continue
			}
			if _, sure := prescan(string(block), frontLine); !sure {
				t.Errorf("%s is left to the YAML parser", file)
			}
			n++
		}
	}
	if n == 0 {
		t.Error("no file was looked at")
	}
}

func FuzzPrescan(f *testing.F) {
	for _, tt := range fronts {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, sure := prescan(text, 2)
		if !sure {
			return
		}
		if diff := sameFront(got, parseYAML(text, 2)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	})
}

// Whatever a HOOK.md holds, reading it neither panics nor invents places outside
// of it, and what Fix writes is not worse.
func FuzzHook(f *testing.F) {
	for _, tt := range fronts {
		f.Add("---\n" + tt.text + "---\n\nText.\n")
	}
	f.Add("---\nname: a\n")
	f.Add("no front matter")
	f.Add("\n\n---\nname: a\n---")
	f.Add("\xef\xbb\xbf---\r\ntrigger: before_tool\r\nmatcher:\r\n  tool: \"\\.py$\"\r\n---\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		h := Parse([]byte(text), "folder", UserLayer)
		lines := 1 + strings.Count(text, "\n")
		for _, p := range h.Problems {
			if p.Line < 1 || p.Line > lines || p.Column < 1 {
				t.Errorf("%q: problem at %d:%d of %d lines: %s", text, p.Line, p.Column, lines, p)
			}
			if p.Message == "" {
				t.Errorf("%q: a problem without a message", text)
			}
		}
		if h.Status == Ready && (!h.Trigger.Known() || h.Name == "") {
			t.Errorf("%q: ready without a name or an event: %+v", text, h)
		}
		h.compile()
		fixed, mended := Fix([]byte(text), Mending{})
		if len(mended) == 0 && string(fixed) != text {
			t.Errorf("%q: changed to %q for nothing", text, fixed)
		}
		if h.Status == Ready {
			again := Parse(fixed, "folder", UserLayer)
			if again.Status != Ready || again.Trigger != h.Trigger || again.Name != h.Name || again.Timeout != h.Timeout || again.Priority != h.Priority {
				t.Errorf("%q: Fix made %q of it, which means something else", text, fixed)
			}
		}
	})
}
