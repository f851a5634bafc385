// Package conformance is the conformance command: it runs the suite against a runner or a hook,
// and lists and copies its cases. The suite is the package of the same name at the repository's
// root.
package conformance

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is conformance with its four subcommands.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:        "conformance",
		Usage:       "check a runner, or a hook, against the written rules",
		Subcommands: []*cli.Command{runnerCommand(sh), hookCommand(sh), listCommand(sh), copyCommand(sh)},
	}
}
