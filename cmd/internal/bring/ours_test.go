package bring

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
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
					write(t, filepath.Join(folder, e.Path[strings.LastIndexAny(e.Path, `/\`)+1:]), string(e.After))
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
