package evolution

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/serve"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

func evolutionServe(sh *shell.Shell) *cli.Command {
	limits := serve.DefaultLimits()
	return &cli.Command{
		Name: "serve", Usage: "a service that a team shares genes with",
		Description: "Speaks the same contract as the original's server. Everybody needs a key:\n" +
			"agents-hooks evolution serve key create --person NAME. SQLite is in a file\n" +
			"below your data directory; several instances may share one PostgreSQL, whose\n" +
			"password may stand in PGPASSWORD.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "listen", Value: "127.0.0.1:8787", Usage: "`ADDRESS` to answer on; port 0 takes a free one"},
			storeFlag(),
			&cli.StringFlag{Name: "tls-cert", Usage: "`FILE` with the certificate, PEM"},
			&cli.StringFlag{Name: "tls-key", Usage: "`FILE` with its key"},
			&cli.BoolFlag{Name: "plain", Usage: "answer other machines without TLS: something before it ends TLS"},
			&cli.Float64Flag{Name: "rate", Value: limits.Rate, Usage: "`N` requests a second and key; 0: no limit"},
			&cli.IntFlag{Name: "burst", Value: limits.Burst, Usage: "`N` requests of a key at once"},
			&cli.Int64Flag{Name: "body", Value: limits.Body, Usage: "`BYTES` of a request at most"},
			&cli.DurationFlag{Name: "grace", Value: 10 * time.Second, Usage: "`TIME` for what is being answered when it ends"},
		},
		Action: func(c *cli.Context) error { return serveEvolution(sh, c) },
		Subcommands: []*cli.Command{{
			Name: "key", Usage: "who may use the service",
			Subcommands: []*cli.Command{
				{
					Name: "create", Usage: "make a key for a person, and print it once",
					Flags:  []cli.Flag{&cli.StringFlag{Name: "person", Usage: "`NAME`; all keys of a name are one person's"}, &cli.StringFlag{Name: "label", Usage: "`TEXT` to know the key by"}, storeFlag(), shell.JSONFlag()},
					Action: func(c *cli.Context) error { return createKey(sh, c) },
				},
				{Name: "list", Usage: "the keys there are", Flags: []cli.Flag{storeFlag(), shell.JSONFlag()}, Action: func(c *cli.Context) error { return listKeys(sh, c) }},
				{Name: "revoke", Usage: "end keys, at once", ArgsUsage: "ID...", Flags: []cli.Flag{storeFlag(), shell.JSONFlag()}, Action: func(c *cli.Context) error { return revokeKeys(sh, c) }},
			},
		}},
	}
}

// storeVariable names the database where its address should not stand on a
// command line, which everybody on the machine may read.
const storeVariable = "AGENTS_HOOKS_SERVE_STORE"

func storeFlag() cli.Flag {
	return &cli.StringFlag{Name: "store", Usage: "`PLACE` of the database: a file, or postgres://…; default " + storeVariable + ", else a file"}
}

func openServe(sh *shell.Shell, c *cli.Context) (*serve.Store, error) {
	place := c.String("store")
	if place == "" {
		place = sh.Host.Getenv(storeVariable)
	}
	if place == "" {
		place = filepath.Join(sh.Host.Data, "serve", "serve.sqlite")
	}
	ctx, cancel := context.WithTimeout(c.Context, time.Minute)
	defer cancel()
	return serve.Open(ctx, place, sh.Host.Now, newIdentity)
}

// newIdentity is 128 random bits as text.
func newIdentity() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}

func serveEvolution(sh *shell.Shell, c *cli.Context) error {
	if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	if (c.String("tls-cert") == "") != (c.String("tls-key") == "") {
		return shell.Usagef("serve: --tls-cert and --tls-key go together")
	}
	limits := serve.DefaultLimits()
	limits.Rate, limits.Burst, limits.Body = c.Float64("rate"), c.Int("burst"), c.Int64("body")
	if limits.Rate < 0 || limits.Burst < 1 || limits.Body < 1 {
		return shell.Usagef("serve: --rate, --burst and --body: want numbers above 0")
	}
	ctx, stop := signal.NotifyContext(c.Context, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	st, err := openServe(sh, c)
	if err != nil {
		return fmt.Errorf("evolution serve: %w", err)
	}
	defer st.Close()
	l, err := serve.Listen(c.String("listen"), c.String("tls-cert"), c.String("tls-key"), c.Bool("plain"))
	if err != nil {
		return shell.WithHint(fmt.Errorf("evolution serve: %w", err), "give --tls-cert and --tls-key, or --plain behind something that ends TLS")
	}
	log := slog.New(slog.NewJSONHandler(sh.Err, nil))
	log.Info("listening", "address", l.Addr().String(), "tls", c.String("tls-cert") != "")
	if keys, err := st.Keys(ctx); err == nil && len(keys) == 0 {
		log.Warn("nobody has a key", "hint", "agents-hooks evolution serve key create --person NAME")
	}
	if err := serve.New(st, limits, sh.Err).Run(ctx, l, c.Duration("grace")); err != nil {
		return fmt.Errorf("evolution serve: %w", err)
	}
	return nil
}

func createKey(sh *shell.Shell, c *cli.Context) error {
	if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	if c.String("person") == "" {
		return shell.Usagef("create: want --person NAME")
	}
	st, err := openServe(sh, c)
	if err != nil {
		return fmt.Errorf("evolution serve: %w", err)
	}
	defer st.Close()
	key, made, err := st.NewKey(c.Context, c.String("person"), c.String("label"))
	if err != nil {
		return fmt.Errorf("evolution serve: %w", err)
	}
	if c.Bool("json") {
		return sh.JSON(map[string]any{"schema": 1, "key": key, "id": made.ID, "person": made.Person, "label": made.Label})
	}
	sh.Printf("%s\n", key)
	sh.Say("key %s of %s: it is shown this once; give it as PRISMER_API_KEY, with PRISMER_BASE_URL", made.ID, made.Person)
	return nil
}

func listKeys(sh *shell.Shell, c *cli.Context) error {
	if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	st, err := openServe(sh, c)
	if err != nil {
		return fmt.Errorf("evolution serve: %w", err)
	}
	defer st.Close()
	list, err := st.Keys(c.Context)
	if err != nil {
		return fmt.Errorf("evolution serve: %w", err)
	}
	if c.Bool("json") {
		return sh.JSON(map[string]any{"schema": 1, "keys": list})
	}
	if len(list) == 0 {
		sh.Printf("there is no key yet\n")
	}
	for _, k := range list {
		state := "never used"
		switch {
		case k.Revoked != 0:
			state = "revoked " + dayOf(k.Revoked)
		case k.Used != 0:
			state = "used " + dayOf(k.Used)
		}
		sh.Printf("%s  %-20s %-20s made %s, %s\n", k.ID, shell.Plain(k.Person), shell.Plain(k.Label), dayOf(k.Created), state)
	}
	return nil
}

func dayOf(ms int64) string { return time.UnixMilli(ms).Format(time.DateOnly) }

func revokeKeys(sh *shell.Shell, c *cli.Context) error {
	ids, err := shell.Args(c, 1, -1, "ids of keys, as list has them")
	if err != nil {
		return err
	}
	st, err := openServe(sh, c)
	if err != nil {
		return fmt.Errorf("evolution serve: %w", err)
	}
	defer st.Close()
	var errs []error
	for _, id := range ids {
		errs = append(errs, st.Revoke(c.Context, id))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("evolution serve: %w", err)
	}
	if c.Bool("json") {
		return sh.JSON(map[string]any{"schema": 1, "revoked": ids})
	}
	sh.Printf("%s revoked\n", shell.Count(len(ids), "key"))
	return nil
}
