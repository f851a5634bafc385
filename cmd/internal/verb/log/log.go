// Package log is the log command: lines of the run log, filtered, as JSON, or as
// they come.
package log

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/runner"
)

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
		Action: func(c *cli.Context) error { return log(sh, c) },
	}
}

func log(sh *shell.Shell, c *cli.Context) error {
	if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
		return err
	}
	f, err := logFilter(sh, c)
	if err != nil {
		return err
	}
	// Where to go on from is looked up before the lines are read, so that none
	// falls between: the few that come twice are told by their ids.
	day := runner.LogPath(sh.Host.State, sh.Host.Now())
	at := sizeOf(day)
	lines, err := runner.ReadLog(sh.Host.State, f)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	if !c.Bool("follow") {
		return printLog(sh, c.Bool("json"), lines, f)
	}
	p := eventlog.Printer{Shell: sh, Json: c.Bool("json"), Seen: map[string]bool{}}
	for _, l := range lines {
		p.Print(l)
	}
	return p.Follow(day, at, f)
}

func logFilter(sh *shell.Shell, c *cli.Context) (runner.LogFilter, error) {
	f := runner.LogFilter{Session: c.String("session"), Hook: c.String("hook"), Agent: c.String("agent"), Event: c.String("event"), Last: c.Int("last")}
	if f.Last < 0 {
		return f, shell.Usagef("log: --last %d is less than 0", f.Last)
	}
	if f.Agent != "" {
		d, err := agentarg.Lookup(f.Agent)
		if err != nil {
			return f, err
		}
		f.Agent = d.ID
	}
	return f, nil
}

func printLog(sh *shell.Shell, asJSON bool, lines []runner.LogLine, f runner.LogFilter) error {
	if asJSON {
		raw := make([]json.RawMessage, len(lines))
		for i := range lines {
			raw[i] = lines[i].Append(nil)
		}
		return sh.JSON(map[string]any{"schema": 1, "lines": raw})
	}
	if len(lines) == 0 {
		sh.Say("log: nothing recorded%s", filtered(f))
		sh.Hints([]string{
			"an event is recorded once a hook exists that could serve it: agents-hooks list",
			"whether agents call at all: agents-hooks doctor --probe",
		})
		return nil
	}
	p := eventlog.Printer{Shell: sh}
	for _, l := range lines {
		p.Print(l)
	}
	return nil
}

func filtered(f runner.LogFilter) string {
	if f.Session+f.Hook+f.Agent+f.Event != "" {
		return " that fits these flags"
	}
	return ""
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
