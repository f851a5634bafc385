package spec

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Every file of this folder that is a page or a schema can be asked for, by its
// name and by its file's name.
func TestEveryFileIsAPage(t *testing.T) {
	known := map[string]bool{"requirements.json": true} // the manifest
	for _, d := range append(Pages(), Schemas()...) {
		known[d.File] = true
	}
	entries, err := os.ReadDir(".")
	must.Do(t, err)
	for _, e := range entries {
		if name := e.Name(); (strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".json")) && !known[name] {
			t.Errorf("%s is neither in Pages nor in Schemas", name)
		}
	}
	for _, d := range Pages() {
		byName, ok1 := Page(d.Name)
		byFile, ok2 := Page(d.File)
		if !ok1 || !ok2 || byName != byFile || !strings.HasPrefix(byName, "# ") {
			t.Errorf("page %s: %v %v", d.Name, ok1, ok2)
		}
	}
	if _, ok := Page("hook"); ok {
		t.Error("a schema is no page")
	}
	if _, ok := Schema("../go.mod"); ok {
		t.Error("Schema reads files that are not its own")
	}
}

func TestVersionStandsInThePages(t *testing.T) {
	text, _ := Page("spec")
	if !strings.Contains(text, "\nVersion "+Version+".") {
		t.Errorf("SPEC.md does not say Version %s", Version)
	}
	changes, _ := Page("changes")
	first := changes[strings.Index(changes, "\n## ")+4:]
	if !strings.HasPrefix(first, Version+"\n") {
		t.Errorf("the newest version in CHANGES.md is not %s", Version)
	}
}

var (
	idPattern    = regexp.MustCompile(`HM-[A-Z]+-[0-9]+`)
	rangePattern = regexp.MustCompile(`HM-([A-Z]+)-([0-9]+) to HM-[A-Z]+-([0-9]+)`)
)

// Every id that is named anywhere exists.
func TestIDsThatAreCitedExist(t *testing.T) {
	for _, file := range markdown(t) {
		for i, line := range lines(t, file) {
			for _, id := range idPattern.FindAllString(line, -1) {
				if _, ok := Find(id); !ok {
					t.Errorf("%s:%d: there is no %s", file, i+1, id)
				}
			}
		}
	}
}

// Whoever has a runner of 1.0 finds what to add: each sentence that came in since stands
// below a later version in CHANGES.md.
func TestSentencesSinceTheFirstVersionAreInChanges(t *testing.T) {
	first := map[string]int{"AGT": 36, "ASY": 13, "CFG": 13, "DIS": 14, "ENV": 7, "ERR": 17, "FMT": 46, "IO": 54, "MAT": 17, "ORD": 9, "SEC": 20}
	page, _ := Page("changes")
	later, _, _ := strings.Cut(page, "\n## 1.0\n")
	told := map[string]bool{}
	for _, id := range cited(strings.Join(strings.Fields(later), " ")) {
		told[id] = true
	}
	for _, r := range Requirements() {
		_, rest, _ := strings.Cut(r.ID, "-")
		area, number, _ := strings.Cut(rest, "-")
		if n, err := strconv.Atoi(number); err != nil || n > first[area] && !told[r.ID] {
			t.Errorf("%s is newer than 1.0 and not in CHANGES.md", r.ID)
		}
	}
}

// ERRATA.md has each gap by its number, 1 to 59, once and in order, with a
// ruling and, but for the two that are advice, the sentences that carry it. A
// ruling is an interpretation: at least one of its sentences is marked so,
// unless the original format says it in one of its places (1, 51).
func TestErrataAreComplete(t *testing.T) {
	page, _ := Page("errata")
	next := 1
	for _, line := range strings.Split(page, "\n") {
		cells := row(line)
		if len(cells) != 4 {
			continue
		}
		n, err := strconv.Atoi(cells[0])
		if err != nil {
			continue
		}
		if n != next {
			t.Fatalf("gap %d stands where %d is due", n, next)
		}
		next++
		ids := cited(cells[3])
		if cells[1] == "" || cells[2] == "" || len(ids) == 0 && n != 54 && n != 55 {
			t.Errorf("gap %d: incomplete: %q", n, cells)
		}
		marked := false
		for _, id := range ids {
			r, ok := Find(id)
			if !ok {
				t.Errorf("gap %d: there is no %s", n, id)
			}
			marked = marked || r.Interpretation
		}
		if len(ids) > 0 && !marked && n != 1 && n != 51 && n != 56 {
			t.Errorf("gap %d: none of %v is marked as an interpretation", n, ids)
		}
	}
	if next != 67 {
		t.Errorf("%d gaps, want 66", next-1)
	}
}

// cited returns the ids in a cell, ranges written out.
func cited(cell string) []string {
	var ids []string
	for _, m := range rangePattern.FindAllStringSubmatch(cell, -1) {
		from, _ := strconv.Atoi(m[2])
		to, _ := strconv.Atoi(m[3])
		for n := from; n <= to; n++ {
			ids = append(ids, fmt.Sprintf("HM-%s-%02d", m[1], n))
		}
	}
	return append(ids, idPattern.FindAllString(rangePattern.ReplaceAllString(cell, ""), -1)...)
}

var linkPattern = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Links between our own pages lead somewhere, fragments included.
func TestLinksLeadSomewhere(t *testing.T) {
	for _, file := range markdown(t) {
		for i, line := range lines(t, file) {
			for _, m := range linkPattern.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, ""), -1) {
				if strings.Contains(m[1], "://") {
					continue
				}
				path, fragment, _ := strings.Cut(m[1], "#")
				target := file
				if path != "" {
					target = filepath.Join(filepath.Dir(file), path)
				}
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s:%d: %s leads nowhere", file, i+1, m[1])
				} else if fragment != "" && !anchors(t, target)[fragment] {
					t.Errorf("%s:%d: %s: no such place in %s", file, i+1, m[1], target)
				}
			}
		}
	}
}

// markdown lists the pages of this folder, of docs, and beside them.
func markdown(t *testing.T) []string {
	var out []string
	for _, pattern := range []string{"*.md", "../*.md", "../docs/*.md"} {
		found, err := filepath.Glob(pattern)
		must.Do(t, err)
		out = append(out, found...)
	}
	if len(out) < len(Pages()) {
		t.Fatalf("only %d pages found: %v", len(out), out)
	}
	return out
}

// lines returns the lines of a page, those inside fenced code left empty.
func lines(t *testing.T, file string) []string {
	out := strings.Split(must.Read(t, file), "\n")
	fenced := false
	for i, line := range out {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if fenced {
			out[i] = ""
		}
	}
	return out
}

// anchors are the places that a page can be linked to at: ids, and headings the
// way that Markdown viewers make fragments of them.
func anchors(t *testing.T, file string) map[string]bool {
	out := map[string]bool{}
	for _, line := range lines(t, file) {
		if title, ok := heading(line); ok {
			out[slug(title)] = true
		}
		if _, rest, ok := strings.Cut(line, `<a id="`); ok {
			id, _, _ := strings.Cut(rest, `"`)
			out[id] = true
		}
	}
	return out
}

func slug(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 0x7f:
			b.WriteRune(r)
		}
	}
	return b.String()
}
