package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
)

// A Change is a change to a place.
type Change struct {
	Put    []pack.Folder // in their new state
	Remove []string      // folders to remove
	// Lock makes the new lock from the current one, which somebody else may have
	// changed since the caller read it.
	Lock func(now *lockfile.Lock) (*lockfile.Lock, error)
	// Force says that folders that differ from the lock may be removed anyway.
	Force bool
	Now   time.Time
}

// A Clash says why a change is not made: something is in its way.
type Clash struct{ Folder, Why string }

func (c *Clash) Error() string { return fmt.Sprintf("%s: %s", c.Folder, c.Why) }

// Apply makes a change. kept are copies of removed folders that had been changed. After
// an error nothing is changed, unless the error says so.
func (p Place) Apply(ctx context.Context, c Change) (kept []string, err error) {
	release, err := p.hold()
	if err != nil {
		return nil, err
	}
	defer release()
	if _, err := p.recover(ctx); err != nil {
		return nil, err
	}
	now, err := p.Read()
	if err != nil {
		return nil, err
	}
	next, err := c.Lock(now)
	if err != nil {
		return nil, err
	}
	j := &journal{Agents: p.Agents, Put: map[string]string{}, Was: map[string]string{}, Remove: c.Remove}
	if len(next.Packs) > 0 {
		j.Lock = string(next.Format())
	}
	for _, f := range c.Put {
		j.Put[f.Name] = f.Pin(p.Bare)
	}
	changed, err := p.inTheWay(ctx, now, j, c.Force)
	if err != nil {
		return nil, err
	}
	for _, folder := range changed {
		copied, err := p.keep(folder, c.Now)
		if err != nil {
			return kept, fmt.Errorf("keeping a copy of %s: %w", folder, err)
		}
		kept = append(kept, copied)
	}
	if err := p.prepare(ctx, j, c.Put); err != nil {
		return kept, errors.Join(fmt.Errorf("nothing was changed: %w", err), p.undo(j))
	}
	p.step("commit")
	j.Phase = lockfile.Committed
	if err := p.write(j); err != nil {
		return kept, errors.Join(fmt.Errorf("nothing was changed: %w", err), p.undo(j))
	}
	if err := p.finish(ctx, j); err != nil {
		return kept, fmt.Errorf("the change was started but not finished, the next call goes on with it: %w", err)
	}
	return kept, nil
}

// hold takes the lock of the operating system for a place.
func (p Place) hold() (release func(), err error) {
	release, err = statefile.Hold(p.journal(), wait)
	if errors.Is(err, statefile.ErrLocked) {
		return nil, fmt.Errorf("another agents-hooks is changing %s: %w", p.Agents, err)
	}
	return release, err
}

// inTheWay checks that everything is as expected. changed are the folders to remove
// that differ from the lock.
func (p Place) inTheWay(ctx context.Context, now *lockfile.Lock, j *journal, force bool) (changed []string, err error) {
	entries, err := p.In.List(p.Hooks())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	there := map[string]string{}
	for _, e := range entries {
		there[pack.Fold(e.Name())] = e.Name()
	}
	check := func(folder string, put bool) error {
		is, have := there[pack.Fold(folder)]
		owner := now.Folder(folder)
		switch {
		case have && is != folder && !(owner == nil && !put):
			return &Clash{folder, fmt.Sprintf("%q is there already, and many file systems take the two for one", is)}
		case !have:
			return nil
		case owner == nil:
			return &Clash{folder, "is there already, and came from no pack: move it away or give it another name"}
		}
		hash, err := p.Hash(ctx, folder)
		if err != nil || hash != owner.Pin(folder, p.Bare) {
			if !force {
				why := "was changed since it was added"
				if err != nil {
					why = "cannot be compared with the lock: " + err.Error()
				}
				return &Clash{folder, why + "; --force takes it all the same and keeps a copy"}
			}
			changed = append(changed, folder)
		}
		j.Was[folder] = hash
		return nil
	}
	for folder := range j.Put {
		if err := check(folder, true); err != nil {
			return nil, err
		}
	}
	for _, folder := range j.Remove {
		if err := check(folder, false); err != nil {
			return nil, err
		}
	}
	slices.Sort(changed)
	return changed, nil
}

// Free returns an error for the first new folder whose name is taken, in any spelling:
// for callers that want to know before they ask the user.
func (p Place) Free(folders []pack.Folder) error {
	entries, err := p.In.List(p.Hooks())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		for _, f := range folders {
			if pack.Fold(e.Name()) == pack.Fold(f.Name) {
				return &Clash{f.Name, fmt.Sprintf("%q is there already: move it away, or add the others one by one, each as SOURCE//FOLDER", e.Name())}
			}
		}
	}
	return nil
}
