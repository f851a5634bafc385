package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A linkedPackage is one package of a program.
type linkedPackage struct {
	ImportPath string
	Dir        string
	Standard   bool
	Module     *struct{ Main bool }
	GoFiles    []string
	Imports    []string
	Deps       []string
}

// own reports whether a package is of the program's own module.
func (p linkedPackage) own() bool { return p.Module != nil && p.Module.Main }

// hidden reports whether a package comes with others that may be linked: what
// the standard library keeps for itself.
func (p linkedPackage) hidden() bool {
	return p.Standard && (strings.HasPrefix(p.ImportPath, "vendor/") || slices.Contains(strings.Split(p.ImportPath, "/"), "internal"))
}

// ours are the programs of this repository, which are looked at together: they share
// most of what they link.
var ours = []string{"./cmd/agents-hooks", "./cmd/agents-hooks-run", "./cmd/agents-hooks-server"}

// linked is everything that a program links on a system, other modules included, the
// program at the end. Several tests ask about the same one, which is looked at once.
func linked(t *testing.T, root, program, goos string) []linkedPackage {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go here")
	}
	together := []string{program}
	if slices.Contains(ours, program) {
		together = ours
	}
	once, _ := wasLinked.LoadOrStore([3]string{root, together[0], goos}, sync.OnceValues(func() ([]linkedPackage, error) {
		return listLinked(root, together, goos)
	}))
	list, err := once.(func() ([]linkedPackage, error))()
	must.Do(t, err)
	if len(together) == 1 {
		return list
	}
	i := slices.IndexFunc(list, func(p linkedPackage) bool { return p.ImportPath == module+strings.TrimPrefix(program, ".") })
	if i < 0 {
		t.Fatalf("%s is not among the %d packages that go list has", program, len(list))
	}
	links := map[string]bool{}
	for _, path := range list[i].Deps {
		links[path] = true
	}
	return append(slices.DeleteFunc(slices.Clone(list), func(p linkedPackage) bool { return !links[p.ImportPath] }), list[i])
}

var wasLinked sync.Map // by root, first program and system

// listLinked asks "go list -deps". What the program go reads the cache of go test does
// not see; so each folder and file of the module's own is opened here too, and go.mod
// and go.sum: other modules are what these two say.
func listLinked(root string, programs []string, goos string) ([]linkedPackage, error) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-tags", "nethttpomithttp2", "-json=ImportPath,Dir,Standard,Module,GoFiles,Imports,Deps"}, programs...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, &stderr)
	}
	var list []linkedPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p linkedPackage
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	files := []string{filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum")}
	for _, p := range list {
		if !p.own() {
			continue
		}
		if _, err := os.ReadDir(p.Dir); err != nil { // a file that is added counts
			return nil, err
		}
		for _, f := range p.GoFiles {
			files = append(files, filepath.Join(p.Dir, f))
		}
	}
	for _, path := range files {
		if _, err := os.ReadFile(path); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
	}
	return list, nil
}

// Whoever runs hooks installs no database client: PostgreSQL is linked by the
// team's server and by nothing else.
func TestPostgreSQLIsTheServersAlone(t *testing.T) {
	t.Parallel()
	theirs := func(p linkedPackage) bool {
		return strings.HasPrefix(p.ImportPath, "github.com/jackc/") || p.ImportPath == module+"/builtin-hooks/evolution/server"
	}
	is := func(path string) func(linkedPackage) bool {
		return func(p linkedPackage) bool { return p.ImportPath == path }
	}
	root := filepath.Join("..", "..")
	for _, program := range []string{"cmd/agents-hooks", "cmd/agents-hooks-run"} {
		list := linked(t, root, "./"+program, runtime.GOOS)
		if i := slices.IndexFunc(list, theirs); i >= 0 {
			t.Errorf("%s links %s", program, list[i].ImportPath)
		}
		if !slices.ContainsFunc(list, is(module+"/protocol")) {
			t.Errorf("%s: this test looks in the wrong place", program)
		}
	}
	if list := linked(t, root, "./cmd/agents-hooks-server", runtime.GOOS); !slices.ContainsFunc(list, is("github.com/jackc/pgx/v5")) {
		t.Errorf("the server links no PostgreSQL")
	}
}

// The linker keeps every exported method of every type in a program that finds methods
// by names which it cannot know, as templates do.
func TestNoProgramLinksTemplates(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"agents-hooks", "agents-hooks-run", "agents-hooks-server"} {
		t.Run(program, func(t *testing.T) {
			for _, p := range linked(t, filepath.Join("..", ".."), "./cmd/"+program, runtime.GOOS) {
				if p.ImportPath == "text/template" || p.ImportPath == "html/template" {
					t.Errorf("%s links %s", program, p.ImportPath)
				}
			}
		})
	}
}
