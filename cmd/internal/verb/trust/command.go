// Package trust is trust and untrust: what of a project waits for approval, shown
// as it is or with what changed, asked for, and taken back.
package trust

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the group: its words stand at the top level.
func Command(sh *shell.Shell) *cli.Command {
	return shell.Group(trustCommand(sh), untrustCommand(sh))
}
