package spec

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A rule of a behaviour stands with its id at each test that proves it: in the comment
// or a row of a Go test, or in a script. (Those of the format have their cases, which
// the suite holds.) A rule that no test cites fails, and so does an id that is no rule's,
// wherever it stands.
func TestEveryRuleOfABehaviourHasItsTest(t *testing.T) {
	t.Parallel()
	for _, b := range books()[1:] {
		tests, missing := citations(t, os.DirFS(".."), b.prefix, RequirementsOf(b.page))
		for _, r := range RequirementsOf(b.page) {
			if len(tests[r.ID]) == 0 {
				t.Errorf("%s: no test cites it: %s", r.ID, r.Text)
			}
			t.Logf("%s: %s", r.ID, strings.Join(tests[r.ID], " "))
		}
		for _, id := range slices.Sorted(maps.Keys(missing)) {
			t.Errorf("%s: no rule has this id, and it stands in %s", id, strings.Join(missing[id], " "))
		}
	}
}

// An id whose first letters no page of rules has is a slip that no page would miss.
func TestEveryCitedPrefixIsThatOfAPage(t *testing.T) {
	t.Parallel()
	var prefixes []string
	for _, b := range books() {
		prefixes = append(prefixes, b.prefix+"-")
	}
	id := regexp.MustCompile(`// (?:[A-Z]{2}-[A-Z]{2,4}-[0-9]{2}(?:, | and |\.$))+`)
	one := regexp.MustCompile(`[A-Z]{2}-[A-Z]{2,4}-[0-9]{2}`)
	must.Do(t, fs.WalkDir(os.DirFS(".."), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, "_test.go") || path == "spec/cited_test.go" {
			return err
		}
		text, err := os.ReadFile(filepath.Join("..", path))
		for line := range strings.Lines(string(text)) {
			for _, cited := range one.FindAllString(id.FindString(strings.TrimSpace(line)), -1) {
				if !slices.Contains(prefixes, cited[:3]) {
					t.Errorf("%s cites %s: no page of rules has ids of %s", path, cited, cited[:2])
				}
			}
		}
		return err
	}))
}

// citations are the tests that cite each rule, and the files that cite what is none.
func citations(t *testing.T, root fs.FS, prefix string, rules []Requirement) (tests, missing map[string][]string) {
	t.Helper()
	tests, missing = map[string][]string{}, map[string][]string{}
	known := map[string]bool{}
	for _, r := range rules {
		known[r.ID] = true
	}
	id := regexp.MustCompile(`\b` + prefix + `-[A-Z]{2,4}-[0-9]+\b`)
	err := fs.WalkDir(root, ".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && strings.HasPrefix(e.Name(), ".") && path != ".":
			return fs.SkipDir
		case e.IsDir() || path == "spec/requirements.json" || !slices.Contains([]string{".go", ".txtar", ".md"}, filepath.Ext(path)):
			return nil
		}
		text, err := fs.ReadFile(root, path)
		if err != nil || !strings.Contains(string(text), prefix+"-") {
			return err
		}
		for _, name := range slices.Compact(slices.Sorted(slices.Values(id.FindAllString(string(text), -1)))) {
			switch test := strings.HasSuffix(path, "_test.go") || filepath.Ext(path) == ".txtar"; {
			case !known[name]:
				missing[name] = append(missing[name], path)
			case test:
				tests[name] = append(tests[name], path)
			}
		}
		return nil
	})
	must.Do(t, err)
	return tests, missing
}

// The check can fail: it finds a rule without a test, and a test without a rule.
func TestCitationsAreFound(t *testing.T) {
	t.Parallel()
	root := os.DirFS(t.TempDir())
	dir := t.TempDir()
	for name, text := range map[string]string{"a_test.go": "// XX-ONE-01, and " + "XX-TWO-09", "b.go": "// XX-ONE-02", "c.txtar": "# XX-ONE-03"} {
		must.Write(t, filepath.Join(dir, name), text)
	}
	rules := []Requirement{{ID: "XX-ONE-01"}, {ID: "XX-ONE-02"}, {ID: "XX-ONE-03"}}
	if tests, missing := citations(t, root, "XX", rules); len(tests)+len(missing) > 0 {
		t.Errorf("in nothing: %v, %v", tests, missing)
	}
	tests, missing := citations(t, os.DirFS(dir), "XX", rules)
	if len(tests) != 2 || len(tests["XX-ONE-02"]) > 0 || len(missing) != 1 || len(missing["XX-TWO-09"]) != 1 {
		t.Errorf("%v, %v", tests, missing)
	}
}
