// Package agents is the agents command: what each agent supports, side by side, one by one, and
// as the pages below docs/agents. All of it comes from the dialects (row.go, page.go);
// print.go, matrix.go and markdown.go format it.
package agents

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Command is the agents command.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "agents",
		Usage:     "what each agent sends, and what an answer to it can carry",
		ArgsUsage: "[AGENT...]",
		Complete:  shell.Each(agentarg.Words),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "markdown", Usage: "print the text of docs/agents.md or, for one\nAGENT, of its page below docs/agents"},
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readAgents(c)
			switch {
			case err != nil:
				return err
			case o.markdown && o.named:
				for _, d := range o.agents {
					sh.Printf("%s", pageOf(d).markdown())
				}
			case o.markdown:
				sh.Printf("%s", overview(o.agents))
			case o.json:
				return sh.JSON(map[string]any{"schema": 1, "agents": rowsOf(sh.Host, o.agents)})
			case o.named:
				printAgents(sh, rowsOf(sh.Host, o.agents))
			default:
				printMatrix(sh, o.agents)
			}
			return nil
		},
	}
}

type agentsOptions struct {
	agents         []*protocol.Dialect
	named          bool // they were named on the command line
	markdown, json bool
}

func readAgents(c *cli.Context) (agentsOptions, error) {
	o := agentsOptions{named: len(c.Args()) > 0, markdown: c.Bool("markdown"), json: c.Bool("json")}
	var err error
	if o.agents, err = agentarg.LookupAll(c.Args()); err != nil {
		return o, err
	}
	if !o.named {
		o.agents = agentarg.Installable()
	}
	if o.markdown && o.json {
		return o, shell.Usagef("agents: --markdown and --json cannot be used together")
	}
	return o, nil
}
