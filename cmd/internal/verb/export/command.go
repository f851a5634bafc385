// Package export is the export command: where the run log is sent, whether that works, and
// sending it now.
package export

import (
	"context"
	"fmt"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/otlp"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// Command is the export command.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "export",
		Usage: "what hooks did, as traces for an OpenTelemetry collector",
		Description: "Says where the run log is sent to and how that goes. It is sent by a process\n" +
			"of its own once hooks.toml has an address; no event waits for it:\n\n" +
			"   [export]\n   otlp = \"http://localhost:4318\"\n\n" +
			"--to writes that, and --take-over what your OTEL_EXPORTER_OTLP_ variables say:\n" +
			"the process that sends runs without them.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "once", Usage: "send now, and wait until it is done"},
			&cli.StringFlag{Name: "to", Usage: "write `ADDRESS` of a collector into your hooks.toml"},
			&cli.BoolFlag{Name: "take-over", Usage: "write address and headers of your variables there, unasked"},
			&cli.BoolFlag{Name: "worker", Hidden: true},
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o := exportOptions{c.Bool("once"), c.Bool("worker"), c.Bool("json"), c.String("to"), c.Bool("take-over")}
			set := discovery.LoadSettings(sh.Host.Sources(), sh.Host.State).Settings.Export
			if o.to != "" || o.takeOver {
				if err := point(sh, set, o); err != nil {
					return err
				}
				set = discovery.LoadSettings(sh.Host.Sources(), sh.Host.State).Settings.Export
			}
			switch {
			case o.worker && set == nil:
				return nil
			case o.worker:
				return worker(sh, set).Work(c.Context)
			case o.once:
				return once(c.Context, sh, set, o)
			}
			to := ""
			if set != nil {
				to = target(sh, set).Shown()
			}
			s, err := otlp.Look(sh.Host.State, to, sh.Host.Now())
			if err != nil {
				return fmt.Errorf("export: %w", err)
			}
			return tell(sh, set, s, o)
		},
	}
}

type exportOptions struct {
	once, worker, json bool
	to                 string // a collector to be written into the settings
	takeOver           bool   // and what the user's variables say, without asking
}

func worker(sh *shell.Shell, e *discovery.Export) *otlp.Worker {
	return &otlp.Worker{State: sh.Host.State, Now: sh.Host.Now, Target: target(sh, e)}
}

func target(sh *shell.Shell, e *discovery.Export) otlp.Target {
	return otlp.Target{
		Address: e.OTLP, Headers: e.Headers, Contents: e.Contents, Proxy: e.Proxy, CAFile: e.CAFile,
		Env: sh.Host.Getenv, Version: shell.ProgramVersion(),
	}
}

// once sends now, and prints the result.
func once(ctx context.Context, sh *shell.Shell, e *discovery.Export, o exportOptions) error {
	if e == nil {
		return nowhere(sh)
	}
	t := target(sh, e)
	if err := worker(sh, e).Once(ctx); err != nil {
		return shell.WithHint(fmt.Errorf("export: %s: %w", t.Shown(), err), "nothing is lost: it is sent once that is fixed, as long as the log is kept")
	}
	s, err := otlp.Look(sh.Host.State, t.Shown(), sh.Host.Now())
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return tell(sh, e, s, o)
}

func nowhere(sh *shell.Shell) error {
	return shell.WithHint(fmt.Errorf("export: no collector is named"), "agents-hooks export --to http://localhost:4318 writes one into "+sh.Short(sh.Host.Config)+"/hooks.toml")
}

// tell prints the state of the export.
func tell(sh *shell.Shell, e *discovery.Export, s otlp.Status, o exportOptions) error {
	if e != nil {
		s.Address = target(sh, e).Shown()
		s.Contents = e.Contents
	}
	if o.json {
		return sh.JSON(s)
	}
	if e == nil {
		sh.Printf("nothing is exported: no hooks.toml of yours has [export] otlp\n")
		hintUnread(sh, e)
		return nil
	}
	line := func(label, format string, args ...any) { sh.Printf("%-9s %s\n", label, fmt.Sprintf(format, args...)) }
	line("to", "%s (%s)", shell.Plain(s.Address), sh.Short(e.At))
	what := "names, verdicts and times"
	if e.Contents {
		what += ", and contents: reasons, warnings, inputs where the log has them"
	}
	line("what", "%s", what)
	sent := "nothing yet"
	if s.LastOK != nil {
		sent = fmt.Sprintf("%d spans, the last %s", s.Spans, s.LastOK.Local().Format(time.DateTime))
	}
	line("sent", "%s", sent)
	if s.Rejected+s.Dropped > 0 {
		line("left out", "%d spans that the collector rejected, %d lines that it would not take", s.Rejected, s.Dropped)
	}
	waits := fmt.Sprint(s.Waiting)
	if s.Waiting == otlp.MostCounted {
		waits = fmt.Sprintf("more than %d", s.Waiting)
	}
	line("waiting", "%s lines of the log, %d open sessions", waits, s.Open)
	if s.Error != "" {
		since := ""
		if s.FailingSince != nil {
			since = " (first " + s.FailingSince.Local().Format(time.DateTime) + ")"
		}
		line("failing", "%s%s", shell.Plain(s.Error), since)
		sh.Hints([]string{"agents-hooks export --once tries now"})
	}
	hintUnread(sh, e)
	return nil
}
