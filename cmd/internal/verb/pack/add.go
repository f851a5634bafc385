package pack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/source"
	"github.com/agents-hooks/agents-hooks/pack/store"
)

func addCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "add",
		Usage:        "add somebody's hooks, pinned by their bytes",
		ArgsUsage:    "SOURCE[@REF][//DIR]",
		BashComplete: shell.Arguments(shell.First(shell.Folders)),
		Description: "SOURCE is a git repository (https://…, ssh://…, user@host:path, file:///…,\n" +
			"owner/name on GitHub), a .tar.gz (https or a path) or a folder, of hook folders\n" +
			"or of a plugin of an agent; REF a branch, tag or commit; DIR a folder in it. It\n" +
			"shows what the pack will do, plays its tests and the hostile ones in a sandbox,\n" +
			"and asks; then the folders are put into this project's .agents/hooks, all or\n" +
			"none, and pinned in hooks.lock.\n" +
			"There they wait for agents-hooks trust; with --user a yes is the approval.",
		Flags: []cli.Flag{
			userFlag(),
			&cli.StringFlag{Name: "as", Usage: "call the pack `NAME`"},
			shell.Offer(&cli.StringSliceFlag{Name: "agent", Usage: "with --user: for the agent `ID` alone, several times for more"}, agentarg.Words),
			&cli.StringFlag{Name: "key", Usage: "the minisign `KEY` that has to have signed it"},
			&cli.BoolFlag{Name: "show", Usage: "only show, change nothing"},
			&cli.BoolFlag{Name: "no-test", Usage: "do not play its tests"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "add without asking"},
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readAdd(sh, c)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(c.Context)
			defer stop()
			pl, err := add(ctx, sh, o)
			if pl != nil && o.json {
				err = errors.Join(err, sh.JSON(pl))
			}
			return err
		},
	}
}

type addOptions struct {
	placeOptions
	request
	typed string // the source as it was typed
	show  bool
	quick bool // without tests
	yes   bool
	json  bool
}

// asksNothing reports whether a command only shows: with --json nobody is asked.
func (o addOptions) asksNothing() bool { return o.show || o.json && !o.yes }

func readAdd(sh *shell.Shell, c *cli.Context) (o addOptions, err error) {
	words, err := shell.Args(c, 1, 1, "a source")
	if err != nil {
		return o, err
	}
	o = addOptions{typed: words[0], show: c.Bool("show"), quick: c.Bool("no-test"), yes: c.Bool("yes"), json: c.Bool("json")}
	if o.placeOptions, err = placeOf(sh, c); err != nil {
		return o, err
	}
	for _, id := range shell.SplitCommas(c.StringSlice("agent")) {
		d, err := agentarg.Lookup(id)
		if err != nil {
			return o, err
		}
		o.agents = append(o.agents, d.ID)
	}
	slices.Sort(o.agents)
	if o.at, err = source.Parse(words[0], o.here); errors.Is(err, fs.ErrNotExist) {
		_, fix := sh.Wrong(err)
		return o, shell.WithHint(fmt.Errorf("add: %v", err), fix)
	} else if err != nil {
		return o, shell.WithHint(shell.Usagef("add: %v", err), sh.Name+" add --help")
	}
	if o.name, o.key = c.String("as"), c.String("key"); o.name != "" && !lockfile.ValidName(o.name) {
		return o, shell.Usagef("add: --as: %q can be no name of a pack", o.name)
	}
	if o.key != "" {
		if _, err := pack.ParseKey(o.key); err != nil {
			return o, shell.Usagef("add: --key: %v", err)
		}
	}
	if o.agents = slices.Compact(o.agents); len(o.agents) > 0 && !o.user {
		return o, shell.WithHint(shell.Usagef("add: --agent goes with --user: what a project's lock says keeps no hook from running"),
			sh.Name+" disable --project --agent AGENT NAME leaves a hook of the project out of an agent")
	}
	return o, nil
}

// add shows a pack, asks, and puts its hooks where they belong.
func add(ctx context.Context, sh *shell.Shell, o addOptions) (*plan, error) {
	if !o.asksNothing() {
		if err := sh.OnlyPerson("add"); err != nil {
			return nil, err
		}
	}
	lock, err := o.read(ctx, sh)
	if err != nil {
		return nil, err
	}
	temp, drop, err := scratch()
	if err != nil {
		return nil, err
	}
	defer drop()
	pl, err := fetch(ctx, sh, o.placeOptions, o.request, temp)
	if err != nil {
		return nil, hinted(sh, fmt.Errorf("add: %w", err))
	}
	if err := pl.isFree(sh, o, lock); err != nil {
		return nil, fmt.Errorf("add: %w", err)
	}
	if err := pl.look(ctx, sh, o.placeOptions, nil); err != nil {
		return nil, clashHint(sh, pl, fmt.Errorf("add: %w", err))
	}
	if err := o.Free(pl.pack.Folders); err != nil {
		return nil, clashHint(sh, pl, fmt.Errorf("add: %w", err))
	}
	pl.Changed = true
	pl.noteLocal(o.placeOptions)
	pl.try(ctx, sh, temp, o.quick)
	if ctx.Err() != nil {
		return nil, errors.New("add: interrupted, nothing changed")
	}
	if !o.json {
		pl.show(sh, o.placeOptions, o.user)
	}
	if o.asksNothing() {
		return pl, nil
	}
	if err := pl.asks(sh, o.yes, "add", o.question(sh, pl), again(sh, "add", o)); err != nil {
		return nil, err
	}
	_, err = o.Apply(ctx, store.Change{Put: pl.pack.Folders, Now: sh.Host.Now(), Lock: func(now *lockfile.Lock) (*lockfile.Lock, error) {
		if err := pl.isFree(sh, o, now); err != nil {
			return nil, err
		}
		return now.With(pl.pin), nil
	}})
	if err != nil {
		return nil, clashHint(sh, pl, fmt.Errorf("add: %w", err))
	}
	pl.Done = true
	if !o.json {
		pl.added(sh, o)
	}
	return pl, nil
}

// isFree is an error for a pack whose name is taken.
func (pl *plan) isFree(sh *shell.Shell, o addOptions, lock *lockfile.Lock) error {
	if had := lock.Pack(pl.Pack); had != nil {
		hint := sh.Name + " add --as NAME gives this one another name"
		if had.Source == pl.Source && had.Dir == pl.Dir {
			hint = sh.Name + " update " + pl.Pack + o.word()
		}
		return shell.WithHint(fmt.Errorf("there is a pack %q already, from %s", pl.Pack, shell.Plain(had.Source)), hint)
	}
	return nil
}

// noteLocal says what a lock that others read will name and they do not have.
func (pl *plan) noteLocal(p placeOptions) {
	if !p.user && pl.at.Path != "" && !strings.HasPrefix(pl.Source, "./") {
		pl.Notes = append(pl.Notes, "hooks.lock will name a path of this machine: others can verify with --offline alone")
	}
}

func (o addOptions) question(sh *shell.Shell, pl *plan) string {
	what := text.Count(len(pl.pack.Folders), "hook")
	if o.user {
		return fmt.Sprintf("add %s to yours, and approve them as shown?", what)
	}
	return fmt.Sprintf("add %s to %s?", what, shell.Plain(sh.Short(o.project)))
}

// again is the command line that asks nobody.
func again(sh *shell.Shell, verb string, o addOptions) string {
	words := []string{sh.Name, verb, text.ShellQuote(o.typed)}
	if o.user {
		words = append(words, "--user")
	}
	for _, a := range o.agents {
		words = append(words, "--agent", a)
	}
	if o.name != "" {
		words = append(words, "--as", o.name)
	}
	return strings.Join(append(words, "--yes"), " ") + ", if you have looked at it"
}

// added says what was done, and what is left to do.
func (pl *plan) added(sh *shell.Shell, o addOptions) {
	sh.Printf("\nadded %s to %s, pinned in %s\n", text.Count(len(pl.pack.Folders), "hook"), shell.Plain(sh.Short(pl.To)), shell.Plain(sh.Short(o.Lock())))
	if !o.user {
		sh.Hints([]string{sh.Name + " trust shows them once more and asks: what a project brings runs once it is approved"})
	}
}

// hinted adds what to do to an error of a fetch.
func hinted(sh *shell.Shell, err error) error {
	switch {
	case errors.Is(err, source.ErrNoGit):
		return shell.WithHint(err, "install git, or take a .tar.gz or a folder")
	case errors.Is(err, source.ErrNoRef):
		return shell.WithHint(err, "git ls-remote shows branches and tags")
	case errors.Is(err, source.ErrGone):
		return shell.WithHint(err, "look at the address, the network, and what git asks to log in")
	case errors.Is(err, source.ErrTooBig):
		return shell.WithHint(err, "a pack is a small folder: name it with //DIR, or take a .tar.gz of it")
	}
	if _, ok := errors.AsType[*pack.Refusal](err); ok {
		return shell.WithHint(err, "nothing was written; tell its author")
	}
	return err
}
