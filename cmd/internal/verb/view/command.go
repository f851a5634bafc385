package view

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/webpage"
	"github.com/agents-hooks/agents-hooks/cmd/internal/when"
)

// Command is the group: its words are top-level commands. The page also shows doctor's results.
func Command(doctor Examiner) func(*shell.Shell) *cli.Command {
	return func(sh *shell.Shell) *cli.Command { return shell.Group(viewCommand(sh, doctor), uiCommand(sh, doctor)) }
}

// mostEvents is how many events a page has by default: as many as open instantly.
const mostEvents = 5000

func lensFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "session", Usage: "only the session `ID`, or its beginning; last: the newest"},
		cli.Offer(&cli.StringFlag{Name: "since", Usage: "events from `TIME` on: 2h, 3d, yesterday, 14:05, 2026-11-23"}, shell.Fixed("today", "yesterday", "2h", "1d", "1w")),
		cli.Offer(&cli.StringFlag{Name: "last", Aliases: []string{"n"}, Usage: "the newest `N` events, or all", Value: strconv.Itoa(mostEvents)}, shell.Fixed("all")),
		hookset.DirFlag(), shell.JSONFlag(),
	}
}

func viewCommand(sh *shell.Shell, doctor Examiner) *cli.Command {
	return &cli.Command{
		Name: "view", Usage: "one HTML page: what happened, hooks, approvals, memory",
		Description: "One file that works without a network and asks nobody for anything: sessions\n" +
			"and their events, hooks with their state and why, whether guards hold in each\n" +
			"agent, what waits for an approval, memory, workspaces and evolution. Without --out it lies in the cache\n" +
			"directory. Only you can read the file.",
		Flags: append(webpage.Flags(), lensFlags()...),
		Action: func(c *cli.Context) error {
			o, err := readView(sh, c)
			if err != nil {
				return err
			}
			o.examine = doctor
			return view(c.Context, sh, o)
		},
	}
}

type viewOptions struct {
	lookOptions
	where webpage.Options
	json  bool
}

func readView(sh *shell.Shell, c *cli.Context) (o viewOptions, err error) {
	if o.lookOptions, err = readLens(sh, c); err != nil {
		return o, err
	}
	o.json = c.Bool("json")
	if o.where, err = webpage.Read(c); err == nil && o.json && o.where.Out == "-" {
		err = shell.Usagef("view: --json needs a file, but --out - is stdout")
	}
	return o, err
}

func readLens(sh *shell.Shell, c *cli.Context) (l lookOptions, err error) {
	command := c.Command.Name
	if word := c.String("last"); word != "all" {
		if l.last, err = strconv.Atoi(word); err != nil || l.last < 1 {
			return l, shell.Usagef("%s: --last %q: want a number, or all", command, word)
		}
	}
	if word := c.String("since"); word != "" {
		span, err := when.Parse(word, sh.Host.Now())
		if err != nil {
			return l, shell.WithHint(shell.Usagef("%s: --since: %v", command, err), "a time is one of "+when.Forms)
		}
		l.filter.Since = span.From
	}
	if l.filter.Session = c.String("session"); l.filter.Session == "last" {
		l.filter.Session = newest(sh)
	}
	l.dir, err = hookset.LookFrom(sh, c)
	return l, err
}

// newest is the session of the newest event that has one, "" if none has.
func newest(sh *shell.Shell) string {
	for line, err := range runlog.Backward(sh.Host.State, runlog.Filter{}) {
		if err == nil && line.Session != "" {
			return line.Session
		}
	}
	return ""
}

func view(ctx context.Context, sh *shell.Shell, o viewOptions) error {
	k := see(ctx, sh, o.lookOptions)
	if len(k.activity.Events) == 0 && (o.filter.Session != "" || !o.filter.Since.IsZero()) {
		sh.Say("view: the log has no event that fits these flags")
	}
	file, err := webpage.Write(sh, webpage.Overview, k.document(sh, o.lookOptions), o.dir, o.where)
	if err != nil || file == "" {
		return err
	}
	if !o.json {
		sh.Printf("%s\n", file)
		return nil
	}
	counts := map[string]any{"schema": 1, "file": file, "made": k.made.UTC().Format(time.RFC3339), "events": len(k.activity.Events), "older": k.activity.Cut, "sessions": k.activity.sessions()}
	for _, p := range k.parts[1:] {
		counts[p.Name] = p.Count
	}
	return sh.JSON(counts)
}

func uiCommand(sh *shell.Shell, doctor Examiner) *cli.Command {
	return &cli.Command{
		Name: "ui", Usage: "the same page, live, to approve hooks and edit memory in",
		Description: "Serves the page of view on this machine alone, at an address that nobody can\n" +
			"guess, until Ctrl-C; new events appear by themselves. Approving, refusing and\n" +
			"editing memory follow the rules of trust: only a person may, and what an agent\n" +
			"started can only be looked at.",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "open", Usage: "show it in the browser"},
			&cli.BoolFlag{Name: "read-only", Usage: "nothing can be approved, refused or changed there"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "let the page approve and edit even without a terminal"},
		}, lensFlags()...),
		Action: func(c *cli.Context) error {
			o, err := readUI(sh, c)
			if err != nil {
				return err
			}
			o.examine = doctor.kept()
			return serve(c.Context, sh, o)
		},
	}
}

type uiOptions struct {
	lookOptions
	open, json bool
	mostGuests int // connections at once; 0: maxConns
}

func readUI(sh *shell.Shell, c *cli.Context) (o uiOptions, err error) {
	if o.lookOptions, err = readLens(sh, c); err != nil {
		return o, err
	}
	o.open, o.json = c.Bool("open"), c.Bool("json")
	o.may = permission{live: true, kept: new(keep), why: mayNot(sh, c.Bool("read-only"), c.Bool("yes"))}
	return o, nil
}

// mayNot says why nothing may be approved, by the rules of trust: "" if the user is at a
// terminal, or has given permission in advance.
func mayNot(sh *shell.Shell, readOnly, yes bool) string {
	if readOnly {
		return "this page was started with --read-only"
	}
	if err := sh.OnlyPerson("ui"); err != nil {
		return fmt.Sprint(err)
	}
	if !yes && !shell.IsTerminal(sh.In) {
		return "there is no terminal where agents-hooks ui runs; start it in one, or with --yes"
	}
	return ""
}
