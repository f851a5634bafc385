package server

import (
	"context"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/server"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func geneCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "gene", Usage: "what waits for somebody to read it",
		Description: "What in a gene could harm is held until a reviewer has read it; what a member\n" +
			"shares is on trial until one approves it. Both may be done here as well.",
		Subcommands: []*cli.Command{
			{
				Name: "waiting", Usage: "genes that nobody has reviewed yet", Flags: []cli.Flag{&cli.IntFlag{Name: "limit", Value: 50, Usage: "at most `N` genes"}, storeFlag(), shell.JSONFlag()},
				Action: func(c *cli.Context) error {
					if c.Int("limit") < 1 {
						return shell.Usagef("gene waiting: --limit: want a number above 0")
					}
					list, err := ask(c.Context, existing(sh, c.String("store")), func(st *server.Store, ctx context.Context) ([]api.Gene, error) {
						return st.Waiting(ctx, server.Operator(), c.Int("limit"))
					})
					if err != nil {
						return err
					}
					return printGenes(sh, list, c.Bool("json"))
				},
			},
			aGene(sh, "show", "one gene with its steps", func(context.Context, *server.Store, string, string) error { return nil }),
			aGene(sh, "release", "let a gene go, on trial", reviewed(server.Release)),
			aGene(sh, "approve", "share a gene with everybody", reviewed(server.Approve)),
			aGene(sh, "hold", "take a gene out of use", reviewed(server.Hold), &cli.StringFlag{Name: "reason", Usage: "`TEXT` for its author"}),
			{
				Name: "delete", Usage: "delete a gene for everybody", ArgsUsage: "ID", Flags: []cli.Flag{&cli.BoolFlag{Name: "confirm", Usage: "do it, not only list it"}, storeFlag(), shell.JSONFlag()},
				Action: func(c *cli.Context) error {
					words, err := shell.Args(c, 1, 1, "the id of a gene")
					if err != nil {
						return err
					}
					if !c.Bool("confirm") {
						return shell.Usagef("gene delete: it is deleted on every machine at the next sync: want --confirm")
					}
					err = existing(sh, c.String("store")).with(c.Context, func(st *server.Store) error { return st.Delete(c.Context, server.Operator(), words[0]) })
					if err != nil {
						return err
					}
					return sh.Answer(c.Bool("json"), map[string]any{"schema": 1, "deleted": words[0]}, func() { sh.Printf("%s deleted\n", sh.Tidy(words[0])) })
				},
			},
		},
	}
}

// A review does something to a gene, with a reason if that is needed.
type review func(ctx context.Context, st *server.Store, id, reason string) error

func reviewed(action string) review {
	return func(ctx context.Context, st *server.Store, id, reason string) error {
		_, err := st.Review(ctx, server.Operator(), id, action, reason)
		return err
	}
}

// aGene does something to a gene, and shows it with its steps: whoever releases a gene should
// have read it.
func aGene(sh *shell.Shell, name, usage string, do review, flags ...cli.Flag) *cli.Command {
	return &cli.Command{
		Name: name, Usage: usage, ArgsUsage: "ID", Flags: append(flags, storeFlag(), shell.JSONFlag()),
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "the id of a gene")
			if err != nil {
				return err
			}
			if name == "hold" && c.String("reason") == "" {
				return shell.Usagef("gene hold: want --reason TEXT: its author will want to know why")
			}
			g, err := ask(c.Context, existing(sh, c.String("store")), func(st *server.Store, ctx context.Context) (api.Gene, error) {
				if err := do(ctx, st, words[0], c.String("reason")); err != nil {
					return api.Gene{}, err
				}
				return st.Gene(ctx, words[0])
			})
			if err != nil {
				return err
			}
			return printGenes(sh, []api.Gene{g}, c.Bool("json"))
		},
	}
}

func printGenes(sh *shell.Shell, list []api.Gene, asJSON bool) error {
	return printList(sh, asJSON, "genes", "nothing waits", list, func(g api.Gene) {
		sh.Printf("%s  %s\n  %s, by %s", sh.Tidy(g.ID), sh.Tidy(g.Title), g.State, sh.Tidy(g.Author))
		if g.ReviewedBy != "" {
			sh.Printf(", reviewed by %s", sh.Tidy(g.ReviewedBy))
		}
		sh.Printf("\n")
		if g.HeldFor != "" {
			sh.Printf("  held: %s\n", sh.Tidy(g.HeldFor))
		}
		if e := g.Evidence; e != nil {
			sh.Printf("  used by %s in %s: helped %.3g of %.3g\n", text.Count(e.Persons, "person"), text.Count(e.Projects, "project"), e.Helped, e.Helped+e.Failed)
		}
		for i, step := range g.Strategy {
			sh.Printf("  %d. %s\n", i+1, text.Wrap(sh.Tidy(step), sh.Columns()-5, "     "))
		}
	})
}
