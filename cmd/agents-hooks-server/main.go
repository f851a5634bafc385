// Command agents-hooks-server is the service through which a team shares evolution and
// memory, on SQLite or PostgreSQL. It is a separate program, so that users who only run
// hooks need not install a database client.
//
// docs/serve.md describes how to run it.
package main

import (
	"os"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/server"
)

func main() {
	sh := shell.New(server.Name, host.FromProcess(), os.Stdin, os.Stdout, os.Stderr)
	os.Exit(sh.RunProgram(server.Command(sh), os.Args[1:]))
}
