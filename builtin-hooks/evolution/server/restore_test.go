package server

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"io"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// A quartet is who shares a room: ada and bob are members, eve is a reviewer; cyd comes last, with
// nothing.
type quartet struct{ ada, bob, eve, cyd home }

// moved is the four where its service is at another address.
func (c *quartet) moved(to string) {
	for _, h := range []*home{&c.ada, &c.bob, &c.eve, &c.cyd} {
		h.base = to
	}
}

// deeds are what the four do, one after another; after each the service may be backed up.
func (c *quartet) deeds(t *testing.T) []func() {
	var crane, gate, edited, purged, taken string
	say := func(h home, text string) string { id := h.save(t, "W", text); h.synced(t); return id }
	edit := func(h home, id, text string) {
		k, _ := h.keeper()
		must.Do(t, k.Edit(id, store.Edit{Content: &text}))
		h.synced(t)
	}
	return []func(){
		func() {
			crane, edited = say(c.ada, "Crane five is rented until it rusts"), say(c.ada, "The ferry timetable hangs in the boathouse")
		},
		func() { gate = say(c.bob, "The north gate squeaks in winter"); c.ada.synced(t); c.eve.synced(t) },
		func() {
			edit(c.ada, edited, "The ferry timetable hangs in the lighthouse")
			c.bob.synced(t)
			c.eve.synced(t)
		},
		func() { purged = say(c.ada, "A purged parrot lives in the office"); c.bob.synced(t) },
		func() {
			taken = say(c.bob, "Somebody sells tickets behind the kiosk")
			c.eve.synced(t)
			c.ada.synced(t)
		},
		func() { c.ada.delete(t, crane); c.ada.synced(t); c.bob.synced(t) },
		func() {
			must.Do(t, must.Err(c.ada.share().Purge([]string{purged})))
			k, _ := c.ada.keeper()
			must.Do(t, must.Err(k.Purge([]string{purged})))
			c.ada.synced(t)
		},
		func() {
			must.Do(t, must.Err(c.eve.share().End([]string{c.eve.theirs(t, "Somebody sells tickets behind the kiosk")})))
			c.eve.synced(t)
			c.ada.synced(t)
		},
		func() { edit(c.bob, gate, "The north gate is silent now"); c.ada.synced(t); _ = taken },
	}
}

const (
	atLast = "The ferry timetable hangs in the lighthouse"
	ofBob  = "The north gate is silent now"
)

// wants checks that each of them knows what holds at last, and nothing else.
func (c *quartet) want(t *testing.T, when string) {
	t.Helper()
	for _, x := range []struct {
		who  string
		h    home
		want string
	}{
		{"ada", c.ada, atLast + " | bob: " + ofBob}, {"bob", c.bob, ofBob + " | ada: " + atLast},
		{"eve", c.eve, "ada: " + atLast + " | bob: " + ofBob}, {"cyd", c.cyd, "ada: " + atLast + " | bob: " + ofBob},
	} {
		if got := x.h.knows(t); got != x.want {
			t.Errorf("%s: %s knows\n%s\nwant\n%s", when, x.who, got, x.want)
		}
	}
}

// anew is a service of a store, and its address.
func anew(t *testing.T, s *Store) string {
	t.Helper()
	h := httptest.NewServer(New(s, DefaultLimits(), Hosts{}, io.Discard))
	t.Cleanup(h.Close)
	return h.URL
}

// A service that is set back to a back-up of any moment gets again, from the next sync of each
// machine, what these still have: facts, edits and deletions. What was deleted comes back
// nowhere but until its machine has told, and where it was known to be deleted not at all.
// BM-SHR-21.
func TestARestoredBackupIsFilledAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s, p := crew(t, place, "ada member", "bob member", "eve reviewer", "cyd member")
		var c quartet
		base := anew(t, s)
		for i, h := range []*home{&c.ada, &c.bob, &c.eve, &c.cyd} {
			*h = newHome(t, base, p[i].key)
		}
		var backups []string
		back := func() {
			var b bytes.Buffer
			must.Do(t, must.Err(s.Backup(t.Context(), &b)))
			backups = append(backups, b.String())
		}
		back()
		for _, deed := range c.deeds(t) {
			deed()
			back()
		}
		for i, backup := range backups {
			if !slowtest.Part(i, 3) {
				continue
			}
			t.Run(fmt.Sprint("after ", i), func(t *testing.T) {
				to := filepath.Join(t.TempDir(), "restored.sqlite")
				if s.postgres {
					to = theCluster().fresh(t)
				}
				next := opened(t, to)
				must.Do(t, must.Err(next.Restore(t.Context(), strings.NewReader(backup))))
				must.Do(t, next.Close())
				c.settles(t, anew(t, opened(t, to)))
			})
		}
	})
}

// settles has all machines sync with a service that was set back, in an order that a busy team
// may have, and checks what each knows.
func (c *quartet) settles(t *testing.T, base string) {
	t.Helper()
	c.moved(base)
	c.bob.save(t, "O", "Something that never leaves")
	before := c.bob.knows(t)
	c.bob.synced(t) // the others have not told anything yet
	for _, dead := range []string{"parrot", "Crane", "kiosk"} {
		if strings.Contains(c.bob.knows(t), dead) && !strings.Contains(before, dead) {
			t.Errorf("what bob knew to be deleted is back: %s", c.bob.knows(t))
		}
	}
	for range 2 {
		for _, h := range []home{c.eve, c.ada, c.bob, c.cyd} {
			h.synced(t)
		}
	}
	k, _ := c.bob.keeper()
	all, err := k.Facts()
	must.Do(t, err)
	for _, e := range store.Living(all, time.Now()) {
		if e.Kind == "O" {
			must.Do(t, must.Err(k.Purge([]string{e.ID})))
		}
	}
	c.want(t, "in the end")
	for _, h := range []home{c.ada, c.bob, c.eve, c.cyd} {
		if r := h.synced(t); r.Pushed+r.Ended+r.Added+r.Changed+r.Removed != 0 || r.Over {
			t.Errorf("it does not come to rest: %+v", r)
		}
	}
}

// A copy of the database's file that is put back is a back-up as well, also where the service
// has changed much since, and one of a running service that is started again is none.
// BM-SHR-21.
func TestACopiedFileIsABackup(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "serve.sqlite")
	s, p := crew(t, place, "ada member", "bob member")
	ada, bob := newHome(t, anew(t, s), p[0].key), newHome(t, "", p[1].key)
	ada.save(t, "W", "The till is in hall two")
	ada.synced(t)
	copied := filepath.Join(t.TempDir(), "copy.sqlite")
	must.Do(t, must.Err(s.db.ExecContext(t.Context(), `VACUUM INTO $1`, copied)))
	must.Do(t, os.Chmod(copied, 0o600))
	ada.save(t, "W", "The safe is in hall three")
	ada.synced(t)
	must.Do(t, s.Close())
	ada.base = anew(t, opened(t, place))
	if r := ada.synced(t); r.Over {
		t.Error("started again, it is taken for one that was set back")
	}
	next := opened(t, copied)
	must.Do(t, next.NewRoom(t.Context(), "other")) // its numbers go on
	if _, _, err := next.NewKey(t.Context(), "dan", Terms{}); err != nil {
		t.Fatal(err)
	}
	must.Do(t, next.Admit(t.Context(), "app", "dan", room.Member))
	must.Do(t, next.Close())
	ada.base = anew(t, opened(t, copied))
	bob.base = ada.base
	if r := ada.synced(t); !r.Over || r.Pushed != 1 {
		t.Errorf("%+v", r)
	}
	bob.synced(t)
	bob.wants(t, "at last", "ada: The safe is in hall three | ada: The till is in hall two")
}

// A deletion holds in a room that was set back to a time before the fact, or before its deletion,
// also where its author has not heard of it, or others have the fact and the room does not.
// BM-SHR-21.
func TestADeletionOutlivesABackup(t *testing.T) {
	for name, early := range map[string]bool{"before the fact": true, "before its deletion": false} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, place string) {
				s, p := crew(t, place, "ada member", "bob member", "eve reviewer")
				base := anew(t, s)
				ada, bob, eve := newHome(t, base, p[0].key), newHome(t, base, p[1].key), newHome(t, base, p[2].key)
				var backup bytes.Buffer
				back := func(now bool) {
					if !now {
						return
					}
					must.Do(t, must.Err(s.Backup(t.Context(), &backup)))
				}
				back(early)
				tickets, wrong := ada.save(t, "W", "Tickets are sold behind the kiosk"), ada.save(t, "W", "The weir opens on Mondays")
				for _, h := range []home{ada, bob, eve} {
					h.synced(t)
				}
				back(!early)
				if n, err := eve.share().End([]string{eve.theirs(t, "Tickets are sold behind the kiosk")}); err != nil || n != 1 {
					t.Fatal(n, err)
				}
				if r := eve.synced(t); r.Ended != 1 {
					t.Fatalf("%+v", r)
				}
				to := filepath.Join(t.TempDir(), "restored.sqlite")
				if s.postgres {
					to = theCluster().fresh(t)
				}
				next := opened(t, to)
				must.Do(t, must.Err(next.Restore(t.Context(), &backup)))
				url := anew(t, next)
				ada.base, bob.base, eve.base = url, url, url
				ada.delete(t, wrong) // which the room may not have
				eve.synced(t)
				if r := ada.synced(t); len(r.Withdrawn) != 1 || r.Withdrawn[0] != tickets {
					t.Errorf("%+v", r)
				}
				bob.synced(t)
				eve.synced(t)
				for who, h := range map[string]home{"ada": ada, "bob": bob, "eve": eve} {
					if got := h.knows(t); got != "" {
						t.Errorf("%s still knows %s", who, got)
					}
				}
			})
		})
	}
}
