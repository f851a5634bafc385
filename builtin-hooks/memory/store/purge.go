package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Purge removes entries for good: from their files, from MEMORY.md where they were put, and from
// the copies of both. It refuses where a page says the same in words that somebody wrote there,
// which is not ours to change. What they had replaced stays replaced by what replaced them.
func (k Keeper) Purge(ids []string) (int, error) {
	items, said, err := k.mayPurge(ids)
	if err != nil {
		return 0, err
	}
	if err := k.handOver(ids); err != nil {
		return 0, err
	}
	if err := k.offPages(items, said); err != nil {
		return 0, err
	}
	noted := k.place().NotePurged(set(ids)) // what cannot be noted is removed all the same
	n, err := k.each(ids, func(*protocol.Object) (bool, bool) { return false, false })
	if err == nil {
		err = k.offBackups(ids, items, said)
	}
	return n, errors.Join(err, noted)
}

// InGit are the files below the folder that have entries and that git tracks.
func (k Keeper) InGit(ids []string) []string { return k.place().InGit(set(ids)) }

// MayPurge is nil if entries can be purged.
func (k Keeper) MayPurge(ids []string) error {
	_, _, err := k.mayPurge(ids)
	return err
}

func (k Keeper) mayPurge(ids []string) (items, said []string, err error) {
	if _, err := k.held(ids); err != nil {
		return nil, nil, err
	}
	if items, said, err = k.saidBy(ids); err != nil {
		return nil, nil, err
	}
	return items, said, k.alsoByHand(items, said)
}

// saidBy are the items of MEMORY.md that some entries were put there as, and all that they said.
func (k Keeper) saidBy(ids []string) (items, said []string, err error) {
	place := k.place()
	place.EveryBranch = true
	for _, file := range append(place.FactFiles(), place.SummaryFiles()...) {
		err := place.LinesOf(file, set(ids), func(o protocol.Object, _ ledger.Whose) {
			e, fact := entryOf(o, file)
			if !fact {
				return
			}
			said = append(said, e.Content)
			for _, was := range e.Earlier {
				said = append(said, was.Content)
			}
			if e.OnPage != "" {
				items = append(items, e.OnPage)
			}
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return items, said, nil
}

func set(ids []string) map[string]bool {
	out := map[string]bool{}
	for _, id := range ids {
		out[id] = true
	}
	return out
}

// leastSaid is how long a text must be for a longer line to count as saying it.
const leastSaid = 12

// says reports whether a line of a page says one of some texts.
func saysOne(line string, said []string) bool {
	line = memory.Normal(line)
	return slices.ContainsFunc(said, func(text string) bool {
		text = memory.Normal(text)
		return text != "" && (line == text || len(text) >= leastSaid && strings.Contains(line, text))
	})
}

// alsoByHand refuses where a page says one of some texts elsewhere than in its items.
func (k Keeper) alsoByHand(items, said []string) error {
	for _, file := range memory.Pages() {
		b, err := k.Read(file)
		if err != nil {
			return err
		}
		n := 0
		for line := range strings.Lines(string(b)) {
			n++
			ours := slices.Contains(memory.PageFiles(memory.CoreFile), file) && slices.Contains(items, memory.PageItem(line)) && memory.PageItem(line) != ""
			if !ours && saysOne(line, said) {
				return Refused{Reason: fmt.Sprintf("%s says it too, in line %d, and nothing was removed", file, n), Fix: "take it out of " + k.place().Path(file) + " first"}
			}
		}
	}
	return nil
}

// offPages removes items from MEMORY.md, and what they and some texts say from its copies.
func (k Keeper) offPages(items, said []string) error {
	var names []string
	for _, file := range memory.PageFiles(memory.CoreFile) {
		names = append(names, file+".bak")
		b, err := k.Read(file)
		if err != nil {
			return err
		}
		if withoutItems(string(b), items) == string(b) {
			continue
		}
		err = k.place().PurgePage(file, func(old []byte) ([]byte, error) { return []byte(withoutItems(string(old), items)), nil })
		if err != nil {
			return err
		}
	}
	entries, err := k.Within.List(k.place().Path(versionsDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if path.Ext(e.Name()) == ".md" {
			names = append(names, path.Join(versionsDir, e.Name()))
		}
	}
	for _, name := range names {
		if err := k.offCopy(name, items, said); err != nil {
			return err
		}
	}
	return nil
}

// offCopy removes from a copy of a page the lines that say some texts.
func (k Keeper) offCopy(name string, items, said []string) error {
	b, err := k.Read(name)
	if err != nil || b == nil {
		return err
	}
	var out strings.Builder
	for line := range strings.Lines(string(b)) {
		if item := memory.PageItem(line); !(item != "" && slices.Contains(items, item)) && !saysOne(line, said) {
			out.WriteString(line)
		}
	}
	if out.Len() == len(b) {
		return nil
	}
	return k.Within.Write(k.place().Path(name), []byte(out.String()), 0o600)
}
