package spec

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

var (
	proposedPattern = regexp.MustCompile(`(?m)^- (.*) \(\[(HM-[A-Z]+-[0-9]{2})\]\(\.\./SPEC\.md#([a-z0-9-]+)\)\)$`)
	proposedCase    = regexp.MustCompile("(?m)^- \\[`([^`]+)`\\]\\(\\.\\./\\.\\./(conformance/cases/[^)]+)\\)")
	proposedSpec    = regexp.MustCompile(`(?m)^spec: .*$`)
	proposedErrata  = regexp.MustCompile(`(?m)^Errata: (.*)$`)
	erratum         = regexp.MustCompile(`(?m)^\| ([0-9]+(?: a)?) \|`)
)

// caseIDs are the sentences that a case of the suite is about.
func caseIDs(t *testing.T, file string) []string {
	t.Helper()
	head, _, _ := strings.Cut(must.Read(t, file), "\n-- ")
	return strings.Fields(proposedSpec.FindString(head))
}

// A proposal has its four parts; what it words is what SPEC.md says, its tests are there;
// and no gap of the original is left without one.
func TestProposalsAreOfToday(t *testing.T) {
	files, err := filepath.Glob("proposals/[0-9]*.md")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d proposals: %v", len(files), err)
	}
	index := must.Read(t, "proposals/README.md")
	covered, suite := map[string]bool{}, map[string]bool{}
	cases, err := filepath.Glob("../conformance/cases/*/*.txtar")
	if err != nil || len(cases) < 500 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	for _, file := range cases {
		for _, id := range caseIDs(t, file) {
			suite[id] = true
		}
	}
	for _, file := range files {
		text, last := must.Read(t, file), -1
		for _, head := range []string{"# ", "\n## Problem\n", "\n## Evidence\n", "\n## Wording\n", "\n## Test\n"} {
			at := strings.Index(text, head)
			if at <= last {
				t.Errorf("%s: no %q in its place", file, strings.TrimSpace(head))
			}
			last = at
		}
		if !strings.Contains(index, "("+filepath.Base(file)+")") {
			t.Errorf("%s is not in proposals/README.md", file)
		}
		for _, m := range proposedErrata.FindAllStringSubmatch(text, -1) {
			for _, n := range strings.Split(m[1], ", ") {
				covered[n] = true
			}
		}
		worded, tested := map[string]bool{}, map[string]bool{}
		for _, m := range proposedPattern.FindAllStringSubmatch(text, -1) {
			worded[m[2]] = true
			if r, ok := Find(strings.ToLower(m[2])); !ok || r.Text != m[1] || r.Anchor() != m[3] {
				t.Errorf("%s: %s is worded %q, in SPEC.md %q", file, m[2], m[1], r.Text)
			}
		}
		for _, m := range proposedCase.FindAllStringSubmatch(text, -1) {
			about := caseIDs(t, filepath.Join("..", filepath.FromSlash(m[2])))
			for _, id := range about {
				tested[id] = true
			}
			if !slices.ContainsFunc(about, func(id string) bool { return worded[id] }) {
				t.Errorf("%s: %s is about %v, nothing of which is worded here", file, m[1], about)
			}
		}
		if len(worded) == 0 || len(tested) == 0 {
			t.Errorf("%s words %d sentences and names tests of %d", file, len(worded), len(tested))
		}
		for id := range worded {
			if !tested[id] && suite[id] {
				t.Errorf("%s names no test of %s, and the suite has one", file, id)
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
