// Package builtin has enable, disable and builtin: they switch hooks and behaviours on and off,
// and provide the built-in hooks as folders or processes for other runners.
package builtin

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the group: its words are top-level commands.
func Command(sh *shell.Shell) *cli.Command {
	return shell.Group(enableCommand(sh), disableCommand(sh), &cli.Command{
		Name:        "builtin",
		Category:    string(shell.Behaviours),
		Usage:       "show or export the hooks that come with the program",
		Subcommands: []*cli.Command{listCommand(sh), exportCommand(sh), runCommand(sh), workerCommand(sh)},
	})
}
