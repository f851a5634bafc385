// Package trust is trust and untrust: what in a project waits for approval is shown in
// full or as a diff, approved, and revoked.
package trust

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the group: its words stand at the top level.
func Command(sh *shell.Shell) *cli.Command {
	return shell.Group(trustCommand(sh), untrustCommand(sh))
}
