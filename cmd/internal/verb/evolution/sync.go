package evolution

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	evolutionclient "github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/client"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func deadlineFlag() cli.Flag {
	return &cli.IntFlag{Name: "deadline-ms", Usage: "end after `N` milliseconds, with what is done by then"}
}

func syncCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "sync", Usage: "share with the user's other machines and the team",
		Description: "Without a key nothing leaves this machine. Pushes outcomes that the server\n" +
			"lacks and genes that were made here, and pulls what changed. The hooks call\n" +
			"it with --start and --end.",
		Flags: flags(
			&cli.BoolFlag{Name: "start", Usage: "what the start of a session wants: pull, retry, memory, skills"},
			&cli.BoolFlag{Name: "end", Usage: "what its end wants: note what the journal says, push, pull"},
			&cli.BoolFlag{Name: "local", Usage: "with --end: only note what the journal says"},
			&cli.StringFlag{Name: "session", Usage: "`ID` of the agent's session"},
			deadlineFlag(),
		),
		Action: func(c *cli.Context) error {
			o, err := readSync(sh, c)
			if err != nil {
				return err
			}
			noted, result, err := sync(c.Context, sh, o)
			if err != nil {
				return fmt.Errorf("evolution sync: %w", err)
			}
			if o.json {
				return sh.JSON(result)
			}
			if noted > 0 {
				sh.Printf("%s of the session's journal noted\n", text.Count(noted, "outcome"))
			}
			if o.local {
				return nil
			}
			printSync(sh, result)
			if result.Key && !result.Done {
				return shell.ErrReported
			}
			return nil
		},
	}
}

type syncOptions struct {
	placeOptions
	start, end, local bool
	session           string
	deadline          time.Duration // 0: as long as the occasion allows
}

func readSync(sh *shell.Shell, c *cli.Context) (o syncOptions, err error) {
	o.start, o.end, o.local, o.session = c.Bool("start"), c.Bool("end"), c.Bool("local"), c.String("session")
	if o.start && (o.end || o.local) {
		return o, shell.Usagef("sync: --start cannot be used with --end or --local")
	}
	o.deadline = time.Duration(max(0, c.Int("deadline-ms"))) * time.Millisecond
	o.placeOptions, err = readPlace(sh, c)
	return o, err
}

// limit is a sync's context: the end of a session must not be delayed by more than five
// seconds. A user who asked for a sync waits until it is done: each call has its own limit.
func (o syncOptions) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	switch {
	case o.deadline > 0:
		return context.WithTimeout(ctx, o.deadline)
	case o.end:
		return context.WithTimeout(ctx, 5*time.Second)
	case o.start:
		return context.WithTimeout(ctx, 30*time.Second)
	}
	return context.WithCancel(ctx)
}

// sync records what a session's journal says, and asks the server; noted is the number of
// outcomes in the journal.
func sync(ctx context.Context, sh *shell.Shell, o syncOptions) (noted int, r *evolutionclient.Result, err error) {
	e := o.place(sh)
	ctx, cancel := o.limit(ctx)
	defer cancel()
	st, err := store.Open(ctx, e.Dir)
	if err != nil {
		return 0, nil, err
	}
	defer st.Close()
	if noted, err = noteSession(ctx, sh, o, e, st); err != nil {
		return 0, nil, err
	}
	r = evolutionclient.NewResult()
	r.Scope = e.Scope
	if !o.local {
		if err := exchange(ctx, sh, o, e, st, r); err != nil && !errors.Is(err, evolutionclient.ErrNoKey) {
			return 0, nil, err
		}
	}
	if o.start && o.deadline > 0 && r.Key && !r.Done {
		// What is missing is fetched in the background, for the next time.
		if err := builtin.Standalone(sh.Host).Detach(o.dir, sh.Host.Env, "evolution", "sync", "--start", "--session", o.session, "--dir", o.dir, "--scope", e.Scope); err != nil {
			sh.Say("evolution sync: %v", err)
		}
	}
	return noted, r, nil
}

// noteSession records, from a session's journal, what happened to suggestions.
func noteSession(ctx context.Context, sh *shell.Shell, o syncOptions, e ops.Place, st *store.Store) (int, error) {
	if !o.end || o.session == "" {
		return 0, nil
	}
	if !journal.Of(e.Dir, o.session).Read().Reviewed.IsZero() {
		if err := evolutionclient.Reviewed(e.Dir, o.session); err != nil {
			return 0, err
		}
	}
	return evolutionclient.Note(ctx, st, e.Dir, o.session, e.Scope, sh.Host.Getenv("AGENTS_HOOKS_AGENT"), sh.Host.Now())
}

// exchange is the part of a sync that asks the server.
func exchange(ctx context.Context, sh *shell.Shell, o syncOptions, e ops.Place, st *store.Store, r *evolutionclient.Result) error {
	client, err := server(sh, e)
	if err != nil {
		return err
	}
	s := &evolutionclient.Sync{
		Client: client, Store: st, Dir: e.Dir, Scope: e.Scope, Session: o.session, Now: sh.Host.Now,
		Log:             func(format string, args ...any) { sh.Say("evolution "+format, args...) },
		Team:            evolutionclient.Team(e.Settings.Of("team_genes").Text),
		PushAfterReview: e.Settings.Of("push_after_review").Bool,
	}
	if !o.start {
		s.End(ctx, r)
		return nil
	}
	beside := []func(context.Context, *evolutionclient.Result){s.Memory}
	if e.Settings.Of("skill_sync").Bool && sh.Host.Home != "" {
		dir := filepath.Join(sh.Host.Home, ".agents", "skills")
		beside = append(beside, func(ctx context.Context, r *evolutionclient.Result) { s.Skills(ctx, dir, r) })
	}
	s.Start(ctx, r, beside...)
	return nil
}

func printSync(sh *shell.Shell, r *evolutionclient.Result) {
	if !r.Key {
		sh.Printf("nothing left this machine: there is no key\n")
		return
	}
	sh.Printf("%s as %s\n", r.Server, r.Scope)
	sh.Printf("  pushed  %s", text.Count(r.Pushed, "outcome"))
	if r.Queued > 0 {
		sh.Printf(", %d wait for the next time", r.Queued)
	}
	sh.Printf("\n  pulled  %d new, %d changed\n", r.Added, r.Updated)
	for _, s := range r.Skills {
		sh.Printf("  skill   %s\n", s)
	}
}
