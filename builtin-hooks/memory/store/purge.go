package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/trace"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Removal is what is removed for good: entries, and what they say, of which it knows hashes. It
// can be done again until all of it is done.
type Removal struct {
	IDs  []string    `json:"ids"`
	Said trace.Marks `json:"said"`

	items []string        // of MEMORY.md that entries were put there as
	found map[string]bool // of the entries, those that stand in the folder
	again bool            // it was begun before
}

// Purge removes entries for good, see [Keeper.Remove].
func (k Keeper) Purge(ids []string) (int, error) {
	r, err := k.Removal(ids, nil)
	if err != nil {
		return 0, err
	}
	return k.Remove(r)
}

// Removal is what would be removed with some entries, begun before if that is not nil. It refuses
// where a page or another entry says the same in words that somebody wrote there, which is not
// ours to change.
func (k Keeper) Removal(ids []string, begun *Removal) (Removal, error) {
	r := Removal{IDs: ids, again: begun != nil}
	if _, err := k.held(ids); err != nil {
		return r, err
	}
	if begun != nil {
		r.Said = begun.Said
	}
	if err := k.look(&r); err != nil {
		return r, err
	}
	if missing := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return r.found[id] }); len(missing) > 0 && !r.again {
		return r, fmt.Errorf("%w: %s", ErrNoEntry, strings.Join(missing, ", "))
	}
	return r, k.saidElsewhere(r)
}

// saidElsewhere refuses where somebody wrote the same elsewhere.
func (k Keeper) saidElsewhere(r Removal) error {
	where, fix, err := k.alsoByHand(r.items, r.Said)
	if err != nil {
		return err
	}
	also, err := k.alsoInEntries(r.IDs, r.Said)
	if err != nil {
		return err
	}
	if also != nil {
		where = append(where, strings.Join(also, ", ")+" says it too")
		fix = append(fix, "remove it as well, with agents-hooks memory delete --purge --confirm "+strings.Join(slices.Concat(r.IDs, also), " ")+", or change what it says")
	}
	if where == nil {
		return nil
	}
	return Refused{Reason: strings.Join(where, "; ") + ", and nothing was removed", Fix: strings.Join(fix, "; ")}
}

// Remove removes entries: from their files, from MEMORY.md where they were put, from the copies of
// both, and what they say from what the program noted of sessions. What they had replaced stays
// replaced by what replaced them.
func (k Keeper) Remove(r Removal) (int, error) {
	if err := k.handOver(r.IDs); err != nil {
		return 0, err
	}
	if err := k.offPages(r); err != nil {
		return 0, err
	}
	noted := k.place().NotePurged(set(r.IDs)) // what cannot be noted is removed all the same
	n, err := k.eachFound(r.IDs, func(*protocol.Object) (bool, bool) { return false, false })
	if errors.Is(err, ErrNoEntry) && r.again {
		n, err = len(r.IDs), nil
	}
	if err == nil {
		err = errors.Join(k.offRecords(r.Said), k.offBackups(r))
	}
	return n, errors.Join(err, noted)
}

// InGit are the files below the folder that have entries and that git tracks.
func (k Keeper) InGit(ids []string) []string { return k.place().InGit(set(ids)) }

// look finds the entries of a removal, all that they said, and the items of MEMORY.md that they
// were put there as. A summary says what a session did, which may be said elsewhere too.
func (k Keeper) look(r *Removal) error {
	var said []string
	r.found = map[string]bool{}
	place := k.place()
	place.EveryBranch, place.Waiting = true, true
	for _, file := range append(place.FactFiles(), place.SummaryFiles()...) {
		err := place.LinesOf(file, set(r.IDs), func(o protocol.Object, _ ledger.Whose) {
			r.found[memory.IDOf(o)] = true
			e, fact := entryOf(o, file)
			if !fact {
				return
			}
			said = append(said, e.Content)
			for _, was := range e.Earlier {
				said = append(said, was.Content)
			}
			if e.OnPage != "" {
				said, r.items = append(said, e.OnPage), append(r.items, e.OnPage)
			}
		})
		if err != nil {
			return err
		}
	}
	back, err := place.CameBack() // of which lines are not told
	for _, id := range back {
		r.found[id] = true
	}
	r.Said = r.Said.And(trace.Of(said...))
	return err
}

func set(ids []string) map[string]bool {
	out := map[string]bool{}
	for _, id := range ids {
		out[id] = true
	}
	return out
}

// alsoByHand says which pages say it elsewhere than in their items, and what to do.
func (k Keeper) alsoByHand(items []string, said trace.Marks) (where, fix []string, err error) {
	for _, file := range memory.Pages() {
		b, err := k.Read(file)
		if err != nil {
			return nil, nil, err
		}
		core := slices.Contains(memory.PageFiles(memory.CoreFile), file)
		var others strings.Builder
		for line := range strings.Lines(string(b)) {
			if item := memory.PageItem(line); core && item != "" && slices.Contains(items, item) {
				line = "\n"
			}
			others.WriteString(line)
		}
		if at := said.Spans(others.String()); at != nil {
			n := 1 + strings.Count(others.String()[:at[0][0]], "\n")
			where, fix = append(where, fmt.Sprintf("%s says it too, in line %d", file, n)), append(fix, "take it out of "+k.place().Path(file)+" first")
		}
	}
	return where, fix, nil
}

// alsoInEntries are other facts or summaries that say it, and that somebody wrote.
func (k Keeper) alsoInEntries(ids []string, said trace.Marks) (also []string, err error) {
	place := k.place()
	place.EveryBranch, place.Waiting = true, true
	for _, file := range append(place.FactFiles(), place.SummaryFiles()...) {
		err := place.Lines(file, func(o protocol.Object, _ ledger.Whose) {
			id := memory.IDOf(o)
			if id != "" && !slices.Contains(ids, id) && !slices.Contains(also, id) && !noted(o, file) && said.SaidIn(o) {
				also = append(also, id)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return also, nil
}

// noted reports whether the program itself wrote a line: what a session did, and that it was.
func noted(o protocol.Object, file string) bool {
	if file == localSessionsFile {
		return o.Bool("auto_generated")
	}
	f, fact := memory.ParseFact(o)
	return fact && f.Kind == "S" || !fact && path.Dir(file) == memory.LocalDir
}

const localSessionsFile = memory.LocalDir + "/" + memory.SessionsFile

// offRecords takes what was said out of what the program noted of sessions.
func (k Keeper) offRecords(said trace.Marks) (err error) {
	said = said.Anywhere()
	place := k.place()
	place.EveryBranch = true
	for _, file := range append(place.FactFiles(), place.SummaryFiles()...) {
		err = errors.Join(err, place.Rewrite(file, func(o *protocol.Object) (changed, stays bool, _ error) {
			changed = noted(*o, file) && said.EraseObject(o)
			return changed, !changed || memory.Normal(o.Text("content")+o.Text("summary")+o.Text("reason")) != "", nil
		}))
	}
	return err
}

// offPages removes items from MEMORY.md, and what they and some texts say from its copies.
func (k Keeper) offPages(r Removal) error {
	var names []string
	for _, file := range memory.PageFiles(memory.CoreFile) {
		names = append(names, file+".bak")
		b, err := k.Read(file)
		if err != nil {
			return err
		}
		if withoutItems(string(b), r.items) == string(b) {
			continue
		}
		err = k.place().PurgePage(file, func(old []byte) ([]byte, error) { return []byte(withoutItems(string(old), r.items)), nil })
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
		if err := k.offCopy(name, r); err != nil {
			return err
		}
	}
	return nil
}

// offCopy removes from a copy of a page the lines that say what is removed.
func (k Keeper) offCopy(name string, r Removal) error {
	b, err := k.Read(name)
	if err != nil || b == nil {
		return err
	}
	page := r.Said.WithoutLines(withoutItems(string(b), r.items))
	if len(page) == len(b) {
		return nil
	}
	return k.Within.Write(k.place().Path(name), []byte(page), 0o600)
}
