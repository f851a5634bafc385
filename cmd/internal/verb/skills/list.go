package skills

import (
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/opcli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func listCommand(sh *shell.Shell) *cli.Command {
	o, _ := op.Find(ops.Ops(builtin.Standalone(sh.Host)), "skills_list")
	c := opcli.Command(sh, o, o.Command, []cli.Flag{hookset.DirFlag(), shell.JSONFlag()}, func(c *cli.Context, _ op.Object) error {
		from, err := hookset.LookFrom(sh, c)
		if err != nil {
			return err
		}
		catalog := list(sh, from)
		doc := catalog.Members()
		doc["schema"] = 1
		return sh.Answer(c.Bool("json"), doc, func() { printSkills(sh, catalog) })
	})
	c.Description = "Looked for in " + strings.Join(ops.Places(), ", ") + " of the\n" +
		"project and of your home directory, and in skills beside your hooks. A skill\n" +
		"of the project stands over yours once its prompts are trusted."
	return c
}

func printSkills(sh *shell.Shell, catalog ops.Catalog) {
	for _, s := range catalog.Skills {
		state := s.Status
		if s.Detail != "" {
			state += ": " + s.Detail
		}
		sh.Printf("%s (%s, %s) %s\n", sh.Paint(shell.Bold, shell.Plain(s.Name)), s.Layer, shell.Plain(state), shell.Plain(sh.Short(s.Dir)))
		for _, h := range s.Hooks {
			sh.Printf("%s\n", strings.TrimRight(fmt.Sprintf("  %-26s %-18s %s", shell.Plain(h.Name), h.Timing, shell.Plain(h.Conditions())), " "))
		}
		if n := len(s.Problems); n > 0 {
			sh.Printf("  %s: agents-hooks skills validate\n", text.Count(n, "problem"))
		}
	}
	if len(catalog.Skills) == 0 {
		sh.Printf("no skill here has prompts\n")
	}
	if catalog.Without > 0 {
		sh.Printf("%s without prompts\n", text.Count(catalog.Without, "skill"))
	}
	if !catalog.On {
		sh.Hints([]string{"agents-hooks enable skills: until then agents are given none of them"})
	}
}
