// Command long prints the arguments of go test that play every test with a part that
// only -slow plays, and no other test of the same packages:
//
//	go test $(.ci/long) -slow
//
// A test is one if it uses package slowtest, in its own body or in what it names: a function,
// method or variable of its package, or a package of helpers that uses slowtest itself. Names
// decide, not types, so that too many are played rather than too few.
package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

const (
	module   = "github.com/agents-hooks/agents-hooks/"
	slowtest = module + "internal/slowtest"
)

func main() {
	packages, tests, err := long(os.DirFS("."))
	if err != nil {
		fmt.Fprintln(os.Stderr, "long:", err)
		os.Exit(1)
	}
	if len(tests) == 0 {
		fmt.Fprintln(os.Stderr, "long: no test has a slow part: this looks in the wrong place")
		os.Exit(1)
	}
	fmt.Printf("-run ^(%s)$ %s\n", strings.Join(tests, "|"), strings.Join(packages, " "))
}

// A declaration is what one name of a package stands for: what it names itself.
type declaration struct {
	test bool
	uses map[string]bool // names of its package, import paths
}

// long are the packages of a module that have such tests, and their names. Who has most comes
// first, so that go test does not end with one long package and a processor that has nothing to do.
func long(files fs.FS) (packages, tests []string, err error) {
	folders := map[string]map[string]*declaration{} // by folder and name
	err = fs.WalkDir(files, ".", func(p string, e fs.DirEntry, err error) error {
		switch name := e.Name(); {
		case err != nil:
			return err
		case e.IsDir() && (name == "testdata" || name == "node_modules" || len(name) > 1 && name[0] == '.'):
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		dir := path.Dir(p)
		if folders[dir] == nil {
			folders[dir] = map[string]*declaration{}
		}
		return read(files, p, folders[dir])
	})
	slow := map[string]bool{slowtest: true} // import paths
	for dir, names := range folders {       // helpers, which are not in a test's file
		if d := names[helpers]; d != nil && d.uses[slowtest] {
			slow[module+dir] = true
		}
	}
	found := map[string]bool{}
	many := map[string]int{}
	for dir, names := range folders {
		for name, d := range names {
			if d.test && (slow[module+dir] || reaches(names, d, slow, map[*declaration]bool{})) {
				found[name] = true
				many["./"+dir]++
			}
		}
	}
	packages = slices.SortedFunc(maps.Keys(many), func(a, b string) int {
		return cmp.Or(cmp.Compare(many[b], many[a]), cmp.Compare(a, b))
	})
	return packages, slices.Sorted(maps.Keys(found)), err
}

// helpers is the name under which a folder's imports outside of tests are kept.
const helpers = " helpers"

// read adds the declarations of a file.
func read(files fs.FS, name string, to map[string]*declaration) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return fmt.Errorf("looking for slow tests: %w", err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("looking for slow tests: %w", err)
	}
	imports := map[string]string{} // by the name in this file
	for _, i := range file.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		as := path.Base(p)
		if i.Name != nil {
			as = i.Name.Name
		}
		imports[as] = p
	}
	inTest := strings.HasSuffix(name, "_test.go")
	if !inTest {
		d := named(to, helpers)
		for _, p := range imports {
			d.uses[p] = true
		}
		return nil
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			d := named(to, decl.Name.Name)
			d.test = d.test || decl.Recv == nil && played(decl.Name.Name)
			d.add(decl, imports)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for _, name := range v.Names {
						named(to, name.Name).add(v, imports)
					}
				}
			}
		}
	}
	return nil
}

// played reports whether -run plays what has a name.
func played(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Fuzz", "Example"}, func(kind string) bool { return strings.HasPrefix(name, kind) })
}

func named(in map[string]*declaration, name string) *declaration {
	if in[name] == nil {
		in[name] = &declaration{uses: map[string]bool{}}
	}
	return in[name]
}

// add notes what a declaration names.
func (d *declaration) add(n ast.Node, imports map[string]string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			d.uses[id.Name] = true
			if p, ok := imports[id.Name]; ok {
				d.uses[p] = true
			}
		}
		return true
	})
}

// reaches reports whether what a declaration names leads to one of some import paths.
func reaches(names map[string]*declaration, d *declaration, slow map[string]bool, seen map[*declaration]bool) bool {
	if seen[d] {
		return false
	}
	seen[d] = true
	for use := range d.uses {
		if slow[use] {
			return true
		}
		if next := names[use]; next != nil && next != d && reaches(names, next, slow, seen) {
			return true
		}
	}
	return false
}
