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
	"testing"
)

// The files are opened here, one by one, and not asked of "go list" alone: the
// cache of go test knows what a test reads, and nothing of what a program that
// it starts reads, so that a breach would pass from the cache.

const module = "github.com/agents-hooks/agents-hooks"

// graph says which parts of this repository a part may import (DESIGN 2), and
// which modules of others. A part is a folder with what lies below it, unless
// that is a part of its own. The standard library is free, but for what an event
// would pay for (hotpath_test.go).
var graph = map[string]struct{ ours, theirs []string }{
	"protocol":      {},
	"protocol/*":    {[]string{"protocol", "protocol/*", "internal/text", "internal/toml"}, []string{"github.com/tailscale/hujson"}},
	"discovery":     {[]string{"protocol", "trust", "internal/safefile", "internal/text", "internal/toml"}, []string{"gopkg.in/yaml.v3", "github.com/dlclark/regexp2", "golang.org/x/sys"}},
	"trust":         {[]string{"protocol", "internal/linediff", "internal/safefile", "internal/statefile"}, nil},
	"runner":        {[]string{"discovery", "protocol", "internal/statefile", "internal/redact", "internal/text"}, []string{"golang.org/x/sys"}},
	"builtin-hooks": {[]string{"builtin-hooks", "protocol", "internal/callname", "internal/redact", "internal/statefile", "internal/text"}, []string{"github.com/dlclark/regexp2", "github.com/ncruces/go-sqlite3", "gopkg.in/yaml.v3", "golang.org/x/sys"}},
	// What a team runs is a program of its own: nothing else here may import it.
	"builtin-hooks/evolution/serve": {[]string{"builtin-hooks", "protocol", "internal/redact", "internal/text"}, []string{"github.com/ncruces/go-sqlite3", "github.com/jackc/pgx", "golang.org/x/time"}},
	"cmd/internal/verb/server":      {[]string{"cmd", "builtin-hooks/evolution/serve"}, []string{"github.com/urfave/cli/v2"}},
	"cmd/agents-hooks-server":       {[]string{"cmd", "cmd/internal/verb/server"}, nil},
	"internal/callname":             {[]string{"protocol", "internal/text"}, nil},
	"internal/linediff":             {nil, []string{"github.com/rogpeppe/go-internal/diff"}},
	"internal/safefile":             {nil, nil},
	"internal/redact":               {[]string{"protocol"}, nil},
	"internal/statefile":            {nil, []string{"golang.org/x/sys"}},
	"internal/text":                 {},
	"internal/toml":                 {nil, []string{"github.com/pelletier/go-toml/v2/unstable"}},
	"spec":                          {},
	"conformance":                   {[]string{"spec"}, nil},
	"cmd": {
		[]string{"cmd", "runner", "discovery", "trust", "protocol", "protocol/*", "builtin-hooks", "conformance", "spec", "internal/callname", "internal/linediff", "internal/redact", "internal/statefile", "internal/text"},
		[]string{"github.com/urfave/cli/v2", "github.com/adrg/frontmatter", "github.com/adrg/xdg", "golang.org/x/sys", "golang.org/x/term", "github.com/modelcontextprotocol/go-sdk"},
	},
	// Programs for the people who work on this one. They start it, and link no
	// part of it but what crosses a process boundary.
	"bench":       {[]string{"bench", "protocol"}, []string{"golang.org/x/sys"}},
	"bench/naive": {nil, []string{"github.com/adrg/frontmatter", "gopkg.in/yaml.v3", "github.com/adrg/xdg", "github.com/dlclark/regexp2", "github.com/urfave/cli/v2"}},
	"e2e":         {[]string{"e2e", "protocol", "protocol/*"}, []string{"golang.org/x/sys"}},
}

// part is the key of graph for a folder.
func part(dir string) string {
	if strings.HasPrefix(dir, "protocol/") {
		return "protocol/*"
	}
	for d := dir; d != "."; d = path.Dir(d) {
		if _, ok := graph[d]; ok {
			return d
		}
	}
	return ""
}

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

// sources reads all Go files of the repository.
func sources(t *testing.T) (*token.FileSet, []source) {
	t.Helper()
	root := filepath.Join("..", "..")
	set := token.NewFileSet()
	var list []source
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") {
			return nil
		}
		f, err := parser.ParseFile(set, p, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		list = append(list, source{path.Dir(filepath.ToSlash(rel)), d.Name(), f})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 20 {
		t.Fatalf("found %d Go files: this test looked in the wrong place", len(list))
	}
	return set, list
}

func TestImportGraph(t *testing.T) {
	_, list := sources(t)
	for _, s := range list {
		from := part(s.dir)
		allowed, ok := graph[from]
		if !ok {
			t.Errorf("%s: no part of the graph (DESIGN 2); add it there, with what it may import", s.path())
			continue
		}
		if s.test() {
			continue
		}
		for _, p := range s.imports() {
			switch {
			case p == "C":
				t.Errorf("%s: imports C: the program is built without cgo", s.path())
			case strings.HasPrefix(p, module+"/"):
				to := part(strings.TrimPrefix(p, module+"/"))
				if !slices.Contains(allowed.ours, to) {
					t.Errorf("%s: %s must not import %s (%s)", s.path(), from, to, p)
				}
			case strings.Contains(strings.Split(p, "/")[0], "."):
				if !slices.ContainsFunc(allowed.theirs, func(m string) bool { return p == m || strings.HasPrefix(p, m+"/") }) {
					t.Errorf("%s: %s must not import %s", s.path(), from, p)
				}
			}
		}
	}
}

func TestTheProcessIsReadAtTheEdge(t *testing.T) {
	set, list := sources(t)
	environment := []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Setenv", "Unsetenv", "UserHomeDir", "UserConfigDir", "UserCacheDir"}
	streams := []string{"Stdin", "Stdout", "Stderr"}
	for _, s := range list {
		from := part(s.dir)
		if s.test() || strings.HasPrefix(from, "bench") || from == "e2e" || path.Base(s.dir) == "example" { // a program of its own
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
			case from == "cmd", strings.HasPrefix(from, "cmd/"):
			case s.path() == "conformance/play.go" && name == "Getenv":
				// A subject is given nothing of its caller but the way to programs.
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
		if seen[dir] || part(dir) != "builtin-hooks" {
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
