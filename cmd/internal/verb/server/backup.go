package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/server"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func backupCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "backup", Usage: "write all that the service holds to a file", ArgsUsage: "FILE",
		Description: "The service goes on meanwhile. The file is the same for both databases, and holds\n" +
			"what people wrote: it is readable by you alone. - is standard output.",
		Flags: []cli.Flag{storeFlag(), shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "a file that is not there yet, or -")
			if err != nil {
				return err
			}
			if words[0] == "-" && c.Bool("json") {
				return shell.Usagef("backup: - and --json both write to standard output")
			}
			rows := 0
			err = existing(sh, c.String("store")).with(c.Context, func(st *server.Store) error {
				return written(words[0], sh.Out, func(w io.Writer) (err error) {
					rows, err = st.Backup(c.Context, w)
					return err
				})
			})
			if err != nil {
				return err
			}
			switch {
			case words[0] == "-":
			case c.Bool("json"):
				return sh.JSON(map[string]any{"schema": 1, "file": words[0], "rows": rows})
			default:
				sh.Printf("%s, %s\n", words[0], text.Count(rows, "row"))
			}
			return nil
		},
	}
}

// written creates a file, completely or not at all; it replaces none.
func written(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "-" {
		return write(stdout)
	}
	if _, err := os.Lstat(name); err == nil {
		return fmt.Errorf("writing the backup: %q already exists", name)
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".backup-*") // 0600
	if err != nil {
		return fmt.Errorf("writing the backup: %w", err)
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Link(f.Name(), name) // unlike a rename, this replaces nothing
		if err != nil && !errors.Is(err, os.ErrExist) {
			err = os.Rename(f.Name(), name)
		}
	}
	if gone := os.Remove(f.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	if err != nil {
		return fmt.Errorf("writing the backup %q: %w", name, err)
	}
	return nil
}

func restoreCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "restore", Usage: "restore a backup into an empty database", ArgsUsage: "FILE",
		Description: "All of it or nothing. Machines whose cursor is later than the back-up begin anew\n" +
			"by themselves. - is standard input.",
		Flags: []cli.Flag{storeFlag(), shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "a file that backup wrote, or -")
			if err != nil {
				return err
			}
			in := sh.In
			if words[0] != "-" {
				f, err := os.Open(words[0])
				if err != nil {
					return fmt.Errorf("reading the backup: %w", err)
				}
				defer f.Close()
				in = f
			}
			rows, err := ask(c.Context, place(sh, c.String("store")), func(st *server.Store, ctx context.Context) (int, error) { return st.Restore(ctx, in) })
			if errors.Is(err, server.ErrInUse) {
				err = shell.WithHint(err, "name another with --store, or move that one aside")
			}
			if err != nil {
				return fmt.Errorf("restoring %q: %w", words[0], err)
			}
			return sh.Answer(c.Bool("json"), map[string]any{"schema": 1, "rows": rows}, func() { sh.Printf("%s restored\n", text.Count(rows, "row")) })
		},
	}
}
