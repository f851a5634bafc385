package main

import (
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A test is listed for what it asks itself, and for what it names that asks: however far
// away in its package, or in a package that is made for tests. Who has most comes first.
func TestListsWhatReachesSlowtest(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"direct/a_test.go": "import \"SLOW\"\nfunc TestAsks() { slowtest.On() }\nfunc TestPlain() { other() }\nfunc FuzzAsks() { slowtest.On() }\nfunc other() {}",
		"far/a_test.go":    "func TestFar() { one() }\nfunc TestNear() { done() }\nfunc done() {}",
		"far/b_test.go":    "import long \"SLOW\"\nfunc one() { two() }\nfunc two() { one(); _ = rounds }\nvar rounds = long.Count(1, 2)",
		"method/a_test.go": "import \"SLOW\"\ntype scene struct{}\nfunc (scene) play() { slowtest.On() }\nfunc TestPlays() { scene{}.play() }",
		"made/made.go":     "import \"SLOW\"\nfunc Pages() bool { return slowtest.On() }",
		"shared/a_test.go": "import \"MADE\"\nfunc TestShared() { made.Pages() }\nfunc TestAlone() {}",
		"made/a_test.go":   "func TestOfWhatIsMade() {}",
		"none/a_test.go":   "func TestNone() {}",

		"none/testdata/a_test.go": "import \"SLOW\"\nfunc TestOfAnother() { slowtest.On() }",
	} {
		text = strings.NewReplacer("SLOW", slowtest, "MADE", module+"made").Replace(text)
		files[name] = &fstest.MapFile{Data: []byte("package " + path.Base(path.Dir(name)) + "\n" + text)}
	}
	packages, tests, err := long(files)
	must.Do(t, err)
	if got, want := strings.Join(packages, " "), "./direct ./far ./made ./method ./shared"; got != want {
		t.Errorf("packages %q, want %q", got, want)
	}
	if got, want := strings.Join(tests, " "), "FuzzAsks TestAsks TestFar TestOfWhatIsMade TestPlays TestShared"; got != want {
		t.Errorf("tests %q, want %q", got, want)
	}
}
