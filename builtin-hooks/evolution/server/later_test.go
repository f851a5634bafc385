package server

import (
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	memoryteam "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/team"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// undo lets a fact say what it said before.
func (h home) undo(t *testing.T, id string) {
	t.Helper()
	k, _ := h.keeper()
	must.Do(t, must.Err(k.Undo(id, 1)))
}

// reminds fails unless a review, a check, what a session begins with and what is said of a share name
// one fact of which an edit was overridden, or none.
func (h home) reminds(t *testing.T, when, id string) {
	t.Helper()
	k, place := h.keeper()
	list, _, err := k.Review(90, 100)
	must.Do(t, err)
	reviewed := ""
	for _, f := range list {
		switch {
		case f.Why == store.Overridden:
			reviewed += f.ID
		case f.Why == store.Contradicted:
			t.Errorf("%s: a review says %s", when, f.Content)
		}
	}
	st, _, err := h.share().State()
	must.Do(t, err)
	notes, err := h.share().Hidden(st)
	must.Do(t, err)
	said := ""
	for _, n := range notes {
		said += n.ID
	}
	again := &memoryteam.Result{}
	must.Do(t, h.share().Remind(again))
	if checked := strings.Join(place.Overridden(), ""); reviewed != id || checked != id || said != id || len(again.Hidden) != len(id)/max(1, len(id)) {
		t.Errorf("%s: a review names %q, a check %q, the share %q, a sync %d; want %q", when, reviewed, checked, said, len(again.Hidden), id)
	}
}

// rest is as many syncs of some machines as they need, in an order.
func rest(t *testing.T, all ...home) (said string) {
	t.Helper()
	for range 3 {
		for _, h := range all {
			said += hid(h.synced(t)) + " "
		}
	}
	for _, h := range all {
		if r := h.synced(t); r.Pushed+r.Ended+r.Changed+r.Removed+len(r.Hidden) != 0 || r.Waiting != 0 {
			t.Errorf("it does not come to rest: %+v", r)
		}
	}
	return said
}

// another is a place of its own for one of several teams of a test.
func another(t *testing.T, place, name string) string {
	if strings.HasPrefix(place, "postgres://") {
		return postgres(t)
	}
	return place + name
}

// Of two edits that did not know of each other, the later one counts on each machine, whichever
// machine syncs first. The other text is kept where it was written, a sync says so, and it can be
// brought back for everybody.
// BM-SHR-06, BM-SHR-27, BM-SHR-28.
func TestTheLaterEditCounts(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		for _, laptopLater := range []bool{true, false} {
			for _, laptopFirst := range []bool{true, false} {
				_, desk, lap, bob := devices(t, another(t, place, name(laptopLater, laptopFirst)))
				own := lap.save(t, "W", "The ferry leaves at eight")
				rest(t, lap, desk, bob)
				there := desk.theirs(t, "The ferry leaves at eight")
				desk.ahead, lap.ahead = -time.Minute, -time.Hour
				if laptopLater {
					desk.ahead, lap.ahead = -time.Hour, -time.Minute
				}
				lap.edit(t, own, "The ferry leaves at "+map[bool]string{true: "ten", false: "nine"}[laptopLater])
				desk.edit(t, there, "The ferry leaves at "+map[bool]string{true: "nine", false: "ten"}[laptopLater])
				desk.ahead, lap.ahead = 0, 0
				older := lap
				if laptopLater {
					older = desk
				}
				order := []home{desk, lap, bob}
				if laptopFirst {
					order = []home{lap, desk, bob}
				}
				if said := rest(t, order...); !strings.Contains(said, memoryteam.EditedLater+" "+there) {
					t.Errorf("the sync said %q", said)
				}
				for _, h := range []home{desk, lap} {
					h.wants(t, "later", "The ferry leaves at ten")
				}
				bob.wants(t, "bob", "ada: The ferry leaves at ten")
				older.reminds(t, "overridden", there)
				map[bool]home{true: lap, false: desk}[laptopLater].reminds(t, "the later one", "")
				older.undo(t, there)
				older.reminds(t, "brought back", "")
				rest(t, order...)
				older.reminds(t, "brought back and sent", "")
				for _, h := range []home{desk, lap} {
					h.wants(t, "brought back", "The ferry leaves at nine")
				}
				bob.wants(t, "bob", "ada: The ferry leaves at nine")
			}
		}
	})
}

func name(of ...bool) (s string) {
	for _, b := range of {
		s += map[bool]string{true: "1", false: "0"}[b]
	}
	return s
}

// Of a deletion and an edit that did not know of each other, the later one counts on each machine,
// whichever machine syncs first; an edit that lost is hidden where it was written, and restored.
// BM-SHR-06, BM-SHR-12, BM-SHR-27.
func TestTheLaterOfADeletionAndAnEditCounts(t *testing.T) {
	t.Parallel()
	for _, writerDeletes := range []bool{true, false} {
		for _, deletionLater := range []bool{true, false} {
			for _, deleterFirst := range []bool{true, false} {
				t.Run(name(writerDeletes, deletionLater, deleterFirst), func(t *testing.T) {
					t.Parallel()
					_, desk, lap, bob := devices(t, t.TempDir()+"/serve.sqlite")
					own := lap.save(t, "W", "The ferry leaves at eight")
					rest(t, lap, desk, bob)
					there := desk.theirs(t, "The ferry leaves at eight")
					deleter, editor, gone, edited := lap, desk, own, there
					if !writerDeletes {
						deleter, editor, gone, edited = desk, lap, there, own
					}
					deleter.ahead, editor.ahead = -time.Hour, -time.Minute
					if deletionLater {
						deleter.ahead, editor.ahead = -time.Minute, -time.Hour
					}
					deleter.delete(t, gone)
					editor.edit(t, edited, "The ferry leaves at nine")
					deleter.ahead, editor.ahead = 0, 0
					order := []home{editor, deleter, bob}
					if deleterFirst {
						order = []home{deleter, editor, bob}
					}
					rest(t, order...)
					if deletionLater {
						for _, h := range order {
							h.wants(t, "deleted", "")
						}
						if in := desk.traces(t, "eight"); writerDeletes && in != "" {
							t.Errorf("what the room had and deleted is in %s", in)
						}
						editor.restore(t, edited)
						rest(t, order...)
					}
					lap.wants(t, "laptop", "The ferry leaves at nine")
					desk.wants(t, "desk", "The ferry leaves at nine")
					bob.wants(t, "bob", "ada: The ferry leaves at nine")
				})
			}
		}
	}
}

// A change that was made knowing another one comes after it, whatever the clocks say: a third
// machine's change that knew neither does not go before it.
// BM-SHR-27.
func TestAChangeComesAfterWhatItChanges(t *testing.T) {
	t.Parallel()
	s, desk, lap, bob := devices(t, t.TempDir()+"/serve.sqlite")
	key, _, err := s.NewKey(t.Context(), "ada", Terms{Label: "tablet"})
	must.Do(t, err)
	tab := newHome(t, desk.base, key)
	own := lap.save(t, "W", "The ferry leaves at eight")
	rest(t, lap, desk, tab, bob)
	there := desk.theirs(t, "The ferry leaves at eight")
	tab.ahead, desk.ahead = -time.Hour, -2*time.Hour
	tab.edit(t, there, "The ferry leaves at noon") // offline from here on
	lap.edit(t, own, "The ferry leaves at nine")
	rest(t, lap, desk, bob)
	desk.edit(t, there, "The ferry leaves at ten")
	rest(t, desk, lap, bob)
	rest(t, tab, desk, lap, bob)
	for _, h := range []home{desk, lap, tab} {
		h.wants(t, "all", "The ferry leaves at ten")
	}
	k, _ := tab.keeper()
	if said, err := k.Undo(there, 1); err != nil || said.Content != "The ferry leaves at ten" {
		t.Errorf("%+v, %v", said, err)
	}
	tab.wants(t, "brought back", "The ferry leaves at noon")
}
