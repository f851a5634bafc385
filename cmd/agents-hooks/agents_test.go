package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// docs/agents.md and the pages below docs/agents are what the dialects say; what
// stands around the marked part is written by hand. After a change to a dialect:
//
//	AGENTS_HOOKS_UPDATE=1 go test ./cmd/agents-hooks -run TestAgentsPages
func TestAgentsPagesAreCurrent(t *testing.T) {
	t.Parallel()
	docs := filepath.Join("..", "..", "docs")
	current(t, filepath.Join(docs, "agents.md"), "agents-hooks agents --markdown", agentsMarkdown(agents.All()), "")
	pages := map[string]bool{}
	for _, d := range agents.All() {
		pages[d.ID+".md"] = true
		path := filepath.Join(docs, "agents", d.ID+".md")
		current(t, path, "agents-hooks agents --markdown "+d.ID, agentPage(d), "# "+d.Name+"\n\n")
		byHand(t, path, d)
	}
	have, err := os.ReadDir(filepath.Join(docs, "agents"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range have {
		if !pages[f.Name()] {
			t.Errorf("docs/agents/%s is of no agent", f.Name())
		}
	}
}

// byHand holds a page to what its author has to say: what a user gets, before the
// marked part, and where to look in the agent itself, after it.
func byHand(t *testing.T, path string, d *protocol.Dialect) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	before, rest, _ := strings.Cut(string(b), "<!-- begin: ")
	_, after, _ := strings.Cut(rest, "<!-- end -->\n")
	if intro, ok := strings.CutPrefix(before, "# "+d.Name+"\n"); !ok || len(strings.Fields(intro)) < 10 {
		t.Errorf("%s: want the title %q and some sentences by hand before the marked part", path, d.Name)
	}
	if debug, ok := strings.CutPrefix(after, "\n## In "+d.Name+" itself\n"); !ok || len(strings.Fields(debug)) < 10 {
		t.Errorf("%s: want a section \"In %s itself\" by hand after the marked part", path, d.Name)
	}
	if (d.Observed == "") != strings.Contains(strings.Join(strings.Fields(before), " "), "Nothing of this was observed") {
		t.Errorf("%s: observed is %q, and the text by hand says otherwise", path, d.Observed)
	}
}

// current holds the marked part of a page to what it should say. A page that is
// not there begins with head.
func current(t *testing.T, path, command, text, head string) {
	t.Helper()
	begin, end := "<!-- begin: "+command+" -->\n", "<!-- end -->\n"
	update := os.Getenv("AGENTS_HOOKS_UPDATE") != ""
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && update && head != "" {
		b, err = []byte(head+begin+end), nil
	}
	if err != nil {
		t.Errorf("%v; AGENTS_HOOKS_UPDATE=1 go test ./cmd/agents-hooks -run TestAgentsPages writes it", err)
		return
	}
	before, rest, ok := strings.Cut(string(b), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s: no lines %q and %q", path, begin, end)
	}
	want := before + begin + "\n" + text + "\n" + end + after
	switch now, _ := os.ReadFile(path); {
	case string(now) == want:
	case update:
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what the dialects say:\n%s", path, unifiedDiff(filepath.Base(path), now, []byte(want)))
	}
}

func TestInstalledVersion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for path, content := range map[string]string{
		"npm/node_modules/@x/agent/package.json": `{"name": "@x/agent", "version": "1.2.3", "bin": {"agent": "bin/agent.js"}}`,
		"npm/node_modules/@x/agent/bin/agent.js": "",
		"npm/package.json":                       `{"version": "9.9.9"}`,
		"versions/2.1.329":                       "",
		"app/2.0.1-beta.1/agent":                 "",
		"plain/agent":                            "",
		"project/package.json":                   `{"name": "no-program", "version": "4.5.6"}`,
		"project/bin/agent":                      "",
		"broken/package.json":                    `{"version": `,
		"broken/agent":                           "",
	} {
		put(t, filepath.Join(dir, filepath.FromSlash(path)), content, 0o755)
	}
	for program, want := range map[string]string{
		"npm/node_modules/@x/agent/bin/agent.js": "1.2.3",
		"versions/2.1.329":                       "2.1.329",
		"app/2.0.1-beta.1/agent":                 "2.0.1-beta.1",
		"plain/agent":                            "",
		"project/bin/agent":                      "", // a package that brings no program along
		"broken/agent":                           "",
		"gone":                                   "",
	} {
		if got := installedVersion(filepath.Join(dir, filepath.FromSlash(program))); got != want {
			t.Errorf("%s: %q, want %q", program, got, want)
		}
	}
}
