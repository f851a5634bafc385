package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The files are opened here, one by one, and not asked of "go list" alone: the
// cache of go test knows what a test reads, and nothing of what a program that
// it starts reads, so that a breach would pass from the cache.

const module = "github.com/agents-hooks/agents-hooks"

// A source is one Go file of the repository.
type source struct {
	dir, name string // folder from the root of the repository, and file
	ast       *ast.File
}

func (s source) path() string { return path.Join(s.dir, s.name) }

func (s source) test() bool { return strings.HasSuffix(s.name, "_test.go") }

// imports are the paths that a file imports.
func (s source) imports() []string {
	var paths []string
	for _, i := range s.ast.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		paths = append(paths, p)
	}
	return paths
}

// sources are all Go files of the repository, read once.
func sources(t *testing.T) (*token.FileSet, []source) {
	t.Helper()
	list, err := readSources()
	must.Do(t, err)
	if len(list.files) < 20 {
		t.Fatalf("found %d Go files: this test looked in the wrong place", len(list.files))
	}
	return list.set, list.files
}

type sourceList struct {
	set   *token.FileSet
	files []source
}

var readSources = sync.OnceValues(func() (list sourceList, err error) {
	root := filepath.Join("..", "..")
	list.set = token.NewFileSet()
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") {
			return nil
		}
		f, err := parser.ParseFile(list.set, p, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		list.files = append(list.files, source{path.Dir(filepath.ToSlash(rel)), d.Name(), f})
		return err
	})
	return list, err
})

func TestTheProcessIsReadAtTheEdge(t *testing.T) {
	set, list := sources(t)
	environment := []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Setenv", "Unsetenv", "UserHomeDir", "UserConfigDir", "UserCacheDir"}
	streams := []string{"Stdin", "Stdout", "Stderr"}
	for _, s := range list {
		if s.test() || below(s.dir, "bench") || below(s.dir, "e2e") || below(s.dir, "release") || below(s.dir, "clients") || below(s.dir, "protocol/internal/jsplugin/stage") || slices.Contains(strings.Split(s.dir, "/"), "example") { // a program of its own
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, _ := sel.X.(*ast.Ident)
			if pkg == nil {
				return true
			}
			name, at := sel.Sel.Name, set.Position(sel.Pos())
			switch {
			case pkg.Name == "os" && name == "Exit" && s.name != "main.go",
				pkg.Name == "log" && strings.HasPrefix(name, "Fatal"):
				t.Errorf("%s: %s.%s: only main ends the process", at, pkg.Name, name)
			case below(s.dir, "cmd"):
			case s.path() == "conformance/play.go" && name == "Getenv":
				// A subject is given nothing of its caller but the way to programs.
			case s.path() == "hooks/hooks.go" && name == "Environ":
				// The environment of the program that the package is part of, unless it says another.
			case pkg.Name == "os" && slices.Contains(environment, name):
				t.Errorf("%s: os.%s: only cmd reads the environment", at, name)
			case pkg.Name == "os" && slices.Contains(streams, name),
				pkg.Name == "fmt" && (name == "Print" || name == "Println" || name == "Printf"):
				t.Errorf("%s: %s.%s: only cmd has the standard streams", at, pkg.Name, name)
			}
			return true
		})
	}
}

// Nobody can recover from a panic in a goroutine that a built-in hook started: Go
// ends the process, with the 2 of a block. So what the dispatcher links of them
// starts none.
func TestBuiltinHooksStartNoGoroutines(t *testing.T) {
	set, list := sources(t)
	todo, seen := []string{"builtin-hooks"}, map[string]bool{}
	for len(todo) > 0 {
		dir := todo[0]
		todo = todo[1:]
		if seen[dir] || !below(dir, "builtin-hooks") {
			continue
		}
		seen[dir] = true
		for _, s := range list {
			if s.dir != dir || s.test() {
				continue
			}
			for _, p := range s.imports() {
				if ours, ok := strings.CutPrefix(p, module+"/"); ok {
					todo = append(todo, ours)
				}
			}
			ast.Inspect(s.ast, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					t.Errorf("%s: a goroutine in a built-in hook", set.Position(n.Pos()))
				case *ast.SelectorExpr:
					if pkg, _ := n.X.(*ast.Ident); pkg != nil && (pkg.Name == "time" && n.Sel.Name == "AfterFunc" || pkg.Name == "context" && n.Sel.Name == "AfterFunc" || pkg.Name == "sync" && n.Sel.Name == "WaitGroup") {
						t.Errorf("%s: %s.%s runs code in a goroutine", set.Position(n.Pos()), pkg.Name, n.Sel.Name)
					}
				}
				return true
			})
		}
	}
	if !seen["builtin-hooks/internal/session"] {
		t.Errorf("only %v hang on the built-in hooks: this test looks in the wrong place", seen)
	}
}

func TestEveryPackageHasADoc(t *testing.T) {
	_, list := sources(t)
	docs := map[string]bool{}
	for _, s := range list {
		if !s.test() {
			docs[s.dir] = docs[s.dir] || s.ast.Doc != nil && len(s.ast.Doc.Text()) > 60
		}
	}
	for dir, ok := range docs {
		if !ok {
			t.Errorf("%s: no package doc: what is it for, and what does it not do", dir)
		}
	}
}

func TestFilesAndFunctionsStaySmall(t *testing.T) {
	set, list := sources(t)
	for _, s := range list {
		if lines := set.File(s.ast.Pos()).LineCount(); lines > 600 && !s.test() {
			t.Errorf("%s: %d lines, want at most 600", s.path(), lines)
		}
		for _, d := range s.ast.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || s.test() {
				continue
			}
			if lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; lines > 100 {
				t.Errorf("%s: func %s has %d lines, want at most 100", s.path(), f.Name.Name, lines)
			}
		}
	}
}
