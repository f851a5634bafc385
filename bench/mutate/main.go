// Command mutate checks whether the tests of a package would notice a bug in it. It
// changes one place at a time, runs the tests, and prints each change with which all
// tests still passed: a survivor.
//
//	.ci/mutate ./discovery ./runner            ten changes in each
//	.ci/mutate -n 30 -file matcher.go ./discovery
//	.ci/mutate -wide ./cmd/internal/dispatch ./discovery
//	.ci/mutate -wide ./cmd/agents-hooks -run TestScripts/skills ./cmd/internal/verb/skills
//
// A hash chooses the places, so that a second run makes the same changes; -seed chooses
// others. No file of the repository is touched: the compiler gets the changed file by
// -overlay. Survivors are also tried with the tests of the packages that -wide names, or
// those of them that -run names.
// On a busy machine a test may fail anyway: -noticed says which one noticed a change.
//
// A survivor is a missing test, or a change without effect. A line with a comment that
// begins with "mutant:" and says why is not changed again:
//
//	if n <= 0 { // mutant: of 0 there is nothing to do either way
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 10, "how many changes a package")
	seed := flag.String("seed", "", "any word: other places")
	file := flag.String("file", "", "only places in files of this name, or of names that begin so")
	wide := flag.String("wide", "", "packages with blanks between them, whose tests judge survivors too")
	only := flag.String("run", "", "which tests of those packages")
	dry := flag.Bool("list", false, "print the changes, and run nothing")
	all := flag.Bool("noticed", false, "print also what was noticed, and by which test: on a busy machine it may have failed anyway")
	flag.Parse()
	survivors, err := run(flag.Args(), options{*n, *seed, *file, strings.Fields(*wide), *only, *dry, *all})
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "mutate: %v\n", err)
		os.Exit(2)
	case survivors > 0:
		os.Exit(1)
	}
}

type options struct {
	n          int
	seed, file string
	wide       []string
	run        string
	list       bool
	noticed    bool
}

func run(packages []string, o options) (survivors int, err error) {
	if len(packages) == 0 {
		return 0, fmt.Errorf("name packages, such as ./discovery")
	}
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(work)
	for _, p := range packages {
		lived, err := try(p, o, work)
		if err != nil {
			return survivors, err
		}
		survivors += lived
	}
	return survivors, nil
}

// try makes changes in one package and prints the results.
func try(pkg string, o options, work string) (survivors int, err error) {
	var files []string
	var dir struct {
		Dir                                string
		GoFiles, TestGoFiles, XTestGoFiles []string
	}
	out, err := exec.Command("go", "list", "-json=Dir,GoFiles,TestGoFiles,XTestGoFiles", pkg).Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %v", pkg, err)
	}
	if err := json.Unmarshal(out, &dir); err != nil {
		return 0, err
	}
	for _, name := range dir.GoFiles {
		if strings.HasPrefix(name, o.file) {
			files = append(files, filepath.Join(dir.Dir, name))
		}
	}
	list, err := changes(files, o.seed)
	if err != nil {
		return 0, err
	}
	if o.list {
		for _, c := range list {
			fmt.Println(c)
		}
		return 0, nil
	}
	own := []string{pkg}
	if len(dir.TestGoFiles)+len(dir.XTestGoFiles) == 0 { // its tests stand in the folder above, or in those of -wide
		own[0] = filepath.Dir(dir.Dir)
		if found, _ := filepath.Glob(filepath.Join(own[0], "*_test.go")); found == nil {
			own = nil
		}
	}
	for _, p := range own {
		if out, ok := tests("", "", p); !ok {
			return 0, fmt.Errorf("%s fails as it is:\n%s", pkg, out)
		}
	}
	tried, killed := 0, 0
	began := time.Now()
	for _, c := range list {
		if tried == o.n {
			break
		}
		overlay, err := c.overlay(work)
		if err != nil {
			return survivors, err
		}
		if !compiles(overlay, pkg) {
			continue
		}
		tried++
		by := dead("", overlay, own)
		if by == "" {
			by = dead("", overlay, o.wide, "-run="+o.run)
		}
		if by != "" {
			killed++
			if o.noticed {
				fmt.Printf("noticed by %s: %s\n", by, c)
			}
			continue
		}
		survivors++
		fmt.Printf("survived: %s\n", c)
	}
	fmt.Printf("%s: %d of %d changes were noticed, of %d that can be made (%.0f s)\n", pkg, killed, tried, len(list), time.Since(began).Seconds())
	return survivors, nil
}

// dead is what noticed a change: the first test that failed, or the package if none is
// named, as after a panic; "" if nothing did.
func dead(dir, overlay string, packages []string, flags ...string) (by string) {
	for _, p := range packages {
		out, ok := tests(dir, overlay, p, flags...)
		if ok {
			continue
		}
		if _, rest, found := strings.Cut(string(out), "--- FAIL: "); found {
			by, _, _ = strings.Cut(rest, " ")
			return by
		}
		return p
	}
	return ""
}

// tests runs the tests of a package. If they never end they are stopped, which counts
// as noticing.
//
// A test may start a program of the repository, and build it first: GOFLAGS gives the changed
// file to the go commands of tests too.
func tests(dir, overlay, pkg string, flags ...string) (out []byte, ok bool) {
	cmd := exec.Command("go", slices.Concat([]string{"test", "-vet=off", "-timeout=5m"}, flags, []string{pkg})...)
	if overlay != "" {
		cmd.Args = slices.Insert(cmd.Args, 2, "-failfast", "-count=1")
		cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" '-overlay="+overlay+"'")
	}
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return out, err == nil
}

func compiles(overlay, pkg string) bool {
	return exec.Command("go", "build", "-overlay", overlay, pkg).Run() == nil
}

// A change replaces the text in one place of a file.
type change struct {
	file         string
	line, column int
	start, end   int // bytes of the file
	was, now     string
}

func (c change) String() string {
	return fmt.Sprintf("%s:%d:%d: %s → %s", c.file, c.line, c.column, short(c.was), short(c.now))
}

// short is a text on one line.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	if s == "" {
		return "nothing"
	}
	return s
}

// overlay writes the changed file, and the overlay file for the compiler.
func (c change) overlay(work string) (path string, err error) {
	b, err := os.ReadFile(c.file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(work, filepath.Base(c.file))
	text := slices.Concat(b[:c.start], []byte(c.now), b[c.end:])
	if err := os.WriteFile(changed, text, 0o600); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {c.file: changed}})
	if err != nil {
		return "", err
	}
	path = filepath.Join(work, "overlay.json")
	return path, os.WriteFile(path, list, 0o600)
}

// changes are all possible changes in the files, in an order chosen by the seed: from
// each file in turn.
func changes(files []string, seed string) (list []change, err error) {
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		own, err := changesOf(name, b)
		if err != nil {
			return nil, err
		}
		list = append(list, own...)
	}
	rank := func(c change) uint64 {
		h := fnv.New64a()
		fmt.Fprintf(h, "%s\x00%s\x00%d\x00%s", seed, filepath.Base(c.file), c.start, c.now)
		return h.Sum64()
	}
	slices.SortFunc(list, func(a, b change) int {
		if x, y := rank(a), rank(b); x != y {
			if x < y {
				return -1
			}
			return 1
		}
		return 0
	})
	return list, nil
}

// changesOf are all possible changes in one file, in order.
func changesOf(name string, text []byte) (list []change, err error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	lines := bytes.Split(text, []byte("\n"))
	add := func(from, to token.Pos, now string) {
		c := change{file: name, line: set.Position(from).Line, column: set.Position(from).Column, start: set.Position(from).Offset, end: set.Position(to).Offset, now: now}
		c.was = string(text[c.start:c.end])
		if !bytes.Contains(lines[c.line-1], []byte("// mutant:")) {
			list = append(list, c)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case *ast.BinaryExpr:
			if other, ok := others[n.Op]; ok {
				add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String())
			}
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				add(n.OpPos, n.OpPos+1, "")
			}
		case *ast.IfStmt:
			add(n.Cond.Pos(), n.Cond.End(), "!("+string(text[set.Position(n.Cond.Pos()).Offset:set.Position(n.Cond.End()).Offset])+")")
		case *ast.BasicLit:
			if n.Kind == token.INT {
				add(n.Pos(), n.End(), "("+n.Value+"+1)")
			}
		case *ast.Ident:
			switch n.Name {
			case "true":
				add(n.Pos(), n.End(), "false")
			case "false":
				add(n.Pos(), n.End(), "true")
			}
		case *ast.BranchStmt:
			if n.Label == nil && n.Tok == token.CONTINUE {
				add(n.Pos(), n.End(), "break")
			}
		case *ast.IncDecStmt:
			add(n.Pos(), n.End(), "")
		case *ast.ExprStmt:
			if !closes(n.X) {
				add(n.Pos(), n.End(), "")
			}
		case *ast.DeferStmt:
			if !closes(n.Call) {
				add(n.Pos(), n.End(), "")
			}
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				add(n.Pos(), n.End(), "")
			}
		}
		return true
	})
	return list, nil
}

// closes reports whether a call closes something that the garbage collector would close
// later anyway: no test can tell.
func closes(x ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Close"
}

// others maps operators to their replacements.
var others = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS,
	token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD,
	token.MUL: token.QUO, token.QUO: token.MUL,
}
