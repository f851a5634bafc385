package conformance

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/conformance"
)

func copyCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "copy",
		Usage:     "write the cases out, for a driver in another language",
		ArgsUsage: "FOLDER",
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "a folder that is new or empty")
			if err != nil {
				return err
			}
			dir, err := sh.Abs(words[0])
			if err != nil {
				return err
			}
			if err := conformance.Copy(dir); err != nil {
				return fmt.Errorf("conformance: copying the cases: %w", err)
			}
			sh.Printf("%s\n", dir)
			sh.Hints([]string{"README.md there explains the format of the cases"})
			return nil
		},
	}
}
