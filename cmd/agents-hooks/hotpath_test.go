package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// hotProgram is what every event starts. What is linked into it is paid for by
// each of them before main runs, whoever imports it: so all of it is looked at,
// down to the standard library, and docs/performance.md has the list of what may
// be there, with its cost.
const (
	hotProgram = "./cmd/agents-hooks-run"
	hotList    = "docs/performance.md"
	hotHeading = "## What is linked"
)

// unwelcome is what a program links and may not: each with the imports that lead
// to it. allowed are packages, or what the paths of packages begin with.
func unwelcome(list []linkedPackage, allowed []string) map[string]string {
	from := map[string]string{} // package → one that imports it, nearest to main
	program := list[len(list)-1]
	byPath := map[string]linkedPackage{}
	for _, p := range list {
		byPath[p.ImportPath] = p
	}
	for todo := []string{program.ImportPath}; len(todo) > 0; todo = todo[1:] {
		for _, i := range byPath[todo[0]].Imports {
			if _, seen := from[i]; !seen && byPath[i].ImportPath != "" {
				from[i] = todo[0]
				todo = append(todo, i)
			}
		}
	}
	out := map[string]string{}
	for _, p := range list {
		if p.own() || p.hidden() || slices.ContainsFunc(allowed, func(a string) bool { return covers(a, p) }) {
			continue
		}
		chain := p.ImportPath
		for at := p.ImportPath; from[at] != "" && at != program.ImportPath; at = from[at] {
			chain = from[at] + " → " + chain
		}
		out[p.ImportPath] = chain
	}
	return out
}

// covers reports whether a name in the list stands for a package: of the
// standard library only for itself, of others for all below it.
func covers(name string, p linkedPackage) bool {
	return name == p.ImportPath || !p.Standard && strings.HasPrefix(p.ImportPath, name+"/")
}

var quotedName = regexp.MustCompile("`([^`]+)`")

// welcome reads the list of what may be linked: the names in the first column of
// the table. A row that says "on Windows" holds there only.
func welcome(text, goos string) []string {
	_, section, _ := strings.Cut(text, hotHeading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var names []string
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || strings.Contains(cells[1], "on Windows") && goos != "windows" {
			continue
		}
		for _, m := range quotedName.FindAllStringSubmatch(cells[1], -1) {
			names = append(names, m[1])
		}
	}
	return names
}

func TestHotPathLinksNothingSlow(t *testing.T) {
	root := filepath.Join("..", "..")
	text := must.Read(t, filepath.Join(root, hotList))
	for _, goos := range []string{"linux", "darwin", "windows"} {
		if !slowtest.Among(goos, "linux") {
			continue
		}
		t.Run(goos, func(t *testing.T) {
			list, allowed := linked(t, root, hotProgram, goos), welcome(text, goos)
			if len(list) < 50 || len(allowed) < 20 {
				t.Fatalf("%d packages, %d may be there: this test looks in the wrong place", len(list), len(allowed))
			}
			for p, chain := range unwelcome(list, allowed) {
				t.Errorf("every event would pay for %s: %s\nif it must be, %s says what it costs: go run ./bench -init", p, chain, hotList)
			}
			for _, name := range allowed {
				if !slices.ContainsFunc(list, func(p linkedPackage) bool { return covers(name, p) }) {
					t.Errorf("%s lists %s, which is linked no more", hotList, name)
				}
			}
		})
	}
}

// A module of somebody else may bring in what nobody here imports, at any depth,
// on one system only, and in no test.
func TestLinkedFollowsOtherModules(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                 "module example.com/prog\n\ngo 1.26\n\nrequire example.com/third v0.0.0\n\nreplace example.com/third => ./third\n",
		"main.go":                "package main\n\nimport _ \"example.com/prog/inner\"\n\nfunc main() {}\n",
		"main_test.go":           "package main\n\nimport _ \"log/slog\"\n",
		"inner/inner.go":         "package inner\n\nimport _ \"example.com/third/deep\"\n",
		"inner/inner_windows.go": "package inner\n\nimport _ \"html\"\n",
		"third/go.mod":           "module example.com/third\n\ngo 1.26\n",
		"third/deep/deep.go":     "package deep\n\nimport _ \"encoding/json\"\n",
		"third/other/other.go":   "package other\n\nimport _ \"net/http\"\n",
	} {
		path := filepath.Join(root, name)
		must.Write(t, path, text)
	}
	const chain = "example.com/prog → example.com/prog/inner → example.com/third/deep → encoding/json"
	list := linked(t, root, ".", "linux")
	not := unwelcome(list, []string{"example.com/third"})
	if not["encoding/json"] != chain {
		t.Errorf("encoding/json: %q, want %q", not["encoding/json"], chain)
	}
	for _, p := range []string{"net/http", "log/slog", "html", "example.com/third/deep", "example.com/prog/inner"} {
		if why, ok := not[p]; ok {
			t.Errorf("%s: %s", p, why)
		}
	}
	if not := unwelcome(list, nil); not["example.com/third/deep"] == "" {
		t.Errorf("a module that is not in the list: %v", not)
	}
	var std []string
	for _, p := range list {
		if p.Standard {
			std = append(std, p.ImportPath)
		}
	}
	if not := unwelcome(list, append(std, "example.com/third")); len(not) > 0 {
		t.Errorf("all of it is in the list: %v", not)
	}
	if why := unwelcome(linked(t, root, ".", "windows"), std)["html"]; why != "example.com/prog → example.com/prog/inner → html" {
		t.Errorf("html on Windows: %q", why)
	}
	table := "# x\n| `no` | 1 | a |\n" + hotHeading + "\n\n| packages | cost | why |\n|---|---|---|\n| `a`, `b/c` | 1 | `not` |\n| `w` on Windows | 1 | x |\n\n## Next\n| `no` | 1 | a |\n"
	if got := fmt.Sprint(welcome(table, "linux"), welcome(table, "windows")); got != "[a b/c] [a b/c w]" {
		t.Errorf("the table: %s", got)
	}
}
