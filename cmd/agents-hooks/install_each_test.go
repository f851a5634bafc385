package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// eachUser and eachProject are played for every agent: installed, installed
// again, fired, and taken out without a trace.
const (
	eachUser = `env SHELL=/bin/sh
snapshot before.txt
exec agents-hooks install ID
stdout '(written|changed)'
! stderr .
exec agents-hooks install ID
stdout '^NAME: nothing to change$'
[unix] exec agents-hooks doctor ID --probe
[unix] stdout 'ok +entry +N events in '
[unix] stdout 'ok +probe +M entries answered'
exec agents-hooks uninstall ID
snapshot after.txt
cmp before.txt after.txt
exec agents-hooks uninstall ID
stdout '^NAME: nothing to change$'

-- w/.git/HEAD --
`
	eachProject = `env SHELL=/bin/sh
snapshot before.txt
exec agents-hooks install ID --project
stdout '(written|changed)'
! exec agents-hooks install ID
stderr 'every hook would run twice'
stderr 'hint: agents-hooks uninstall ID --project'
exec agents-hooks uninstall ID --project
snapshot after.txt
cmp before.txt after.txt

-- w/.git/HEAD --
`
)

// Every agent: install, again, works, uninstall leaves no trace, with
// real files and the program that the entry names.
func TestInstallEach(t *testing.T) {
	t.Parallel()
	dir, machine := t.TempDir(), shelltest.New(t).Host
	for i, d := range agentarg.Installable() {
		if !slowtest.Part(i, 32) {
			continue // -slow plays each agent
		}
		events := 0
		for _, n := range d.NativeEvents {
			if !n.Manual {
				events++
			}
		}
		fill := strings.NewReplacer("ID", d.ID, "NAME", regexp.QuoteMeta(d.Name), "N events", text.Count(events, "event"), "M entries", text.Count(events, "entry"))
		must.Write(t, filepath.Join(dir, d.ID+".txtar"), fill.Replace(eachUser))
		if d.Config.File(setup.Site(machine, protocol.ProjectScope, dir)) != "" && d.Config.File(setup.Site(machine, protocol.UserScope, dir)) != "" {
			must.Write(t, filepath.Join(dir, d.ID+"-project.txtar"), fill.Replace(eachProject))
		}
	}
	testscript.Run(t, testscript.Params{
		Dir: dir, RequireExplicitExec: true, Setup: setUpScript,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"snapshot": scriptSnapshot},
	})
}

// scriptSnapshot writes down all files of the machine with their modes and
// contents, but for our own state.
func scriptSnapshot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: snapshot FILE")
	}
	work := ts.Getenv("WORK")
	state := ts.Getenv("XDG_STATE_HOME")
	var out strings.Builder
	for _, root := range []string{"home", "w"} {
		err := filepath.WalkDir(filepath.Join(work, root), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case path == state:
				return fs.SkipDir
			case strings.HasPrefix(state, path+string(filepath.Separator)):
				return nil // made for our state
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			sum := [32]byte{}
			if d.Type().IsRegular() {
				b, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				sum = sha256.Sum256(b)
			}
			if filepath.Ext(path) != ".txt" {
				fmt.Fprintf(&out, "%s %s %x\n", path, info.Mode(), sum[:8])
			}
			return nil
		})
		ts.Check(err)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(out.String()), 0o600))
}
