package skills

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func runCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "run", Usage: "drive an agent's loop, in any language",
		Description: "Reads an object a line and answers one: {\"request\": \"loop\", \"messages\": […]}\n" +
			"begins a request, {\"ask\": \"model\" | \"tool\" | \"store\", …} is what the program\n" +
			"then does and answers by {\"answer\": …}, {\"done\": true, \"messages\": […]} is\n" +
			"the end. One process serves any number of requests: docs/skills.md.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "stream", Usage: "one object per line, until the input ends"},
			cli.Offer(&cli.ListFlag{Name: "skills-dir", Usage: "`DIR` with skills; repeats. Default: where\nskills list looks"}, shell.Folders),
			hookset.DirFlag(),
		},
		Action: func(c *cli.Context) error {
			if !c.Bool("stream") {
				return shell.WithHint(shell.Usagef("skills run: it only works line by line"), "agents-hooks skills run --stream")
			}
			from, err := readSource(sh, c, "run")
			if err != nil {
				return err
			}
			talk := ops.Talk{In: sh.In, Out: sh.Out, Prompts: func(enabled []string) (hooks []skills.Hook, warnings []string) {
				from.enabled = enabled
				hooks, problems := prompts(sh, from)
				for _, p := range problems {
					warnings = append(warnings, fmt.Sprintf("%s: %s", p.Severity, p))
				}
				return hooks, warnings
			}}
			if err := talk.Serve(); err != nil {
				return fmt.Errorf("skills run: %w", err)
			}
			return nil
		},
	}
}
