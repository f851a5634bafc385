package trust

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

const (
	// maxApprovals is how many approved states of one item are remembered, the
	// newest first.
	maxApprovals = 32
	wait         = 5 * time.Second // for another process that writes the record
)

// Approve records that items are trusted in the state that [List] listed; if one has
// changed since, it returns an error and approves nothing. project is the canonical
// root. Earlier approvals of these items in this project end: an old state that
// somebody fixed must not become valid again unasked. If the record could not be read,
// it is set aside under the name that kept returns, and a new one is started.
func Approve(state, project string, items []Item, now time.Time) (kept string, err error) {
	return approve(state, project, items, now, false)
}

// ApproveBeside is Approve without ending earlier approvals: for branches that are used
// in turn.
func ApproveBeside(state, project string, items []Item, now time.Time) (kept string, err error) {
	return approve(state, project, items, now, true)
}

func approve(state, project string, items []Item, now time.Time, beside bool) (kept string, err error) {
	for _, it := range items {
		if it.Hash == "" {
			return "", fmt.Errorf("approve %q: it is %s", it.Name(), it.State)
		}
		files, err := it.files(context.Background(), project, false)
		if err != nil {
			return "", fmt.Errorf("approve %q: %w", it.Name(), err)
		}
		if treeHash(files) != it.Hash {
			return "", fmt.Errorf("approve %q: it has changed since it was listed; look at it again", it.Name())
		}
		if _, _, err := copiesIn(state).ensure(context.Background(), project, it.Thing, it.Hash, files); err != nil {
			return "", fmt.Errorf("keep the approved files of %q: %w", it.Name(), err)
		}
	}
	var left approvals
	home := Home(project)
	err = statefile.UpdateDurable(recordPath(state), wait, func(old []byte) ([]byte, error) {
		all := approvals{}
		if old != nil {
			var perr error
			if all, perr = parse(old); perr != nil {
				all = approvals{}
				if kept, perr = statefile.Keep(recordPath(state), now, old); perr != nil {
					return nil, perr
				}
			}
		}
		if all[home] == nil {
			all[home] = map[string][]approval{}
		}
		for _, it := range items {
			given := approval{hash: it.Hash, time: now.UTC().Format(time.RFC3339), place: project, as: it.As}
			all[home][it.ID] = given.before(all[home][it.ID], beside)
		}
		left = all
		return all.format(), nil
	})
	if err == nil {
		copiesIn(state).prune(left.used())
	}
	return kept, err
}

// before are the approvals of an item with one more.
func (s approval) before(states []approval, beside bool) []approval {
	states = slices.DeleteFunc(states, func(old approval) bool { return old.hash == s.hash && old.place == s.place })
	for i := range states {
		if old := &states[i]; !beside && old.place == s.place && old.replaced == "" {
			old.replaced = s.time
		}
	}
	states = append([]approval{s}, states...)
	return states[:min(len(states), maxApprovals)]
}

// Revoke removes approvals: of the items with these names, or of the whole project if
// there are none. It returns the names that had been approved.
func Revoke(state, project string, names []string) (revoked []string, err error) {
	var left approvals
	gone := map[string]bool{}
	project = Home(project)
	err = statefile.UpdateDurable(recordPath(state), wait, func(old []byte) ([]byte, error) {
		if old == nil {
			return nil, nil
		}
		all, err := parse(old)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", recordPath(state), err)
		}
		for id, states := range all[project] {
			name := nameOf(id)
			if len(names) > 0 && !slices.Contains(names, name) {
				continue
			}
			revoked = append(revoked, name)
			for _, s := range states {
				gone[s.hash] = true
			}
			delete(all[project], id)
		}
		if len(all[project]) == 0 {
			delete(all, project)
		}
		left = all
		return all.format(), nil
	})
	slices.Sort(revoked)
	for hash := range left.used() {
		delete(gone, hash)
	}
	if len(gone) > 0 {
		copiesIn(state).remove(gone)
	}
	return revoked, err
}
