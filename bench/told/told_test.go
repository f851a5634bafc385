package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/builttest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// A set is played in each form to the program as it was built. What fails is a failure in all
// of them, and is told about; what went well is none where the agent says so, and where it only
// prints words of failure nobody can be sure: the last row holds what is known of that.
func TestForms(t *testing.T) {
	slowtest.Only(t, "a process for each call of the set")
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go here")
	}
	t.Parallel()
	bin := t.TempDir()
	must.Do(t, builttest.Programs(bin, "cmd/agents-hooks", "cmd/agents-hooks-run"))
	for _, c := range []struct {
		form string
		want []string
	}{
		{"claude", []string{
			"failures.txt: 3 failures, 3 noted, 3 told something", "harmless.txt: 3 calls, 0 taken for failures", "exits.txt: 2 calls, 0 taken for failures",
			"pairs.txt: 1 of 1 of the same failure found, 0 of 1 of others wrongly",
		}},
		{"spec", []string{
			"failures.txt: 3 failures, 3 noted, 3 told something", "exits.txt: 2 calls, 0 taken for failures",
			"pairs.txt: 1 of 1 of the same failure found, 0 of 1 of others wrongly",
		}},
		{"bare", []string{
			"failures.txt: 3 failures, 3 noted, 3 told something", "harmless.txt: 3 calls, 1 taken for failures", "exits.txt: 2 calls, 0 taken for failures",
			"pairs.txt: 1 of 1 of the same failure found, 0 of 1 of others wrongly",
		}},
	} {
		if !slowtest.Among(c.form, "claude") {
			continue
		}
		t.Run(c.form, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			must.Do(t, play(t.Context(), &out, "testdata/set", bin, c.form, false))
			for _, line := range c.want {
				if !strings.Contains(out.String(), line+"\n") {
					t.Errorf("want %q in\n%s", line, out.String())
				}
			}
		})
	}
}

// What a set cannot be read as is said, and so is a form that there is not.
func TestWhatCannotBePlayed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"x.txt", "@@@ 1 go build", `x.txt: "1 go build": want "@@@ EXIT | COMMAND"`},
	} {
		if _, err := blocks(c.name, c.text); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if err := play(t.Context(), &bytes.Buffer{}, t.TempDir(), t.TempDir(), "codex", false); err == nil || !strings.Contains(err.Error(), `form "codex": want claude, spec or bare`) {
		t.Error(err)
	}
	if err := play(t.Context(), &bytes.Buffer{}, t.TempDir(), t.TempDir(), "spec", false); err == nil || !strings.Contains(err.Error(), "has none of failures.txt") {
		t.Error(err)
	}
}
