package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

var (
	changesHeading = regexp.MustCompile(`(?m)^## (Unreleased|What a version number promises|\d+\.\d+\.\d+, \d{4}-\d\d-\d\d)$`)
	anyHeading     = regexp.MustCompile(`(?m)^## .*$`)
)

// The changes stand by version, in a form that a release takes its notes from; what is
// promised of Go packages is of packages that there are, and that others can import.
func TestChangesStandByVersion(t *testing.T) {
	t.Parallel()
	text := page(t, "CHANGELOG.md")
	for _, h := range anyHeading.FindAllString(text, -1) {
		if !changesHeading.MatchString(h) {
			t.Errorf("%q: want \"## Unreleased\" or \"## 1.2.3, 2026-01-31\"", h)
		}
	}
	if strings.Count(text, "\n## Unreleased\n") > 1 {
		t.Error("two parts are unreleased")
	}
	_, row, _ := strings.Cut(text, "| Go packages | ")
	row, _, _ = strings.Cut(row, "\n")
	promised := 0
	for _, m := range codeSpan.FindAllStringSubmatch(row, -1) {
		promised++
		found, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(m[1]), "*.go"))
		if err != nil || len(found) == 0 || strings.Contains(m[1], "internal") {
			t.Errorf("%s is no package that anybody can import", m[1])
		}
	}
	if promised < 5 {
		t.Errorf("%d packages are promised: this test looked in the wrong place", promised)
	}
}

// The notes of a release are what the changes say of its version, and nothing else.
func TestNotesOfAReleaseAreItsChanges(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	const changes = "# Changes\n\n## Unreleased\n\n- new\n\n## 1.10.0, 2026-12-01\n\nGood.\n\n**Area**\n- ten\n\n## 1.1.0, 2026-11-01\n\n- one\n"
	file := filepath.Join(t.TempDir(), "CHANGELOG.md")
	must.Write(t, file, changes)
	for version, want := range map[string]string{
		"v1.10.0": "Good.\n\n**Area**\n- ten\n", "v1.1.0": "- one\n", "v1.10.0-rc.1": "- new\n", "v1.2.0": "", "v1x1.0": "",
	} {
		t.Run(version, func(t *testing.T) {
			got, err := notes(version, file)
			if got != want || (err == nil) != (want != "") {
				t.Errorf("%s: %q, %v; want %q", version, got, err, want)
			}
		})
	}
}

func notes(version, file string) (string, error) {
	out, err := exec.Command("sh", filepath.Join("..", "..", "release", "notes"), version, file).Output()
	return string(out), err
}
