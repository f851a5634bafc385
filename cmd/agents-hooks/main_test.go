package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/server"
	"github.com/agents-hooks/agents-hooks/runner"
)

// TestMain lets the test binary be the program: a script's "agents-hooks" is a
// real process that runs main, and tests that start processes themselves find
// it on their PATH in the same way. The copy that entries start is one more name of
// it, and the team's server lies beside it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == runner.ShellVerb {
		main() // on Windows, for a hook of sh
	}
	testscript.Main(m, map[string]func(){"agents-hooks": main, keep.Lean: main, server.Name: func() {
		sh := shell.New(server.Name, host.FromProcess(), os.Stdin, os.Stdout, os.Stderr)
		os.Exit(sh.RunProgram(server.Command(sh), os.Args[1:]))
	}})
}
