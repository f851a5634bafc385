package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/spec"
)

// What we make up as an event is one by the format's own schema.
func TestSamplesAreEvents(t *testing.T) {
	s, err := compileSchema("event")
	must.Do(t, err)
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

// What a command prints with --json is checked against the schema that says so, by a
// script: each command that a title names, and one of each group.
func TestEverySchemaIsHeld(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	held := map[string]string{} // what was run before, by the schema that it was checked against
	for _, path := range scripts {
		b := must.Read(t, path)
		run, kept := "", map[string]string{}
		for line := range strings.Lines(b) {
			switch f := strings.Fields(line); {
			case strings.Contains(line, "exec "):
				run = line
				kept["stdout"] = run
			case len(f) == 3 && f[0] == "cp" && f[1] == "stdout":
				kept[f[2]] = run
			case len(f) == 3 && f[0] == "schema":
				held[f[1]] += kept[f[2]]
			}
		}
	}
	commands, _ := shapes()
	for command, schema := range commands {
		if !regexp.MustCompile(`agents-hooks ` + command + `\s`).MatchString(held[schema]) {
			t.Errorf("no script checks what agents-hooks %s prints against %s", command, schema)
		}
	}
	of := 0
	for _, d := range spec.Schemas() {
		if !strings.HasPrefix(d.Title, "agents-hooks") && d.Name != "log" {
			continue
		}
		of++
		if held[d.Name] == "" {
			t.Errorf("no script checks %s against %s", d.Title, d.File)
		}
	}
	if of < 20 || len(commands) < 60 {
		t.Errorf("%d schemas of commands, %d commands", of, len(commands))
	}
}
