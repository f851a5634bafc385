package server

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	memoryteam "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/team"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// What others shared is fetched again by the next sync, which says so, whatever became of its
// files; what the person deleted or purged for themselves does not come back with it, nor what
// its author deleted meanwhile.
// BM-SHR-22.
func TestWhatIsLostIsFetchedAgain(t *testing.T) {
	t.Parallel()
	change := func(do func(b []byte) []byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			list, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
			if err != nil || len(list) != 1 {
				t.Fatal(list, err)
			}
			must.Do(t, os.WriteFile(list[0], do([]byte(must.Read(t, list[0]))), 0o600))
		}
	}
	for name, harm := range map[string]func(t *testing.T, dir string){
		"the folder":       func(t *testing.T, dir string) { must.Do(t, os.RemoveAll(dir)) },
		"all of a file":    change(func([]byte) []byte { return nil }),
		"half of its last": change(func(b []byte) []byte { return b[:len(b)-40] }),
		"half of its first": change(func(b []byte) []byte {
			return b[40:]
		}),
		"a word":              change(func(b []byte) []byte { return []byte(strings.Replace(string(b), "boathouse", "madhouse", 1)) }),
		"a word of what goes": change(func(b []byte) []byte { return []byte(strings.Replace(string(b), "office", "attic", 1)) }),
		"no bytes":            change(func(b []byte) []byte { return make([]byte, len(b)) }),
		"the order":           change(func(b []byte) []byte { return []byte("\n\n" + string(b) + "{\"id\": \"team-x") }),
	} {
		if !slowtest.Among(name, "the folder", "half of its last", "a word of what goes", "the order") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			_, c := crew(t, filepath.Join(t.TempDir(), "serve.sqlite"), "ada member", "bob member")
			ada, bob := newHome(t, c[0].url, c[0].key), newHome(t, c[0].url, c[1].key)
			ada.save(t, "W", "The ferry timetable hangs in the boathouse")
			mistake := ada.save(t, "W", "A mistaken parrot lives in the office")
			ada.save(t, "W", "Somebody tired sells tickets behind the kiosk")
			purged := ada.save(t, "W", "A purple crane is rented")
			ada.synced(t)
			bob.synced(t)
			bob.delete(t, bob.theirs(t, "Somebody tired sells tickets behind the kiosk"))
			purge := bob.theirs(t, "A purple crane is rented")
			_, err := bob.share().Purge([]string{purge})
			must.Do(t, err)
			k, place := bob.keeper()
			must.Do(t, must.Err(k.Purge([]string{purge})))
			for range 2 { // the purge is no damage
				if r := bob.synced(t); len(bob.knows(t)) > 200 || strings.Contains(bob.knows(t), "purple") {
					t.Fatalf("%+v: %s", r, bob.knows(t))
				}
			}
			before := bob.knows(t)
			harm(t, filepath.Join(place.Dir, "local", "team"))
			damaged := name != "the order"
			if lost, err := bob.share().Lost(); err != nil || lost != damaged {
				t.Errorf("lost: %v, %v", lost, err)
			}
			ada.delete(t, mistake)
			ada.synced(t)
			if r := bob.synced(t); r.Fetched != damaged {
				t.Errorf("%+v", r)
			}
			if st, _, _ := bob.share().State(); (st.Fetched != "") != damaged {
				t.Errorf("%+v", st)
			}
			want := "ada: The ferry timetable hangs in the boathouse"
			bob.wants(t, "after "+before, want)
			for _, gone := range []string{"parrot", "purple", "madhouse", "team-x"} {
				if in := bob.holds(t, gone); in != "" {
					t.Errorf("%q is in %s", gone, in)
				}
			}
			if r := bob.synced(t); r.Fetched || r.Added+r.Changed != 0 {
				t.Errorf("it does not come to rest: %+v", r)
			}
			// What was purged here comes again only as its author says it anew.
			k, _ = ada.keeper()
			text := "A purple crane is sold"
			must.Do(t, k.Edit(purged, store.Edit{Content: &text}))
			ada.synced(t)
			bob.synced(t)
			bob.wants(t, "later", "ada: A purple crane is sold | "+want)
		})
	}
}

// What was taken out of a room, or is somebody's who left it, is in no file of a machine after
// its next sync: neither in memory and its copies, nor in what searches and prompts read, whoever
// took it out and however.
// BM-SHR-13, BM-SHR-23.
func TestWhatIsTakenOutLeavesNoTrace(t *testing.T) {
	t.Parallel()
	const text = "The ferry timetable hangs in the boathouse"
	edited := "Ferries leave at seven"
	for name, take := range map[string]func(t *testing.T, s *Store, ada, bob home, id string){
		"deleted": func(t *testing.T, _ *Store, ada, _ home, id string) { ada.delete(t, id) },
		"purged": func(t *testing.T, _ *Store, ada, _ home, id string) {
			_, err := ada.share().Purge([]string{id})
			must.Do(t, err)
			k, _ := ada.keeper()
			must.Do(t, must.Err(k.Purge([]string{id})))
		},
		"changed": func(t *testing.T, _ *Store, ada, _ home, id string) {
			k, _ := ada.keeper()
			must.Do(t, k.Edit(id, store.Edit{Content: &edited}))
		},
		"out of the room": func(t *testing.T, s *Store, _, _ home, _ string) {
			must.Do(t, s.Dismiss(t.Context(), "app", "bob", false))
		},
		"of somebody erased": func(t *testing.T, s *Store, _, _ home, _ string) {
			must.Do(t, s.Dismiss(t.Context(), "app", "ada", true))
		},
		"switched off": func(t *testing.T, _ *Store, _, bob home, _ string) { must.Do(t, bob.share().Off()) },
		"another room": func(t *testing.T, s *Store, _, bob home, _ string) {
			must.Do(t, bob.share().On(memoryteam.Choice{Server: bob.base, Room: "web"}, room.Member))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := crew(t, filepath.Join(t.TempDir(), "serve.sqlite"), "ada member", "bob member")
			must.Do(t, s.NewRoom(t.Context(), "web"))
			must.Do(t, s.Admit(t.Context(), "web", "bob", room.Member))
			ada, bob := newHome(t, c[0].url, c[0].key), newHome(t, c[0].url, c[1].key)
			id := ada.save(t, "W", text)
			bob.save(t, "B", "The new mill was opened")
			ada.synced(t)
			bob.synced(t)
			if got := bob.asked(t, "ferry timetable"); got != "ada, shared: "+text {
				t.Fatal(got)
			}
			k, _ := bob.keeper()
			must.Do(t, k.Backup())
			if bob.traces(t, "boathouse") == "" {
				t.Fatal("nothing is proved")
			}
			take(t, s, ada, bob, id)
			_, _ = ada.sync(t.Context())
			_, _ = bob.sync(t.Context())
			if in := bob.traces(t, "boathouse"); in != "" {
				t.Errorf("it is in %s", in)
			}
			if got := bob.asked(t, "the new mill"); got != "The new mill was opened" {
				t.Errorf("what is left is not found: %q", got)
			}
		})
	}
}

// traces is a file of a machine that has a text, in whatever folder.
func (h home) traces(t *testing.T, text string) (in string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(h.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			var b []byte
			if b, err = os.ReadFile(path); bytes.Contains(b, []byte(text)) {
				in = path
			}
		}
		return err
	}))
	return in
}
