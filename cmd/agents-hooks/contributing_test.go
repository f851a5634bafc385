package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
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
	must.Do(t, err)
	for _, name := range named {
		if !have[name] {
			t.Errorf("CONTRIBUTING.md names %s, which is no test", name)
		}
	}
	if len(named) < 3 {
		t.Errorf("CONTRIBUTING.md names %d tests", len(named))
	}
}

// shapes are the schemas of commands by the commands, and of groups by the groups. The
// title of a schema names them: "agents-hooks memory delete, restore --json" two of a
// group, "agents-hooks workspace … --json" a whole one.
func shapes() (commands, groups map[string]string) {
	commands, groups = map[string]string{}, map[string]string{}
	for _, s := range spec.Schemas() {
		title, ok := strings.CutPrefix(s.Title, "agents-hooks ")
		if !ok {
			continue
		}
		title, _, _ = strings.Cut(title, " --")
		if group, all := strings.CutSuffix(title, " …"); all {
			groups[group] = s.Name
			continue
		}
		names := strings.Split(title, ", ")
		group := names[0][:strings.LastIndex(names[0], " ")+1]
		for _, name := range names {
			if !strings.Contains(name, " ") {
				name = group + name
			}
			commands[name] = s.Name
		}
	}
	return commands, groups
}

// What a command prints with --json has a shape of its own in spec/, or shares one
// that is named for the whole group.
func TestEveryCommandWithJSONHasItsShape(t *testing.T) {
	t.Parallel()
	commands, groups := shapes()
	there := map[string]bool{}
	leaves(shelltest.New(t).Commands(commandGroups(), ""), nil, func(path []string, c *cli.Command) {
		name := strings.Join(path, " ")
		there[name] = true
		shaped := commands[name] != ""
		for i := range path {
			shaped = shaped || groups[strings.Join(path[:i], " ")] != ""
		}
		if !c.Hidden && hasFlag(c, "json") && !shaped {
			t.Errorf("agents-hooks %s has --json, and spec.Schemas names no shape for it", name)
		}
	})
	for name, schema := range commands {
		if !there[name] {
			t.Errorf("the title of %s names %s, which is no command", schema, name)
		}
	}
}
