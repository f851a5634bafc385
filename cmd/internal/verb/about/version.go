package about

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/spec"
)

func versionCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version of the program, what it was built of, and the copy that agents start",
		Flags: []cli.Flag{shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			var kept *shell.CopyOf
			if now, ok := keep.Read(sh.Host); ok {
				kept = &shell.CopyOf{Version: now.Version, Path: keep.Program(sh.Host, keep.Lean), From: now.From}
			}
			return sh.Version(c.Bool("json"), spec.Version, kept)
		},
	}
}
