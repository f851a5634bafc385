package pack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/pack/source"
	"github.com/agents-hooks/agents-hooks/pack/store"
)

func updateCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "update",
		Usage:        "bring packs up to date, and show what changes",
		ArgsUsage:    "[NAME...]",
		BashComplete: shell.Arguments(packWords(sh)),
		Description: "Fetches each pack of hooks.lock anew, at its branch or tag, shows what is\n" +
			"different, plays the tests of what changed in a sandbox, and asks. The agents\n" +
			"that a pack is for stay. In a project what changed waits for an approval.",
		Flags: []cli.Flag{
			userFlag(),
			&cli.StringFlag{Name: "ref", Usage: "from now on at this branch, tag or commit `REF`"},
			&cli.BoolFlag{Name: "show", Usage: "only show, change nothing"},
			&cli.BoolFlag{Name: "no-test", Usage: "do not play tests"},
			&cli.BoolFlag{Name: "force", Usage: "replace what somebody changed here; a copy is kept"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "update without asking"},
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			p, err := placeOf(sh, c)
			if err != nil {
				return err
			}
			o := updateOptions{placeOptions: p, names: c.Args().Slice(), ref: c.String("ref"), show: c.Bool("show"), quick: c.Bool("no-test"), force: c.Bool("force"), yes: c.Bool("yes"), json: c.Bool("json")}
			ctx, stop := interruptible(c.Context)
			defer stop()
			plans, err := update(ctx, sh, o)
			if o.json && plans != nil {
				err = errors.Join(err, sh.JSON(map[string]any{"schema": 1, "lock": o.Lock(), "packs": plans}))
			}
			return err
		},
	}
}

type updateOptions struct {
	placeOptions
	names []string
	ref   string
	show  bool
	quick bool
	force bool
	yes   bool
	json  bool
}

func (o updateOptions) asksNothing() bool { return o.show || o.json && !o.yes }

// chosen are the packs of a lock that are named, all if none is.
func chosen(sh *shell.Shell, verb string, p placeOptions, lock *lockfile.Lock, names []string) (list []lockfile.Pack, err error) {
	if len(names) == 0 {
		return lock.Packs, nil
	}
	for _, name := range names {
		had := lock.Pack(name)
		if had == nil {
			return nil, shell.WithHint(fmt.Errorf("%s: no pack %q in %s", verb, name, sh.Short(p.Lock())), known(lock))
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

// packWords completes the name of a pack of here.
func packWords(sh *shell.Shell) shell.Words {
	return func(shell.Line) (list []shell.Suggestion, kind shell.Kind) {
		for _, agents := range placesHere(sh) {
			lock, err := agents.Read()
			if err != nil {
				continue
			}
			for _, p := range lock.Packs {
				list = append(list, shell.Suggestion{Word: p.Name, Text: p.Source})
			}
		}
		return list, ""
	}
}

// update brings packs up to date, one after the other: what fails of one keeps no
// other back.
func update(ctx context.Context, sh *shell.Shell, o updateOptions) (plans []*plan, err error) {
	if !o.asksNothing() {
		if err := sh.OnlyPerson("update"); err != nil {
			return nil, err
		}
	}
	lock, err := o.read(ctx, sh)
	if err != nil {
		return nil, err
	}
	list, err := chosen(sh, "update", o.placeOptions, lock, o.names)
	if err != nil {
		return nil, err
	}
	if o.ref != "" && len(list) != 1 {
		return nil, shell.Usagef("update: --ref is for one pack: name it")
	}
	plans = []*plan{}
	if len(list) == 0 && !o.json {
		sh.Printf("no packs in %s\n", shell.Plain(sh.Short(o.Lock())))
	}
	var failed error
	for _, had := range list {
		pl, err := updateOne(ctx, sh, o, had)
		if err != nil {
			if len(list) == 1 {
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

func updateOne(ctx context.Context, sh *shell.Shell, o updateOptions, had lockfile.Pack) (*plan, error) {
	fail := func(err error) (*plan, error) { return nil, fmt.Errorf("update %s: %w", had.Name, err) }
	ref := had.Ref
	if o.ref != "" {
		ref = o.ref
	}
	at, err := source.Locked(had.Source, had.Dir, ref, o.here)
	if err != nil {
		return fail(err)
	}
	temp, drop, err := scratch()
	if err != nil {
		return fail(err)
	}
	defer drop()
	pl, err := fetch(ctx, sh, o.placeOptions, request{at: at, was: &had, agents: had.Agents}, temp)
	if err != nil {
		_, err := fail(err)
		return nil, hinted(sh, err)
	}
	pl.rewritten(ctx, sh, had, temp)
	if err := pl.look(ctx, sh, o.placeOptions, &had); err != nil {
		_, err := fail(err)
		return nil, clashHint(sh, pl, err)
	}
	change := pl.change(had)
	if pl.Changed = len(change.Put)+len(change.Remove) > 0; !pl.Changed {
		if samePin(pl.pin, had) {
			if !o.json {
				sh.Printf("%s is up to date%s\n", shell.Plain(pl.Pack), pl.noted())
			}
			return pl, nil
		}
	} else {
		pl.try(ctx, sh, temp, o.quick)
		if !o.json {
			pl.show(sh, o.placeOptions, true)
		}
	}
	if ctx.Err() != nil {
		return fail(errors.New("interrupted, nothing changed"))
	}
	if o.asksNothing() {
		return pl, nil
	}
	if i := slices.IndexFunc(pl.Hooks, func(h hook) bool { return h.Edited }); i >= 0 && !o.force {
		return nil, shell.WithHint(fmt.Errorf("update %s: nothing is changed: %s was changed here since it was added", had.Name, pl.Hooks[i].Folder),
			sh.Name+" update "+had.Name+o.word()+" --force takes it back to the pack's, and keeps a copy")
	}
	if pl.Changed {
		if err := pl.asks(sh, o.yes, "update", o.question(sh, pl), sh.Name+" update "+had.Name+o.word()+" --yes, if you have looked at it"); err != nil {
			return nil, err
		}
	}
	change.Now, change.Force = sh.Host.Now(), o.force
	kept, err := o.Apply(ctx, change)
	for _, dir := range kept {
		sh.Say("update %s: what was changed here is kept in %s", had.Name, sh.Short(dir))
	}
	if err != nil {
		_, err := fail(err)
		return nil, clashHint(sh, pl, err)
	}
	pl.Done = true
	if !o.json {
		pl.updated(sh, o)
	}
	return pl, nil
}

// change is what an update does to the hooks folder.
func (pl *plan) change(had lockfile.Pack) store.Change {
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
			return nil, errors.New("somebody changed hooks.lock in between; call it once more")
		}
		return now.With(pl.pin), nil
	}
	return c
}

// samePin reports whether two pins say the same.
func samePin(a, b lockfile.Pack) bool {
	one, two := lockfile.Lock{Packs: []lockfile.Pack{a}}, lockfile.Lock{Packs: []lockfile.Pack{b}}
	return string(one.Format()) == string(two.Format())
}

// rewritten says where a branch was rewritten or a tag moved since the pin.
func (pl *plan) rewritten(ctx context.Context, sh *shell.Shell, had lockfile.Pack, temp string) {
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

func (pl *plan) noted() string {
	if len(pl.Notes) == 0 {
		return ""
	}
	return " (" + shell.Plain(strings.Join(pl.Notes, "; ")) + ")"
}

func (o updateOptions) question(sh *shell.Shell, pl *plan) string {
	n := 0
	for _, h := range pl.Hooks {
		if h.Change != isSame {
			n++
		}
	}
	if o.user {
		return fmt.Sprintf("change %s of yours, and approve them as shown?", text.Count(n, "hook"))
	}
	return fmt.Sprintf("change %s of %s?", text.Count(n, "hook"), shell.Plain(sh.Short(o.project)))
}

func (pl *plan) updated(sh *shell.Shell, o updateOptions) {
	if !pl.Changed {
		sh.Printf("%s has the same bytes, its pin follows%s\n", shell.Plain(pl.Pack), pl.noted())
		return
	}
	sh.Printf("\nupdated %s in %s\n", shell.Plain(pl.Pack), shell.Plain(sh.Short(pl.To)))
	if !o.user {
		sh.Hints([]string{sh.Name + " trust: what changed waits for your approval"})
	}
}
