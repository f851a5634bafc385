package store

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
)

// Stale says that entries no longer are what somebody was shown: somebody else changed them, or
// they are gone.
type Stale struct{ IDs []string }

func (s Stale) Error() string {
	return strings.Join(s.IDs, ", ") + ": changed since it was shown"
}

// waits is the error for a fact that is not approved yet.
func waits(id string) error {
	return Refused{Reason: id + " was not written on this machine and waits for you", Fix: "agents-hooks trust, or agents-hooks memory accept"}
}

// sign is a short hash of a text.
func sign(text string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%x", sum[:8])
}

// line is the mark of what a user sees of a line, and may change. How often it was saved does
// not count: saving it again must not block a change.
func (e Entry) line() string {
	return sign(fmt.Sprintf("%q %q %q %v %s %s %v", e.Kind, e.Content, e.Entities, e.Confidence, memory.Stamp(e.Since), memory.Stamp(e.Until), e.Deleted))
}

// Marks are the marks of the approved lines under each id: what a user is shown of an entry,
// for [Keeper.Seen].
func (k Keeper) Marks() (map[string]string, error) {
	lines, _, err := k.standing(nil)
	out := map[string]string{}
	for id, list := range lines {
		out[id] = marked(list)
	}
	return out, err
}

// Mark is the mark of a single line.
func (e Entry) Mark() string { return marked([]string{e.line()}) }

func marked(lines []string) string { return sign(strings.Join(lines, " ")) }

// standing are the marks of the lines with some ids (nil: all), in all files: approved ones,
// and those that wait.
func (k Keeper) standing(ids []string) (known, waiting map[string][]string, err error) {
	place := k.place()
	place.EveryBranch, place.Waiting = true, true
	all, err := k.factsIn(place)
	sums, bad := k.summaryEntries(place)
	all, err = append(all, sums...), errors.Join(err, bad)
	known, waiting = map[string][]string{}, map[string][]string{}
	for _, e := range all {
		switch {
		case e.ID == "" || ids != nil && !slices.Contains(ids, e.ID):
		case e.Whose == ledger.Nobody:
			waiting[e.ID] = append(waiting[e.ID], e.line())
		default:
			known[e.ID] = append(known[e.ID], e.line())
		}
	}
	return known, waiting, err
}

// Stamp changes whenever a file of the folder does.
func (k Keeper) Stamp() string {
	var b strings.Builder
	for _, name := range append(memory.Dirs(), versionsDir) {
		dir := k.place().Path(name)
		entries, _ := k.Within.List(dir)
		for _, e := range entries {
			if info, err := k.Within.Stat(filepath.Join(dir, e.Name())); err == nil && !info.IsDir() {
				fmt.Fprintf(&b, "%s %d %d\n", e.Name(), info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return sign(b.String())
}

// A hold says what may be changed: the lines that somebody was shown. A nil hold allows
// everything.
type hold struct{ known, waiting map[string][]string }

// held is what may be changed of some entries, if they are what was shown.
func (k Keeper) held(ids []string) (*hold, error) {
	if k.Seen == nil {
		return nil, nil
	}
	known, waiting, err := k.standing(ids)
	if err != nil {
		return nil, err
	}
	var stale []string
	for _, id := range ids {
		if known[id] == nil && waiting[id] != nil {
			return nil, waits(id)
		}
		if k.Seen[id] != marked(known[id]) || known[id] == nil {
			stale = append(stale, id)
		}
	}
	if stale != nil {
		return nil, Stale{stale}
	}
	return &hold{known, waiting}, nil
}

// Shown is nil if some entries are what was shown of them.
func (k Keeper) Shown(ids []string) error {
	_, err := k.held(ids)
	return err
}

// may reports whether a line may be changed. If a line came or changed since, the whole file
// stays as it is; a line that waits stays, and the others do not.
func (h *hold) may(e Entry) (bool, error) {
	switch {
	case h == nil || slices.Contains(h.known[e.ID], e.line()):
		return true, nil
	case slices.Contains(h.waiting[e.ID], e.line()):
		return false, nil
	}
	return false, Stale{[]string{e.ID}}
}
