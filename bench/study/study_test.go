package main

import (
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/builttest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// A part of the study: breakages really break, the hooks really tell, and who listens is
// not slower.
func TestListeningHelps(t *testing.T) {
	if !slowtest.On() {
		t.Skip("projects are built again and again: with -slow")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go here")
	}
	t.Parallel()
	var some []project
	for _, p := range projects() {
		if p.command == goProject.command {
			p.breaks = p.breaks[:1:1] // a build each
		} else {
			p.breaks = append(p.breaks[:1:1], p.breaks[8:11]...)
		}
		some = append(some, p)
	}
	var said strings.Builder
	bin := t.TempDir()
	must.Do(t, builttest.Programs(bin, "cmd/agents-hooks", "cmd/agents-hooks-run"))
	r, err := study(t.Context(), some, 18, 3, bin, io.Writer(&said))
	must.Do(t, err)
	if len(r.leftOut) > 0 {
		t.Skip(r.leftOut)
	}
	if r.told < 3 || mean(r.listening) > mean(r.alone)+0.5 || len(r.alone) != 9 {
		t.Errorf("told in %d of %d, %.1f steps listening, %.1f alone\n%s", r.told, r.runs, mean(r.listening), mean(r.alone), said.String())
	}
}

// There are forty breakages, each with a name of its own and a repair in words.
func TestFortyBreakages(t *testing.T) {
	n := 0
	for _, p := range projects() {
		seen := map[string]bool{}
		for _, b := range p.breaks {
			if n++; seen[b.name] || b.mend == "" {
				t.Errorf("%s: %s", p.command, b.name)
			}
			seen[b.name] = true
			if b.old != "" && !strings.Contains(p.files[b.file], b.old) {
				t.Errorf("%s: %s does not stand in %s", b.name, b.old, b.file)
			}
		}
	}
	if n != 40 {
		t.Errorf("%d breakages", n)
	}
}
