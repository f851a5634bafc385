package packs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/source"
	"github.com/agents-hooks/agents-hooks/pack/store"
)

// AddOptions are the arguments of [Add].
type AddOptions struct {
	PlaceOptions
	Request
	HowOptions
	Typed string // the source as typed
}

// Add shows a pack, asks, and installs its hooks.
func Add(ctx context.Context, sh *shell.Shell, o AddOptions) (*Plan, error) {
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
	pl, err := o.plan(ctx, sh, lock, temp)
	if ctx.Err() != nil {
		return nil, stopped("add")
	}
	if err != nil {
		return nil, err
	}
	if !o.JSON {
		pl.show(sh, o.PlaceOptions, o.User)
	}
	if o.asksNothing() {
		return pl, nil
	}
	if err := pl.asks(sh, o.Yes, "add", o.question(sh, pl), again(sh, "add", o)); err != nil {
		return nil, err
	}
	_, err = o.Apply(ctx, store.Change{Put: pl.pack.Folders, Now: sh.Host.Now(), Lock: func(now *lockfile.Lock) (*lockfile.Lock, error) {
		if err := pl.isFree(sh, o, now); err != nil {
			return nil, err
		}
		return now.With(pl.pin), nil
	}})
	if err != nil {
		return nil, clashHint(sh, fmt.Errorf("add: %w", err))
	}
	pl.Done = true
	if !o.JSON {
		pl.added(sh, o)
	}
	return pl, nil
}

// plan fetches the pack, looks at it and plays its tests.
func (o AddOptions) plan(ctx context.Context, sh *shell.Shell, lock *lockfile.Lock, temp string) (*Plan, error) {
	pl, err := fetch(ctx, sh, o.PlaceOptions, o.Request, temp)
	if err != nil {
		return nil, hinted(fmt.Errorf("add: %w", err))
	}
	if err := pl.isFree(sh, o, lock); err != nil {
		return nil, fmt.Errorf("add: %w", err)
	}
	if err := pl.look(ctx, sh, o.PlaceOptions, nil); err != nil {
		return nil, clashHint(sh, fmt.Errorf("add: %w", err))
	}
	if err := o.Free(pl.pack.Folders); err != nil {
		return nil, clashHint(sh, fmt.Errorf("add: %w", err))
	}
	pl.Changed = true
	pl.noteLocal(o.PlaceOptions)
	pl.try(ctx, sh, temp, o.Quick)
	return pl, nil
}

// stopped is the error of a verb that Ctrl-C ended before it wrote anything, whatever failed because of that.
func stopped(verb string) error { return fmt.Errorf("%s: %w, nothing changed", verb, shell.ErrStopped) }

// isFree returns an error for a pack whose name is taken.
func (pl *Plan) isFree(sh *shell.Shell, o AddOptions, lock *lockfile.Lock) error {
	if had := lock.Pack(pl.Pack); had != nil {
		hint := sh.Name + " add --as NAME gives this one another name"
		if had.Source == pl.Source && had.Dir == pl.Dir {
			hint = sh.Name + " update " + pl.Pack + o.word()
		}
		return shell.WithHint(fmt.Errorf("there is a pack %q already, from %s", pl.Pack, shell.Plain(had.Source)), hint)
	}
	return nil
}

// noteLocal names the sources in a lock that its other readers do not have.
func (pl *Plan) noteLocal(p PlaceOptions) {
	if !p.User && pl.at.Path != "" && !strings.HasPrefix(pl.Source, "./") {
		pl.Notes = append(pl.Notes, "hooks.lock will name a path of this machine: others can verify with --offline alone")
	}
}

func (o AddOptions) question(sh *shell.Shell, pl *Plan) string {
	what := text.Count(len(pl.pack.Folders), "hook")
	if o.User {
		return fmt.Sprintf("add %s to yours, and approve them as shown?", what)
	}
	return fmt.Sprintf("add %s to %s?", what, shell.Plain(sh.Short(o.Project)))
}

// again is the command line that asks no question.
func again(sh *shell.Shell, verb string, o AddOptions) string {
	words := []string{sh.Name, verb, sh.Word(o.Typed)}
	if o.User {
		words = append(words, "--user")
	}
	for _, a := range o.Agents {
		words = append(words, "--agent", a)
	}
	if o.Name != "" {
		words = append(words, "--as", o.Name)
	}
	return strings.Join(append(words, "--yes"), " ") + ", if you have looked at it"
}

// added says what was done, and what is left to do.
func (pl *Plan) added(sh *shell.Shell, o AddOptions) {
	sh.Printf("\nadded %s to %s, pinned in %s\n", text.Count(len(pl.pack.Folders), "hook"), shell.Plain(sh.Short(pl.To)), shell.Plain(sh.Short(o.Lock())))
	if !o.User {
		sh.Hints([]string{sh.Name + " trust shows them once more and asks: what a project brings runs once it is approved"})
	}
}

// hinted adds hints to an error of a fetch.
func hinted(err error) error {
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
