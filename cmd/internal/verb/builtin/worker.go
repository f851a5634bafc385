package builtin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	memoryops "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	memoryteam "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/team"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/tables"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// workerLimit is how long a worker may take.
const workerLimit = 2 * time.Minute

// teamLimit is how much of that the team's server gets.
const teamLimit = 30 * time.Second

// workerCommand is what built-in hooks start for slow work: hidden, and with a time limit,
// because nothing waits for it.
func workerCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "worker", Hidden: true, Usage: "finish a session of memory, make what its searches lack, or unpack what evolution compares with", ArgsUsage: "memory | evolution",
		Flags: []cli.Flag{
			hookset.DirFlag(),
			&cli.StringFlag{Name: "session"}, &cli.StringFlag{Name: "reason"},
			&cli.Int64Flag{Name: "duration-ms"}, &cli.StringFlag{Name: "error"},
			&cli.BoolFlag{Name: "index"},
		},
		Action: func(c *cli.Context) error {
			if _, err := shell.Args(c, 1, 1, "memory or evolution"); err != nil {
				return err
			}
			switch c.Arg() {
			case "memory":
			case "evolution":
				return tables.Unpack(builtin.Standalone(sh.Host))
			default:
				return shell.Usagef("builtin worker: no worker %q", c.Arg())
			}
			dir, err := hookset.LookFrom(sh, c)
			if err != nil {
				return err
			}
			if c.Bool("index") {
				return indexMemory(c.Context, sh, dir)
			}
			return finishMemory(c.Context, sh, builtinhooks.SessionEnd{
				Dir: dir, Session: c.String("session"), Reason: c.String("reason"), Error: c.String("error"), DurationMS: c.Int64("duration-ms"),
			})
		},
	}
}

// indexMemory makes what searches need and a memory lacks that is too large for the beginning of a
// session: the project's, and the user's own.
func indexMemory(ctx context.Context, sh *shell.Shell, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, workerLimit)
	defer cancel()
	m := memoryops.At(builtin.Standalone(sh.Host), builtin.Call(sh.Host, dir))
	_, err := m.Sync(ctx)
	if own, bad := m.OfPerson(); bad == nil {
		_, bad = own.Sync(ctx)
		err = errors.Join(err, bad)
	}
	return err
}

// finishMemory completes what memory still has to do after a session.
func finishMemory(ctx context.Context, sh *shell.Shell, end builtinhooks.SessionEnd) error {
	ctx, cancel := context.WithTimeout(ctx, workerLimit)
	defer cancel()
	err := builtinhooks.EndSession(ctx, builtin.Standalone(sh.Host), hookEnv(sh.Host, end.Dir), end, func(place memory.Place) error {
		m := memoryops.At(builtin.Standalone(sh.Host), builtin.Call(sh.Host, end.Dir))
		m.Dir = place.Dir
		_, err := m.Sync(ctx)
		return err
	})
	m := memoryops.At(builtin.Standalone(sh.Host), builtin.Call(sh.Host, end.Dir))
	err = errors.Join(err, m.FinishPurges(), m.Tidy())
	if own, bad := m.OfPerson(); bad == nil {
		err = errors.Join(err, own.FinishPurges())
	}
	ctx, cancel = context.WithTimeout(ctx, teamLimit)
	defer cancel()
	// What could not be sent stays in the files for the next session; memory doctor says why. A
	// sync that is in progress, such as one that the session started with, may have read the
	// files before this session saved its last fact: it is waited for.
	if _, team := m.SyncTeam(ctx, teamLimit/2); team != nil && !errors.Is(team, memoryteam.ErrOff) && !errors.Is(team, memoryteam.ErrBusy) {
		err = errors.Join(err, fmt.Errorf("memory sync: %w", team))
	}
	return err
}
