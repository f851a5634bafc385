package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A promise of docs/security.md is one that a test proves: each row names one, and
// each that is named is there.
func TestEveryPromiseHasItsTest(t *testing.T) {
	t.Parallel()
	b := must.Read(t, "../../docs/security.md")
	rows := 0
	for line := range strings.Lines(b) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 6 || strings.HasPrefix(cells[1], "---") || strings.TrimSpace(cells[1]) == "who" {
			continue
		}
		rows++
		for i, c := range cells[1:5] {
			if strings.TrimSpace(c) == "" {
				t.Errorf("cell %d is empty: %s", i+1, line)
			}
		}
		folder, tests := "", 0
		for word := range strings.FieldsSeq(strings.ReplaceAll(cells[4], ",", " ")) {
			switch {
			case strings.HasPrefix(word, "`"):
				folder = strings.Trim(word, "`")
			case strings.HasPrefix(word, "Test"):
				tests++
				if !hasTest(t, folder, word) {
					t.Errorf("%s has no %s", folder, word)
				}
			}
		}
		if tests == 0 {
			t.Errorf("no test proves: %s", line)
		}
	}
	if rows < 10 {
		t.Errorf("%d rows", rows)
	}
	if hasTest(t, "cmd/agents-hooks", "TestOfNothing") {
		t.Error("a test that is not there was found")
	}
	for _, path := range []string{"../../SECURITY.md", "../../docs/security.md"} {
		for _, link := range regexp.MustCompile(`\]\(([^)#:]+)`).FindAllStringSubmatch(must.Read(t, path), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), link[1])); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// hasTest reports whether a folder has a test function of a name.
func hasTest(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(folder), "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in %q: %v", folder, err)
	}
	return slices.ContainsFunc(files, func(file string) bool { return strings.Contains(must.Read(t, file), "\nfunc "+name+"(t *testing.T)") })
}
