package main

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Whatever the lexicon is made of has a licence that is told.
func TestEverySourceHasALicence(t *testing.T) {
	t.Parallel()
	told := map[string]bool{}
	for line := range strings.Lines(read(t, "licences.txt")) {
		name, licences, _ := strings.Cut(line, ": ")
		told[name] = strings.TrimSpace(licences) != ""
	}
	packages := strings.Fields(read(t, "packages.txt"))
	for _, p := range packages {
		if !told[p] {
			t.Errorf("%s has no licence in licences.txt", p)
		}
	}
	if len(told) != len(packages) {
		t.Errorf("licences.txt tells of %d packages, packages.txt of %d", len(told), len(packages))
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	b := must.Read(t, name)
	return b
}
