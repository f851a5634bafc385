package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/spec"
)

var (
	namedFile = regexp.MustCompile("`((?:clients|cmd|protocol|discovery|runner|trust|internal|builtin-hooks|pack|spec|hooks|conformance|e2e|bench|docs|examples|release|\\.ci|\\.github|\\.agents)/[A-Za-z0-9_./-]+)")
	namedTest = regexp.MustCompile(`\bTest[A-Z]\w+`)
	aTest     = regexp.MustCompile(`(?m)^func (Test[A-Z]\w+)\(`)
)

// CONTRIBUTING says which files a change touches, and which tests tell of it: all of
// them are there.
func TestContributingNamesWhatIsThere(t *testing.T) {
	t.Parallel()
	text := page(t, "CONTRIBUTING.md")
	root := filepath.Join("..", "..")
	files := namedFile.FindAllStringSubmatch(text, -1)
	for _, m := range files {
		name := strings.TrimSuffix(strings.TrimRight(m[1], "."), "/")
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
			t.Errorf("CONTRIBUTING.md names %s: %v", m[1], err)
		}
	}
	if len(files) < 60 {
		t.Errorf("CONTRIBUTING.md names %d places", len(files))
	}
	named := namedTest.FindAllString(text, -1)
	have := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		for _, m := range aTest.FindAllSubmatch(b, -1) {
			have[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range named {
		if !have[name] {
			t.Errorf("CONTRIBUTING.md names %s, which is no test", name)
		}
	}
	if len(named) < 3 {
		t.Errorf("CONTRIBUTING.md names %d tests", len(named))
	}
}

// unshaped are the commands whose JSON has no shape in spec/ yet. None joins them.
var unshaped = strings.Fields(`
	disable uninstall skills/validate
	memory/save memory/summary memory/stats memory/edit memory/delete memory/restore memory/cleanup memory/review memory/confirm
	memory/promote memory/merge memory/separate memory/import memory/distill memory/rebuild-index memory/doctor memory/config memory/view
	memory/model/add memory/model/list memory/model/use memory/model/remove
	evolution/report evolution/browse evolution/strategies evolution/approve evolution/reject evolution/delete evolution/web-save
	evolution/doctor evolution/view`)

// What a new command prints with --json has a shape of its own in spec/, or shares one
// that is named for the whole group.
func TestEveryCommandWithJSONHasItsShape(t *testing.T) {
	t.Parallel()
	var titles []string
	for _, s := range spec.Schemas() {
		title, _, _ := strings.Cut(strings.TrimPrefix(s.Title, "agents-hooks "), " --")
		titles = append(titles, strings.TrimSuffix(title, " …"))
	}
	var without []string
	leaves(shelltest.New(t).Commands(commandGroups(), ""), nil, func(path []string, c *cli.Command) {
		for i := len(path); i > 0; i-- {
			if slices.Contains(titles, strings.Join(path[:i], " ")) {
				return
			}
		}
		if !c.Hidden && hasFlag(c, "json") {
			without = append(without, strings.Join(path, "/"))
		}
	})
	for _, path := range without {
		if !slices.Contains(unshaped, path) {
			t.Errorf("agents-hooks %s has --json, and spec.Schemas names no shape for it", strings.ReplaceAll(path, "/", " "))
		}
	}
	for _, path := range unshaped {
		if !slices.Contains(without, path) {
			t.Errorf("%s has a shape, or is no command: take it out of unshaped", path)
		}
	}
}
