package record

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func recordCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "record",
		Usage: "record what agents send and are told, for replay",
		Description: "Off until you say on, for one project at a time. What agents send in it\n" +
			"and what they are answered is then kept in your state directory, never in the\n" +
			"repository: prompts, commands, file contents. What looks like a secret is\n" +
			"redacted first; look before you give a recording to anybody. --share\n" +
			"writes what an issue about an agent needs, without what was said in it: its\n" +
			"version, what it sent that is not known here, and of what the newest recorded\n" +
			"events are made.",
		Flags: []cli.Flag{
			cli.Offer(&cli.StringFlag{Name: "share", Usage: "write a `FILE` for an issue: structure, no paths and no prompts"}, shell.Files),
			cli.Offer(&cli.StringFlag{Name: "project", Usage: "the project that contains `DIR` instead of this one"}, shell.Folders),
		},
		Action: func(c *cli.Context) error {
			o, err := readRecord(sh, c)
			if err != nil {
				return err
			}
			if !c.IsSet("share") {
				return c.Help()
			}
			return shareInto(sh, c.String("share"), o)
		},
		Subcommands: []*cli.Command{
			recordWord(sh, turnOn, &cli.Command{Name: "on", Usage: "start recording the sessions of this project"}),
			recordWord(sh, turnOff, &cli.Command{Name: "off", Usage: "stop recording; recordings are kept"}),
			recordWord(sh, look, &cli.Command{Name: "status", Usage: "say whether it is on, and what was recorded", Description: "Names each recorded session, as replay takes it."}),
			recordWord(sh, forget, &cli.Command{Name: "clear", Usage: "delete what was recorded, after asking", Flags: []cli.Flag{
				&cli.BoolFlag{Name: "all", Usage: "of all projects"},
				&cli.BoolFlag{Name: "yes", Usage: "do not ask"},
			}}),
		},
	}
}

// recordWord is a command about one project's recordings: it changes them, and then shows their
// state.
func recordWord(sh *shell.Shell, do func(record.Store, recordOptions) (done string, err error), c *cli.Command) *cli.Command {
	c.Flags = append(c.Flags, cli.Offer(&cli.StringFlag{Name: "project", Usage: "the project that contains `DIR` instead of this one"}, shell.Folders), shell.JSONFlag())
	c.Action = func(c *cli.Context) error {
		o, err := readRecord(sh, c)
		if err != nil {
			return err
		}
		store := record.Store{State: sh.Host.State}
		if c.Command.Name == "clear" {
			if err := mayForget(sh, store, o, c.Bool("yes")); err != nil {
				return err
			}
		}
		done, err := do(store, o)
		if err != nil {
			return err
		}
		if done != "" && !o.json {
			sh.Printf("%s\n", done)
		}
		s, err := statusOf(store, o.root)
		if err != nil {
			return err
		}
		return sh.Answer(o.json, s, func() { printStatus(sh, s) })
	}
	return c
}

type recordOptions struct {
	root string // the project's
	all  bool   // all projects
	now  time.Time
	json bool
}

func readRecord(sh *shell.Shell, c *cli.Context) (recordOptions, error) {
	o := recordOptions{now: sh.Host.Now(), all: c.Bool("all"), json: c.Bool("json")}
	dir := sh.Host.WorkDir
	if c.IsSet("project") {
		var err error
		if dir, err = sh.Folder(shell.CommandName(c)+": --project", c.String("project")); err != nil {
			return o, err
		}
	}
	if _, o.root = discovery.FindProject(dir, sh.Host.Home); o.root == "" {
		err := fmt.Errorf("%s: %w", shell.CommandName(c), host.ErrGone)
		return o, shell.WithHint(err, "cd to the project, or agents-hooks "+shell.CommandName(c)+" --project DIR")
	}
	if o.all && c.IsSet("project") {
		return o, shell.Usagef("record clear: --all and --project cannot be used together")
	}
	return o, nil
}

// What the subcommands do to the recordings, and what they tell the user.

func turnOn(store record.Store, o recordOptions) (done string, err error) {
	if err := store.Start(o.root, o.now); err != nil {
		return "", fmt.Errorf("record on: %w", err)
	}
	return "", nil
}

func turnOff(store record.Store, o recordOptions) (done string, err error) {
	if err := store.Stop(o.root); err != nil {
		return "", fmt.Errorf("record off: %w", err)
	}
	return "", nil
}

func look(record.Store, recordOptions) (done string, err error) { return "", nil }

// mayForget asks before recordings are deleted for good: which, and how many.
func mayForget(sh *shell.Shell, store record.Store, o recordOptions, yes bool) error {
	roots, err := meant(store, o)
	if err != nil {
		return err
	}
	list, err := store.Projects()
	if err != nil {
		return fmt.Errorf("record clear: %w", err)
	}
	sessions, size, names := 0, int64(0), []string{}
	for _, p := range list {
		if len(p.Sessions) > 0 && slices.Contains(roots, p.Root) {
			sessions, size, names = sessions+len(p.Sessions), size+p.Bytes(), append(names, sh.Short(p.Root))
		}
	}
	if sessions == 0 {
		return nil
	}
	return sh.Confirm(yes, fmt.Sprintf("Delete %s (%s) of %s?", text.Count(sessions, "recorded session"), shell.Size(size), strings.Join(names, ", ")), "record clear")
}

// meant are the projects whose recordings will be deleted.
func meant(store record.Store, o recordOptions) (roots []string, err error) {
	if !o.all {
		return []string{o.root}, nil
	}
	list, err := store.Projects()
	if err != nil {
		return nil, fmt.Errorf("record clear: %w", err)
	}
	for _, p := range list {
		roots = append(roots, p.Root)
	}
	return roots, nil
}

func forget(store record.Store, o recordOptions) (done string, err error) {
	roots, err := meant(store, o)
	if err != nil {
		return "", err
	}
	deleted := 0
	for _, root := range roots {
		n, err := store.Clear(root)
		if err != nil {
			return "", fmt.Errorf("record clear: %w", err)
		}
		deleted += n
	}
	return "deleted: " + text.Count(deleted, "session"), nil
}
