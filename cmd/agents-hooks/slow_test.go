package main

import (
	"go/ast"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What go test leaves to -slow is played by .ci/run: each package that asks package
// slowtest is listed by .ci/long, and a step that is never left out plays all tests of
// those with -slow. No test has a flag of that name that is another one.
func TestWhatIsSlowIsPlayedByCI(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"bash", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s here", program)
		}
	}
	out, err := exec.Command("bash", filepath.Join("..", "..", ".ci", "long")).Output()
	must.Do(t, err)
	run := must.Read(t, filepath.Join("..", "..", ".ci", "run"))
	asking := asksSlowtest(t)
	if len(asking) < 10 {
		t.Fatalf("only %q ask slowtest: this test looks in the wrong place", asking)
	}
	for _, problem := range unplayed(run, strings.Fields(string(out)), asking) {
		t.Error(problem)
	}
}

func TestUnplayedIsTold(t *testing.T) {
	t.Parallel()
	const good = "step tests\nlong=$(.ci/long)\n.ci/slowest -count=1 $long -slow\nif [ -n \"$all\" ]; then\n  go test ./b -slow -every\nfi\n"
	both := []string{"./a", "./b"}
	if told := unplayed(good, both, both); len(told) > 0 {
		t.Error(told)
	}
	for what, c := range map[string]struct {
		run  string
		long []string
	}{
		"no step":               {strings.Replace(good, " -slow\nif", "\nif", 1), both},
		"a step for some tests": {strings.Replace(good, " -slow\nif", " -slow -run Scripts\nif", 1), both},
		"a step without some":   {strings.Replace(good, " -slow\nif", " -slow -skip=Racing\nif", 1), both},
		"a step of --all":       {strings.Replace(good, ".ci/slowest", "[ -z \"$all\" ] || .ci/slowest", 1), both},
		"a step in such a part": {"if [ -n \"$all\" ]; then\n  .ci/slowest $long -slow\nfi\n", both},
		"a comment":             {strings.Replace(good, ".ci/slowest", "# .ci/slowest", 1), both},
		"a package not listed":  {good, both[:1]},
	} {
		t.Run(what, func(t *testing.T) {
			if told := unplayed(c.run, c.long, both); len(told) != 1 {
				t.Errorf("%s: %q", what, told)
			}
		})
	}
}

var (
	always  = regexp.MustCompile(`^\.ci/slowest .*\$long -slow\b`) // not indented, so in no part of --all
	inParts = regexp.MustCompile(` -(run|skip|short|list)\b`)
)

// unplayed is what keeps tests of the packages that ask slowtest from being played by a
// script: .ci/run, where long are the packages of .ci/long.
func unplayed(script string, long, asking []string) (problems []string) {
	if !slices.ContainsFunc(strings.Split(script, "\n"), func(line string) bool { return always.MatchString(line) && !inParts.MatchString(line) }) {
		problems = append(problems, "no step of .ci/run plays all tests of .ci/long with -slow, whatever else is asked for")
	}
	for _, p := range asking {
		if !slices.Contains(long, p) {
			problems = append(problems, p+" has tests with -slow, and .ci/long does not list it")
		}
	}
	return problems
}

// asksSlowtest are the packages whose tests ask slowtest, themselves or through what is
// made for tests. A flag of their own that is called slow is an error.
func asksSlowtest(t *testing.T) (dirs []string) {
	t.Helper()
	set, list := sources(t)
	asked := []string{module + "/internal/slowtest"}
	for _, s := range list { // shared by tests: pagetest
		if !s.test() && slices.Contains(s.imports(), asked[0]) {
			asked = append(asked, module+"/"+s.dir)
		}
	}
	for _, s := range list {
		if s.dir != "internal/slowtest" {
			ast.Inspect(s.ast, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) == 0 {
					return true
				}
				of, ok := call.Fun.(*ast.SelectorExpr)
				name, isText := call.Args[0].(*ast.BasicLit)
				if ok && isText && of.Sel.Name == "Bool" && name.Value == `"slow"` {
					t.Errorf("%s: the flag -slow is that of package slowtest", set.Position(call.Pos()))
				}
				return true
			})
		}
		if s.test() && slices.ContainsFunc(s.imports(), func(p string) bool { return slices.Contains(asked, p) }) && !slices.Contains(dirs, "./"+s.dir) {
			dirs = append(dirs, "./"+s.dir)
		}
	}
	return dirs
}
