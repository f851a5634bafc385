package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/replay"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

func replayCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "play recorded events through the current hooks",
		ArgsUsage: "FILE...",
		Description: "Plays what record kept, or an agent's bare payload, through the hooks that\n" +
			"are there now, and shows where an answer would be another one. The hooks run\n" +
			"for real: what they write, send or start is written, sent and started. Only\n" +
			"async hooks are not started, and what we remember ourselves (loop guard,\n" +
			"run log, a hook's state directory) is a copy that is thrown away.\n\n" +
			"A project's hooks run if they are trusted. Exit 0 if all is the same, 1 if\n" +
			"something differs.",
		Complete: shell.Each(recordings(sh)),
		Flags: []cli.Flag{
			cli.Offer(&cli.StringFlag{Name: "agent", Usage: "play as if from the agent `ID`, as far as it has these events"}, agentarg.Words),
			cli.Offer(&cli.StringFlag{Name: "from", Usage: "bare payloads come from the agent `ID`"}, agentarg.Words),
			cli.Offer(&cli.StringFlag{Name: "event", Usage: "the `NATIVE` name of a bare payload, if not in it"}, eventarg.NativeWords),
			cli.Offer(&cli.StringFlag{Name: "dir", Aliases: []string{"C"}, Usage: "play as if in `DIR` instead of where it happened"}, shell.Folders),
			cli.Offer(&cli.StringFlag{Name: "trust", Usage: "project hooks need no approval (`always`)"}, shell.Fixed("always")),
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readReplay(sh, c)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(c.Context, os.Interrupt)
			defer stop()
			r, err := play(ctx, sh, o)
			if err != nil {
				return err
			}
			return errors.Join(sh.Answer(o.json, r, func() { printReplay(sh, r) }), failure(r))
		},
	}
}

type replayOptions struct {
	replay.Options
	files []string
	json  bool
}

func readReplay(sh *shell.Shell, c *cli.Context) (o replayOptions, err error) {
	o.Native, o.Trust, o.json = c.String("event"), c.String("trust") == "always", c.Bool("json")
	words, err := shell.Args(c, 1, -1, "at least one file; agents-hooks record status names what was recorded")
	if err != nil {
		return o, err
	}
	if err := (eventarg.Options{Command: "replay", Native: o.Native}).Named(); err != nil {
		return o, err
	}
	if id := c.String("agent"); id != "" {
		if o.As, err = agentarg.LookupFormat(id); err != nil {
			return o, err
		}
	}
	if id := c.String("from"); id != "" {
		if o.From, err = agentarg.LookupFormat(id); err != nil {
			return o, err
		}
	}
	if c.IsSet("dir") {
		if o.Dir, err = hookset.LookFrom(sh, c); err != nil {
			return o, err
		}
	}
	if c.IsSet("trust") && !o.Trust {
		return o, shell.Usagef("replay: --trust %q: want \"always\"", c.String("trust"))
	}
	for _, word := range words {
		path, err := sh.Abs(word)
		if err != nil {
			return o, fmt.Errorf("replay: %w", err)
		}
		o.files = append(o.files, path)
	}
	return o, nil
}

// play plays the files; problems that do not end the command are reported at once.
func play(ctx context.Context, sh *shell.Shell, o replayOptions) (*replay.Result, error) {
	o.Warn = func(err error) { sh.Say("replay: %v", err) }
	r, err := replay.Files(ctx, sh.Host, o.files, o.Options)
	switch {
	case err != nil:
		return nil, fmt.Errorf("replay: %w", err)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("replay: %w", shell.ErrStopped)
	}
	return r, nil
}

// failure makes the command fail.
func failure(r *replay.Result) error {
	switch {
	case r.Differs > 0:
		return shell.ErrReported
	case r.Same+r.New == 0:
		return errors.New("replay: none of these events could be played")
	}
	return nil
}

// recordings completes a file: this project's recordings, or any other file.
func recordings(sh *shell.Shell) cli.Words {
	return func(cli.Line) (list []cli.Suggestion, kind cli.Kind) {
		_, root := discovery.FindProject(sh.Host.WorkDir, sh.Host.Home)
		p, err := record.Store{State: sh.Host.State}.Project(root)
		if err != nil {
			return nil, cli.FileNames
		}
		for _, s := range p.Sessions {
			name := strings.TrimSuffix(filepath.Base(s.Path), ".jsonl")
			list = append(list, cli.Suggestion{Word: s.Path, Text: name + ", " + s.Last.Local().Format(time.DateTime)})
		}
		return list, cli.FileNames
	}
}
