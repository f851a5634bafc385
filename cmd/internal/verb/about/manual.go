package about

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// manualCommand writes the man pages that a release contains.
func manualCommand() *cli.Command {
	return &cli.Command{
		Name:      "__manual",
		Hidden:    true,
		ArgsUsage: "DIR",
		Usage:     "write the pages of man into a folder",
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "a folder")
			if err != nil {
				return err
			}
			return shell.WriteManual(words[0], c.Root)
		},
	}
}
