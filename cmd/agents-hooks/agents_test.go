package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// docs/agents.md is what the dialects say. After a change to one of them:
//
//	AGENTS_HOOKS_UPDATE=1 go test ./cmd/agents-hooks -run TestAgentsPage
func TestAgentsPageIsCurrent(t *testing.T) {
	const begin, end = "<!-- begin: agents-hooks agents --markdown -->\n", "<!-- end -->\n"
	path := filepath.Join("..", "..", "docs", "agents.md")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(b), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s: no lines %q and %q", path, begin, end)
	}
	want := head + begin + "\n" + agentsMarkdown(agents.All()) + "\n" + end + tail
	if string(b) == want {
		return
	}
	if os.Getenv("AGENTS_HOOKS_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s is not what the dialects say:\n%s", path, unifiedDiff("agents.md", b, []byte(want)))
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
