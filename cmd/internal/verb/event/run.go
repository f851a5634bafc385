// Package event declares the run command for the help and for completion. Package dispatch runs
// events.
package event

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is only for the help and for completion: run itself is handled before any command is
// declared (package dispatch), which also says how it treats its arguments. No flag is parsed
// here, because run never exits with 64.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "run",
		Usage: "one event in, one answer out; what agents start",
		Description: "Reads one event on stdin and runs the hooks that are due for it. Without\n" +
			"--agent it speaks the format's own form: exit 0 and one JSON object or\n" +
			"nothing, 2 with the reason on stderr for a block, 1 if the event cannot be\n" +
			"read. With --agent it reads and answers as that agent does, and takes the\n" +
			"home from --home or the account, not from HOME.\n\n" +
			"With --json the answer is one object on stdout: outcome, blocked_by and\n" +
			"warnings, or error. With --stream it reads an event a line and answers such\n" +
			"an object a line, until its input ends: docs/runtime.md.\n\n" +
			"install writes the entry that calls it.",
		SkipFlagParsing: true,
		Flags: []cli.Flag{
			eventarg.AgentFlag(), eventarg.NativeFlag(),
			&cli.StringFlag{Name: "deadline", Usage: "answer after `DURATION` at the latest (5s)"},
			cli.Offer(&cli.StringFlag{Name: "home", Usage: "the user's home `DIR`"}, shell.Folders),
			cli.Offer(&cli.StringFlag{Name: "config", Usage: "the user's `DIR` with hooks and hooks.toml"}, shell.Folders),
			cli.Offer(&cli.StringFlag{Name: "state", Usage: "the user's state directory `DIR`"}, shell.Folders),
			cli.Offer(&cli.StringFlag{Name: "cache", Usage: "the user's cache `DIR`"}, shell.Folders),
			cli.Offer(&cli.StringFlag{Name: "data", Usage: "the user's data `DIR`"}, shell.Folders),
			cli.Offer(&cli.StringFlag{Name: "system", Usage: "the system's `DIRS` with hooks and hooks.toml"}, shell.Folders),
			cli.Offer(&cli.StringFlag{Name: "trust", Usage: "project hooks need no approval (`always`)"}, shell.Fixed("always")),
			&cli.BoolFlag{Name: "json", Usage: "answer with one object, in the format's own form"},
			&cli.BoolFlag{Name: "stream", Usage: "one event per line in, one object per line out"},
			&cli.BoolFlag{Name: "no-project", Usage: "ignore the project's hooks"},
		},
		Action: func(c *cli.Context) error { return c.Help() },
	}
}
