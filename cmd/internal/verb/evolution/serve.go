package evolution

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// serverName is the program that a team runs. It is not linked here: everyone who runs hooks
// would have to install its database drivers.
const serverName = "agents-hooks-server"

const serverHint = "go install github.com/agents-hooks/agents-hooks/cmd/" + serverName + "@latest"

// serveCommand becomes that program. It does not read the arguments, so that only the server
// defines them.
func serveCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "serve", Usage: "a service that a team shares genes with, " + serverName, ArgsUsage: "[ARGUMENTS]",
		Description: "The service is a program of its own, " + serverName + ". Where that lies beside\n" +
			"this one it is started with the same words; else get it with\n\n" + serverHint,
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			program, err := findServer(sh.Host.Self)
			switch first := c.Arg(); {
			case err == nil:
				return become(sh, program, c.Args())
			case first == "--help" || first == "-h":
				return c.Help()
			}
			return shell.WithHint(fmt.Errorf("evolution serve: %w", err), serverHint)
		},
	}
}

// findServer looks for the server beside a program, and beside the target if that is a link.
func findServer(self string) (string, error) {
	places := []string{self}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		places = append(places, real)
	}
	for _, p := range places {
		program := filepath.Join(filepath.Dir(p), serverName+filepath.Ext(self))
		if info, err := os.Stat(program); err == nil && info.Mode().IsRegular() {
			return program, nil
		}
	}
	return "", fmt.Errorf("the server is a program of its own now, %s, which is not in %s", serverName, filepath.Dir(self))
}
