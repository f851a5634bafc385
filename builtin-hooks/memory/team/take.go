package team

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// heldMost is how many facts of others a machine stores, whatever a service sends.
const heldMost = 50_000

// A factIndex is what others shared, as this machine has it.
type factIndex struct {
	at   map[string]string          // the file of each fact, by its name
	line map[string]protocol.Object // and its line
	put  map[string][]protocol.Object
	gone map[string]map[string]bool
	was  map[string][]string // what a fact replaced before it came anew
	own  map[string]bool     // the user's own facts in the other files; nil: not looked for yet
}

func (s *Share) factIndex() (*factIndex, error) {
	out := &factIndex{at: map[string]string{}, line: map[string]protocol.Object{}, was: map[string][]string{}}
	out.settled()
	for _, file := range s.place.SharedFiles() {
		err := s.place.Lines(file, func(o protocol.Object, whose ledger.Whose) {
			if id := o.Text("id"); whose == ledger.Own && room.ValidName(id) {
				out.at[id], out.line[id] = file, o
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// sum is a number for all facts that are here, of whichever file, in their versions.
func (h *factIndex) sum() string {
	var all uint64
	for name, o := range h.line {
		one := fnv.New64a()
		fmt.Fprint(one, name, " ", version(o))
		all ^= one.Sum64()
	}
	return fmt.Sprintf("%d-%016x", len(h.line), all)
}

// hidden are the facts of the room that the user deleted here, and those of them that a cleanup hid,
// which deletes nothing for others.
func (h *factIndex) hidden() (names, tidied []string) {
	for name, o := range h.line {
		if o.Has("deleted_at") {
			names = append(names, name)
			if store.Tidied(o) {
				tidied = append(tidied, name)
			}
		}
	}
	slices.Sort(names)
	slices.Sort(tidied)
	return names, tidied
}

// lost reports whether what others shared is missing here, or damaged.
func (st *State) lost(h *factIndex) bool {
	return st.Cursor > 0 && st.Held != "" && st.Held != h.sum()
}

// Lost reports whether what others shared is missing here, or damaged: then the next sync fetches
// it again.
func (s *Share) Lost() (bool, error) {
	st, on, err := s.State()
	if err != nil || !on {
		return false, err
	}
	h, err := s.factIndex()
	return err == nil && st.lost(h), err
}

// again has all of the room fetched again, beside what is left of it here.
func (s *Share) again(st *State, h *factIndex, r *Result) error {
	r.Fetched, st.Fetched, st.Cursor = true, st.Tried, 0
	for _, file := range s.place.SharedFiles() {
		if err := s.place.CleanShared(file, func(id string) bool { return h.at[id] == file }); err != nil {
			return err
		}
	}
	return nil
}

// settled starts a new list of changes.
func (h *factIndex) settled() {
	h.put, h.gone = map[string][]protocol.Object{}, map[string]map[string]bool{}
}

// drop removes a fact.
func (h *factIndex) drop(name string) bool {
	file, had := h.at[name]
	if had {
		if h.gone[file] == nil {
			h.gone[file] = map[string]bool{}
		}
		h.gone[file][name] = true
		h.put[file] = slices.DeleteFunc(h.put[file], func(o protocol.Object) bool { return o.Text("id") == name })
		delete(h.at, name)
		delete(h.line, name)
	}
	return had
}

// set adds a fact, or replaces its previous version.
func (h *factIndex) set(o protocol.Object) {
	name, file := o.Text("id"), memory.SharedFile(o.Text("timestamp")[:len(time.DateOnly)])
	if h.was[name] == nil {
		h.was[name] = protocol.TextsOf(h.line[name].Get("supersedes"))
	}
	if was, had := h.at[name]; had && was != file {
		h.drop(name)
	}
	if h.gone[file] != nil {
		delete(h.gone[file], name)
	}
	h.put[file] = append(slices.DeleteFunc(h.put[file], func(x protocol.Object) bool { return x.Text("id") == name }), o)
	h.at[name], h.line[name] = file, o
}

// write writes the changes.
func (s *Share) write(h *factIndex) error {
	files := map[string]bool{}
	for file := range h.put {
		files[file] = true
	}
	for file := range h.gone {
		files[file] = true
	}
	for file := range files {
		if err := s.place.KeepShared(file, h.put[file], h.gone[file]); err != nil {
			return err
		}
	}
	h.settled()
	return nil
}

// take takes one change. Anything that is not a fact of a room is ignored, whoever sent it.
func (s *Share) take(st *State, h *factIndex, c room.Change, r *Result) error {
	if !room.ValidName(c.Name) || !room.ValidID(c.Person) {
		r.Skipped++
		return nil
	}
	if _, err := time.Parse(time.RFC3339, c.Edited); err != nil {
		c.Edited = ""
	}
	if err := s.adopt(st, h, c); err != nil {
		return err
	}
	if sent := st.Sent[c.Own]; c.Own != "" && sent != nil {
		if sent.Name != c.Name { // a lie
			r.Skipped++
			return nil
		}
		return s.own(st, h, sent, c, r)
	}
	if st.Over && c.Version < max(version(h.line[c.Name]), st.Gone[c.Name].Version) {
		return nil // from before what is known here, which whoever shared it sends again
	}
	if c.Version <= st.Purged[c.Name] {
		return nil
	}
	delete(st.Purged, c.Name)
	if c.Deleted {
		st.Gone[c.Name] = Gone{Version: c.Version, Here: st.Gone[c.Name].Here}
		if c.ByOwn && h.unsent(c) { // what was written here since is kept, hidden
			h.line[c.Name] = s.hidden(h.line[c.Name])
			st.note(r, Note{ID: c.Name, What: DeletedElsewhere})
			r.Removed++
		}
		if h.ended(c) {
			return nil
		}
		if mine(h.line[c.Name]) != "" {
			what := Withdrawn
			if c.ByOwn {
				what = DeletedElsewhere
			}
			st.note(r, Note{ID: c.Name, What: what, Elsewhere: true})
		}
		if h.drop(c.Name) {
			r.Removed++
		}
		return nil
	}
	if c.Fact == nil || room.Clean(c.Fact, s.Now) != nil {
		r.Skipped++
		return nil
	}
	if _, had := h.at[c.Name]; !had && len(h.at) >= heldMost {
		return fmt.Errorf("the room has more than %d facts of others: the rest is left there", heldMost)
	} else if had {
		r.Changed++
	} else {
		r.Added++
	}
	r.fresh = append(r.fresh, c.Name)
	delete(st.Gone, c.Name)
	o := line(c)
	if was := h.line[c.Name]; mine(was) != "" {
		st.keepUnsent(&o, was, c, h.unsent(c), r)
	}
	if h.line[c.Name] == nil && slices.Contains(st.Hidden, c.Name) {
		store.Hide(&o, slices.Contains(st.Tidied, c.Name), s.Now)
	}
	h.set(o)
	return nil
}

// withdraw hides a fact of this machine that somebody else removed from the room.
func (s *Share) withdraw(st *State, id string, r *Result) error {
	r.Withdrawn = append(r.Withdrawn, id)
	st.note(r, Note{ID: id, What: Withdrawn})
	_, err := s.Withdrawn([]string{id})
	return unlessGone(err)
}

// unlessGone drops the error that an entry is not here.
func unlessGone(err error) error {
	if errors.Is(err, store.ErrNoEntry) {
		return nil
	}
	return err
}

// line is a change as a line of a file, in the form of all facts.
func line(c room.Change) (o protocol.Object) {
	var source protocol.Object
	author := room.Author(c.Author)
	source.SetText("session", "")
	if c.Own == "" {
		source.SetText("origin", memory.SharedBy(author))
	} else {
		source.SetText("own", c.Own)
		source.SetText("type", c.Fact.Type)
	}
	source.SetText("author", author)
	source.SetText("person", c.Person)
	source.PutText("at", c.Fact.At)
	source.PutText("edited", c.Edited)
	source.Set("version", strconv.AppendInt(nil, int64(c.Version), 10))
	o.SetText("id", c.Name)
	o.SetText("type", "fact")
	o.SetText("memory_type", c.Fact.Type)
	o.SetText("content", c.Fact.Content)
	o.Set("entities", protocol.TextList(c.Fact.Entities))
	o.Set("confidence", strconv.AppendFloat(nil, c.Fact.Confidence, 'f', -1, 64))
	o.SetText("timestamp", c.Fact.Time)
	o.Set("source", source.Raw())
	o.PutText("valid_from", c.Fact.Since)
	o.PutText("valid_until", c.Fact.Until)
	if len(c.Fact.Updates) > 0 {
		o.Set("updates", protocol.TextList(c.Fact.Updates))
	}
	return o
}

// replace determines which facts of others replace older ones. An author's statement is enough
// for their own; for somebody else's it also has to be an update as a save would find it. A
// user's own facts are replaced only by what they said on another machine, which is noted.
func (s *Share) replace(st *State, h *factIndex, r *Result) {
	var sense *search.Sense
	defer func() {
		if sense != nil {
			sense.Close()
		}
	}()
	updates := func(older, newer string) bool {
		if sense == nil {
			sense = search.Folder{Cache: s.Cache}.Sense()
		}
		var of truth.Sense
		if sense.Has() {
			of = sense
		}
		return truth.Confirms(older, newer, of)
	}
	here := map[string]string{}
	for id, sent := range st.Sent {
		here[sent.Name] = id
	}
	for name, o := range h.line {
		if mine(o) == "" && !o.Has("updates") {
			continue
		}
		stands, own := h.stands(o, here, updates)
		before := protocol.TextsOf(o.Get("supersedes"))
		for _, id := range own {
			if stands = append(stands, id); !slices.Contains(append(before, h.was[name]...), id) {
				st.note(r, Note{ID: id, What: ReplacedElsewhere, By: name})
			}
		}
		if strings.Join(stands, " ") == strings.Join(before, " ") {
			continue
		}
		o.Delete("supersedes")
		if len(stands) > 0 {
			o.Set("supersedes", protocol.TextList(stands))
		}
		h.set(o)
	}
}

// stands is what a fact of the room replaces there, and of the user's facts here, which have the
// names of here in the room.
func (h *factIndex) stands(o protocol.Object, here map[string]string, updates func(older, newer string) bool) (others, own []string) {
	name, beside := o.Text("id"), protocol.TextsOf(o.Get("beside"))
	for _, of := range append(protocol.TextsOf(o.Get("updates")), name) {
		id, sent := here[of]
		old, is := h.line[of]
		switch {
		case sent && mine(o) != "" && !slices.Contains(beside, id):
			own = append(own, id)
		case is && of != name && !slices.Contains(beside, of) && (person(old) == person(o) || updates(old.Text("content"), o.Text("content"))):
			others = append(others, of)
		}
	}
	return others, own
}

func person(o protocol.Object) string { return o.Sub("source").Text("person") }

// version is the room's version of a fact as it is here, 0 if it is not.
func version(o protocol.Object) int {
	n, _ := strconv.Atoi(string(o.Sub("source").Get("version")))
	return n
}

// conflictsMost is how many received facts are compared with what is here at once; a review
// compares all.
const conflictsMost = 50

// conflicts are the received facts that contradict what is here.
func (s *Share) conflicts(h *factIndex, r *Result) error {
	fresh := slices.DeleteFunc(r.fresh, func(name string) bool { return h.line[name] == nil })
	order.By(fresh, func(a, b string) int {
		return strings.Compare(h.line[b].Text("timestamp"), h.line[a].Text("timestamp"))
	})
	for _, name := range fresh[:min(len(fresh), conflictsMost)] {
		f, ok := memory.ParseFact(h.line[name])
		if !ok || f.Deleted {
			continue
		}
		against, err := s.Contradicts(f)
		if err != nil {
			return err
		}
		if len(against) > 0 {
			r.Conflicts = append(r.Conflicts, Conflict{ID: f.ID, Content: search.Harmless(f.Content, f.Origin), Author: f.From.Author, Against: against})
		}
	}
	return nil
}
