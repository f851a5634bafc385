// Package log is the log command: lines of the run log, filtered, as JSON, or as
// they come.
package log

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/runner"
)

// Command is log.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "log",
		Usage: "what ran, how it ended, and why something did not",
		Description: "Lists the events of the last 14 days, the newest last. Inputs and prompts\n" +
			"are in it only while AGENTS_HOOKS_DEBUG=1 or [hooks] debug is set.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "last", Aliases: []string{"n"}, Usage: "the newest `N` events", Value: 20},
			&cli.StringFlag{Name: "session", Usage: "of one `ID` only"},
			shell.Offer(&cli.StringFlag{Name: "hook", Usage: "with this hook (`NAME`) only"}, hookset.Words(sh)),
			shell.Offer(&cli.StringFlag{Name: "agent", Usage: "of one `AGENT` only"}, agentarg.Words),
			shell.Offer(&cli.StringFlag{Name: "event", Usage: "of one `EVENT` only"}, eventarg.NativeWords),
			&cli.BoolFlag{Name: "follow", Aliases: []string{"f"}, Usage: "wait for what comes next; ended by Ctrl-C"},
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readLog(c)
			if err != nil {
				return err
			}
			if o.follow {
				ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
				defer stop()
				return follow(ctx, sh.Host, o.filter, each(sh, o.json))
			}
			lines, err := runner.ReadLog(sh.Host.State, o.filter)
			if err != nil {
				return fmt.Errorf("log: %w", err)
			}
			return printLog(sh, lines, o)
		},
	}
}

type logOptions struct {
	filter runner.LogFilter
	follow bool
	json   bool
}

func readLog(c *cli.Context) (logOptions, error) {
	o := logOptions{follow: c.Bool("follow"), json: c.Bool("json"), filter: runner.LogFilter{
		Session: c.String("session"), Hook: c.String("hook"), Agent: c.String("agent"), Event: c.String("event"), Last: c.Int("last"),
	}}
	if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
		return o, err
	}
	if o.filter.Last < 0 {
		return o, shell.Usagef("log: --last %d is less than 0", o.filter.Last)
	}
	if o.filter.Agent != "" {
		d, err := agentarg.Lookup(o.filter.Agent)
		if err != nil {
			return o, err
		}
		o.filter.Agent = d.ID
	}
	return o, nil
}

// each prints a line as it comes: for a person, or as one line of JSON.
func each(sh *shell.Shell, asJSON bool) func(runner.LogLine) {
	if asJSON {
		return func(l runner.LogLine) { sh.Printf("%s", l.Append(nil)) }
	}
	return eventlog.NewPrinter(sh).Print
}

func printLog(sh *shell.Shell, lines []runner.LogLine, o logOptions) error {
	if o.json {
		raw := make([]json.RawMessage, len(lines))
		for i := range lines {
			raw[i] = lines[i].Append(nil)
		}
		return sh.JSON(map[string]any{"schema": 1, "lines": raw})
	}
	if len(lines) == 0 {
		sh.Say("log: nothing recorded%s", filtered(o.filter))
		sh.Hints([]string{
			"an event is recorded once a hook exists that could serve it: agents-hooks list",
			"whether agents call at all: agents-hooks doctor --probe",
		})
	}
	show := each(sh, false)
	for _, l := range lines {
		show(l)
	}
	return nil
}

// filtered says why there may be lines and none was shown.
func filtered(f runner.LogFilter) string {
	if f.Session+f.Hook+f.Agent+f.Event != "" {
		return " that fits these flags"
	}
	return ""
}
