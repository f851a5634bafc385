package redact

import (
	"flag"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

var update = flag.Bool("update", false, "write what becomes of the examples of the table")

// TestEveryRow asks the rows that are there: with one that is gone its example is
// gone too. So what becomes of each example stands in a file as well, and a row
// that is deleted, or finds less than it did, makes something else of its line.
func TestExamplesStayRedacted(t *testing.T) {
	t.Parallel()
	file := filepath.Join("testdata", "examples.txt")
	if *update {
		must.Write(t, file, ofTable())
	}
	lines := slices.Collect(strings.Lines(must.Read(t, file)))
	for _, line := range lines {
		example, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if got := outcome(unquoted(t, example)); got != want {
			t.Errorf("%s becomes\n%s, and became\n%s: is a row gone, or another in its way?", example, got, want)
		}
	}
	if len(lines) < 200 {
		t.Errorf("%d examples: this test looked in the wrong place", len(lines))
	}
	for line := range strings.Lines(ofTable()) {
		if !slices.Contains(lines, line) {
			t.Errorf("%s lacks the line of a row: go test ./internal/redact -run ExamplesStay -update\n%s", file, line)
		}
	}
}

// ofTable is the file as the table has it: a line for each example, quoted, and what
// the policies make of it.
func ofTable() string {
	var b strings.Builder
	for _, section := range sections() {
		for _, row := range section {
			b.WriteString(strconv.Quote(row.example) + "\t" + outcome(row.example) + "\n")
		}
	}
	return b.String()
}

// outcome is what the policies make of an example, with marks that tell the kind:
// a row that another does the work of would pass where the mark is the same for
// all.
func outcome(example string) string {
	var list []string
	for p := range policies {
		r := policies[p]
		r.prefix, r.tells = "[REDACTED", true
		list = append(list, strconv.Quote(r.text(fill(example), nil)))
	}
	return strings.Join(list, "\t")
}

func unquoted(t *testing.T, s string) string {
	t.Helper()
	text, err := strconv.Unquote(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return text
}
