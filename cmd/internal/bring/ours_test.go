package bring

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// An entry of ours is no hook to bring, in whatever form it stands: as a line for one of
// the shells of either system, with what looks whether our program is there, or as a
// program and its arguments.
func TestEntriesOfOursAreNotBrought(t *testing.T) {
	for _, c := range []struct{ system, program string }{
		{"linux", "/home/it's/bin/agents-hooks-run"},
		{"windows", `C:\Program Files\it's\agents-hooks-run.exe`},
		{"windows", `C:\Users\dev\bin\agents-hooks-run.exe`}, // which needs no quotes there
	} {
		t.Run(c.program, func(t *testing.T) {
			for _, d := range agentarg.Installable() {
				h := machine(t, nil)
				theirs := siteOf(c.system, h.Home)
				edits, err := install.Add(d, theirs, protocol.Entry{Argv: []string{c.program, "run", "--agent=" + d.ID, "--home=x"}, Gone: "it is gone"})
				if err != nil {
					t.Errorf("%s: %v", d.ID, err)
					continue
				}
				// What is written there lies where this machine looks.
				folder := filepath.Dir(d.Config.File(siteOf("linux", h.Home)))
				for _, e := range edits {
					must.Script(t, filepath.Join(folder, e.Path[strings.LastIndexAny(e.Path, `/\`)+1:]), string(e.After))
				}
				p, err := Make(h, Options{})
				if err != nil || len(p.Rows)+len(p.Problems) > 0 {
					t.Errorf("%s: %v, %+v, %+v", d.ID, err, told(p), p.Problems)
				}
			}
		})
	}
}

// siteOf is a machine of that system which has nothing yet.
func siteOf(system, home string) protocol.Site {
	if system == "windows" {
		home = `C:\Users\dev`
	}
	return protocol.Site{
		Scope: protocol.UserScope, GOOS: system, Home: home,
		Env:  func(string) string { return "" },
		Read: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		List: func(string) []string { return nil },
	}
}

// A command of a project's settings that is as long as can be is read once through, whatever its
// words are: each is looked at a fixed number of times.
func TestALongCommandIsReadOnce(t *testing.T) {
	t.Parallel()
	const many = 20_000
	for name, words := range map[string][]string{
		"each word may begin one": slices.Repeat([]string{"run"}, many),
		"each other word":         slices.Repeat([]string{"agents-hooks-run", "run"}, many/2),
		"none":                    slices.Repeat([]string{"x"}, many),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			looked := 0
			for _, r := range mayRun(words) {
				looked += len(r)
			}
			if looked > many*maxWords {
				t.Errorf("%d words are looked at of %d", looked, many)
			}
		})
	}
	long := strings.Repeat("env A=1 ", many)
	for _, c := range []struct {
		name, command string
		ours          bool
	}{
		{"with run", long + "agents-hooks-run run --agent claude-code", true},
		{"without", long + "agents-hooks-run", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := Entry{fields: value{kind: object, members: []member{{"command", value{kind: text, text: c.command}}}}}
			if got := e.ours(); got != c.ours {
				t.Errorf("…%s is ours: %t", c.command[len(long):], got)
			}
		})
	}
}
