package evolution

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	evolutionclient "github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/client"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/cmd/internal/checkup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func doctorCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "doctor", Aliases: []string{"status"}, Usage: "check the store, the key and its server",
		Flags: flags(),
		Action: func(c *cli.Context) error {
			o, err := readPlace(sh, c)
			if err != nil {
				return err
			}
			e := o.place(sh)
			checks := check(c.Context, sh, e)
			heading := fmt.Sprintf("%s, scope %s", sh.Short(e.Dir), shell.Plain(e.Scope))
			return checkup.Report(sh, o.json, map[string]any{"dir": e.Dir, "scope": e.Scope}, heading, checks)
		},
	}
}

// check examines the store and what waits to be sent, and asks the server if there is a key:
// without a key, the network is not used.
func check(ctx context.Context, sh *shell.Shell, e ops.Place) (out []checkup.Check) {
	add := func(id, status, fix, format string, args ...any) {
		out = append(out, checkup.Check{ID: id, Status: status, Message: fmt.Sprintf(format, args...), Fix: fix})
	}
	if !store.Exists(e.Dir) {
		add("store", "off", "", "nothing was learned yet, which is no fault: it begins with the first failure that comes back")
	} else if genes, waiting, err := countStore(ctx, e.Dir); err != nil {
		add("store", "error", "", "%v", err)
	} else {
		add("store", "ok", "", "%s, %s that no server has", text.Count(genes, "gene"), text.Count(waiting, "outcome"))
	}
	client, err := server(sh, e)
	switch {
	case errors.Is(err, evolutionclient.ErrNoKey):
		add("key", "off", "", "there is none: nothing leaves this machine")
		return out
	case err != nil:
		add("key", "error", "", "%v", err)
		return out
	}
	add("key", "ok", "", "%s…, from %s, for %s", e.Account.Key[:len(api.KeyPrefix)], keyFrom(e), client.Base)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	begin := sh.Host.Now()
	if err := client.Ask(ctx); err != nil {
		add("server", "error", "", "%v", err)
	} else {
		add("server", "ok", "", "answered in %d ms", sh.Host.Now().Sub(begin).Milliseconds())
	}
	if n, err := evolutionclient.Waiting(e.Dir); err != nil {
		add("queue", "error", "", "%v", err)
	} else if n > 0 {
		add("queue", "warn", "agents-hooks evolution sync", "%d of 10 entries wait to be sent", n)
	} else {
		add("queue", "ok", "", "nothing waits")
	}
	return out
}

func keyFrom(e ops.Place) string {
	v := e.Settings.Of("api_key")
	if v.Text == "" {
		return "~/.prismer/config.toml"
	}
	return v.From
}

func countStore(ctx context.Context, dir string) (genes, waiting int, err error) {
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
