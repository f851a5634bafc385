package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/remote"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/wire"
)

func (t *tool) evolutionDoctor() *cli.Command {
	return &cli.Command{
		Name: "doctor", Aliases: []string{"status"}, Usage: "is the store whole, is there a key, does its server answer",
		Flags: sharedFlags(),
		Action: func(c *cli.Context) error {
			if _, err := args(c, 0, 0, "flags only"); err != nil {
				return err
			}
			e, _, err := t.sharing(c)
			if err != nil {
				return err
			}
			checks := t.checkEvolution(c.Context, e)
			if c.Bool("json") {
				err = t.json(map[string]any{"schema": 1, "dir": e.Dir, "scope": e.Scope, "checks": checks})
			} else {
				t.printf("%s, scope %s\n", t.short(e.Dir), plain(e.Scope))
				for _, m := range checks {
					t.printf("  %-5s %-8s %s\n", m.Status, m.ID, m.Message)
					if m.Fix != "" {
						t.printf("                 fix: %s\n", m.Fix)
					}
				}
			}
			if err == nil && slices.ContainsFunc(checks, func(m memoryCheck) bool { return m.Status == "error" }) {
				return errReported
			}
			return err
		},
	}
}

// checkEvolution looks at the store, at what waits, and asks the server if there
// is a key: without one there is no network.
func (t *tool) checkEvolution(ctx context.Context, e builtinhooks.Evolution) (out []memoryCheck) {
	add := func(id, status, fix, format string, args ...any) {
		out = append(out, memoryCheck{id, status, fmt.Sprintf(format, args...), fix})
	}
	if !store.Exists(e.Dir) {
		add("store", "off", "", "nothing was learned yet")
	} else if genes, waiting, err := lookAtStore(ctx, e.Dir); err != nil {
		add("store", "error", "", "%v", err)
	} else {
		add("store", "ok", "", "%s, %s that no server has", count(genes, "gene"), count(waiting, "outcome"))
	}
	client, err := t.server(e)
	switch {
	case errors.Is(err, remote.ErrNoKey):
		add("key", "off", "", "there is none: nothing leaves this machine")
		return out
	case err != nil:
		add("key", "error", "", "%v", err)
		return out
	}
	add("key", "ok", "", "%s…, from %s, for %s", e.Account.Key[:len(wire.KeyPrefix)], keyFrom(e), client.Server())
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	begin := t.host.Now()
	if err := client.Ask(ctx); err != nil {
		add("server", "error", "", "%v", err)
	} else {
		add("server", "ok", "", "answered in %d ms", t.host.Now().Sub(begin).Milliseconds())
	}
	if n, err := remote.Waiting(e.Dir); err != nil {
		add("queue", "error", "", "%v", err)
	} else if n > 0 {
		add("queue", "warn", "agents-hooks evolution sync", "%d of 10 entries wait to be sent", n)
	} else {
		add("queue", "ok", "", "nothing waits")
	}
	return out
}

func keyFrom(e builtinhooks.Evolution) string {
	v := e.Settings.Of("api_key")
	if v.Text == "" {
		return "~/.prismer/config.toml"
	}
	return v.From
}

func lookAtStore(ctx context.Context, dir string) (genes, waiting int, err error) {
	st, err := store.Open(ctx, dir)
	if err != nil {
		return 0, 0, err
	}
	defer st.Close()
	if err := st.Check(); err != nil {
		return 0, 0, err
	}
	list, err := st.List(ctx, store.Filter{})
	if err != nil {
		return 0, 0, err
	}
	left, err := st.Observations(ctx, store.Search{Unpushed: true})
	return len(list), len(left), err
}
