package spec

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// outside are the names of rules on pages that are not in this repository: nobody who
// reads it could look them up. What they said stands in SPEC.md and beside it.
var outside = regexp.MustCompile(`^\s*(?://|#) [0-9]\.[0-9]+(?:, [0-9]\.[0-9]+)*(?: number [0-9]+)?: |(?:^|[^A-Za-z0-9-])(?:RULINGS|DESIGN [0-9]|CONTRACT-[0-9]|platforms [0-9]|[Ii]ssue [0-9]+\.[0-9]|(?:MEM|COM|WS|EVO|SKL|GRD|PPL|HSE|MMY|WSP|EVL|X|R)-[0-9]+\b)`)

// mayCite leaves out most lines before the expression reads them: those without a number
// behind a hyphen or at the beginning of a comment, and without one of its words.
func mayCite(line string) bool {
	text := strings.TrimLeft(line, " \t/#")
	if len(text) > 1 && text[0] >= '0' && text[0] <= '9' && text[1] == '.' {
		return true
	}
	for rest := line; ; {
		_, after, ok := strings.Cut(rest, "-")
		if !ok {
			return strings.Contains(line, "RULINGS") || strings.Contains(line, "DESIGN ") || strings.Contains(line, "ssue ") || strings.Contains(line, "platforms ")
		}
		if after != "" && after[0] >= '0' && after[0] <= '9' {
			return true
		}
		rest = after
	}
}

// What is written here cites only what is here.
func TestNothingCitesWhatIsNotHere(t *testing.T) {
	t.Parallel()
	root, files := "..", 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		switch {
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || rel == "bench/train/written"):
			return fs.SkipDir
		case d.IsDir() || rel == "spec/outside_test.go" || strings.Contains(rel, "/testdata/payloads/"):
			return nil
		}
		switch filepath.Ext(path) {
		case ".go", ".md", ".txtar", ".sh", ".ts", ".mjs", ".py":
		default:
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		n := 0
		for line := range strings.Lines(string(b)) {
			n++
			if !mayCite(line) {
				continue
			}
			if found := outside.FindString(line); found != "" {
				t.Errorf("%s:%d: %q is the name of no rule here", rel, n, strings.TrimSpace(found))
			}
		}
		return nil
	})
	must.Do(t, err)
	if files < 1000 {
		t.Errorf("only %d files were read", files)
	}
}
