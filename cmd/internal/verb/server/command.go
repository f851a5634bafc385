// Package server is the command line of agents-hooks-server, the program that a team runs:
// one service for evolution and shared memory, at one address, with one set of keys and one
// database, SQLite or PostgreSQL. Without a word the program serves.
//
//	command.go  the words and the flags
//	serve.go    serving until a signal comes
//	key.go      keys: creating, listing, rotating, revoking
//	person.go   persons and their roles, and the audit log
//	gene.go     genes that wait for a review
//	room.go     rooms of shared memory: creating and listing them, and their members
//	backup.go   backup into a file, and restore
//
// The service itself is package server; nothing else here uses HTTP, and no other program links
// its database drivers.
package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/server"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Name is the program's name.
const Name = "agents-hooks-server"

// Command is the whole program: what it does without arguments, and its subcommands.
func Command(sh *shell.Shell) *cli.Command {
	limits := server.DefaultLimits()
	return &cli.Command{
		Name: Name, Usage: "a service that a team shares genes and memory with",
		Description: "Speaks the same contract as the original's server. Everybody needs a key:\n" +
			Name + " key create --person NAME. SQLite is in a file\n" +
			"below your data directory; several instances may share one PostgreSQL, whose\n" +
			"password may stand in PGPASSWORD.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "listen", Value: "127.0.0.1:8787", Usage: "`ADDRESS` to listen on; port 0 picks a free one"},
			storeFlag(),
			&cli.StringFlag{Name: "tls-cert", Usage: "`FILE` with the certificate, PEM"},
			&cli.StringFlag{Name: "tls-key", Usage: "`FILE` with its key"},
			&cli.StringSliceFlag{Name: "host-name", Usage: "`NAME` of the service besides its address; repeats"},
			&cli.BoolFlag{Name: "plain", Usage: "answer other machines without TLS: a proxy in front ends TLS"},
			&cli.Float64Flag{Name: "rate", Value: limits.Rate, Usage: "`N` requests per second and key; 0: no limit"},
			&cli.IntFlag{Name: "burst", Value: limits.Burst, Usage: "`N` requests of a key at once"},
			&cli.Int64Flag{Name: "body", Value: limits.Body, Usage: "most `BYTES` of a request"},
			&cli.DurationFlag{Name: "grace", Value: 10 * time.Second, Usage: "`TIME` for requests in progress when it ends"},
		},
		Action: func(c *cli.Context) error {
			o := options{listen: c.String("listen"), certificate: c.String("tls-cert"), key: c.String("tls-key"), plain: c.Bool("plain"), hosts: c.StringSlice("host-name"), limits: limits, grace: c.Duration("grace")}
			o.limits.Rate, o.limits.Burst, o.limits.Body = c.Float64("rate"), c.Int("burst"), c.Int64("body")
			if err := o.check(); err != nil {
				return err
			}
			return answer(c.Context, place(sh, c.String("store")), o, sh.Err)
		},
		Subcommands: []*cli.Command{keyCommand(sh), personCommand(sh), geneCommand(sh), roomCommand(sh), auditCommand(sh), backupCommand(sh), restoreCommand(sh), versionCommand(sh)},
	}
}

func versionCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the version of the program", Flags: []cli.Flag{shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			return sh.Version(c.Bool("json"), "", nil)
		},
	}
}

// storeVariable names the database if its address should not be on a command line, which
// everyone on the machine can read.
const storeVariable = "AGENTS_HOOKS_SERVE_STORE"

func storeFlag() cli.Flag {
	return &cli.StringFlag{Name: "store", Usage: "`PLACE` of the database: a file, or postgres://…; default " + storeVariable + ", else a file"}
}

// A database that is not open yet.
type database struct {
	place string // a file, or postgres://…
	now   func() time.Time
	there bool // a file has to be there already
}

// place is the database that a command line means: the one of --store, the one of the
// environment, or this program's own file.
func place(sh *shell.Shell, store string) database {
	return database{cmp.Or(store, sh.Host.Getenv(storeVariable), filepath.Join(sh.Host.Data, "serve", "serve.sqlite")), sh.Host.Now, false}
}

// existing is the database of a command that is about what it holds. A mistyped --store is not
// answered from an empty one, and not backed up.
func existing(sh *shell.Shell, store string) database {
	d := place(sh, store)
	d.there = store != "" && !strings.Contains(store, "://")
	return d
}

// with calls f with the open database.
func (d database) with(ctx context.Context, f func(*server.Store) error) error {
	if d.there {
		if _, err := os.Stat(d.place); errors.Is(err, fs.ErrNotExist) {
			return shell.WithHint(fmt.Errorf("there is no database %q", d.place), Name+" key create --store FILE makes one")
		}
	}
	opening, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	st, err := server.Open(opening, d.place, d.now, newIdentity)
	if err != nil {
		return err
	}
	defer st.Close()
	return f(st)
}

// ask is f's answer from the open database. f is often a method of the store, hence the order of
// its arguments.
func ask[T any](ctx context.Context, d database, f func(*server.Store, context.Context) (T, error)) (answer T, err error) {
	err = d.with(ctx, func(st *server.Store) error {
		answer, err = f(st, ctx)
		return err
	})
	return answer, err
}

// printList answers with a list: as a member of a document, or row by row.
func printList[T any](sh *shell.Shell, asJSON bool, member, none string, list []T, row func(T)) error {
	return sh.Answer(asJSON, map[string]any{"schema": 1, member: list}, func() {
		if len(list) == 0 {
			sh.Printf("%s\n", none)
		}
		for _, x := range list {
			row(x)
		}
	})
}

// newIdentity is 128 random bits as text.
func newIdentity() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}
