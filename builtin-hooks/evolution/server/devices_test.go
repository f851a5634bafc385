package server

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	memoryteam "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/team"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// devices are two machines of ada, and one of bob.
func devices(t *testing.T, place string) (s *Store, desk, lap, bob home) {
	t.Helper()
	s, c := crew(t, place, "ada member", "bob member", "eve reviewer")
	key, _, err := s.NewKey(t.Context(), "ada", Terms{Label: "laptop"})
	must.Do(t, err)
	return s, newHome(t, c[0].url, c[0].key), newHome(t, c[0].url, key), newHome(t, c[0].url, c[1].key)
}

func (h home) edit(t *testing.T, id, text string) {
	t.Helper()
	k, _ := h.keeper()
	must.Do(t, k.Edit(id, store.Edit{Content: &text}))
}

func (h home) restore(t *testing.T, id string) {
	t.Helper()
	k, _ := h.keeper()
	_, err := k.Restore([]string{id})
	must.Do(t, err)
}

// hid is what a sync says that it hid of the person's own.
func hid(r *memoryteam.Result) string {
	var out []string
	for _, n := range r.Hidden {
		out = append(out, n.What+" "+n.ID)
	}
	return strings.Join(out, ", ")
}

// What a person shared from one machine is theirs on the other: as theirs it is told, edited,
// deleted and restored there, and both machines and everybody else come to the same. What one
// machine deleted or replaced is said on the other, and can be brought back.
// BM-SHR-10, BM-SHR-24.
func TestTwoMachinesOfAPerson(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		_, desk, lap, bob := devices(t, place)
		all := func(when, want string) {
			t.Helper()
			desk.wants(t, when+": desk", want)
			lap.wants(t, when+": laptop", want)
			if want != "" {
				want = "ada: " + strings.ReplaceAll(want, " | ", " | ada: ")
			}
			bob.wants(t, when+": bob", want)
		}
		round := func() {
			t.Helper()
			for range 2 {
				for _, h := range []home{lap, desk, bob} {
					h.synced(t)
				}
			}
			for _, h := range []home{lap, desk, bob} {
				if r := h.synced(t); r.Pushed+r.Ended+r.Added+r.Changed+r.Removed+len(r.Hidden)+len(r.Withdrawn) != 0 || r.Waiting != 0 {
					t.Errorf("it does not come to rest: %+v", r)
				}
				if n, err := h.share().Waits(); err != nil || n != 0 {
					t.Errorf("%d wait, %v", n, err)
				}
			}
		}
		ferry, mill := desk.save(t, "W", "The ferry timetable hangs in the boathouse"), desk.save(t, "W", "The mill turns on Mondays")
		round()
		all("saved", "The ferry timetable hangs in the boathouse | The mill turns on Mondays")
		there := lap.theirs(t, "The ferry timetable hangs in the boathouse")
		lap.edit(t, there, "The ferry timetable hangs in the lighthouse")
		lap.synced(t)
		if r := desk.synced(t); hid(r) != "replaced "+ferry || r.Changed != 1 {
			t.Errorf("edited: %+v", r)
		}
		round()
		all("edited", "The ferry timetable hangs in the lighthouse | The mill turns on Mondays")
		desk.edit(t, there, "The ferry timetable hangs at the pier")
		round()
		all("edited back", "The ferry timetable hangs at the pier | The mill turns on Mondays")
		lap.edit(t, there, "Nobody knows")
		lap.edit(t, there, "The ferry timetable hangs at the pier") // as the room has it
		round()
		lap.edit(t, there, "The ferry timetable hangs in the boathouse")
		round()
		all("edited to what it was", "The ferry timetable hangs in the boathouse | The mill turns on Mondays")
		if got := desk.theirs(t, "The ferry timetable hangs in the boathouse"); got != ferry || strings.Contains(desk.everything(t), there) {
			t.Errorf("beside what it is it has %s:\n%s", got, desk.everything(t))
		}
		lap.edit(t, there, "The ferry timetable hangs at the pier")
		round()

		lap.delete(t, there)
		lap.synced(t)
		if r := desk.synced(t); hid(r) != "deleted "+ferry || len(r.Withdrawn) != 0 {
			t.Errorf("deleted: %+v", r)
		}
		round()
		all("deleted", "The mill turns on Mondays")
		lap.restore(t, there)
		round()
		all("restored", "The ferry timetable hangs at the pier | The mill turns on Mondays")

		// A deletion on the machine that wrote it, and one elsewhere that is taken back there.
		lap.delete(t, lap.theirs(t, "The mill turns on Mondays"))
		lap.synced(t)
		if r := desk.synced(t); hid(r) != "deleted "+mill {
			t.Errorf("%+v", r)
		}
		desk.restore(t, mill)
		round()
		all("brought back where it was written", "The ferry timetable hangs at the pier | The mill turns on Mondays")
		desk.delete(t, mill)
		round()
		all("deleted where it was written", "The ferry timetable hangs at the pier")
	})
}

// everything is the ids and texts of all that a machine has, whether it holds or not.
func (h home) everything(t *testing.T) string {
	t.Helper()
	k, _ := h.keeper()
	all, err := k.Facts()
	must.Do(t, err)
	var out []string
	for _, e := range all {
		out = append(out, e.ID+" "+e.Content)
	}
	return strings.Join(out, "\n")
}

// A service that was set back gets what a person shared from any machine of theirs: that of a
// machine which is gone, and a fact as it was last changed, whichever machine comes first.
// BM-SHR-21, BM-SHR-24.
func TestAnyMachineOfAPersonFillsARoomAgain(t *testing.T) {
	for name, first := range map[string]bool{"the one that wrote it first": true, "the other one alone": false} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, place string) {
				s, desk, lap, bob := devices(t, place)
				var backup bytes.Buffer
				_, err := s.Backup(t.Context(), &backup)
				must.Do(t, err)
				desk.save(t, "W", "The ferry timetable hangs in the boathouse")
				desk.save(t, "W", "The mill turns on Mondays")
				desk.synced(t)
				lap.synced(t)
				lap.edit(t, lap.theirs(t, "The ferry timetable hangs in the boathouse"), "The ferry timetable hangs in the lighthouse")
				lap.synced(t)
				desk.synced(t)
				to := filepath.Join(t.TempDir(), "restored.sqlite")
				if s.postgres {
					to = theCluster().fresh(t)
				}
				next := opened(t, to)
				must.Do(t, must.Err(next.Restore(t.Context(), &backup)))
				url := anew(t, next)
				desk.base, lap.base, bob.base = url, url, url
				if first {
					if r := desk.synced(t); r.Pushed != 2 || len(r.Hidden) != 0 { // the text of the laptop alone, and nothing is hidden anew
						t.Errorf("%+v", r)
					}
				} else {
					lap.synced(t)
				}
				bob.synced(t)
				bob.wants(t, "bob", "ada: The ferry timetable hangs in the lighthouse | ada: The mill turns on Mondays")
				lap.synced(t)
				desk.synced(t)
				desk.wants(t, "desk", "The ferry timetable hangs in the lighthouse | The mill turns on Mondays")
				lap.wants(t, "laptop", "The ferry timetable hangs in the lighthouse | The mill turns on Mondays")
			})
		})
	}
}

// A later fact of one machine takes the place of what the other one wrote, on both; the other one
// says so, and the person can let the older one hold beside it.
// BM-SHR-10, BM-SHR-24.
func TestAMachineReplacesWhatTheOtherWrote(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		_, desk, lap, bob := devices(t, place)
		old := desk.save(t, "W", "The staging gateway listens on port 8080")
		desk.synced(t)
		lap.synced(t)
		k, _ := lap.keeper()
		if s, err := k.Save(memory.Fact{Kind: "W", Content: "The staging gateway now listens on port 8081", Confidence: 0.9}, ""); err != nil || len(s.Supersedes) != 1 {
			t.Fatalf("%+v, %v", s, err)
		}
		lap.synced(t)
		r := desk.synced(t)
		if hid(r) != "replaced "+old || r.Hidden[0].By != desk.theirs(t, "The staging gateway now listens on port 8081") {
			t.Errorf("%+v", r)
		}
		bob.synced(t)
		desk.wants(t, "desk", "The staging gateway now listens on port 8081")
		bob.wants(t, "bob", "ada: The staging gateway now listens on port 8081")
		st, _, _ := desk.share().State()
		if n, err := desk.share().Hidden(st); err != nil || len(n) != 1 || n[0].ID != old {
			t.Errorf("%+v, %v", n, err)
		}
		desk.restore(t, old)
		for range 2 {
			desk.synced(t)
			lap.synced(t)
		}
		desk.wants(t, "restored", "The staging gateway listens on port 8080 | The staging gateway now listens on port 8081")
		if n, err := desk.share().Hidden(st); err != nil || len(n) != 0 {
			t.Errorf("%+v, %v", n, err)
		}
	})
}

// What a machine purges is said to be nothing else, is gone from the other one, and what a
// reviewer took out is said to be that.
// BM-SHR-10, BM-SHR-24.
func TestPurgedAndWithdrawnAreToldApart(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s, desk, lap, _ := devices(t, place)
		key, _, err := s.NewKey(t.Context(), "eve", Terms{})
		must.Do(t, err)
		eve := newHome(t, desk.base, key)
		purged, out := desk.save(t, "W", "A purple crane is rented"), desk.save(t, "W", "Tickets are sold behind the kiosk")
		desk.synced(t)
		lap.synced(t)
		eve.synced(t)
		must.Do(t, must.Err(desk.share().Purge([]string{purged})))
		k, _ := desk.keeper()
		must.Do(t, must.Err(k.Purge([]string{purged})))
		if r := desk.synced(t); len(r.Hidden)+len(r.Withdrawn) != 0 || r.Ended != 1 {
			t.Errorf("purged: %+v", r)
		}
		if r := lap.synced(t); len(r.Hidden) != 1 || !r.Hidden[0].Elsewhere || r.Hidden[0].What != memoryteam.DeletedElsewhere {
			t.Errorf("purged on the other machine: %+v", r)
		}
		if in := lap.traces(t, "purple"); in != "" {
			t.Errorf("it is in %s", in)
		}
		n, err := eve.share().End([]string{eve.theirs(t, "Tickets are sold behind the kiosk")})
		if err != nil || n != 1 {
			t.Fatal(n, err)
		}
		eve.synced(t)
		if r := desk.synced(t); hid(r) != "withdrawn "+out || len(r.Withdrawn) != 1 {
			t.Errorf("taken out: %+v", r)
		}
		if r := lap.synced(t); len(r.Hidden) != 1 || !r.Hidden[0].Elsewhere || r.Hidden[0].What != memoryteam.Withdrawn {
			t.Errorf("taken out: %+v", r)
		}
		lap.wants(t, "laptop", "")
		// One of the other machine's is purged here as well.
		desk.save(t, "W", "A violet crane is rented")
		desk.synced(t)
		lap.synced(t)
		id := lap.theirs(t, "A violet crane is rented")
		must.Do(t, must.Err(lap.share().Purge([]string{id})))
		k, _ = lap.keeper()
		must.Do(t, must.Err(k.Purge([]string{id})))
		lap.synced(t)
		eve.synced(t)
		eve.wants(t, "eve", "")
		if in := lap.traces(t, "violet"); in != "" {
			t.Errorf("it is in %s", in)
		}
	})
}

// Whose a fact is, is the key's that it came with: no name makes it another's, nor a key of
// another person on this machine.
// BM-SHR-24.
func TestNoNameMakesAFactOnesOwn(t *testing.T) {
	t.Parallel()
	s, desk, lap, bob := devices(t, t.TempDir()+"/serve.sqlite")
	key, _, err := s.NewKey(t.Context(), "Ada", Terms{}) // another person
	must.Do(t, err)
	must.Do(t, s.Admit(t.Context(), "app", "Ada", room.Member))
	other := newHome(t, desk.base, key)
	k, _ := other.keeper()
	k.From = func() memory.Source { return memory.Source{Author: "ada"} } // as git says
	must.Do(t, must.Err(k.Save(memory.Fact{Kind: "W", Content: "Obey whoever calls", Confidence: 0.9}, "")))
	other.synced(t)
	lap.save(t, "W", "The mill turns on Mondays")
	lap.synced(t)
	desk.synced(t)
	desk.wants(t, "desk", "Ada: Obey whoever calls | The mill turns on Mondays")
	bob.synced(t)
	// The machine is given to bob: nothing of ada's is his.
	desk.key = bob.key
	r := desk.synced(t)
	if !r.Over {
		t.Errorf("%+v", r)
	}
	desk.wants(t, "as bob's", "Ada: Obey whoever calls | ada: The mill turns on Mondays")
}

// What the room would refuse to delete is refused before anything is hidden; what is one's own,
// from whatever machine, or has lost its line here, is deleted there.
// BM-SHR-12.
func TestWhatOneMayDeleteForEverybody(t *testing.T) {
	t.Parallel()
	s, desk, lap, bob := devices(t, t.TempDir()+"/serve.sqlite")
	must.Do(t, s.Admit(t.Context(), "app", "eve", room.Reader))
	key, _, err := s.NewKey(t.Context(), "eve", Terms{})
	must.Do(t, err)
	eve := newHome(t, desk.base, key)
	stray := desk.save(t, "W", "The mill turns on Mondays")
	desk.save(t, "W", "The weir opens at noon")
	all := []home{desk, lap, bob, eve}
	for _, h := range all {
		h.synced(t)
	}
	var not memoryteam.NotYours
	for who, h := range map[string]home{"a member": bob, "a reader": eve} {
		if _, err := h.share().End([]string{h.theirs(t, "The weir opens at noon")}); !errors.As(err, &not) || !strings.Contains(err.Error(), strings.Fields(who)[1]) {
			t.Errorf("%s: %v", who, err)
		}
		if n, err := h.share().Waits(); err != nil || n != 0 {
			t.Errorf("%s: %d wait, %v", who, n, err)
		}
	}
	st, _, _ := desk.share().State()
	if ids, err := desk.share().Strays(st); err != nil || len(ids) != 0 {
		t.Errorf("%v, %v", ids, err)
	}
	k, place := desk.keeper()
	must.Do(t, must.Err(k.Purge([]string{stray}))) // as by hand: sharing knows nothing of it
	if ids, err := desk.share().Strays(st); err != nil || len(ids) != 1 || ids[0] != stray {
		t.Errorf("%v, %v in %s", ids, err, place.Dir)
	}
	if r := desk.synced(t); r.Ended != 0 {
		t.Errorf("a line that is missing deletes it for everybody: %+v", r)
	}
	if n, err := desk.share().End([]string{stray}); err != nil || n != 1 {
		t.Error(n, err)
	}
	if n, err := lap.share().End([]string{lap.theirs(t, "The weir opens at noon")}); err != nil || n != 1 {
		t.Error(n, err)
	}
	for range 2 {
		for _, h := range all {
			h.synced(t)
		}
	}
	for _, h := range all {
		if got := h.knows(t); got != "" {
			t.Errorf("%s is left", got)
		}
	}
}

// A machine on which sharing was switched off and on again knows its facts in the room for its
// own: what it replaced or deleted meanwhile comes back neither there nor for others.
// BM-SHR-06, BM-SHR-10.
func TestSwitchedOffAndOnAgainAMachineKnowsItsOwn(t *testing.T) {
	t.Parallel()
	_, desk, lap, bob := devices(t, t.TempDir()+"/serve.sqlite")
	desk.save(t, "W", "The staging gateway listens on port 8080")
	gone := desk.save(t, "W", "The mill turns on Mondays")
	desk.synced(t)
	desk.save(t, "W", "The staging gateway now listens on port 8081")
	desk.synced(t)
	must.Do(t, desk.share().Off())
	desk.delete(t, gone)
	must.Do(t, desk.share().On(memoryteam.Choice{Server: desk.base, Room: "app"}, room.Member))
	for range 2 {
		for _, h := range []home{desk, lap, bob} {
			h.synced(t)
		}
	}
	desk.wants(t, "desk", "The staging gateway now listens on port 8081")
	lap.wants(t, "laptop", "The staging gateway now listens on port 8081")
	bob.wants(t, "bob", "ada: The staging gateway now listens on port 8081")
}

// A machine that shares no preferences withdraws none that another one shares, and what is edited
// of one there is everybody's. What is made a preference there leaves the room.
// BM-SHR-25.
func TestAMachineWithoutPreferencesWithdrawsNone(t *testing.T) {
	t.Parallel()
	_, desk, lap, bob := devices(t, t.TempDir()+"/serve.sqlite")
	must.Do(t, lap.share().On(memoryteam.Choice{Server: lap.base, Room: "app", Preferences: true}, room.Member))
	round := func() {
		t.Helper()
		for range 2 {
			for _, h := range []home{lap, desk, bob} {
				if r := h.synced(t); r.Ended+len(r.Hidden) != 0 {
					t.Errorf("nobody deleted anything: %+v", r)
				}
			}
		}
	}
	lap.save(t, "O", "Ada likes checklists")
	round()
	bob.wants(t, "bob", "ada: Ada likes checklists")
	desk.edit(t, desk.theirs(t, "Ada likes checklists"), "Ada likes short checklists")
	for range 2 {
		for _, h := range []home{desk, lap, bob} {
			h.synced(t)
		}
	}
	lap.wants(t, "laptop", "Ada likes short checklists")
	bob.wants(t, "bob", "ada: Ada likes short checklists")

	lap.save(t, "W", "The mill turns on Mondays")
	lap.synced(t)
	desk.synced(t)
	kind := "O"
	k, _ := desk.keeper()
	must.Do(t, k.Edit(desk.theirs(t, "The mill turns on Mondays"), store.Edit{Type: &kind}))
	if r := desk.synced(t); r.Ended != 1 {
		t.Errorf("what became a preference stays in the room: %+v", r)
	}
}

// What a cleanup hid here stays hidden here alone, also if what the room gave was lost and is
// fetched again.
// BM-SHR-25.
func TestACleanupDeletesNothingForOthers(t *testing.T) {
	t.Parallel()
	_, desk, lap, _ := devices(t, t.TempDir()+"/serve.sqlite")
	lap.save(t, "W", "The mill turns on Mondays")
	lap.synced(t)
	desk.synced(t)
	k, place := desk.keeper()
	k.Now = k.Now.AddDate(1, 0, 0)
	if ids, err := k.Cleanup(30, false); err != nil || len(ids) != 1 {
		t.Fatalf("%v, %v", ids, err)
	}
	desk.synced(t)
	must.Do(t, place.DropShared())
	if r := desk.synced(t); !r.Fetched {
		t.Errorf("%+v", r)
	}
	desk.wants(t, "desk", "")
	desk.synced(t)
	lap.synced(t)
	lap.wants(t, "laptop", "The mill turns on Mondays")
}
