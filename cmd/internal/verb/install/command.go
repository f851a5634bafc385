// Package install is install and uninstall: the one entry of the dispatcher in an
// agent's configuration, with its MCP server and guides, and the bytes given back.
// Nothing of others in these files is touched.
package install

import (
	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the group: its words stand at the top level.
func Command(sh *shell.Shell) *cli.Command {
	return shell.Group(installCommand(sh), uninstallCommand(sh))
}
