package server

import (
	"context"
	"database/sql"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3/driver"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/sqlite"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// statements are those of a file, each up to a ; at the end of a line.
func statements(t *testing.T, name string) (out []string) {
	t.Helper()
	for _, s := range strings.Split(must.Read(t, filepath.Join("testdata", name)), ";\n") {
		var lines []string
		for _, l := range strings.Split(s, "\n") {
			if !strings.HasPrefix(l, "--") {
				lines = append(lines, l)
			}
		}
		if s = strings.TrimSpace(strings.Join(lines, "\n")); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// raw is a database as it is, without this program's schema.
func raw(t *testing.T, place string) *sql.DB {
	t.Helper()
	var db *sql.DB
	var err error
	if strings.HasPrefix(place, "postgres://") {
		db, err = sql.Open("pgx", place)
	} else {
		must.Do(t, os.MkdirAll(filepath.Dir(place), 0o700))
		db, err = driver.Open(sqlite.URI(place))
	}
	must.Do(t, err)
	return db
}

func fill(t *testing.T, place string, list []string) {
	t.Helper()
	db := raw(t, place)
	defer db.Close()
	for _, s := range list {
		if _, err := db.ExecContext(context.Background(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// What an older program kept is there after the upgrade, once: persons with their keys,
// genes, outcomes, notes, skills, pages, rooms. What was published is on trial, since
// nobody has read it; what could harm is held; forty outcomes of one person are one
// voice. Opening it again changes nothing. EV-SRV-17.
func TestUpgradeKeepsWhatAnOlderServiceHad(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		fill(t, place, statements(t, "schema2.sql"))
		opened(t, place).Close()
		s := opened(t, place)
		server := httptest.NewServer(New(s, DefaultLimits(), Hosts{}, io.Discard))
		t.Cleanup(server.Close)
		of := func(name string) peer { return peer{t: t, url: server.URL, key: "sk-prismer-of-" + name} }
		ada, bob, cyd := of("ada"), of("bob"), of("cyd")
		pulled := func(c peer, scope string) map[string]map[string]any {
			out := map[string]map[string]any{}
			for _, g := range at(c.want(200, "GET", "/api/im/evolution/sync/snapshot?scope="+scope, ""), "genes").([]any) {
				out[at(g, "id").(string)] = g.(map[string]any)
			}
			return out
		}
		a := pulled(ada, "ws_app")
		if g := a["gene_repair_proxy"]; g["state"] != "trial" || g["visibility"] != "canary" || g["successCount"] != 39.0 || g["author"] != "ada" {
			t.Errorf("%v", g)
		}
		if g := a["gene_repair_cache"]; g["state"] != "draft" || g["successCount"] != 2.0 || g["mine"] != true {
			t.Errorf("%v", g)
		}
		c := pulled(cyd, "global")
		g := c["gene_repair_proxy"]
		if g["successCount"] != 1.0 || g["failureCount"] != 1.0 || at(g, "evidence", "persons") != 2.0 || at(g, "evidence", "outcomes") != 43.0 || at(g, "evidence", "projects") != 1.0 {
			t.Errorf("two persons, one of whom it helped and one not: %v", g)
		}
		if g := c["gene_repair_pipe"]; g["state"] != "held" || !strings.Contains(g["held_for"].(string), "unread") {
			t.Errorf("%v", g)
		}
		if _, is := pulled(bob, "global")["gene_repair_pipe"]; is {
			t.Error("somebody else gets a gene that is held")
		}
		if g := c["seed_diagnostic_first_error"]; g["state"] != "seed" || g["successCount"] != 4.0 {
			t.Errorf("%v", g)
		}
		if got := at(ada.want(200, "GET", "/api/im/memory/load", ""), "content"); got != "# Memory\n\nWe deploy on Tuesdays.\n" {
			t.Errorf("%v", got)
		}
		if got := at(ada.want(200, "GET", "/api/im/skills/deploy/content", ""), "content"); got != "# deploy\n" {
			t.Errorf("%v", got)
		}
		if got := says(ada.pull(0)); got != "ada: Fact number 0 of the app: the queue has 3 workers. | ada: Fact number 1 of the app: the queue has 4 workers. | ada -bob" {
			t.Errorf("%v", got)
		}
		// What had come comes again without harm, and new outcomes count.
		again := `{"gene_id": "gene_repair_proxy", "signals": ["error:timeout"], "outcome": "success", "summary": "x", "outcome_id": "out-ada-gene_repair_proxy-s1-5", "session_id": "s1-5"}`
		if r := ada.want(200, "POST", "/api/im/evolution/record?scope=ws_app", again); at(r, "duplicate") != true || at(r, "success_count") != 39.0 {
			t.Errorf("%v", r)
		}
		if r := ada.want(200, "POST", "/api/im/evolution/record?scope=ws_app", strings.ReplaceAll(again, "s1-5", "s9")); at(r, "success_count") != 40.0 {
			t.Errorf("%v", r)
		}
		ada.want(200, "POST", "/api/im/evolution/analyze?scope=ws_app", `{"signals": ["error:build_failure"]}`)
		person, err := personOf(t.Context(), s.db, "ada")
		must.Do(t, err)
		if ids, err := s.found(t.Context(), person, []string{"error:build_failure"}); err != nil || !slices.Contains(ids, "gene_repair_cache") {
			t.Errorf("%v, %v", ids, err)
		}
		keys, err := s.Keys(t.Context())
		if err != nil || len(keys) != 4 {
			t.Errorf("%v, %v", keys, err)
		}
		var live int
		for _, k := range keys {
			if k.Revoked == 0 && k.Expires == 0 && k.Role == RoleMember {
				live++
			}
		}
		if live != 3 {
			t.Errorf("%d keys hold", live)
		}
	})
}

// The first schema, which had no rooms, comes up to this one as well. BM-SHR-20.
func TestUpgradeFromTheFirstSchema(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		list := append([]string{`CREATE TABLE schema_migrations (version BIGINT PRIMARY KEY, at BIGINT NOT NULL)`, `INSERT INTO schema_migrations VALUES (1, 0)`}, migrations[0]...)
		fill(t, place, append(list, `INSERT INTO persons VALUES ('person_1', 'ada', 1)`))
		s := opened(t, place)
		if err := s.NewRoom(t.Context(), "app"); err != nil {
			t.Error(err)
		}
		if list, err := s.Persons(t.Context()); err != nil || len(list) != 1 || list[0].Role != RoleMember {
			t.Errorf("%v, %v", list, err)
		}
	})
}

// A schema of a newer program is left alone.
func TestNewerSchemaIsLeftAlone(t *testing.T) {
	onBoth(t, func(t *testing.T, place string) {
		s := opened(t, place)
		must.Do(t, must.Err(s.db.ExecContext(t.Context(), `INSERT INTO schema_migrations (version, at) VALUES (99, 0)`)))
		if _, err := Open(t.Context(), place, time.Now, newID); err == nil || !strings.Contains(err.Error(), "newer") {
			t.Errorf("%v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		// Whoever closes a file of SQLite last clears that away.
		if _, err := os.Stat(place + "-wal"); !s.postgres && err == nil {
			t.Error("what was refused is still open")
		}
	})
}
