// Package about has spec, completion and version: what the program knows about itself and the
// format. __complete answers the shells' completion scripts.
package about

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the group: its words are top-level commands.
func Command(sh *shell.Shell) *cli.Command {
	return shell.Group(specCommand(sh), completionCommand(sh), completeCommand(sh), manualCommand(), versionCommand(sh))
}
