// Package log has log and stats: lines of the run log, filtered, as JSON or live, and their
// totals.
package log

import (
	"math"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the group: its words are top-level commands.
func Command(sh *shell.Shell) *cli.Command { return shell.Group(logCommand(sh), statsCommand(sh)) }

func logCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "log",
		Usage: "what ran, how it ended, and why something did not",
		Description: "Lists the newest events of the last 31 days, the newest last: 20, or with\n" +
			"--since or --until all. Times are local. Inputs and prompts are in it only\n" +
			"while AGENTS_HOOKS_DEBUG=1 or [hooks] debug is set.",
		Flags: append([]cli.Flag{
			cli.Offer(&cli.StringFlag{Name: "last", Aliases: []string{"n"}, Usage: "the newest `N` events; all, or 0 for none"}, shell.Fixed("all")),
		}, append(pickFlags(sh),
			&cli.BoolFlag{Name: "follow", Aliases: []string{"f"}, Usage: "wait for what comes next; ended by Ctrl-C"},
			shell.JSONFlag())...),
		Action: func(c *cli.Context) error {
			o, err := readLog(c)
			if err != nil {
				return err
			}
			f, err := o.pick.filter(sh)
			if err != nil {
				return err
			}
			if o.follow {
				ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
				defer stop()
				return follow(ctx, sh, f, o)
			}
			return list(sh, f, o)
		},
	}
}

type logOptions struct {
	pick   pickOptions
	last   int
	follow bool
	json   bool
}

// usual is how many events are listed by default.
const usual = 20

func readLog(c *cli.Context) (o logOptions, err error) {
	o = logOptions{follow: c.Bool("follow"), json: c.Bool("json")}
	if o.pick, err = readPick(c); err != nil {
		return o, err
	}
	o.last = usual
	switch word := c.String("last"); {
	case word == "all", !c.IsSet("last") && o.pick.since+o.pick.until != "":
		o.last = math.MaxInt
	case c.IsSet("last"):
		if o.last, err = strconv.Atoi(word); err != nil {
			return o, shell.Usagef("log: --last %q: want a number, or all", word)
		}
		if o.last < 0 {
			return o, shell.Usagef("log: --last %d is less than 0", o.last)
		}
	}
	return o, nil
}
