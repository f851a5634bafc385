package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The pages show what the suite found, and nothing else.
func TestPagesShowTheResults(t *testing.T) {
	pages, err := render("../..")
	must.Do(t, err)
	for path, want := range pages {
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what results.json makes it (%v); run go run ./e2e/table", path, err)
		}
	}
}

// What the short table shows are names of checks that exist.
func TestShortTableNamesChecks(t *testing.T) {
	pages, err := render("../..")
	must.Do(t, err)
	for _, c := range shown {
		if !bytes.Contains(pages["../../docs/real-agents.md"], []byte("| "+c+" |")) {
			t.Errorf("no check is called %q", c)
		}
	}
}
