package team

import (
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Two machines of a user may change the same fact without knowing of each other. The room says
// that it has a version which the change did not know; then the change that was made last counts,
// whichever machine syncs last, and the other one is kept where it was written.

// wins reports whether a change counts that did not know of the room's version. Of an older
// service, and of what was shared before times were kept, no time is known: then it does, but
// brings back nothing that was deleted.
func (t todo) wins(got room.Result) bool {
	switch {
	case t.item.Deleted && t.item.Edited == "":
		return true
	case t.back && got.Deleted:
		return true
	case got.Edited == "":
		return !got.Deleted || t.item.Edited != ""
	}
	return t.item.Edited > got.Edited
}

// lose records that a change does not count: what the room has comes with the next pull.
func (s *Share) lose(st *State, t todo, got room.Result, r *Result) error {
	if t.item.Deleted {
		st.note(r, Note{ID: t.id(), What: KeptElsewhere})
	}
	if t.line != "" {
		return s.loseEnd(t)
	}
	sent := st.Sent[t.item.ID]
	if sent == nil {
		sent = &Sent{Name: got.Name}
		st.Sent[t.item.ID] = sent
	}
	if t.item.Deleted {
		sent.Ended = true
	} else {
		sent.Digest, sent.Lost = t.digest, !got.Deleted
	}
	return nil
}

// id is what the user calls a fact here.
func (t todo) id() string {
	if t.line != "" {
		return t.line
	}
	return t.item.ID
}

// loseEnd records that the room, which has a later version, knows of a deletion: with that version
// the fact is back.
func (s *Share) loseEnd(t todo) error {
	if !t.item.Deleted {
		return nil
	}
	h, err := s.factIndex()
	if err != nil {
		return err
	}
	o := h.line[t.line]
	if !o.Has("deleted_at") {
		return nil
	}
	source := o.Sub("source")
	source.SetText("ended", o.Text("deleted_at"))
	o.Set("source", source.Raw())
	h.set(o)
	return s.write(h)
}

// unknown reports whether a change was made without knowing a version that the room had before.
func unknown(c room.Change, version int) bool { return c.Knew > 0 && c.Knew < version }

// unsent reports whether a change does not know what is here of a fact that the user saved
// elsewhere: an edit that the room never had, or that it had in between.
func (h *factIndex) unsent(c room.Change) bool {
	o := h.line[c.Name]
	return mine(o) != "" && !o.Has("deleted_at") && c.Version > version(o) && (o.Has("updated_at") || unknown(c, version(o)))
}

// keepUnsent keeps with what the room has now what the user wrote and nobody replaced knowingly:
// what was kept so far, and with lost what is here now.
func (st *State) keepUnsent(o *protocol.Object, was protocol.Object, c room.Change, lost bool, r *Result) {
	at := ""
	if lost && was != nil && was.Text("content") != c.Fact.Content {
		at = st.Tried
		st.note(r, Note{ID: c.Name, What: EditedLater})
	}
	store.KeepUnsent(o, was, at)
}

// hidden is a line that was edited here, as it stays where the room has deleted the fact: of what
// the room had of it, nothing stays.
func (s *Share) hidden(was protocol.Object) protocol.Object {
	o := was.Clone()
	o.Delete("updated_at")
	o.Delete("earlier")
	store.KeepUnsent(&o, was, "")
	store.Hide(&o, false, s.Now)
	return o
}

// written is the line of a fact of this machine, nil if it has none.
func (s *Share) written(id string) (line protocol.Object, err error) {
	place := s.place
	place.EveryBranch = true
	for _, file := range place.FactFiles() {
		err = place.LinesOf(file, map[string]bool{id: true}, func(o protocol.Object, whose ledger.Whose) {
			if whose == ledger.Own && o.Text("id") == id {
				line = o
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return line, nil
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
