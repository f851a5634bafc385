package store

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// An Earlier is what a fact said before it was edited.
type Earlier struct {
	Content string
	By      string // who wrote it, "" if that is not known
	At      string // and when, as the files have it
}

// An edit changes these members of a line.
var editedMembers = [...]string{"content", "type", "memory_type", "confidence", "entities", "valid_from", "valid_until"}

// earlierMost is how many versions of a fact are kept.
const earlierMost = 10

func earlierOf(o protocol.Object) (list []Earlier) {
	for _, raw := range protocol.ElementsOf(o.Get("earlier")) {
		was := protocol.ObjectOf(raw)
		list = append(list, Earlier{was.Text("content"), was.Text("by"), was.Text("at")})
	}
	return list
}

// written is when a line came to say what it says.
func written(o protocol.Object) string { return cmp.Or(o.Text("updated_at"), o.Text("timestamp")) }

// edited records in a line who changed it, and when, and with keep what it was; false if it says
// the same.
func (k Keeper) edited(o *protocol.Object, was protocol.Object, keep bool) bool {
	same := true
	for _, name := range editedMembers {
		same = same && string(o.Get(name)) == string(was.Get(name))
	}
	if same {
		return false
	}
	if keep {
		setEarlier(o, append(protocol.ElementsOf(was.Get("earlier")), version(was).Raw()))
	}
	o.SetText("updated_at", memory.Stamp(k.Now))
	if o.Delete("updated_by"); k.From != nil {
		o.PutText("updated_by", k.From().Author)
	}
	return true
}

// version is what a line says, as it is kept with what it says later.
func version(was protocol.Object) (before protocol.Object) {
	for _, name := range editedMembers {
		if was.Has(name) {
			before.Set(name, was.Get(name))
		}
	}
	before.PutText("by", cmp.Or(was.Text("updated_by"), was.Sub("source").Text("author")))
	before.SetText("at", written(was))
	return before
}

func setEarlier(o *protocol.Object, list []protocol.Raw) {
	o.Set("earlier", protocol.ListOf(list[max(0, len(list)-earlierMost):], func(r protocol.Raw) protocol.Raw { return r }))
}

// KeepUnsent keeps, with a line that comes from a room in place of another one, the versions that
// the room never had: those that were kept so, and the line itself if it was lost at a time.
func KeepUnsent(o *protocol.Object, was protocol.Object, lost string) {
	var list []protocol.Raw
	for _, raw := range protocol.ElementsOf(was.Get("earlier")) {
		if protocol.ObjectOf(raw).Has(memory.UnsentName) {
			list = append(list, raw)
		}
	}
	if lost != "" {
		v := version(was)
		v.SetText(memory.UnsentName, lost)
		list = append(list, v.Raw())
	}
	if len(list) > 0 {
		setEarlier(o, list)
	}
}

// Undo lets a fact say again what it said so many edits ago, of which the last one is the first. Done
// twice, it says again what it does now: that is kept, too.
func (k Keeper) Undo(id string, back int) (said Before, err error) {
	var refused error
	is, _ := k.Said(id)
	_, err = k.each([]string{id}, func(o *protocol.Object) (bool, bool) {
		e, ok := entryOf(*o, "")
		list := protocol.ElementsOf(o.Get("earlier"))
		if !ok || len(list) == 0 {
			refused = Refused{Reason: id + " was not edited, or nothing is kept of what it said", Fix: "agents-hooks memory edit " + id + " --content TEXT"}
			return false, true
		}
		if back < 1 || back > len(list) {
			refused = Refused{Reason: fmt.Sprintf("of %s no version is kept that is %d edits back", id, back), Fix: "take one of those that are: " + versionsBack(e.Earlier)}
			return false, true
		}
		if refused = k.mayEdit(e.Fact); refused != nil {
			return false, true
		}
		was, earlier := o.Clone(), protocol.ObjectOf(list[len(list)-back])
		for _, name := range editedMembers {
			if o.Delete(name); earlier.Has(name) {
				o.Set(name, earlier.Get(name))
			}
		}
		said = is
		return k.edited(o, was, true), true
	})
	return said, errors.Join(refused, err)
}

// versionsBack are the versions of a fact that are kept, by how many edits back they are.
func versionsBack(list []Earlier) string {
	var out []string
	for i, was := range slices.Backward(list) {
		said := fmt.Sprintf("%d: %q", len(list)-i, text.Clip(was.Content, nearMax))
		if by := text.OneLine(strings.Join(slices.DeleteFunc([]string{was.By, was.At}, func(s string) bool { return s == "" }), ", ")); by != "" {
			said += " (" + by + ")"
		}
		out = append(out, said)
	}
	return strings.Join(out, ", ")
}

// mayEdit refuses a change of what somebody else shared.
func (k Keeper) mayEdit(f memory.Fact) error {
	if memory.Shared(f.Origin) {
		return Refused{Reason: f.ID + " is somebody else's", Fix: "save what you know, which stands beside it or takes its place"}
	}
	return nil
}

// Said is what a fact says now; ok is false if there is none.
func (k Keeper) Said(id string) (said Before, ok bool) {
	last, ok := k.last(id)
	if ok {
		said = last.before()
	}
	return said, ok
}

// When is when a fact holds, as an answer says it, and what of its text is unclear about that.
func (k Keeper) When(id string) Saved {
	s := Saved{Status: "ok", ID: id}
	if e, ok := k.last(id); ok {
		s.during(e.Fact, k.Now)
		if e.Since.IsZero() && e.Until.IsZero() {
			s.Unclear = validity(e.Fact, k.Now).Unclear
		}
	}
	return s
}

// last is the line of a fact that was edited last; ok is false if there is none.
func (k Keeper) last(id string) (last Entry, ok bool) {
	place := k.place()
	place.EveryBranch = true
	for _, file := range place.FactFiles() {
		_ = place.LinesOf(file, map[string]bool{id: true}, func(o protocol.Object, whose ledger.Whose) { // whoever changes it reports what cannot be read
			if e, fact := entryOf(o, file); fact && (!ok || !e.Updated.Before(last.Updated)) {
				e.Whose = whose
				last, ok = e, true
			}
		})
	}
	return last, ok
}

// stamp is when it came to say what it says.
func (e Entry) stamp() string {
	if e.Updated.IsZero() {
		return memory.Stamp(e.Time)
	}
	return memory.Stamp(e.Updated)
}

// from reports whether a version of a fact was made from another one, or says the same.
func (e Entry) from(o Entry) bool {
	if e.Content == o.Content && e.Updated.Equal(o.Updated) {
		return true
	}
	for _, was := range e.Earlier {
		at, err := time.Parse(time.RFC3339Nano, was.At)
		if was.Content == o.Content && (err != nil || memory.Stamp(at) == o.stamp()) {
			return true
		}
	}
	// What an earlier version of this program edited says nothing of what was before.
	return len(e.Earlier) == 0 && !e.Updated.IsZero() && o.Updated.IsZero()
}

// versions are the facts that two people changed, each in a file of their own, which a merge made
// one: edited by both, or edited by one after the other had deleted it, or the other way round.
func (r *review) versions(all []Entry) {
	type key struct{ file, id string }
	lines := map[key][]Entry{}
	var order []key
	for _, e := range all {
		if e.ID == "" {
			continue
		}
		at := key{e.File, e.ID}
		if lines[at] == nil {
			order = append(order, at)
		}
		lines[at] = append(lines[at], e)
	}
	for _, at := range order {
		r.versionsOf(lines[at])
	}
}

// replaced are facts that were edited after another one had taken their place, as on a branch that was
// merged since: whoever edited one did not know that it would be told no more. Of the person's other
// machines, a sync says so.
func (r *review) replaced(here, living []Entry) {
	holds := map[string]Entry{}
	for _, e := range living {
		holds[e.ID] = e
	}
	by := Replaced(here, r.k.Now)
	for _, e := range here {
		newer, is := holds[by[e.ID]]
		if n := len(e.Earlier); !is || e.Deleted || path.Dir(newer.File) == path.Dir(memory.SharedFile("")) || n == 0 || e.Earlier[n-1].Content == e.Content || e.Content == newer.Content {
			continue
		}
		if e.Updated.After(newer.Time) && e.Updated.After(newer.Updated) && e.Updated.After(newer.Confirmed) {
			r.pair(Contradicted, e, newer)
		}
	}
}

// versionsOf looks at the lines of one fact in one file: each is compared with those before it.
func (r *review) versionsOf(lines []Entry) {
	for i, e := range lines {
		for _, was := range lines[:i] {
			switch {
			case e.Deleted && was.Deleted || e.from(was) && !was.Deleted || was.from(e) && !e.Deleted:
				continue
			case e.Deleted && e.from(was) || was.Deleted && was.from(e):
				continue // it was deleted as it stands there
			case e.Deleted || was.Deleted:
				live, gone := e, was
				if e.Deleted {
					live, gone = was, e
				}
				r.add(Versions, live, "agents-hooks memory restore "+e.ID, "agents-hooks memory delete "+e.ID).beside(gone)
			default:
				r.add(Versions, e, "agents-hooks memory edit "+e.ID+" --content TEXT", "agents-hooks memory separate "+e.ID).beside(was)
			}
			return
		}
	}
}
