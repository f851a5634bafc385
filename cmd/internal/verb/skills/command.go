// Package skills is the skills command: listing, checking and explaining the prompts of skills,
// and using them in a program that owns its messages. builtin-hooks/skills/ops does the work.
package skills

import (
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// Command is the skills command, for users and for programs.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "skills",
		Usage: "prompts that skills give at certain moments: list, check, use",
		Description: "The prompts lie in a skill's hooks folder: hooks.json and texts. In coding\n" +
			"agents the built-in hooks give them (agents-hooks enable skills). A program\n" +
			"that owns its messages pipes them through inject and remove, or has run drive\n" +
			"its whole loop.",
		Subcommands: []*cli.Command{
			listCommand(sh), validateCommand(sh), explainCommand(sh),
			injectCommand(sh), removeCommand(sh), injectPromptCommand(sh), removePromptCommand(sh), runCommand(sh),
		},
	}
}

// list are the skills that an event in a folder would find.
func list(sh *shell.Shell, dir string) ops.Catalog {
	return ops.List(builtin.Standalone(sh.Host), builtin.Call(sh.Host, dir))
}

// names completes a skill that has prompts here.
func names(sh *shell.Shell) cli.Words {
	return shell.Listed(func() (words []cli.Suggestion) {
		for _, s := range list(sh, sh.Host.WorkDir).Skills {
			words = append(words, cli.Suggestion{Word: s.Name, Text: text.Count(len(s.Hooks), "prompt")})
		}
		return words
	})
}
