package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Each kind of change is made where it can be, and none where a line says that it
// makes no difference.
func TestChanges(t *testing.T) {
	t.Parallel()
	const text = `package p

const fixed = 1

func f(a, b int, ok bool) int {
	if a < b && !ok {
		a++
		g()
	}
	for range a {
		continue
	}
	if a <= 0 { // mutant: of 0 there is nothing to do either way
		return 0
	}
	defer a.Close()
	x := true
	a = b + 2
	return a
}
`
	list, err := changesOf("p.go", []byte(text))
	must.Do(t, err)
	var got []string
	for _, c := range list {
		if text[c.start:c.end] != c.was {
			t.Errorf("%v: %q stands there", c, text[c.start:c.end])
		}
		got = append(got, strings.TrimPrefix(c.String(), "p.go:"))
	}
	want := []string{
		"6:5: a < b && !ok → !(a < b && !ok)", "6:11: && → ||", "6:7: < → <=", "6:14: ! → nothing", "7:3: a++ → nothing", "8:3: g() → nothing",
		"11:3: continue → break", "14:10: 0 → (0+1)", "17:7: true → false", "18:2: a = b + 2 → nothing", "18:8: + → -", "18:10: 2 → (2+1)",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A change that tests notice dies, one that they do not survives, and no file is touched.
func TestSurvivors(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go here")
	}
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		must.Write(t, filepath.Join(dir, name), text)
	}
	const source = "package p\n\nfunc Less(a, b int) bool { return a < b }\n\nfunc Unasked(a int) int { return a * a }\n"
	write("go.mod", "module example.org/p\n\ngo 1.24\n")
	write("p.go", source)
	write("p_test.go", "package p\n\nimport \"testing\"\n\nfunc TestLess(t *testing.T) {\n\tif Less(1, 1) || !Less(1, 2) {\n\t\tt.Error()\n\t}\n}\n")
	// The test of another package builds a program.
	write("cmd/times/main.go", "package main\n\nimport \"example.org/p\"\n\nfunc main() { println(p.Unasked(3)) }\n")
	write("wide/wide_test.go", "package wide\n\nimport (\n\t\"os/exec\"\n\t\"testing\"\n)\n\nfunc TestTimes(t *testing.T) {\n\tif out, err := exec.Command(\"go\", \"run\", \"example.org/p/cmd/times\").CombinedOutput(); string(out) != \"9\\n\" {\n\t\tt.Errorf(\"%s, %v\", out, err)\n\t}\n}\n")
	list, err := changes([]string{filepath.Join(dir, "p.go")}, "")
	if err != nil || len(list) != 2 {
		t.Fatalf("%v %v", list, err)
	}
	for _, c := range list {
		overlay, err := c.overlay(t.TempDir())
		must.Do(t, err)
		by := map[string]string{"<": "TestLess"}[c.was]
		if got := dead(dir, overlay, []string{"."}); got != by {
			t.Errorf("%v: noticed by %q, want %q", c, got, by)
		}
		by = map[string]string{"*": "TestTimes"}[c.was]
		if got := dead(dir, overlay, []string{"./wide"}); got != by {
			t.Errorf("%v: where a program is built it is noticed by %q, want %q", c, got, by)
		}
	}
	if overlay, err := list[1].overlay(t.TempDir()); err != nil || dead(dir, overlay, []string{"./wide"}, "-run=TestOfAnotherName") != "" {
		t.Errorf("%v: noticed by a test that -run does not name", err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "p.go")); err != nil || string(b) != source {
		t.Errorf("%v: %s", err, b)
	}
}
