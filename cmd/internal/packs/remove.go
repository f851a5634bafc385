package packs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/store"
)

// RemoveOptions are the arguments of [Remove].
type RemoveOptions struct {
	PlaceOptions
	Name  string
	Force bool // changed folders may be removed; a copy is kept
	Yes   bool
}

// Removed is the result of [Remove]. Its JSON form is stable.
type Removed struct {
	Schema  int      `json:"schema"`
	Pack    string   `json:"pack"`
	Lock    string   `json:"lock"`
	Removed []string `json:"removed"` // folders
	Kept    []string `json:"kept"`    // copies of changed ones
}

// Remove removes a pack from a place.
func Remove(ctx context.Context, sh *shell.Shell, o RemoveOptions) (*Removed, error) {
	if err := sh.OnlyPerson("remove"); err != nil {
		return nil, err
	}
	lock, err := o.read(ctx, sh)
	if err != nil {
		return nil, err
	}
	list, err := chosen(sh, "remove", o.PlaceOptions, lock, []string{o.Name})
	if err != nil {
		return nil, err
	}
	had := list[0]
	if err := held(sh, o.PlaceOptions, had); err != nil {
		return nil, err
	}
	if !o.Yes && !shell.IsTerminal(sh.In) {
		return nil, shell.WithHint(errors.New("remove: there is no terminal to ask on, so nothing was changed"), sh.Name+" remove "+o.Name+o.word()+" --yes")
	}
	question := fmt.Sprintf("remove %s of the pack %s (%s) from %s?", text.Count(len(had.Hooks), "hook"), shell.Plain(o.Name), shell.Plain(strings.Join(had.Folders(), ", ")), shell.Plain(sh.Short(o.Hooks())))
	if err := sh.Confirm(o.Yes, question, "remove"); err != nil {
		return nil, err
	}
	kept, err := o.Apply(ctx, store.Change{Remove: had.Folders(), Force: o.Force, Now: sh.Host.Now(), Lock: func(now *lockfile.Lock) (*lockfile.Lock, error) {
		if is := now.Pack(o.Name); is == nil || !samePin(*is, had) {
			return nil, errors.New("hooks.lock was changed in the meantime; run the command again")
		}
		return now.Without(o.Name), nil
	}})
	if err != nil {
		return nil, fmt.Errorf("remove: %w", err)
	}
	return &Removed{1, o.Name, o.Lock(), had.Folders(), append([]string{}, kept...)}, nil
}

// held returns an error for a pack with a hook that a lock in hooks.toml protects.
func held(sh *shell.Shell, p PlaceOptions, had lockfile.Pack) error {
	for _, h := range hookset.All(sh.Host, p.From).Hooks {
		if filepath.Dir(h.Dir) == p.Hooks() && had.Hooks[filepath.Base(h.Dir)] != "" && h.Held != nil {
			return shell.WithHint(fmt.Errorf("remove: %s is locked by %s", h.Name, sh.Short(h.Held.At)), "if the lock is yours, remove it first")
		}
	}
	return nil
}
