package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

var sampleMark = regexp.MustCompile(`(?m)^<!-- examples/([a-z-]+) -->\n(?:(?s:.*?)<!-- end -->\n)?`)

// The cookbook shows the folders of examples as they are, each of them once.
func TestCookbookShowsTheExamples(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "docs", "cookbook.md")
	b := must.Read(t, file)
	shown := map[string]int{}
	want := sampleMark.ReplaceAllStringFunc(b, func(old string) string {
		name := sampleMark.FindStringSubmatch(old)[1]
		shown[name]++
		return "<!-- examples/" + name + " -->\n" + sampleText(t, filepath.Join("..", "..", "examples", name)) + "<!-- end -->\n"
	})
	for _, dir := range exampleFolders(t) {
		if name := filepath.Base(dir); shown[name] != 1 {
			t.Errorf("%s is shown %d times", name, shown[name])
		}
	}
	if want == b {
		return
	}
	if os.Getenv("AGENTS_HOOKS_UPDATE") == "" {
		t.Fatal("docs/cookbook.md is not what examples hold: AGENTS_HOOKS_UPDATE=1 go test ./cmd/agents-hooks -run Cookbook")
	}
	must.Write(t, file, want)
}

// sampleText is a hook's folder as the cookbook shows it: what people are told of
// it, its HOOK.md, and its script.
func sampleText(t *testing.T, dir string) string {
	t.Helper()
	head := must.Read(t, filepath.Join(dir, "HOOK.md"))
	_, rest, ok := strings.Cut(head, "---\n")
	front, body, ok2 := strings.Cut(rest, "\n---\n")
	if !ok || !ok2 {
		t.Fatalf("%s: no front matter", dir)
	}
	scripts, err := filepath.Glob(filepath.Join(dir, "scripts", "run*"))
	if err != nil || len(scripts) != 1 {
		t.Fatal(scripts, err)
	}
	script := must.Read(t, scripts[0])
	language := "sh"
	if strings.HasSuffix(scripts[0], ".py") {
		language = "python"
	}
	return strings.TrimSpace(body) + "\n\n`HOOK.md`:\n\n```yaml\n---\n" + front + "\n---\n```\n\n`scripts/" + filepath.Base(scripts[0]) + "`:\n\n```" + language + "\n" + script + "```\n"
}

// Each example passes what authors are told to ask of their hooks. With -slow in
// every agent's shapes and every hostile trial, else its own tests.
func TestExamplesPassTheirTests(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("they are shell scripts")
	}
	if !slowtest.On() {
		t.Skip("40 trials a hook: with -slow")
	}
	program, err := exec.LookPath("agents-hooks")
	must.Do(t, err)
	home := t.TempDir()
	for _, dir := range exampleFolders(t) {
		cmd := exec.Command(program, "conformance", "hook", dir, "--agent", "all", "--hostile")
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", dir, err, out)
		}
	}
}
