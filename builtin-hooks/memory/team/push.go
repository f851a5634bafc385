package team

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
)

// name is the room's name for a fact of this machine, "" if it has none.
func (st *State) name(id string) string {
	if room.ValidName(id) {
		return id
	}
	if sent := st.Sent[id]; sent != nil {
		return sent.Name
	}
	return ""
}

// types are the types of facts that may leave this machine.
func (c Choice) types() string {
	if c.Preferences {
		return "WBO"
	}
	return "WB"
}

// goes reports whether a fact may leave this machine.
func (c Choice) goes(e store.Entry) bool {
	from, err := time.Parse(time.RFC3339, c.From)
	return e.Whose == ledger.Own && (e.Origin == "" || e.Origin == "evolution") && strings.Contains(c.types(), e.Kind) &&
		room.ValidID(e.ID) && !room.ValidName(e.ID) && (c.From == "" || err == nil && !e.Time.Before(from))
}

// Goes are the facts that may leave this machine by a choice: those that hold, and belong to no
// unmerged branch.
func (s *Share) Goes(c Choice) ([]store.Entry, error) {
	all, err := s.Facts()
	if err != nil {
		return nil, err
	}
	return s.going(c, all), nil
}

func (s *Share) going(c Choice, all []store.Entry) []store.Entry {
	leaves := s.leaves(c)
	return slices.DeleteFunc(store.Living(all, s.Now), func(e store.Entry) bool { return !leaves(e) })
}

// leaves reports whether a fact may leave this machine, and belongs to no unmerged branch.
func (s *Share) leaves(c Choice) func(store.Entry) bool {
	var main *bool
	return func(e store.Entry) bool {
		if !c.goes(e) || memory.BranchOf(e.File) == "" {
			return c.goes(e)
		}
		if main == nil {
			is := s.place.Checkout().Main
			main = &is
		}
		return *main
	}
}

// past are facts that the room has and that do not hold any more here, other than deleted ones:
// what ended one is a change that the room may not know.
func (s *Share) past(st *State, all []store.Entry, holds map[string]bool) (out []store.Entry) {
	leaves, at := s.leaves(st.Choice), map[string]int{}
	for _, e := range all {
		sent := st.Sent[e.ID]
		if sent == nil || sent.Name == "" || sent.Ended || sent.Gone || e.Deleted || holds[e.ID] || !leaves(e) {
			continue
		}
		if i, have := at[e.ID]; have { // of two lines, as left by a merge, the later one counts
			out[i] = e
			continue
		}
		at[e.ID] = len(out)
		out = append(out, e)
	}
	return out
}

// fact is an entry in the form that is sent.
func (st *State) fact(e store.Entry, now time.Time) (*room.Fact, error) {
	f := &room.Fact{Type: e.Kind, Content: e.Content, Entities: slices.Clone(e.Entities), Confidence: min(max(e.Confidence, 0), 1), Time: memory.Stamp(e.Time), At: e.From.At}
	if !e.Since.IsZero() {
		f.Since = memory.Stamp(e.Since)
	}
	if !e.Until.IsZero() {
		f.Until = memory.Stamp(e.Until)
	}
	for _, id := range e.Supersedes {
		if name := st.name(id); name != "" {
			f.Updates = append(f.Updates, name)
		}
	}
	// Its own time, though a clock was ahead of this one: a fact that nobody changed stays the same.
	if e.Time.After(now) {
		now = e.Time
	}
	return f, room.Clean(f, now)
}

func digest(f *room.Fact) string {
	b, _ := json.Marshal(f)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// A todo is what the room has to be told.
type todo struct {
	item   room.Item
	digest string // of a fact of this machine
	line   string // the name of one that the user saved on another machine
	edited string // and when they edited it here
	back   bool   // it was deleted in the room, and is restored
}

// waiting is what the room has to be told: new or changed facts, and ends.
func (s *Share) waiting(st *State) (out []todo, err error) {
	all, err := s.Facts()
	if err != nil {
		return nil, err
	}
	h, err := s.factIndex()
	if err != nil {
		return nil, err
	}
	for _, name := range st.Ends {
		out = append(out, todo{item: room.Item{Name: name, Version: max(st.Gone[name].Version, 1), Deleted: true}})
	}
	holds, changed := map[string]bool{}, map[string]bool{} // what the user changed elsewhere is told as it is there
	for _, o := range h.line {
		changed[mine(o)] = !o.Has("deleted_at")
	}
	going := s.going(st.Choice, all)
	for _, e := range going {
		holds[e.ID] = true
	}
	for _, e := range append(going, s.past(st, all, holds)...) {
		if changed[e.ID] {
			continue
		}
		f, err := st.fact(e, s.Now)
		if err != nil {
			st.Sent[e.ID] = st.refused(e.ID, digest(f), err.Error())
			continue
		}
		sent, sum, edited := st.Sent[e.ID], digest(f), ""
		if !e.Updated.IsZero() {
			edited = memory.Stamp(e.Updated)
		}
		switch {
		case sent == nil:
			out = append(out, todo{item: room.Item{ID: e.ID, Version: 1, Fact: f, Edited: edited}, digest: sum})
		case sent.Gone || sent.Digest == sum && !sent.Ended:
		default:
			if edited != "" || sent.Ended {
				edited = room.After(edited, sent.Edited)
			}
			out = append(out, todo{item: room.Item{ID: e.ID, Version: sent.Version + 1, Fact: f, Edited: edited, Knew: sent.Version}, digest: sum, back: sent.Ended})
		}
	}
	return append(append(out, st.ends(all, holds)...), s.elsewhere(st, h)...), nil
}

// ends are deletions of what the room has of this machine.
func (st *State) ends(all []store.Entry, holds map[string]bool) (out []todo) {
	deleted, gone, at := map[string]bool{}, store.Deleted(all), map[string]string{}
	for _, e := range all {
		// Deleted, or now of a type that stays here. The room knows by itself what was replaced
		// by a later fact, or has ended.
		deleted[e.ID] = deleted[e.ID] || e.Deleted && gone[e.ID] && !e.Tidied || !e.Deleted && e.Whose == ledger.Own && !strings.Contains(st.Choice.types(), e.Kind)
		if when := later(e.DeletedAt, e.Updated); !when.IsZero() {
			at[e.ID] = max(at[e.ID], memory.Stamp(when))
		}
	}
	for id, sent := range st.Sent {
		if sent.Name != "" && (deleted[id] && !sent.Ended && !sent.Gone || sent.Again && (sent.Gone || !holds[id])) {
			edited := room.After(at[id], sent.Edited)
			switch {
			case sent.Gone || sent.Again && !st.Over: // the user said so for everybody, whatever it says now
				edited = ""
			case st.Over:
				edited = max(at[id], sent.Edited)
			}
			out = append(out, todo{item: room.Item{ID: id, Version: sent.Version, Deleted: true, Edited: edited, Knew: sent.Version}})
		}
	}
	return out
}

// Waits is the number of items that the room has to be told.
func (s *Share) Waits() (int, error) {
	st, on, err := s.State()
	if err != nil || !on {
		return 0, err
	}
	list, err := s.waiting(&st)
	return len(list), err
}

// refused records a fact that the room does not accept as it is.
func (st *State) refused(id, digest, why string) *Sent {
	sent := Sent{}
	if was := st.Sent[id]; was != nil {
		sent = *was
	}
	sent.Digest, sent.Refused = digest, why
	return &sent
}

// push sends the room what waits, in parts.
func (s *Share) push(ctx context.Context, st *State, c Caller, r *Result) error {
	list, err := s.waiting(st)
	if err != nil {
		return err
	}
	r.Waiting = len(list)
	told := map[string]string{}
	for len(list) > 0 {
		n := min(len(list), room.PushMost)
		in := room.Request{}
		for _, t := range list[:n] {
			in.Push = append(in.Push, t.item)
		}
		a, err := s.ask(ctx, st, c, in)
		if err != nil {
			return err
		}
		if len(a.Results) != n {
			return fmt.Errorf("the server answered %d of %d facts", len(a.Results), n)
		}
		if st.Role = a.Role; a.Role == room.Reader {
			r.Refused = append(r.Refused, "you are a reader of the room, and share nothing in it")
			return nil
		}
		var again []todo
		for i, got := range a.Results {
			t := list[i]
			if got.Status == room.Stale && room.ValidVersion(got.Version+1) && got.Version >= t.item.Version {
				if !t.wins(got) {
					if err := s.lose(st, t, got, r); err != nil {
						return err
					}
					continue
				}
				t.item.Version = got.Version + 1
				again = append(again, t)
				continue
			}
			if t.line != "" {
				told[t.line] = t.edited
			}
			if err := s.settle(st, t, got, r); err != nil {
				return err
			}
		}
		list = append(list[n:len(list):len(list)], again...)
		if err := s.keep(*st); err != nil {
			return err
		}
	}
	r.Waiting = 0
	return s.told(told)
}

// settle records the result for an item.
func (s *Share) settle(st *State, t todo, got room.Result, r *Result) error {
	item, digest := t.item, t.digest
	done := got.Status == room.OK || got.Status == room.Duplicate
	if item.Name != "" {
		st.Ends = slices.DeleteFunc(st.Ends, func(name string) bool { return name == item.Name })
		if done {
			st.Gone[item.Name] = Gone{Version: max(got.Version, item.Version), Here: true}
		}
		if got.Status == room.OK {
			r.Ended++
		} else if !done {
			r.Refused = append(r.Refused, item.Name+": "+oneLine(got.Reason))
		}
		return nil
	}
	sent := &Sent{Name: got.Name, Version: got.Version, Digest: digest, Edited: item.Edited}
	if !room.ValidVersion(got.Version) {
		sent.Version = item.Version
	}
	switch {
	case t.line != "": // what became of it comes with the next pull
		switch {
		case got.Status == room.OK && item.Deleted:
			r.Ended++
		case got.Status == room.OK:
			r.Pushed++
		case got.Status == room.Refused:
			r.Refused = append(r.Refused, t.line+": "+oneLine(got.Reason))
		}
		return nil
	case !room.ValidName(got.Name) && done:
		return fmt.Errorf("the server calls a fact %q", oneLine(got.Name))
	case item.Deleted && done:
		was := st.Sent[item.ID]
		sent.Gone = was != nil && was.Gone
		sent.Ended = !sent.Gone
		if got.Status == room.OK {
			r.Ended++
		}
	case done:
		if got.Status == room.OK {
			r.Pushed++
		}
	case got.Status == room.Gone:
		sent.Gone = true
		if err := s.withdraw(st, item.ID, r); err != nil {
			return err
		}
	default:
		sent = st.refused(item.ID, digest, oneLine(got.Reason))
		r.Refused = append(r.Refused, item.ID+": "+sent.Refused)
	}
	st.Sent[item.ID] = sent
	return nil
}
