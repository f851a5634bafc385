// Package trust has trust and untrust: what waits for approval in a project is shown in full or
// as a diff, approved, and revoked.
package trust

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the group: its words are top-level commands.
func Command(sh *shell.Shell) *cli.Command {
	return shell.Group(trustCommand(sh), untrustCommand(sh))
}
