package server

import (
	"context"
	"errors"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/server"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func personCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "person", Usage: "who may let genes go for the team",
		Description: "A member shares genes, on trial. A reviewer reads what others share, lets it go,\n" +
			"holds or deletes it. An admin also reads the audit log over the network.",
		Subcommands: []*cli.Command{
			{
				Name: "list", Usage: "list the persons", Flags: []cli.Flag{storeFlag(), shell.JSONFlag()},
				Action: func(c *cli.Context) error {
					list, err := ask(c.Context, existing(sh, c.String("store")), (*server.Store).Persons)
					if err != nil {
						return err
					}
					return printPersons(sh, list, c.Bool("json"))
				},
			},
			{
				Name: "role", Usage: "give a person a role", ArgsUsage: "NAME ROLE", Flags: []cli.Flag{storeFlag(), shell.JSONFlag()},
				Action: func(c *cli.Context) error {
					words, err := shell.Args(c, 2, 2, "a person's name, and member, reviewer or admin")
					if err != nil {
						return err
					}
					list, err := ask(c.Context, existing(sh, c.String("store")), func(st *server.Store, ctx context.Context) ([]server.Person, error) {
						if err := st.Appoint(ctx, words[0], words[1]); err != nil {
							return nil, err
						}
						return st.Persons(ctx)
					})
					if errors.Is(err, server.ErrNoPerson) {
						err = shell.WithHint(err, Name+" key create --person NAME; person list shows who there is")
					}
					if err != nil {
						return err
					}
					return printPersons(sh, list, c.Bool("json"))
				},
			},
		},
	}
}

func printPersons(sh *shell.Shell, list []server.Person, asJSON bool) error {
	return printList(sh, asJSON, "persons", "nobody has a key yet", list, func(p server.Person) {
		sh.Printf("%-20s %-9s since %s, %d keys hold\n", shell.Plain(p.Name), p.Role, dayOf(p.Created), p.Keys)
	})
}

func auditCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "audit", Usage: "who did what that others have to live with",
		Flags: []cli.Flag{&cli.IntFlag{Name: "days", Value: 30, Usage: "of the last `N` days"}, &cli.IntFlag{Name: "limit", Value: 200, Usage: "at most `N` lines"}, storeFlag(), shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			if c.Int("days") < 1 || c.Int("limit") < 1 {
				return shell.Usagef("audit: --days and --limit: want numbers above 0")
			}
			list, err := ask(c.Context, existing(sh, c.String("store")), func(st *server.Store, ctx context.Context) ([]server.Entry, error) {
				return st.Audit(ctx, sh.Host.Now().AddDate(0, 0, -c.Int("days")).UnixMilli(), c.Int("limit"))
			})
			if err != nil {
				return err
			}
			return printList(sh, c.Bool("json"), "entries", "nothing yet", list, func(e server.Entry) {
				sh.Printf("%s  %-12s %-14s %s  %s\n", time.UnixMilli(e.At).Format(time.DateTime), shell.Plain(e.Person), e.What, sh.Tidy(e.About), sh.Tidy(e.Detail))
			})
		},
	}
}
