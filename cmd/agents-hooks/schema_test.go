package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/spec"
)

// What we make up as an event is one by the format's own schema.
func TestSamplesAreEvents(t *testing.T) {
	s, err := compileSchema("event")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range protocol.EventTypes() {
		var doc any
		err := json.Unmarshal([]byte(protocol.Sample(e).Raw()), &doc)
		if err == nil {
			err = s.Validate(doc)
		}
		if err != nil {
			t.Errorf("the sample of %s: %v", e, err)
		}
	}
}

// What a command prints with --json is checked against the schema
// that says so, by a script.
func TestEverySchemaIsHeld(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	held := map[string]bool{}
	for _, path := range scripts {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			if f := strings.Fields(line); len(f) == 3 && f[0] == "schema" {
				held[f[1]] = true
			}
		}
	}
	commands := 0
	for _, d := range spec.Schemas() {
		if !strings.HasPrefix(d.Title, "agents-hooks") && d.Name != "log" {
			continue
		}
		commands++
		if !held[d.Name] {
			t.Errorf("no script checks %s against %s", d.Title, d.File)
		}
	}
	if commands < 20 {
		t.Errorf("%d schemas of commands", commands)
	}
}
