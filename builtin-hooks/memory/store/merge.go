package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Merge saves one fact in place of several, which are then hidden. What the new one does not
// state (its type, its entities, its confidence) it inherits from them.
func (k Keeper) Merge(ids []string, f memory.Fact) (s Saved, err error) {
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) < 2 {
		return s, Refused{Reason: "want two facts or more"}
	}
	if err := TooLong(f.Content); err != nil {
		return s, err
	}
	err = k.place().Locked(func() error {
		if _, err := k.held(ids); err != nil {
			return err
		}
		all, err := k.Facts()
		if err != nil {
			return err
		}
		living := Living(all, k.Now)
		if k.Seen != nil && slices.ContainsFunc(ids, func(id string) bool {
			return !slices.ContainsFunc(living, func(e Entry) bool { return e.ID == id })
		}) {
			return Stale{ids} // somebody else created one of them
		}
		if err := k.standFor(all, ids); err != nil {
			return err
		}
		topic, err := inherit(&f, all, ids, &s)
		if errors.Is(err, ErrNoEntry) {
			err = cmp.Or(k.Present(ids), err)
		}
		if err == nil {
			err = check(&f)
		}
		if err != nil {
			return err
		}
		if says := validity(f, k.Now); f.Since.IsZero() && f.Until.IsZero() {
			f.Since, f.Until, s.Unclear = says.Since, says.Until, says.Unclear
		}
		s.during(f, k.Now)
		if k.From != nil {
			f.From = k.From()
		}
		f.ID, f.Time, f.Supersedes = memory.NewID("log", k.Now, k.Random()), k.Now, ids
		s.Status, s.ID, s.Supersedes = "ok", f.ID, ids
		return k.place().KeepFact(f, topic)
	})
	if err == nil {
		s.Page, _ = k.afterSave(f, s) // it is saved even if the page cannot be read
	}
	return s, err
}

// standFor refuses what another fact stands for already: two would then say the same.
func (k Keeper) standFor(all []Entry, ids []string) error {
	by := Replaced(all, k.Now)
	for _, id := range ids {
		if by[id] != "" && !Deleted(all)[id] {
			return Refused{Reason: id + " is replaced already, by " + by[id], Fix: "merge that one, or agents-hooks memory restore " + id + " first"}
		}
	}
	return nil
}

// inherit gives a fact the properties of those that it is made of, the newest first, and
// records their texts.
func inherit(f *memory.Fact, all []Entry, ids []string, s *Saved) (topic string, err error) {
	var missing []string
	var parts []Entry
	for _, id := range ids {
		// Of two lines with the same id in a file, the one that was edited last counts.
		at := -1
		for i, e := range all {
			if e.ID == id && !e.Deleted && (at < 0 || !e.Updated.Before(all[at].Updated)) {
				at = i
			}
		}
		switch {
		case at < 0:
			missing = append(missing, id)
			continue
		case all[at].Whose == ledger.Nobody:
			return "", waits(id)
		}
		parts = append(parts, all[at])
	}
	order.By(parts, func(a, b Entry) int { return b.Time.Compare(a.Time) })
	for _, e := range parts {
		s.Before = append(s.Before, e.before())
		topic, f.Kind, f.Session = cmp.Or(topic, e.TopicKey), cmp.Or(f.Kind, e.Kind), cmp.Or(f.Session, e.Session)
		for _, name := range e.Entities {
			if !slices.ContainsFunc(f.Entities, func(n string) bool { return strings.EqualFold(n, name) }) {
				f.Entities = append(f.Entities, name)
			}
		}
		f.Confidence = max(f.Confidence, e.Confidence)
	}
	if missing != nil {
		err = fmt.Errorf("%w: %s", ErrNoEntry, strings.Join(missing, ", "))
	}
	return topic, err
}

// Separate gives each version of a fact that is in a file more than once, as left by a merge of
// two people's changes, an id of its own; the one that was edited last keeps the id. It returns what may be
// seen then, for [Keeper.Seen].
func (k Keeper) Separate(id string) (seen map[string]string, err error) {
	held, err := k.held([]string{id})
	if err != nil {
		return nil, err
	}
	place := k.place()
	place.EveryBranch = true
	seen = map[string]string{}
	for _, file := range place.FactFiles() {
		var lines []Entry
		err := place.Lines(file, func(o protocol.Object, whose ledger.Whose) {
			if e, ok := entryOf(o, file); ok && e.ID == id && whose != ledger.Nobody {
				lines = append(lines, e)
			}
		})
		order.By(lines, func(a, b Entry) int { return a.Updated.Compare(b.Updated) })
		if err == nil && len(lines) > 1 {
			err = k.separate(place, held, file, id, lines, seen)
		}
		if err != nil {
			return seen, err
		}
	}
	if len(seen) == 0 {
		return seen, Refused{Reason: id + " does not stand anywhere in two versions"}
	}
	return seen, nil
}

// separate does that in one file, in which such lines have the id.
func (k Keeper) separate(place memory.Place, held *hold, file, id string, lines []Entry, seen map[string]string) error {
	last := lines[len(lines)-1].line()
	return place.Rewrite(file, func(o *protocol.Object) (bool, bool, error) {
		e, ok := entryOf(*o, file)
		if !ok || e.ID != id {
			return false, true, nil
		}
		if may, err := held.may(e); !may || err != nil {
			return false, true, err
		}
		if e.line() == last {
			seen[id] = marked([]string{last})
			return false, true, nil
		}
		other := memory.NewID("log", k.Now, k.Random())
		o.SetText("id", other)
		seen[other] = marked([]string{e.line()})
		return true, true, nil
	})
}
