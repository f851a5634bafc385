package server

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// asked is the first thing that a machine finds for a question, and who said it.
func (h home) asked(t *testing.T, question string) string {
	t.Helper()
	k, _ := h.keeper()
	found, err := search.Thorough([]search.Folder{{Scope: "project", Dir: k.Dir, Cache: k.Cache, Within: k.Within, Ledger: k.Ledger, Root: k.Root, Tree: k.Tree}}, search.Query{Text: question, Max: 3, Method: search.Hybrid, Now: time.Now()}, time.Now())
	must.Do(t, err)
	if len(found) == 0 || found[0].Weak {
		return ""
	}
	if found[0].Origin == "" {
		return found[0].Content
	}
	return found[0].Origin + ": " + found[0].Content
}

// holds reports whether any file of a machine's project holds a text.
func (h home) holds(t *testing.T, text string) (in string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(h.dir, "project"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if b, _ := os.ReadFile(path); strings.Contains(string(b), text) {
				in = path
			}
		}
		return err
	})
	must.Do(t, err)
	return in
}

func (h home) wants(t *testing.T, day, want string) {
	t.Helper()
	if got := h.knows(t); got != want {
		t.Errorf("%s: knows\n%s\nwant\n%s", day, got, want)
	}
}

// A week of three people, each with a home of their own, and a service that is a process:
// what they share, what stays at home, who was away, what contradicts, what is deleted, who
// leaves, and what each finds when asked.
// BM-SHR-12, BM-SHR-13.
func TestAWeekOfATeam(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s, c := crew(t, place, "ada member", "bob member", "eve reviewer", "mal")
		must.Do(t, s.NewRoom(t.Context(), "other"))
		must.Do(t, s.Admit(t.Context(), "other", "mal", room.Reviewer))
		ch := newChainOf(t, place, "share", c[0].key) // the service as a process
		service := ch.target
		ada, bob, eve, mal := newHome(t, service, c[0].key), newHome(t, service, c[1].key), newHome(t, service, c[2].key), newHome(t, service, c[3].key)

		// Monday: ada shares, and what is hers stays.
		port := ada.save(t, "W", "The staging gateway listens on port 8080")
		ada.save(t, "O", "I prefer short answers")
		ada.save(t, "S", "asked: open the gate with pear-tree")
		wrong := ada.save(t, "B", "Backups run on Sundays at noon")
		ada.save(t, "W", "CI signs in with ghp_abcdefghijklmnopqrstuvwxyz0123456789")
		if r := ada.synced(t); r.Pushed != 3 {
			t.Errorf("Monday: %+v", r)
		}
		bob.synced(t)
		bob.wants(t, "Monday", "ada: Backups run on Sundays at noon | ada: CI signs in with [REDACTED:github-token] | ada: The staging gateway listens on port 8080")
		if got := bob.asked(t, "staging gateway port"); got != "ada, shared: The staging gateway listens on port 8080" {
			t.Errorf("Monday: bob finds %q", got)
		}
		eve.synced(t)

		// Tuesday: bob is offline. Nothing is lost, and it is known what waits.
		away := bob
		away.base = "http://127.0.0.1:1"
		queue := bob.save(t, "W", "The invoice queue is drained by a worker called Heron")
		if _, err := away.sync(t.Context()); err == nil {
			t.Error("Tuesday: synced with nobody")
		}
		if n, err := bob.share().Waits(); err != nil || n != 1 {
			t.Errorf("Tuesday: %d wait, %v", n, err)
		}
		if st, _, _ := bob.share().State(); st.Wrong == "" || st.Synced == "" {
			t.Errorf("Tuesday: %+v", st)
		}

		// Wednesday: he is back; ada's own later fact stands for her older one, everywhere.
		if r := bob.synced(t); r.Pushed != 1 {
			t.Errorf("Wednesday: %+v", r)
		}
		ada.save(t, "W", "The staging gateway now listens on port 8081")
		ada.synced(t)
		bob.synced(t)
		if got := bob.knows(t); strings.Contains(got, "8080") || !strings.Contains(got, "ada: The staging gateway now listens on port 8081") {
			t.Errorf("Wednesday: %s", got)
		}

		// Thursday: bob says something else than ada. He has hers replaced for himself, and so
		// has who reads; she is shown both.
		bob.save(t, "W", "The staging gateway now listens on port 9090")
		bob.synced(t)
		r := ada.synced(t)
		if len(r.Conflicts) != 1 || r.Conflicts[0].Author != "bob" || !strings.Contains(r.Conflicts[0].Against[0].Content, "8081") {
			t.Errorf("Thursday: %+v", r.Conflicts)
		}
		if got := ada.knows(t); !strings.Contains(got, "bob: The staging gateway now listens on port 9090") || !strings.Contains(got, "| The staging gateway now listens on port 8081") {
			t.Errorf("Thursday: ada knows %s", got)
		}

		// Friday: ada deletes a fact and brings back another one; eve was away all week, and
		// holds what is deleted until she asks.
		ada.delete(t, wrong, port)
		if r := ada.synced(t); r.Ended != 2 {
			t.Errorf("Friday: %+v", r)
		}
		if eve.holds(t, "Sundays at noon") == "" {
			t.Error("Friday: eve has nothing of it, and nothing is proved")
		}
		eve.synced(t)
		for who, h := range map[string]home{"bob": bob, "eve": eve} {
			t.Run(who, func(t *testing.T) {
				h.synced(t)
				if in := h.holds(t, "Sundays at noon"); in != "" {
					t.Errorf("Friday: what ada deleted is in %s of %s", in, who)
				}
			})
		}
		var left int
		if err := s.db.QueryRowContext(t.Context(), `SELECT count(*) FROM facts WHERE document LIKE '%Sundays%'`).Scan(&left); err != nil || left != 0 {
			t.Errorf("Friday: the service holds it, %v", err)
		}
		eve.wants(t, "Friday", "ada: CI signs in with [REDACTED:github-token] | bob: The invoice queue is drained by a worker called Heron | bob: The staging gateway now listens on port 9090")

		// Saturday: a member deletes another's for themselves alone, a reviewer for all; bob
		// finds his own hidden, and keeps it for himself.
		heron := "The invoice queue is drained by a worker called Heron"
		ada.delete(t, ada.theirs(t, heron))
		ada.synced(t)
		if got := eve.knows(t); !strings.Contains(got, heron) || strings.Contains(ada.knows(t), heron) {
			t.Error("Saturday: a member's delete of another's fact")
		}
		if n, err := eve.share().End([]string{eve.theirs(t, heron)}); err != nil || n != 1 {
			t.Fatal(n, err)
		}
		eve.synced(t)
		if r := bob.synced(t); len(r.Withdrawn) != 1 || r.Withdrawn[0] != queue || strings.Contains(bob.knows(t), heron) {
			t.Errorf("Saturday: %+v", r)
		}
		k, _ := bob.keeper()
		must.Do(t, must.Err(k.Restore([]string{queue})))
		if r := bob.synced(t); r.Pushed != 0 || !strings.Contains(bob.knows(t), heron) || strings.Contains(eve.knows(t), heron) {
			t.Errorf("Saturday: what a reviewer took out came back: %+v", r)
		}

		// Sunday: bob leaves. He sees nothing more of the others; what he wrote he has.
		must.Do(t, s.Dismiss(t.Context(), "app", "bob", false))
		ada.save(t, "W", "The new vault is behind the lighthouse")
		ada.synced(t)
		if r, err := bob.sync(t.Context()); err == nil || !r.Out {
			t.Errorf("Sunday: %+v %v", r, err)
		}
		bob.wants(t, "Sunday", heron+" | The staging gateway now listens on port 9090")
		if bob.holds(t, "ada") != "" || bob.asked(t, "vault lighthouse") != "" {
			t.Error("Sunday: bob still has what ada said")
		}
		// A key of another project sees nothing of this one.
		if r, err := mal.sync(t.Context()); err == nil || !r.Out || mal.knows(t) != "" {
			t.Errorf("Sunday: %+v %v", r, err)
		}
		eve.synced(t)
		if got := eve.asked(t, "vault lighthouse"); got != "ada, shared: The new vault is behind the lighthouse" {
			t.Errorf("Sunday: eve finds %q", got)
		}
		// He is let in again, and has all of it.
		must.Do(t, s.Admit(t.Context(), "app", "bob", room.Reader))
		bob.save(t, "W", "A reader's own note about the pier")
		if r := bob.synced(t); r.Pushed != 0 || len(r.Refused) != 1 {
			t.Errorf("a reader: %+v", r)
		}
		if got := bob.asked(t, "vault lighthouse"); got != "ada, shared: The new vault is behind the lighthouse" {
			t.Errorf("let in again, bob finds %q", got)
		}
		for _, secret := range []string{"ghp_", "pear-tree", "short answers"} {
			var n int
			if err := s.db.QueryRowContext(t.Context(), `SELECT count(*) FROM facts WHERE document LIKE '%' || $1 || '%'`, secret).Scan(&n); err != nil || n != 0 {
				t.Errorf("%q left ada's machine, %v", secret, err)
			}
		}
	})
}
