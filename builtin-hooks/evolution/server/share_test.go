package server

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/server"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	memoryteam "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/team"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// A home is a machine of a person with one project. Its clock is ahead of the service's.
type home struct {
	dir, base, key string
	ahead          time.Duration
}

func (h home) keeper() (store.Keeper, memory.Place) {
	root, state := filepath.Join(h.dir, "project"), filepath.Join(h.dir, "state")
	within, known := beneath.At(root), ledger.At(state, root)
	place := memory.Place{Root: root, Tree: root, Dir: filepath.Join(root, ".agents", "memory-data"), Within: within, Ledger: known}
	return store.Keeper{Root: root, Tree: root, Dir: place.Dir, Within: within, Ledger: known, Cache: filepath.Join(h.dir, "cache"), Now: time.Now().Add(h.ahead), Random: rand.Uint64}, place
}

func (h home) share() *memoryteam.Share {
	k, place := h.keeper()
	s := memoryteam.Of(k, place, filepath.Join(h.dir, "state"))
	s.Derived.Sessions = filepath.Join(h.dir, "state", "sessions")
	return s
}

func (h home) sync(ctx context.Context) (*memoryteam.Result, error) {
	c, err := server.New(h.base, h.key, "", &http.Transport{DisableKeepAlives: true})
	if err != nil {
		return nil, err
	}
	return h.share().Sync(ctx, memoryteam.Caller{Client: c}, 10*time.Second)
}

// newHome is a machine whose person shares its project with the room.
func newHome(t *testing.T, base, key string) home {
	t.Helper()
	h := home{dir: t.TempDir(), base: base, key: key}
	must.Do(t, os.MkdirAll(filepath.Join(h.dir, "project"), 0o700))
	must.Do(t, h.share().On(memoryteam.Choice{Server: base, Room: "app"}, room.Member))
	return h
}

func (h home) save(t *testing.T, kind, text string) string {
	t.Helper()
	k, _ := h.keeper()
	s, err := k.Save(memory.Fact{Kind: kind, Content: text, Confidence: 0.9}, "")
	must.Do(t, err)
	return s.ID
}

func (h home) synced(t *testing.T) *memoryteam.Result {
	t.Helper()
	r, err := h.sync(t.Context())
	must.Do(t, err)
	return r
}

// knows is what holds on a machine, sorted: what others said with who it was.
func (h home) knows(t *testing.T) string {
	t.Helper()
	k, _ := h.keeper()
	all, err := k.Facts()
	must.Do(t, err)
	var out []string
	for _, e := range store.Living(all, time.Now()) {
		if said, ok := strings.CutSuffix(e.Origin, ", shared"); ok {
			out = append(out, said+": "+e.Content)
		} else {
			out = append(out, e.Content)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " | ")
}

func (h home) delete(t *testing.T, ids ...string) {
	t.Helper()
	k, _ := h.keeper()
	must.Do(t, must.Err(k.Delete(ids)))
}

// theirs is the id that a machine has for what somebody else said.
func (h home) theirs(t *testing.T, text string) string {
	t.Helper()
	k, _ := h.keeper()
	all, err := k.Facts()
	must.Do(t, err)
	for _, e := range all {
		if e.Content == text {
			return e.ID
		}
	}
	t.Fatalf("nobody knows %q", text)
	return ""
}

// playShare is a sync in a process of its own.
func playShare(dir, base, key string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err := home{dir: dir, base: base, key: key}.sync(ctx)
	if err != nil {
		fmt.Println(err)
		return nil
	}
	fmt.Println("{}")
	return nil
}

// Kill the service, kill the client or cut the network at every request of a sync of
// memory, before it, in it and after it: when all is well again, each fact is there
// once, as it is now, on both sides, and what was deleted is nowhere.
// BM-SHR-06.
func TestSharedMemoryIsNeitherLostNorDoubled(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s, c := crew(t, place, "ada member", "bob member")
		bob := c[1]
		ch := newChainOf(t, place, "share", c[0].key)
		ada := home{dir: ch.dir, base: ch.proxy.URL, key: c[0].key}
		must.Do(t, os.MkdirAll(filepath.Join(ada.dir, "project"), 0o700))
		must.Do(t, ada.share().On(memoryteam.Choice{Server: ada.base, Room: "app"}, room.Member))
		stays := ada.save(t, "W", "Spindle zero is of oak")
		round := 0
		last := slowtest.Count(1, 4)
		var gone []string
		for i, h := range []harm{{"service", "before", 0}, {"service", "during", 0}, {"service", "after", 0}, {"client", "before", 0}, {"client", "during", 0}, {"client", "after", 0}, {"network", "before", 0}, {"network", "after", 0}} {
			if !slowtest.Part(i, 3) {
				continue
			}
			for h.at = 1; h.at <= last; h.at++ {
				round++
				mine, theirs := fmt.Sprintf("Wheel number %d is of elm", round), fmt.Sprintf("Shaft number %d is of iron", round)
				id := ada.save(t, "B", mine)
				k, _ := ada.keeper()
				if edited := fmt.Sprintf("Spindle zero is of oak, turned %d times", round); k.Edit(stays, store.Edit{Content: &edited}) != nil {
					t.Fatal("not edited")
				}
				if len(gone) > 0 {
					ada.delete(t, gone[len(gone)-1])
				}
				gone = append(gone, id)
				if got := bob.push(fact(fmt.Sprint("log-", round), 1, theirs)); got[0].Status != room.OK {
					t.Fatal(got)
				}
				ch.syncWith(h)
				ch.mu.Lock()
				ch.harm = harm{} // what follows goes well
				ch.mu.Unlock()
				if ch.done && h.victim == "service" {
					ch.begin()
					bob.url = ch.target
				}
				ada.synced(t)
				want := fmt.Sprintf("Spindle zero is of oak, turned %d times", round)
				if got := ada.knows(t); !strings.Contains(got, want) || strings.Count(got, "Wheel") != 1 || strings.Count(got, "bob: Shaft") != round {
					t.Fatalf("%+v: ada knows %s", h, got)
				}
				var facts, ends int
				if err := s.db.QueryRowContext(t.Context(), `SELECT count(*), coalesce(sum(CASE WHEN deleter <> '' THEN 1 ELSE 0 END), 0) FROM facts`).Scan(&facts, &ends); err != nil || facts != 1+2*round || ends != round-1 {
					t.Fatalf("%+v: the room has %d facts of which %d are gone, want %d and %d; %v", h, facts, ends, 1+2*round, round-1, err)
				}
			}
		}
	})
}

// What its author did to a fact reaches everybody: a new text, an end that has passed or is to
// come, a begin, another type, and an end that is taken back.
// BM-SHR-05.
func TestWhatAnAuthorChangesReachesEverybody(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		_, c := crew(t, place, "ada member", "bob member")
		ada, bob := newHome(t, c[0].url, c[0].key), newHome(t, c[0].url, c[1].key)
		day := func(n int) *time.Time { at := time.Now().UTC().AddDate(0, 0, n).Truncate(24 * time.Hour); return &at }
		kind, back, text, never := "O", "W", "Crane five is sold", time.Time{}
		id := ada.save(t, "W", "Crane five is rented")
		for _, step := range []struct {
			what string
			edit store.Edit
			want string
		}{
			{"as saved", store.Edit{}, "ada: Crane five is rented"},
			{"a new text", store.Edit{Content: &text}, "ada: Crane five is sold"},
			{"an end that has passed", store.Edit{Until: day(-9)}, ""},
			{"no end any more", store.Edit{Until: &never}, "ada: Crane five is sold"},
			{"an end to come", store.Edit{Until: day(9)}, "ada: Crane five is sold"},
			{"an end that has passed again", store.Edit{Until: day(-9)}, ""},
			{"another type", store.Edit{Type: &kind, Until: &never}, ""},
			{"its type again", store.Edit{Type: &back}, "ada: Crane five is sold"},
		} {
			k, _ := ada.keeper()
			must.Do(t, k.Edit(id, step.edit))
			ada.synced(t)
			bob.synced(t)
			bob.wants(t, step.what, step.want)
		}
		// One that is replaced as well, and so held no longer anyway.
		k, _ := ada.keeper()
		must.Do(t, must.Err(k.Save(memory.Fact{Kind: "W", Content: "Nobody needs cranes", Confidence: 0.9, Supersedes: []string{id}}, "")))
		ada.synced(t)
		bob.synced(t)
		bob.wants(t, "replaced", "ada: Nobody needs cranes")
		if r := ada.synced(t); r.Pushed+r.Ended != 0 {
			t.Errorf("it does not come to rest: %+v", r)
		}
	})
}
