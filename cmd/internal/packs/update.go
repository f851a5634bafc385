package packs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/source"
	"github.com/agents-hooks/agents-hooks/pack/store"
)

// UpdateOptions are the arguments of [Update].
type UpdateOptions struct {
	PlaceOptions
	HowOptions
	Names []string // of packs; none: all in the lock
	Ref   string   // the ref that the single pack follows from now on, "" for its current one
	Force bool     // changed folders may be replaced or removed; a copy is kept
}

// chosen are the named packs of a lock, all if none is named.
func chosen(sh *shell.Shell, verb string, p PlaceOptions, lock *lockfile.Lock, names []string) (list []lockfile.Pack, err error) {
	if len(names) == 0 {
		return lock.Packs, nil
	}
	for _, name := range names {
		had := lock.Pack(name)
		if had == nil {
			err := fmt.Errorf("%s: no pack %q in %s", verb, name, sh.Short(p.Lock()))
			if h := hookset.HookNamed(hookset.All(sh.Host, sh.Host.WorkDir), name); h != nil && h.Dir != "" {
				return nil, shell.WithHint(err, fmt.Sprintf("%s is a hook: its folder is %s, and agents-hooks disable %s switches it off", name, sh.Shown(h.Dir), name))
			}
			return nil, shell.WithHint(err, known(lock))
		}
		list = append(list, *had)
	}
	return list, nil
}

func known(lock *lockfile.Lock) string {
	var names []string
	for _, p := range lock.Packs {
		names = append(names, p.Name)
	}
	if len(names) == 0 {
		return "there is none: agents-hooks add brings one"
	}
	return "there are: " + strings.Join(names, ", ")
}

// Update updates packs one after another: a failure of one does not stop the others.
func Update(ctx context.Context, sh *shell.Shell, o UpdateOptions) (plans []*Plan, err error) {
	if !o.asksNothing() {
		if err := sh.OnlyPerson("update"); err != nil {
			return nil, err
		}
	}
	lock, err := o.read(ctx, sh)
	if err != nil {
		return nil, err
	}
	list, err := chosen(sh, "update", o.PlaceOptions, lock, o.Names)
	if err != nil {
		return nil, err
	}
	if o.Ref != "" && len(list) != 1 {
		return nil, shell.Usagef("update: --ref is for one pack: name it")
	}
	plans = []*Plan{} // not null in JSON
	if len(list) == 0 && !o.JSON {
		sh.Printf("no packs in %s\n", shell.Plain(sh.Short(o.Lock())))
	}
	var failed error
	for _, had := range list {
		pl, err := updateOne(ctx, sh, o, had)
		if err != nil {
			if len(list) == 1 || ctx.Err() != nil || errors.Is(err, shell.ErrInterrupted) {
				return plans, err
			}
			sh.Say("%v", err)
			if h, ok := errors.AsType[shell.Hinted](err); ok {
				sh.Hints(h.Hints)
			}
			failed = shell.ErrReported
			continue
		}
		plans = append(plans, pl)
	}
	return plans, failed
}

func updateOne(ctx context.Context, sh *shell.Shell, o UpdateOptions, had lockfile.Pack) (*Plan, error) {
	fail := func(err error) (*Plan, error) { return nil, fmt.Errorf("update %s: %w", had.Name, err) }
	ref := had.Ref
	if o.Ref != "" {
		ref = o.Ref
	}
	at, err := source.Locked(had.Source, had.Dir, ref, o.Here)
	if err != nil {
		return fail(err)
	}
	temp, drop, err := scratch()
	if err != nil {
		return fail(err)
	}
	defer drop()
	pl, err := o.plan(ctx, sh, had, at, temp)
	if ctx.Err() != nil {
		return nil, stopped("update " + had.Name)
	}
	if err != nil {
		return nil, err
	}
	change := pl.change(had)
	if pl.Changed = len(change.Put)+len(change.Remove) > 0; !pl.Changed {
		if samePin(pl.pin, had) {
			if !o.JSON {
				sh.Printf("%s is up to date%s\n", shell.Plain(pl.Pack), pl.noted())
			}
			return pl, nil
		}
	} else {
		pl.try(ctx, sh, temp, o.Quick)
		if !o.JSON {
			pl.show(sh, o.PlaceOptions, true)
		}
	}
	if ctx.Err() != nil {
		return nil, stopped("update " + had.Name)
	}
	if o.asksNothing() {
		return pl, nil
	}
	if i := slices.IndexFunc(pl.Hooks, func(h hook) bool { return h.Edited }); i >= 0 && !o.Force {
		return nil, shell.WithHint(fmt.Errorf("update %s: nothing was changed: %s was edited here since it was added", had.Name, pl.Hooks[i].Folder),
			sh.Name+" update "+had.Name+o.word()+" --force takes it back to the pack's, and keeps a copy")
	}
	if pl.Changed {
		if err := pl.asks(sh, o.Yes, "update", o.question(sh, pl), sh.Name+" update "+had.Name+o.word()+" --yes, if you have looked at it"); err != nil {
			return nil, err
		}
	}
	change.Now, change.Force = sh.Host.Now(), o.Force
	kept, err := o.Apply(ctx, change)
	for _, dir := range kept {
		sh.Say("update %s: what was changed here is kept in %s", had.Name, sh.Short(dir))
	}
	if err != nil {
		_, err := fail(err)
		return nil, clashHint(sh, err)
	}
	pl.Done = true
	if !o.JSON {
		pl.updated(sh, o)
	}
	return pl, nil
}

// plan fetches a pack anew and looks at it.
func (o UpdateOptions) plan(ctx context.Context, sh *shell.Shell, had lockfile.Pack, at source.Source, temp string) (*Plan, error) {
	pl, err := fetch(ctx, sh, o.PlaceOptions, Request{At: at, was: &had, Agents: had.Agents}, temp)
	if err != nil {
		return nil, hinted(fmt.Errorf("update %s: %w", had.Name, err))
	}
	pl.rewritten(ctx, sh, had, temp)
	if err := pl.look(ctx, sh, o.PlaceOptions, &had); err != nil {
		return nil, clashHint(sh, fmt.Errorf("update %s: %w", had.Name, err))
	}
	return pl, nil
}

// change is what an update does to the hooks folder.
func (pl *Plan) change(had lockfile.Pack) store.Change {
	var c store.Change
	for i, h := range pl.Hooks {
		switch h.Change {
		case isNew, isChanged:
			c.Put = append(c.Put, pl.pack.Folders[slices.IndexFunc(pl.pack.Folders, func(f pack.Folder) bool { return f.Name == pl.Hooks[i].Folder })])
		case isGone:
			c.Remove = append(c.Remove, h.Folder)
		}
	}
	c.Lock = func(now *lockfile.Lock) (*lockfile.Lock, error) {
		if is := now.Pack(had.Name); is == nil || !samePin(*is, had) {
			return nil, errors.New("hooks.lock was changed in the meantime; run the command again")
		}
		return now.With(pl.pin), nil
	}
	return c
}

// samePin reports whether two pins are equal.
func samePin(a, b lockfile.Pack) bool {
	one, two := lockfile.Lock{Packs: []lockfile.Pack{a}}, lockfile.Lock{Packs: []lockfile.Pack{b}}
	return string(one.Format()) == string(two.Format())
}

// rewritten reports a branch that was rewritten, or a tag that moved, since the pin.
func (pl *Plan) rewritten(ctx context.Context, sh *shell.Shell, had lockfile.Pack, temp string) {
	if had.Commit == "" || pl.Commit == had.Commit || pl.Ref != had.Ref {
		return
	}
	if pl.refKind == source.Tag {
		pl.Notes = append(pl.Notes, fmt.Sprintf("the tag %s was moved: it was at %.12s and is at %.12s now", pl.Ref, had.Commit, pl.Commit))
		return
	}
	t, err := tools(sh)
	if err != nil {
		return
	}
	t.Temp = temp
	if descends, err := pl.at.Descends(ctx, t, had.Commit, pl.Commit); err == nil && !descends {
		pl.Notes = append(pl.Notes, fmt.Sprintf("its branch was rewritten: the pinned commit %.12s is not in the history of %.12s", had.Commit, pl.Commit))
	}
}

func (pl *Plan) noted() string {
	if len(pl.Notes) == 0 {
		return ""
	}
	return " (" + shell.Plain(strings.Join(pl.Notes, "; ")) + ")"
}

func (o UpdateOptions) question(sh *shell.Shell, pl *Plan) string {
	n := 0
	for _, h := range pl.Hooks {
		if h.Change != isSame {
			n++
		}
	}
	if o.User {
		return fmt.Sprintf("change %s of yours, and approve them as shown?", text.Count(n, "hook"))
	}
	return fmt.Sprintf("change %s of %s?", text.Count(n, "hook"), shell.Plain(sh.Short(o.Project)))
}

func (pl *Plan) updated(sh *shell.Shell, o UpdateOptions) {
	if !pl.Changed {
		sh.Printf("%s has the same bytes, its pin follows%s\n", shell.Plain(pl.Pack), pl.noted())
		return
	}
	sh.Printf("\nupdated %s in %s\n", shell.Plain(pl.Pack), shell.Plain(sh.Short(pl.To)))
	if !o.User {
		sh.Hints([]string{sh.Name + " trust: what changed waits for your approval"})
	}
}
