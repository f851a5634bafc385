package skills

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func listCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "show the skills with prompts, and which of them count here",
		Description: "Looked for in " + strings.Join(ops.Places(), ", ") + " of the\n" +
			"project and of your home directory, and in skills beside your hooks. A skill\n" +
			"of the project stands over yours once its prompts are trusted.",
		Flags: []cli.Flag{hookset.DirFlag(), shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			from, err := hookset.LookFrom(sh, c)
			if err != nil {
				return err
			}
			if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
				return err
			}
			shelf := list(sh, from)
			if c.Bool("json") {
				return sh.JSON(map[string]any{"schema": 1, "enabled": shelf.On, "project": shelf.Project, "skills": shelf.Skills, "without": shelf.Without})
			}
			printSkills(sh, shelf)
			return nil
		},
	}
}

func printSkills(sh *shell.Shell, shelf ops.Shelf) {
	for _, s := range shelf.Skills {
		state := s.Status
		if s.Detail != "" {
			state += ": " + s.Detail
		}
		sh.Printf("%s (%s, %s) %s\n", sh.Paint(shell.Bold, shell.Plain(s.Name)), s.Layer, shell.Plain(state), shell.Plain(sh.Short(s.Dir)))
		for _, h := range s.Hooks {
			sh.Printf("%s\n", strings.TrimRight(fmt.Sprintf("  %-26s %-18s %s", shell.Plain(h.Name), h.Timing, shell.Plain(h.Conditions())), " "))
		}
		if n := len(s.Problems); n > 0 {
			sh.Printf("  %s: agents-hooks skills validate\n", shell.Count(n, "problem"))
		}
	}
	if len(shelf.Skills) == 0 {
		sh.Printf("no skill here has prompts\n")
	}
	if shelf.Without > 0 {
		sh.Printf("%s without prompts\n", shell.Count(shelf.Without, "skill"))
	}
	if !shelf.On {
		sh.Hints([]string{"agents-hooks enable skills: until then agents are given none of them"})
	}
}
