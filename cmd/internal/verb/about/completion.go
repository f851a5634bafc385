package about

import (
	_ "embed"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// The scripts only ask the program: they pass the words before the cursor and, after a "+", the
// word under it. They get one word per line, with a tab and its meaning, or ":files" or
// ":folders". So all four shells offer the same, and that is tested in one place.
var (
	//go:embed completions/bash
	bashCompletion string
	//go:embed completions/zsh
	zshCompletion string
	//go:embed completions/fish
	fishCompletion string
	//go:embed completions/powershell
	powershellCompletion string
)

var completionScripts = map[string]string{
	"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion, "powershell": powershellCompletion, "pwsh": powershellCompletion,
}

func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func completionCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a script that completes commands in a shell",
		ArgsUsage: "bash | zsh | fish | powershell",
		Complete:  shell.First(shell.Fixed(shells()...)),
		Description: "Completes commands, flags, agents, events and the names of hooks. The first\n" +
			"lines of the script say where it goes.",
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "one of bash, zsh, fish, powershell")
			if err != nil {
				return err
			}
			script := completionScripts[words[0]]
			if script == "" {
				return shell.WithHint(shell.Usagef("completion: no such shell: %q", words[0]), "one of "+strings.Join(shells(), ", "))
			}
			sh.Printf("%s", script)
			return nil
		},
	}
}

// completeCommand answers the completion scripts.
func completeCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:            "__complete",
		Hidden:          true,
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			words := c.Args()
			if len(words) == 0 {
				return shell.Usagef("__complete: want the words of a command line")
			}
			last := len(words) - 1
			words[last] = strings.TrimPrefix(words[last], "+")
			list, kind := cli.Complete(c.Root.Subcommands, words)
			for _, s := range list {
				sh.Printf("%s\t%s\n", s.Word, shell.Plain(s.Text))
			}
			if kind != "" {
				sh.Printf(":%s\n", kind)
			}
			return nil
		},
	}
}
