package server

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/server"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func keyCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "key", Usage: "who may use the service",
		Subcommands: []*cli.Command{
			{
				Name: "create", Usage: "make a key for a person, and print it once",
				Flags: []cli.Flag{&cli.StringFlag{Name: "person", Usage: "`NAME`; all keys of a name belong to one person"}, &cli.StringFlag{Name: "label", Usage: "`TEXT` to recognise the key by"},
					&cli.IntFlag{Name: "days", Usage: "it expires after `N` days; 0: never"},
					&cli.StringSliceFlag{Name: "scope", Usage: "`WHAT` it may do: read, write, review, metrics; repeats; default: all"}, storeFlag(), shell.JSONFlag()},
				Action: func(c *cli.Context) error {
					if c.String("person") == "" {
						return shell.Usagef("key create: want --person NAME")
					}
					o, err := readKey(sh, c)
					if err != nil {
						return err
					}
					return makeKey(c.Context, sh, o, func(st *server.Store) (string, server.Key, error) {
						return st.NewKey(c.Context, c.String("person"), server.Terms{Label: c.String("label"), Scopes: c.StringSlice("scope"), Expires: o.ends})
					})
				},
			},
			{
				Name: "list", Usage: "list the keys", Flags: []cli.Flag{storeFlag(), shell.JSONFlag()},
				Action: func(c *cli.Context) error {
					list, err := ask(c.Context, existing(sh, c.String("store")), (*server.Store).Keys)
					if err != nil {
						return err
					}
					return printKeys(sh, list, c.Bool("json"))
				},
			},
			{
				Name: "rotate", Usage: "replace a key by a new one with the same rights", ArgsUsage: "ID",
				Flags: []cli.Flag{&cli.DurationFlag{Name: "overlap", Value: 24 * time.Hour, Usage: "`TIME` for which the old one stays valid"}, &cli.IntFlag{Name: "days", Usage: "the new one ends after `N` days; 0: never"}, storeFlag(), shell.JSONFlag()},
				Action: func(c *cli.Context) error {
					ids, err := shell.Args(c, 1, 1, "the id of a key, as list has it")
					if err != nil {
						return err
					}
					if c.Duration("overlap") < 0 {
						return shell.Usagef("key rotate: --overlap: want a time, such as 24h")
					}
					o, err := readKey(sh, c)
					if err != nil {
						return err
					}
					return makeKey(c.Context, sh, o, func(st *server.Store) (string, server.Key, error) {
						return st.Rotate(c.Context, ids[0], o.ends, c.Duration("overlap"))
					})
				},
			},
			{
				Name: "revoke", Usage: "revoke keys, at once", ArgsUsage: "ID...", Flags: []cli.Flag{storeFlag(), shell.JSONFlag()},
				Action: func(c *cli.Context) error {
					ids, err := shell.Args(c, 1, -1, "ids of keys, as list has them")
					if err != nil {
						return err
					}
					if err := revokeKeys(c.Context, existing(sh, c.String("store")), ids); err != nil {
						return err
					}
					return printRevoked(sh, ids, c.Bool("json"))
				},
			},
		},
	}
}

type keyOptions struct {
	store database
	ends  time.Time // zero: never
	json  bool
}

func readKey(sh *shell.Shell, c *cli.Context) (keyOptions, error) {
	o := keyOptions{store: place(sh, c.String("store")), json: c.Bool("json")}
	switch days := c.Int("days"); {
	case days < 0 || days > 36500:
		return o, shell.Usagef("key: --days %d: want 0 to 36500", days)
	case days > 0:
		o.ends = sh.Host.Now().AddDate(0, 0, days)
	}
	return o, nil
}

// makeKey makes a key and prints it: it cannot be read again.
func makeKey(ctx context.Context, sh *shell.Shell, o keyOptions, do func(*server.Store) (string, server.Key, error)) error {
	var key string
	made, err := ask(ctx, o.store, func(st *server.Store, _ context.Context) (made server.Key, err error) {
		key, made, err = do(st)
		return made, err
	})
	if err != nil {
		return err
	}
	return printKey(sh, key, made, o.json)
}

// revokeKeys revokes all the keys that it can, and reports the others.
func revokeKeys(ctx context.Context, store database, ids []string) error {
	return store.with(ctx, func(st *server.Store) error {
		var errs []error
		for _, id := range ids {
			errs = append(errs, st.Revoke(ctx, id))
		}
		return errors.Join(errs...)
	})
}

func printKey(sh *shell.Shell, key string, made server.Key, asJSON bool) error {
	return sh.Answer(asJSON, map[string]any{"schema": 1, "key": key, "id": made.ID, "person": made.Person, "label": made.Label}, func() {
		sh.Printf("%s\n", key)
		sh.Say("key %s of %s: it is shown only this once; set it as PRISMER_API_KEY, with PRISMER_BASE_URL, or for memory as AGENTS_HOOKS_TEAM_KEY, with AGENTS_HOOKS_TEAM_URL", made.ID, made.Person)
	})
}

func printKeys(sh *shell.Shell, list []server.Key, asJSON bool) error {
	return printList(sh, asJSON, "keys", "there is no key yet", list, func(k server.Key) {
		state := "never used"
		switch {
		case k.Revoked != 0:
			state = "revoked " + dayOf(k.Revoked)
		case k.Expires != 0 && k.Expires <= sh.Host.Now().UnixMilli():
			state = "ended " + dayOf(k.Expires)
		case k.Used != 0:
			state = "used " + dayOf(k.Used)
		}
		if k.Revoked == 0 && k.Expires > sh.Host.Now().UnixMilli() {
			state += ", ends " + dayOf(k.Expires)
		}
		if len(k.Scopes) > 0 {
			state += ", for " + strings.Join(k.Scopes, " ")
		}
		sh.Printf("%s  %-20s %-20s made %s, %s\n", k.ID, shell.Plain(k.Person), shell.Plain(k.Label), dayOf(k.Created), state)
	})
}

func dayOf(ms int64) string { return time.UnixMilli(ms).Format(time.DateOnly) }

func printRevoked(sh *shell.Shell, ids []string, asJSON bool) error {
	return sh.Answer(asJSON, map[string]any{"schema": 1, "revoked": ids}, func() { sh.Printf("%s revoked\n", text.Count(len(ids), "key")) })
}
