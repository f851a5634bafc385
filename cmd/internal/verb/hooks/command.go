// Package hooks has list, explain, validate and new: which hooks there are, what would run for
// an event and why not, what is wrong with a HOOK.md, and the skeleton of a new one. None of
// them runs a hook.
package hooks

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the group: its words are top-level commands.
func Command(sh *shell.Shell) *cli.Command {
	explain := explainCommand(sh)
	explain.Category = string(shell.Look)
	return shell.Group(newCommand(sh), listCommand(sh), explain, validateCommand(sh))
}
