package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// promised are the packages that CHANGELOG.md promises.
func promised(t *testing.T) (list []string) {
	t.Helper()
	row := regexp.MustCompile(`(?m)^\| Go packages \|.*$`).FindString(must.Read(t, filepath.Join("..", "..", "CHANGELOG.md")))
	for _, m := range regexp.MustCompile("`([a-z/]+)`").FindAllStringSubmatch(row, -1) {
		list = append(list, path.Join(module, m[1]))
	}
	if !slices.Contains(list, module+"/hooks") || len(list) < 5 {
		t.Fatalf("CHANGELOG.md promises %q", list)
	}
	return list
}

// What is promised can be used with what is promised: no exported name of these packages
// has a type in it that lies elsewhere in this module, is unexported, or is somebody else's.
func TestPromisedPackagesLeakNoOtherType(t *testing.T) {
	list := promised(t)
	for _, p := range exported(t, list) {
		w := leaks{from: p, promised: list, seen: map[types.Type]bool{}}
		for _, name := range p.Scope().Names() {
			if o := p.Scope().Lookup(name); o.Exported() {
				w.at = p.Name() + "." + name
				w.object(o)
			}
		}
		for _, found := range w.found {
			t.Error(found)
		}
		if w.looked < 5 && p.Name() != "agents" && p.Name() != "spec" {
			t.Errorf("%s: only %d types were looked at", p.Path(), w.looked)
		}
	}
}

// The walk tells what leaks, and lets pass what may stand there.
func TestLeaksAreTold(t *testing.T) {
	p := exported(t, []string{module + "/hooks"})[0]
	hidden := types.NewNamed(types.NewTypeName(0, types.NewPackage(module+"/internal/x", "x"), "T", nil), types.NewStruct(nil, nil), nil)
	field := func(name string) *types.Struct {
		return types.NewStruct([]*types.Var{types.NewField(0, p, name, types.NewMap(types.Typ[types.String], types.NewSlice(types.NewPointer(hidden))), false)}, nil)
	}
	for name, want := range map[string]int{"Open": 1, "shut": 0} {
		t.Run(name, func(t *testing.T) {
			w := leaks{from: p, promised: []string{p.Path()}, seen: map[types.Type]bool{}}
			w.see(field(name))
			if len(w.found) != want {
				t.Errorf("a field %s of a hidden type: %q", name, w.found)
			}
		})
	}
}

// exported are packages by what the compiler exports of them.
func exported(t *testing.T, list []string) (packages []*types.Package) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go here")
	}
	out, err := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, list...)...).Output()
	must.Do(t, err)
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[name] = file
	}
	from := importer.ForCompiler(token.NewFileSet(), "gc", func(name string) (io.ReadCloser, error) { return os.Open(files[name]) })
	for _, name := range list {
		p, err := from.Import(name)
		must.Do(t, err)
		packages = append(packages, p)
	}
	return packages
}

// leaks walks what one can reach from the exported names of a package.
type leaks struct {
	from     *types.Package
	promised []string
	at       string
	seen     map[types.Type]bool
	looked   int
	found    []string
}

func (w *leaks) object(o types.Object) {
	name, ok := o.(*types.TypeName)
	if !ok {
		w.see(o.Type())
		return
	}
	if name.IsAlias() {
		w.see(types.Unalias(o.Type()))
		return
	}
	w.see(o.Type().Underlying())
	named, _ := o.Type().(*types.Named)
	for m := range named.Methods() {
		if m.Exported() {
			at := w.at
			w.at += "." + m.Name()
			w.see(m.Type())
			w.at = at
		}
	}
}

func (w *leaks) see(t types.Type) {
	switch t := t.(type) {
	case *types.Named:
		w.named(t)
	case *types.Alias:
		w.see(types.Unalias(t))
	case *types.Pointer:
		w.see(t.Elem())
	case *types.Slice:
		w.see(t.Elem())
	case *types.Array:
		w.see(t.Elem())
	case *types.Chan:
		w.see(t.Elem())
	case *types.Map:
		w.see(t.Key())
		w.see(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			w.see(v.Type())
		}
	case *types.Signature:
		w.see(t.Params())
		w.see(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				w.see(f.Type())
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			w.see(m.Type())
		}
	}
}

func (w *leaks) named(t *types.Named) {
	if w.seen[t] {
		return
	}
	w.seen[t] = true
	w.looked++
	for arg := range t.TypeArgs().Types() {
		w.see(arg)
	}
	o := t.Obj()
	switch p := o.Pkg(); {
	case p == nil: // error, any
	case p.Path() == w.from.Path():
		if !o.Exported() {
			w.found = append(w.found, fmt.Sprintf("%s has the unexported type %s", w.at, o.Name()))
		}
	case strings.Contains(strings.Split(p.Path(), "/")[0], ".") && !slices.Contains(w.promised, p.Path()):
		w.found = append(w.found, fmt.Sprintf("%s has the type %s.%s, which is not promised", w.at, p.Path(), o.Name()))
	}
}

// Every type, function and method of the promised packages says what it is, and of package
// hooks, for authors of agents, each field and constant.
func TestPromisedPackagesAreDocumented(t *testing.T) {
	_, list := sources(t)
	for _, name := range promised(t) {
		files := 0
		for _, file := range list {
			if module+"/"+file.dir != name || file.test() {
				continue
			}
			files++
			for _, bare := range undocumented(file.ast, path.Base(name) == "hooks") {
				t.Errorf("%s: %s has no comment", file.path(), bare)
			}
		}
		if files == 0 {
			t.Errorf("%s has no files", name)
		}
	}
}

func undocumented(f *ast.File, fields bool) (list []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && d.Doc == nil && !wellKnown[d.Name.Name] && (d.Recv == nil || ast.IsExported(receiver(d))) {
				list = append(list, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				list = append(list, bareSpec(s, d.Doc != nil, fields)...)
			}
		}
	}
	return list
}

// wellKnown methods mean the same everywhere.
var wellKnown = map[string]bool{"Error": true, "Unwrap": true, "String": true}

func receiver(d *ast.FuncDecl) string {
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if name, ok := typ.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// bareSpec are names of a type and, where fields count, of its fields, of constants and
// variables, that nothing is said of.
func bareSpec(s ast.Spec, group, fields bool) (list []string) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if fields && n.IsExported() && s.Doc == nil && s.Comment == nil {
				list = append(list, n.Name)
			}
		}
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return nil
		}
		if s.Doc == nil && !group {
			list = append(list, s.Name.Name)
		}
		if st, ok := s.Type.(*ast.StructType); ok && fields {
			for _, f := range st.Fields.List {
				for _, n := range f.Names {
					if n.IsExported() && f.Doc == nil && f.Comment == nil {
						list = append(list, s.Name.Name+"."+n.Name)
					}
				}
			}
		}
	}
	return list
}
