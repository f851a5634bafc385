package main

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The packages that can get a path below a project: all that is shipped. safefile
// is beneath's own, and the conformance suite makes hostile projects itself.
var belowProjects = []string{"builtin-hooks", "cmd", "discovery", "internal", "pack", "protocol", "runner", "trust"}

var opensItself = []string{"internal/beneath", "internal/safefile"}

var opening = map[string][]string{
	"os": {"Open", "OpenFile", "OpenRoot", "OpenInRoot", "ReadFile", "Create", "CreateTemp", "WriteFile", "ReadDir", "Stat", "Lstat", "Mkdir", "MkdirAll",
		"MkdirTemp", "Rename", "Remove", "RemoveAll", "Symlink", "Link", "Readlink", "Chmod", "Chtimes", "Truncate", "DirFS", "CopyFS", "Chown"},
	"filepath": {"Walk", "WalkDir", "Glob", "EvalSymlinks"},
	"safefile": {"Open", "Read"},
	"ioutil":   {"ReadFile", "WriteFile", "ReadDir"},
	"unix":     {"Open", "Openat", "Openat2", "Stat", "Lstat", "Fstatat", "Mkdir", "Unlink", "Rename"},
	"syscall":  {"Open", "Stat", "Lstat", "Mkdir", "Unlink", "Rename"},
}

// TestProjectsAreOpenedBeneath walks the code for whatever opens a file below a
// project otherwise.
func TestProjectsAreOpenedBeneath(t *testing.T) {
	t.Parallel()
	_, list := sources(t)
	found := map[string]bool{}
	for _, file := range list {
		in := func(dir string) bool { return below(file.dir, dir) }
		if file.test() || !slices.ContainsFunc(belowProjects, in) || slices.ContainsFunc(opensItself, in) {
			continue
		}
		for _, use := range outright(file) {
			found[file.path()+" "+use] = true
		}
	}
	known := opensOutright(t)
	for use := range found {
		if !known[use] {
			t.Errorf("%s opens, lists or changes a file by its path alone: what may lie below a project goes by internal/beneath; what cannot, into testdata/opens-outright.txt with the reason", use)
		}
	}
	for use := range known {
		if !found[use] {
			t.Errorf("%s does not need to be in testdata/opens-outright.txt any more", use)
		}
	}
}

// opensOutright reads what may open, list or change files by their paths as they are: a
// file and its functions, below the reason why that is no file of a project that a
// stranger may have filled.
func opensOutright(t *testing.T) map[string]bool {
	t.Helper()
	b := must.Read(t, "testdata/opens-outright.txt")
	known := map[string]bool{}
	for group := range strings.SplitSeq(strings.TrimSpace(b), "\n\n") {
		reason, files, _ := strings.Cut(group, "\n")
		if !strings.HasPrefix(reason, "# ") || files == "" {
			t.Errorf("a reason and what it is of are missing: %q", group)
		}
		for line := range strings.Lines(files) {
			names := strings.Fields(line)
			for _, name := range names[1:] {
				if use := names[0] + " " + name; known[use] {
					t.Errorf("%s stands twice", use)
				} else {
					known[use] = true
				}
			}
		}
	}
	return known
}

// outright are the functions of a file that open something, by their names.
func outright(file source) (names []string) {
	called := map[string]string{} // of a package in this file: what it is
	for _, s := range file.ast.Imports {
		full := strings.Trim(s.Path.Value, `"`)
		base := full[strings.LastIndexByte(full, '/')+1:]
		if opening[base] == nil {
			continue
		}
		if s.Name != nil {
			called[s.Name.Name] = base
		} else {
			called[base] = base
		}
	}
	for _, d := range file.ast.Decls {
		name := "(package)"
		if f, ok := d.(*ast.FuncDecl); ok {
			name = f.Name.Name
		}
		ast.Inspect(d, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && slices.Contains(opening[called[x.Name]], s.Sel.Name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
			return true
		})
	}
	return names
}
