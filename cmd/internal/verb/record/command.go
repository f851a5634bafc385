// Package record has record and replay: recording what agents send, and replaying it to see
// whether the answers are the same.
package record

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the group: its words are top-level commands.
func Command(sh *shell.Shell) *cli.Command {
	return shell.Group(recordCommand(sh), replayCommand(sh))
}
