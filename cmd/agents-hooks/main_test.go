package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/server"
	"github.com/agents-hooks/agents-hooks/internal/builttest"
	"github.com/agents-hooks/agents-hooks/runner"
)

// TestMain puts the programs on PATH, where scripts and tests that start processes find
// them: as they are released, or, where no Go is to build them with, the test binary
// under their names.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == runner.ShellVerb {
		main() // on Windows, for a hook of sh
	}
	if !builttest.Here() {
		testscript.Main(m, map[string]func(){"agents-hooks": main, keep.Lean: main, server.Name: func() {
			sh := shell.New(server.Name, host.FromProcess(), os.Stdin, os.Stdout, os.Stderr)
			os.Exit(sh.RunProgram(server.Command(sh), os.Args[1:]))
		}})
	}
	dir, err := os.MkdirTemp("", "built")
	if err == nil {
		err = builttest.Programs(dir, "cmd/agents-hooks", "cmd/"+keep.Lean, "cmd/"+server.Name)
	}
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else if err = os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH")); err == nil {
		code = m.Run()
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}
