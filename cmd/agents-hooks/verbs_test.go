package main

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
)

// A command's function is asked for what it does by options, so that it can be
// called and tried without a command line. Below cmd/internal/verb a declaration
// that takes a *cli.Context reads it into options, which its first result's type
// says by its name, and a literal that takes one stands where a command is made.
func TestVerbsKnowNoCommandLine(t *testing.T) {
	set, list := sources(t)
	seen := 0
	for _, s := range list {
		if s.test() || !below(s.dir, "cmd/internal/verb") {
			continue
		}
		for _, d := range s.ast.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if takesContext(f.Type) && !readsOptions(f.Type) {
				t.Errorf("%s: func %s takes a *cli.Context and does not read it into options", set.Position(f.Pos()), f.Name.Name)
			}
			if makesCommands(f.Type) {
				seen++
				continue
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if lit, ok := n.(*ast.FuncLit); ok && takesContext(lit.Type) {
					t.Errorf("%s: a function that takes a *cli.Context in func %s, which makes no command", set.Position(lit.Pos()), f.Name.Name)
				}
				return true
			})
		}
	}
	if seen < 20 {
		t.Errorf("%d functions make commands: this test looked in the wrong place", seen)
	}
}

// typeNames are the names of types in a list of parameters or results, without their
// package, pointer and brackets.
func typeNames(fields *ast.FieldList) (list []string) {
	if fields == nil {
		return nil
	}
	for _, f := range fields.List {
		name := ""
		ast.Inspect(f.Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				name = id.Name
			}
			return true
		})
		list = append(list, name)
	}
	return list
}

func takesContext(f *ast.FuncType) bool {
	if f.Params == nil {
		return false
	}
	for _, p := range f.Params.List {
		star, ok := p.Type.(*ast.StarExpr)
		if !ok {
			continue
		}
		if sel, ok := star.X.(*ast.SelectorExpr); ok && sel.Sel.Name == "Context" {
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "cli" {
				return true
			}
		}
	}
	return false
}

func readsOptions(f *ast.FuncType) bool {
	results := typeNames(f.Results)
	return len(results) > 0 && strings.HasSuffix(results[0], "Options") || len(results) > 0 && results[0] == "options"
}

func makesCommands(f *ast.FuncType) bool {
	results := typeNames(f.Results)
	return len(results) > 0 && results[0] == "Command"
}

// main is the list of groups and the one end of the process, and nothing beside it.
func TestMainIsAList(t *testing.T) {
	set, list := sources(t)
	for _, s := range list {
		if s.test() || s.dir != "cmd/agents-hooks" {
			continue
		}
		most := 20
		if s.name == "main.go" {
			most = 150
		}
		if lines := set.File(s.ast.Pos()).LineCount(); lines > most {
			t.Errorf("%s: %d lines, want at most %d: a command is a room below cmd/internal/verb", s.path(), lines, most)
		}
	}
}

// The words that a group is listed with are those of its commands, or the one that
// is called would not be built.
func TestRoomsAreListedWithTheirWords(t *testing.T) {
	sh := shelltest.New(t)
	for _, r := range commandGroups() {
		var have []string
		for _, c := range sh.Commands([]shell.CommandGroup{r}, "") {
			have = append(have, c.Names()...)
			if !c.Hidden && !slices.Contains(shell.Topics(), shell.Topic(c.Category)) {
				t.Errorf("%s stands below no heading of the help: %q", c.Name, c.Category)
			}
		}
		if got := strings.Join(have, " "); got != r.Words {
			t.Errorf("a room has the words %q and is listed with %q", got, r.Words)
		}
	}
}
