// Command agents-hooks-server is the service that a team shares what it learned
// with: evolution today, on SQLite or PostgreSQL. It is a program of its own, so
// that nobody who only runs hooks installs a database client.
//
// docs/serve.md tells how to run it.
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
