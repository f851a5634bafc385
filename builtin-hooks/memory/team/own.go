package team

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A person may have several machines. What they shared from another one is in local/team like
// what others shared, but is theirs: it has their id for it there, its origin is none, and what
// they change of it here goes to the room. The server says whose it is, by the key that it came
// with; no name counts.

// mine is the id of a fact of the user's on the machine that they shared it from, "" for other
// persons'.
func mine(o protocol.Object) string { return o.Sub("source").Text("own") }

// What became of a fact of the user's because of the room.
const (
	DeletedElsewhere  = "deleted"   // in the room, as its author
	Withdrawn         = "withdrawn" // by a reviewer
	ReplacedElsewhere = "replaced"  // by what they said on another machine
	EditedLater       = "outdated"  // it was edited here, and later on another machine
	KeptElsewhere     = "kept"      // it was deleted here, and later changed on another machine
)

// A Note says that a fact of the user's does not hold here any more because of the room, since
// whoever syncs is seldom the user.
type Note struct {
	At   string `json:"at"`
	ID   string `json:"id"`
	What string `json:"what"`
	By   string `json:"by,omitempty"` // what it was replaced by
	// Elsewhere means that it was saved on another machine, and is on that one alone now.
	Elsewhere bool `json:"elsewhere,omitempty"`
}

// notesMost is how many of them are kept.
const notesMost = 20

func (st *State) note(r *Result, n Note) {
	n.At = st.Tried
	r.Hidden = append(r.Hidden, n)
	st.Notes = append(slices.DeleteFunc(st.Notes, func(x Note) bool { return x.ID == n.ID }), n)
	st.Notes = st.Notes[max(0, len(st.Notes)-notesMost):]
}

// Hidden are the notes of which the person has settled none: a fact holds that was restored, or says
// again what was restored, and who changed or confirmed it since knows of it.
func (s *Share) Hidden(st State) ([]Note, error) {
	all, err := s.Facts()
	if err != nil {
		return nil, err
	}
	holds := map[string]store.Entry{}
	for _, e := range store.Living(all, s.Now) {
		holds[e.ID] = e
	}
	return slices.DeleteFunc(slices.Clone(st.Notes), func(n Note) bool {
		e, is := holds[n.ID]
		switch n.What {
		case EditedLater:
			return e.Lost == nil
		case KeptElsewhere:
			at, err := time.Parse(time.RFC3339Nano, n.At)
			return !is || err != nil || !e.Confirmed.Before(at) || e.Updated.After(at)
		case ReplacedElsewhere: // by a later edit of the same fact, or by what the person says here by now
			by := holds[n.By]
			return is || by.Lost != nil || len(by.Earlier) > 0
		}
		return is
	}), nil
}

// Remind adds to the result of a sync what an earlier one said of edits, and nobody settled.
func (s *Share) Remind(r *Result) error {
	st, on, err := s.State()
	if err != nil || !on {
		return err
	}
	notes, err := s.Hidden(st)
	for _, n := range notes {
		if n.What == EditedLater && !slices.ContainsFunc(r.Hidden, func(x Note) bool { return x.ID == n.ID }) {
			r.Hidden = append(r.Hidden, n)
		}
	}
	return err
}

// Strays are facts of the user's that the room has, and whose lines are not here any more, on
// whatever branch: somebody removed them by hand, or a checkout did, which deletes nothing for
// others.
func (s *Share) Strays(st State) (ids []string, err error) {
	place, here := s.place, map[string]bool{}
	place.EveryBranch, place.Waiting = true, true
	for _, file := range place.FactFiles() {
		if err := place.Lines(file, func(o protocol.Object, _ ledger.Whose) { here[o.Text("id")] = true }); err != nil {
			return nil, err
		}
	}
	for id, sent := range st.Sent {
		if sent.Name != "" && !sent.Ended && !sent.Gone && !here[id] {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// own handles a change to a fact of this machine. What a reviewer or the user elsewhere removed
// is hidden, and can be restored; what they changed elsewhere stands before what is here, which
// stays as it is.
func (s *Share) own(st *State, h *factIndex, sent *Sent, c room.Change, r *Result) error {
	switch {
	case c.Deleted:
		h.drop(c.Name)
		if sent.Ended || sent.Gone {
			return nil
		}
		sent.Version, sent.Edited, sent.Lost = max(sent.Version, c.Version), c.Edited, false
		if sent.Ended, sent.Gone = c.ByOwn, !c.ByOwn; sent.Gone {
			return s.withdraw(st, c.Own, r)
		}
		st.note(r, Note{ID: c.Own, What: DeletedElsewhere})
		_, err := s.HideElsewhere([]string{c.Own})
		return unlessGone(err)
	case sent.Gone || c.Version <= sent.Version:
		return nil
	case c.Fact == nil || room.Clean(c.Fact, s.Now) != nil:
		r.Skipped++
		return nil
	}
	lost := sent.Lost || unknown(c, sent.Version)
	sent.Version, sent.Edited, sent.Lost = c.Version, c.Edited, false
	if sent.Ended {
		sent.Ended = false
		if _, err := s.BackFromElsewhere([]string{c.Own}); unlessGone(err) != nil {
			return err
		}
	}
	if digest(c.Fact) == sent.Digest {
		h.drop(c.Name)
		return nil
	}
	r.Changed++
	o := line(c)
	was := h.line[c.Name]
	if was == nil && lost {
		var err error
		if was, err = s.written(c.Own); err != nil {
			return err
		}
	}
	st.keepUnsent(&o, was, c, lost || h.unsent(c), r)
	h.set(o)
	return nil
}

// adopt takes a fact that the room has for one of this machine's, as when sharing was switched off
// and on again: one that does not hold here, or it would have been sent.
func (s *Share) adopt(st *State, h *factIndex, c room.Change) error {
	if c.Own == "" || st.Sent[c.Own] != nil {
		return nil
	}
	if h.own == nil {
		all, err := s.Facts()
		if err != nil {
			return err
		}
		h.own = map[string]bool{}
		for _, e := range all {
			h.own[e.ID] = h.own[e.ID] || e.Whose == ledger.Own && e.Origin == ""
		}
	}
	if !h.own[c.Own] {
		return nil
	}
	sent := &Sent{Name: c.Name, Version: c.Version, Ended: c.Deleted, Edited: c.Edited}
	if c.Fact != nil && room.Clean(c.Fact, s.Now) == nil {
		sent.Digest = digest(c.Fact)
	}
	st.Sent[c.Own] = sent
	return nil
}

// ended records, with a fact that the user saved elsewhere and deleted here, that the room knows:
// it stays hidden here, and can be restored. Of any other fact it reports false.
func (h *factIndex) ended(c room.Change) bool {
	o := h.line[c.Name]
	if mine(o) == "" || !o.Has("deleted_at") {
		return false
	}
	source := o.Sub("source")
	source.SetText("ended", o.Text("deleted_at"))
	source.Set("version", strconv.AppendInt(nil, int64(c.Version), 10))
	source.PutText("edited", c.Edited)
	o.Set("source", source.Raw())
	h.set(o)
	return true
}

// keptHere reports whether the user changed the type of a fact here to one that they do not share
// from this machine. What they chose here says nothing of a type that another machine shares.
func (st *State) keptHere(o protocol.Object, f memory.Fact) bool {
	came := o.Sub("source").Text("type")
	return came != "" && came != f.Kind && !strings.Contains(st.Choice.types(), f.Kind)
}

// elsewhere is what the room has to be told of facts that the user saved on other machines: what
// they changed, deleted or restored here. Where the server was set back, it is all of them.
func (s *Share) elsewhere(st *State, h *factIndex) (out []todo) {
	for name, o := range h.line {
		id := mine(o)
		f, ok := memory.ParseFact(o)
		if id == "" || !ok {
			continue
		}
		told, known := o.Sub("source").Has("ended"), o.Sub("source").Text("edited")
		stays := f.Deleted && !store.Tidied(o) || !f.Deleted && st.keptHere(o, f)
		switch {
		case stays && !told:
			out = append(out, todo{item: room.Item{ID: id, Version: max(version(o), 1), Deleted: true, Edited: room.After(cmp.Or(o.Text("deleted_at"), o.Text("updated_at")), known), Knew: version(o)}, line: name})
		case !f.Deleted && !stays && (told || st.Over || o.Has("updated_at")):
			f.Supersedes = nil
			fact, err := st.fact(store.Entry{Fact: f}, s.Now)
			if err != nil {
				continue
			}
			fact.Updates = protocol.TextsOf(o.Get("updates"))
			edited := known
			if told || o.Has("updated_at") {
				edited = room.After(o.Text("updated_at"), known)
			}
			out = append(out, todo{item: room.Item{ID: id, Version: version(o) + 1, Fact: fact, Edited: edited, Knew: version(o)}, line: name, edited: o.Text("updated_at"), back: told})
		}
	}
	order.By(out, func(a, b todo) int { return strings.Compare(a.line, b.line) })
	return out
}

// told records that the room knows what the user changed of facts that they saved elsewhere,
// and has not changed again since.
func (s *Share) told(edited map[string]string) error {
	if len(edited) == 0 {
		return nil
	}
	h, err := s.factIndex()
	if err != nil {
		return err
	}
	for name, at := range edited {
		if o := h.line[name]; at != "" && o.Text("updated_at") == at {
			o.Delete("updated_at")
			h.set(o)
		}
	}
	return s.write(h)
}
