package spec

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	proposedPattern = regexp.MustCompile(`(?m)^- (.*) \(\[(HM-[A-Z]+-[0-9]{2})\]\(\.\./SPEC\.md#([a-z0-9-]+)\)\)$`)
	proposedCase    = regexp.MustCompile("(?m)^- \\[`([^`]+)`\\]\\(\\.\\./\\.\\./(conformance/cases/[^)]+)\\)")
	proposedErrata  = regexp.MustCompile(`(?m)^Errata: (.*)$`)
	erratum         = regexp.MustCompile(`(?m)^\| ([0-9]+(?: a)?) \|`)
)

// A proposal has its four parts; what it words is what SPEC.md says, its tests are there;
// and no gap of the original is left without one.
func TestProposalsAreOfToday(t *testing.T) {
	files, err := filepath.Glob("proposals/[0-9]*.md")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d proposals: %v", len(files), err)
	}
	index, err := os.ReadFile("proposals/README.md")
	if err != nil {
		t.Fatal(err)
	}
	covered := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, last := string(data), -1
		for _, head := range []string{"# ", "\n## Problem\n", "\n## Evidence\n", "\n## Wording\n", "\n## Test\n"} {
			at := strings.Index(text, head)
			if at <= last {
				t.Errorf("%s: no %q in its place", file, strings.TrimSpace(head))
			}
			last = at
		}
		if !strings.Contains(string(index), "("+filepath.Base(file)+")") {
			t.Errorf("%s is not in proposals/README.md", file)
		}
		for _, m := range proposedErrata.FindAllStringSubmatch(text, -1) {
			for _, n := range strings.Split(m[1], ", ") {
				covered[n] = true
			}
		}
		for _, m := range proposedPattern.FindAllStringSubmatch(text, -1) {
			if r, ok := Find(strings.ToLower(m[2])); !ok || r.Text != m[1] || r.Anchor() != m[3] {
				t.Errorf("%s: %s is worded %q, in SPEC.md %q", file, m[2], m[1], r.Text)
			}
		}
		for _, m := range proposedCase.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(m[2]))); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	errata, _ := Page("errata")
	gaps := erratum.FindAllStringSubmatch(errata, -1)
	for _, m := range gaps {
		if !covered[m[1]] {
			t.Errorf("no proposal is about number %s of ERRATA.md", m[1])
		}
		delete(covered, m[1])
	}
	if len(covered) > 0 || !slices.ContainsFunc(gaps, func(m []string) bool { return m[1] == "66" }) {
		t.Errorf("%d gaps; proposals about none of them: %v", len(gaps), covered)
	}
}
