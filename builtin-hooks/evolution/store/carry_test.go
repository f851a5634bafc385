package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The tables of older programs, as these made them.
const tablesBefore = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE genes (
  id TEXT PRIMARY KEY, doc TEXT NOT NULL, title TEXT NOT NULL, category TEXT NOT NULL, visibility TEXT NOT NULL,
  scope TEXT NOT NULL, origin TEXT NOT NULL, elsewhere_good REAL NOT NULL, elsewhere_bad REAL NOT NULL, elsewhere_last INTEGER NOT NULL,
  created INTEGER NOT NULL, changed INTEGER NOT NULL, trial INTEGER NOT NULL, deleted INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE gene_signals (signal TEXT NOT NULL, gene TEXT NOT NULL, PRIMARY KEY (signal, gene)) WITHOUT ROWID;
CREATE TABLE observations (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, gene TEXT NOT NULL, session TEXT NOT NULL, scope TEXT NOT NULL,
  agent TEXT NOT NULL, signals TEXT NOT NULL, types TEXT NOT NULL, success INTEGER NOT NULL, score REAL, summary TEXT NOT NULL,
  reason TEXT NOT NULL, more TEXT NOT NULL, explicit INTEGER NOT NULL, followed INTEGER, weight REAL NOT NULL, worth REAL NOT NULL,
  counted INTEGER NOT NULL, frozen INTEGER NOT NULL, at INTEGER NOT NULL);
CREATE INDEX observations_session ON observations (session, gene);
CREATE INDEX observations_gene ON observations (gene, at);
CREATE TRIGGER observations_stay BEFORE DELETE ON observations BEGIN SELECT raise(ABORT, 'an observation is never removed'); END;
CREATE TABLE replaced (observation TEXT PRIMARY KEY, by TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE pushed (observation TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;`

const tablesBefore2 = `
CREATE TABLE edges (gene TEXT NOT NULL, signal TEXT NOT NULL, scope TEXT NOT NULL, agent TEXT NOT NULL, good REAL NOT NULL, bad REAL NOT NULL,
  runs INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (gene, signal, scope, agent)) WITHOUT ROWID;
CREATE TABLE suggestions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, gene TEXT NOT NULL, session TEXT NOT NULL, scope TEXT NOT NULL, types TEXT NOT NULL,
  action TEXT NOT NULL, confidence REAL NOT NULL, coverage REAL NOT NULL, at INTEGER NOT NULL);
PRAGMA user_version = 2`

// before is a database of an older program that is still at work.
func before(t *testing.T, dir string, sql ...string) *sqlite3.Conn {
	t.Helper()
	db, err := sqlite3.Open("file:" + filepath.Join(dir, evolution.Before))
	must.Do(t, err)
	t.Cleanup(func() { db.Close() })
	execute(t, db, append([]string{"PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 40"}, sql...)...)
	return db
}

func execute(t *testing.T, db *sqlite3.Conn, sql ...string) {
	t.Helper()
	for _, s := range sql {
		if err := db.Exec(s); err != nil {
			t.Fatalf("%.200s: %v", s, err)
		}
	}
}

func geneBefore(id, origin, visibility, step string, changed, deleted int) string {
	doc := fmt.Sprintf(`{"type":"Gene","id":"%s","category":"repair","title":"Old %s","visibility":"private","signals_match":["error:oom"],"strategy":["%s"],"theirs":{"x":1}}`, id, id, step)
	return fmt.Sprintf("INSERT OR REPLACE INTO genes VALUES ('%s', '%s', 'Old', 'repair', '%s', '', '%s', 4, 2, 1500, 1, %d, 0, %d)", id, doc, visibility, origin, changed, deleted)
}

func outcomeBefore(id, gene, session, summary string, success, explicit int, followed string, at int) string {
	return fmt.Sprintf(`INSERT INTO observations VALUES (NULL, '%s', '%s', '%s', 'global', 'one', '["error:oom"]', '["error:oom"]', %d, 0.75, '%s', '', '{"a":[1]}', %d, %s, 1, 0.8, 1, 0, %d)`, id, gene, session, success, summary, explicit, followed, at)
}

// EV-JRN-16: what an older program kept is taken over whole, from its file and its log,
// once, while that program still works, and what it writes later too; its file stays.
func TestADatabaseOfAnOlderProgramIsTakenOver(t *testing.T) {
	t.Parallel()
	dir, ctx := t.TempDir(), t.Context()
	db := before(t, dir, tablesBefore, tablesBefore2, "INSERT INTO meta VALUES ('seeds', 'x'), ('frozen', ''), ('distilled error:oom', '2026-11-20T00:00:00Z'), ('families old', 'go test')")
	seeds, err := gene.Seeds()
	must.Do(t, err)
	long := strings.Repeat("long text ", 3000) // on pages of its own
	execute(t, db, geneBefore("old", "local", "private", long, 1000, 0), geneBefore("gone", "local", "private", "x", 1000, 1), geneBefore("theirs", "import", "quarantined", "y", 1200, 0),
		geneBefore(seeds[0].ID, "seed", "seed", "z", 1, 1), geneBefore(seeds[1].ID, "seed", "seed", "z", 1, 0), geneBefore("seed_of_old", "seed", "seed", "z", 1, 0))
	for i := range 300 {
		execute(t, db, outcomeBefore(fmt.Sprint("o", i), "old", fmt.Sprint("s", i), "it was "+long[:i*7], i%3%2, i%2, []string{"NULL", "1", "0"}[i%3], 2000+i))
	}
	execute(t, db, "INSERT INTO replaced VALUES ('o0', 'o3')", "INSERT INTO pushed VALUES ('o6', 9000)",
		"INSERT INTO suggestions VALUES (NULL, 'old', 's1', 'global', '[\"error:oom\"]', 'apply_gene', 0.5, 1, 3000)")
	s := open(t, dir)
	check := func(outcomes, offers int) {
		t.Helper()
		for _, s := range []*Store{s, open(t, dir)} {
			all, err := s.Observations(ctx, Search{})
			told, err2 := s.Suggestions(ctx, "", time.Time{})
			if err := errors.Join(err, err2, s.Check()); err != nil || len(all) != outcomes || len(told) != offers {
				t.Fatalf("%d outcomes, %d suggestions: %v", len(all), len(told), err)
			}
		}
	}
	check(300, 1)
	r, err := s.Get(ctx, "old")
	if err != nil || r.Strategy[0] != strings.TrimSpace(long) || r.Elsewhere.Successes != 4 || r.Origin != "local" || !r.Foreign() || r.Here.N() != 299 || !r.Changed.Equal(time.UnixMilli(1000)) {
		t.Errorf("%+v %v", r.Here, err)
	}
	all, _ := s.Observations(ctx, Search{})
	if o := all[299]; o.ID != "o299" || o.Summary != "it was "+long[:299*7] || o.Followed == nil || *o.Followed || *o.Score != 0.75 || string(o.More) != `{"a":[1]}` || o.Agent != "one" || o.Frozen || !o.At.Equal(time.UnixMilli(2299)) {
		t.Errorf("%+v", o)
	}
	if all[0].Replaced != "o3" || all[0].Followed != nil || all[6].Pushed.IsZero() || all[7].Explicit != true || s.Facts["families old"] != "go test" {
		t.Errorf("%+v %+v %v", all[0], all[6], s.Facts)
	}
	if r, err := s.Get(ctx, "theirs"); err != nil || r.Visibility.Usable() {
		t.Errorf("what was not approved: %v %v", r.Visibility, err)
	}
	for _, id := range []string{"gone", seeds[0].ID, "seed_of_old"} {
		if _, err := s.Get(ctx, id); !errors.Is(err, ErrNoGene) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if r, err := s.Get(ctx, seeds[1].ID); err != nil || r.Elsewhere.Failures != 2 || r.Title == "Old" {
		t.Errorf("a seed: %v %v", r.Elsewhere, err)
	}
	// The older one goes on; this one changes things too.
	put(t, s, sample("new", "error:oom"))
	must.Do(t, s.Delete(ctx, "theirs", day))
	record(t, s, Observation{ID: "ours", Gene: "new", Success: true, At: day})
	execute(t, db, outcomeBefore("later", "old", "s", "x", 1, 1, "NULL", 9000), geneBefore("old", "local", "private", "changed there", 5000, 0), geneBefore("made", "local", "private", "made there", 6000, 0),
		"INSERT INTO suggestions VALUES (NULL, 'old', 's2', 'global', '[]', 'apply_gene', 0.5, 1, 3000)", "INSERT INTO replaced VALUES ('o9', 'later')")
	again := open(t, dir)
	check(302, 2)
	if r, err := again.Get(ctx, "old"); err != nil || r.Strategy[0] != "changed there" {
		t.Errorf("%v", err)
	}
	if _, err := again.Get(ctx, "theirs"); !errors.Is(err, ErrNoGene) {
		t.Error("what was deleted here came back:", err)
	}
	if _, err := again.Get(ctx, "made"); err != nil {
		t.Error(err)
	}
	// What is changed here later is not changed back.
	mine := sample("old", "error:oom")
	mine.Strategy = []string{"mine"}
	put(t, again, mine)
	execute(t, db, "INSERT INTO meta VALUES ('x', 'y')")
	if r, err := open(t, dir).Get(ctx, "old"); err != nil || r.Strategy[0] != "mine" {
		t.Errorf("changed back: %q %v", r.Strategy, err)
	}
	check(302, 2)
	// It works on as it did: nothing of its file was touched.
	execute(t, db, "PRAGMA wal_checkpoint(TRUNCATE)", outcomeBefore("last", "old", "s", "x", 1, 1, "NULL", 9100))
	db.Close()
	check(303, 2)
}

// EV-JRN-16: a database of the first version, without the tables that came later, is
// taken over; one that is damaged or newer is left as it is, and said.
func TestDatabasesOfOtherVersions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	before(t, dir, tablesBefore, "PRAGMA user_version = 1", geneBefore("old", "local", "private", "x", 1000, 0), outcomeBefore("o1", "old", "s", "x", 1, 0, "NULL", 1000), outcomeBefore("o2", "old", "s", "x", 0, 1, "NULL", 2000), "INSERT INTO replaced VALUES ('o1', 'o2')")
	if got := tally(t, open(t, dir), "old"); got.Successes != 0 || got.Failures != 1 {
		t.Errorf("%+v", got)
	}
	for name, make := range map[string]func(dir, path string){
		"damaged": func(_, path string) {
			os.WriteFile(path, []byte("this is no database, it is a text of some length"), 0o600)
		},
		"overwritten": func(dir, path string) {
			before(t, dir, tablesBefore, tablesBefore2, geneBefore("old", "local", "private", "x", 1000, 0), "PRAGMA wal_checkpoint(TRUNCATE)").Close()
			b, _ := os.ReadFile(path)
			for i := 100; i < len(b); i++ {
				b[i] = 0xa5
			}
			os.WriteFile(path, b, 0o600)
		},
		"newer": func(dir, _ string) { before(t, dir, "PRAGMA user_version = 99").Close() },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, evolution.Before)
			make(dir, path)
			was, _ := os.ReadFile(path)
			_, err := Open(t.Context(), dir)
			var damaged *Damaged
			var newer *Newer
			if isNewer := errors.As(err, &newer); isNewer != (name == "newer") || !isNewer && !errors.As(err, &damaged) || !strings.Contains(fmt.Sprint(err), evolution.Before) {
				t.Errorf("%s: %v", name, err)
			}
			if now, _ := os.ReadFile(path); string(now) != string(was) {
				t.Errorf("%s: the file was changed", name)
			}
			// Moved away, as the error says, it is no more in the way.
			must.Do(t, os.Rename(path, path+".old"))
			open(t, dir)
		})
	}
}
