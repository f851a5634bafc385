package install_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/claude"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// Every layout comes back byte for byte.
var layouts = []string{
	"{}", "{}\n", "{ }", "{\n}\n", "", "  \n",
	`{"a":1}`, `{"a": 1}`, "{\n\t\"a\": 1\n}", "{\r\n    \"a\": 1\r\n}\r\n", "\xef\xbb\xbf{\n  \"a\": 1\n}\n",
	"{\n  \"a\": 1,\n}\n", "{\n  \"a\": 1 // note\n}\n", "{\n  \"a\": 1, // note\n}\n", "{\"a\":1,}", "{\"a\":1/*x*/}", "{ // x\n}\n",
	`{"hooks":{"Other":[{"hooks":[{"type":"command","command":"x"}]}]}}`,
	"{\n  \"hooks\": {\n    \"PreToolUse\": [ // here\n      {\"hooks\": []} // there\n    ]\n  }\n}\n",
	"// top\n{\n  \"a\": [1, 2,],\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"y\"},\n        ],\n      },\n    ],\n  },\n}\n// bottom\n",
	"{\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"y\", \"type\": \"command\"}]}], \"Q\": 5}\n}",
	`{"hooks":{"Stop":[7,{"hooks":"odd"},{"nothing":1}],"PreToolUse":[{"matcher":5,"hooks":[1,{"command":7}]}]}}`,
	spelled,
}

func TestLayoutsComeBack(t *testing.T) {
	for _, text := range layouts {
		t.Run(fmt.Sprintf("%.80q", text), func(t *testing.T) {
			for _, d := range agents.All() {
				if c := d.Config; c.Shape != protocol.NestedJSON && c.Shape != protocol.FlatJSON || c.Events != "hooks" || c.EventsIn != nil {
					continue
				}
				files := disk{}
				path := d.Config.File(files.site(t))
				files[path] = text
				before := files.copy()
				add(t, d, files, entry(d))
				added := files.copy()
				add(t, d, files, entry(d))
				if !files.equal(added) {
					t.Errorf("%s: %q: second install differs:\n%s\n--\n%s", d.ID, text, added[path], files[path])
				}
				remove(t, d, files)
				got, ok := files[path]
				if d.Config.Head != "" && onlyComment(text) {
					// Our head cannot be told from one that was there before.
					if !strings.Contains(got, "// x") {
						t.Errorf("%s: %q: the comment is gone: %q", d.ID, text, got)
					}
				} else if got != text && !(emptied(text) && !ok) {
					t.Errorf("%s: %q: after uninstall %q (there: %v); in between:\n%s", d.ID, text, got, ok, added[path])
				}
				delete(files, path)
				delete(before, path)
				if !files.equal(before) {
					t.Errorf("%s: %q: uninstall left %v", d.ID, text, files)
				}
			}
		})
	}
}

// What is added is indented as the file is, and what is brought up to date keeps the comments
// around it.
func TestAddedInTheLayoutOfAFile(t *testing.T) {
	const path = "/home/dev/.claude/settings.json"
	const old = `{"type": "command", /* why */ "command": "/opt/old/agents-hooks run --agent=claude-code"}`
	for name, c := range map[string]struct{ text, want string }{
		"with tabs":                      {"{\n\t\"a\": 1\n}\n", "\n\t\"hooks\": {\n\t\t\"SessionStart\": [\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"type\""},
		"in more than the line before":   {"{\n  \"a\": 1,\n      \"hooks\": {}\n}\n", "\n      \"hooks\": {\n        \"SessionStart\": [\n          {\n            \"hooks\""},
		"a comment in the group":         {"{\"hooks\": {\"Stop\": [{/* mine */ \"hooks\": [" + old + "]}]}}", "[{/* mine */ \"hooks\": ["},
		"a comment in the entry":         {"{\"hooks\": {\"Stop\": [{\"hooks\": [" + old + "]}]}}", `{"type": "command", /* why */ "command": "/usr/local/bin/agents-hooks run --agent=claude-code"`},
		"a comma behind the last of all": {"{\"hooks\": {\"Stop\": [{\"hooks\": [" + old + ", {\"command\": \"x\"},],}]}}", `, {"command": "x"},],}`},
	} {
		t.Run(name, func(t *testing.T) {
			files := disk{path: c.text}
			add(t, claude.Dialect, files, entry(claude.Dialect))
			if !strings.Contains(files[path], c.want) {
				t.Errorf("without %s\n%s", c.want, files[path])
			}
		})
	}
}

// onlyComment reports whether a file has only a comment in an empty object.
func onlyComment(text string) bool { return text == "{ // x\n}\n" }

// emptied reports whether a file has no content, so that it may be deleted in the
// end: we cannot know that it existed before.
func emptied(text string) bool {
	switch strings.Join(strings.Fields(strings.TrimPrefix(text, "\xef\xbb\xbf")), "") {
	case "", "{}":
		return true
	}
	return false
}

// What was added is removed, whatever the file's layout, and nothing else is.
func FuzzAddRemove(f *testing.F) {
	for _, text := range layouts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := "/home/dev/.claude/settings.json"
		files := disk{path: string(text)}
		edits, err := install.Add(claude.Dialect, files.site(t), entry(claude.Dialect))
		if err != nil {
			return
		}
		var had protocol.Installation
		had, err = install.Inspect(claude.Dialect, files.site(t))
		must.Do(t, err)
		files.apply(t, edits)
		now, err := install.Inspect(claude.Dialect, files.site(t))
		if err != nil || len(now.Entries) != len(claude.Dialect.NativeEvents) {
			t.Fatalf("%q: %d entries, %v, in\n%s", text, len(now.Entries), err, files[path])
		}
		again, err := install.Add(claude.Dialect, files.site(t), entry(claude.Dialect))
		if err != nil || len(again) != 0 {
			t.Fatalf("%q: installing again: %d edits, %v\n%s", text, len(again), err, files[path])
		}
		remove(t, claude.Dialect, files)
		if len(had.Entries) > 0 || holdsEmpty(text) {
			return
		}
		if got := files[path]; got != string(text) && !(emptied(string(text)) && got == "") {
			t.Fatalf("%q came back as %q", text, got)
		}
	})
}

// holdsEmpty reports whether a file has an empty object or array into which we
// insert: if it is empty again afterwards, it is removed.
func holdsEmpty(text []byte) bool {
	flat := bytes.Join(bytes.Fields(text), nil)
	return bytes.Contains(flat, []byte(":{}")) || bytes.Contains(flat, []byte(":[]")) ||
		bytes.Contains(flat, []byte("/*")) || bytes.Contains(flat, []byte("//"))
}
