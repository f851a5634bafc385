package sqlitefile

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// library opens a file with the real library.
func library(t *testing.T, path string, sql ...string) *sqlite3.Conn {
	t.Helper()
	db, err := sqlite3.Open("file:" + path)
	must.Do(t, err)
	t.Cleanup(func() { db.Close() })
	for _, s := range sql {
		if err := db.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
	return db
}

// theirs are the rows of a table as the library reads them.
func theirs(t *testing.T, db *sqlite3.Conn, table, order string) (out []string) {
	t.Helper()
	s, _, err := db.Prepare("SELECT * FROM " + table + " ORDER BY " + order)
	must.Do(t, err)
	defer s.Close()
	for s.Step() {
		line := ""
		for i := range s.ColumnCount() {
			switch s.ColumnType(i) {
			case sqlite3.NULL:
				line += "|null"
			case sqlite3.INTEGER:
				line += fmt.Sprint("|", s.ColumnInt64(i))
			case sqlite3.FLOAT:
				line += fmt.Sprint("|", s.ColumnFloat(i))
			default:
				line += "|" + s.ColumnText(i)
			}
		}
		out = append(out, line)
	}
	must.Do(t, s.Err())
	return out
}

// ours are the same as this package reads them; columns is how many the table has now.
func ours(path, table string, columns int) (out []string, err error) {
	f, err := Read(path)
	if err != nil {
		return nil, err
	}
	for row, err := range f.Rows(table) {
		if err != nil {
			return nil, err
		}
		line := ""
		for i := range max(columns, len(row)) {
			switch v := row.At(i); {
			case v.None():
				line += "|null"
			case v.kind == integer:
				line += fmt.Sprint("|", v.Int())
			case v.kind == float:
				line += fmt.Sprint("|", v.Float())
			default:
				line += "|" + v.Text()
			}
		}
		out = append(out, line)
	}
	return out, nil
}

func same(t *testing.T, path string, db *sqlite3.Conn, table, order string, columns int) {
	t.Helper()
	got, err := ours(path, table, columns)
	want := theirs(t, db, table, order)
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s: %d rows, the library has %d: %v", table, len(got), len(want), err)
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Errorf("row %d: %.200q, want %.200q", i, got[i], want[i])
				break
			}
		}
	}
}

const tables = `
CREATE TABLE rows (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, n, r REAL, body TEXT);
CREATE TABLE keyed (id TEXT PRIMARY KEY, body TEXT, n INTEGER) WITHOUT ROWID;
CREATE TABLE plain (a, b); CREATE INDEX plain_a ON plain (a);
CREATE VIEW both AS SELECT a FROM plain;`

func fill(t *testing.T, db *sqlite3.Conn, r *rand.Rand, n int) {
	t.Helper()
	must.Do(t, db.Exec("BEGIN"))
	numbers := []string{"0", "1", "-1", "127", "-129", "40000", "-9000000", "3000000000", "-140737488355329", fmt.Sprint(int64(math.MaxInt64)), fmt.Sprint(int64(math.MinInt64 + 1)), "NULL", "0.5", "-1e300", "x'00ff41'", "'text'", "''"}
	for range n {
		size := []int{0, 3, 40, 400, 470, 5000, 70000}[r.IntN(7)]
		body := strings.Repeat("é", r.IntN(9)) + strings.Repeat("x", size)
		id, number := fmt.Sprintf("%08x-%d", r.Uint32(), size), numbers[r.IntN(len(numbers))]
		for _, sql := range []string{
			fmt.Sprintf("INSERT INTO rows VALUES (NULL, '%s', %s, %v, '%s')", id, number, r.Float64(), body),
			fmt.Sprintf("INSERT INTO keyed VALUES ('%s', '%s', %d)", id, body, r.Int64()),
			fmt.Sprintf("INSERT INTO plain VALUES (%s, '%s')", number, id),
		} {
			must.Do(t, db.Exec(sql))
		}
	}
	must.Do(t, db.Exec("COMMIT"))
}

// EV-JRN-17: whatever the library wrote is read: in its log alone or in the file, over
// pages of every size, with long rows, freed pages and columns that came later.
func TestWhatTheLibraryWroteIsRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, first string
		rows        int
	}{
		{"plain", "", 120}, {"log", "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0", 120}, {"log and file", "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 20", 120},
		{"small pages", "PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 50", 200}, {"large pages", "PRAGMA page_size = 65536", 60}, {"moved pages", "PRAGMA auto_vacuum = FULL", 120},
	} {
		if !slowtest.Among(c.name, "plain", "log and file", "moved pages") {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(7, uint64(len(c.name))))
			path := filepath.Join(t.TempDir(), "a b.sqlite")
			db := library(t, path, c.first, tables, "PRAGMA user_version = 7")
			all := func() {
				t.Helper()
				same(t, path, db, "rows", "seq", 5)
				same(t, path, db, "keyed", "id", 3)
				same(t, path, db, "plain", "rowid", 2)
			}
			fill(t, db, r, c.rows)
			all()
			for _, sql := range []string{"DELETE FROM rows WHERE seq % 3 = 0", "DELETE FROM keyed WHERE n % 2 = 0", "UPDATE plain SET b = b || b", "ALTER TABLE plain ADD COLUMN c"} {
				must.Do(t, db.Exec(sql))
			}
			same(t, path, db, "plain", "rowid", 3)
			fill3 := "INSERT INTO plain VALUES (1, 2, 3)"
			must.Do(t, db.Exec(fill3))
			same(t, path, db, "rows", "seq", 5)
			same(t, path, db, "keyed", "id", 3)
			same(t, path, db, "plain", "rowid", 3)
			f, err := Read(path)
			if err != nil || f.Version() != 7 || f.roots["rows"] == 0 || f.roots["both"]+f.roots["plain_a"] != 0 {
				t.Errorf("version %d: %v", f.Version(), err)
			}
			must.Do(t, db.Close())
			again := library(t, path)
			same(t, path, again, "rows", "seq", 5)
		})
	}
}

// EV-JRN-17: what a transaction that was not finished left in the log is not read, nor is a
// frame that was cut.
func TestUnfinishedTransactionsAreNotRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.sqlite")
	db := library(t, path, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a TEXT)", "INSERT INTO t VALUES ('kept')")
	before, err := os.ReadFile(path + "-wal")
	must.Do(t, err)
	must.Do(t, db.Exec("INSERT INTO t VALUES ('cut')"))
	main, _ := os.ReadFile(path)
	after, _ := os.ReadFile(path + "-wal")
	for n := len(before); n < len(after); n += 97 {
		copied := filepath.Join(t.TempDir(), "x.sqlite")
		for name, b := range map[string][]byte{copied: main, copied + "-wal": after[:n]} {
			must.Write(t, name, b)
		}
		if got, err := ours(copied, "t", 1); err != nil || len(got) != 1 || got[0] != "|kept" {
			t.Fatalf("cut at %d: %v %v", n, got, err)
		}
	}
	if got, err := ours(path, "t", 1); err != nil || len(got) != 2 {
		t.Errorf("whole: %v %v", got, err)
	}
}

// EV-JRN-17: a log whose head has another sum than it says, in either of its parts, was just being
// written: nothing in it is read.
func TestALogWithoutItsHeadIsNotRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.sqlite")
	db := library(t, path, "CREATE TABLE t (a TEXT)", "INSERT INTO t VALUES ('kept')", "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0", "INSERT INTO t VALUES ('new')")
	main, log := []byte(must.Read(t, path)), []byte(must.Read(t, path+"-wal"))
	for _, c := range []struct{ damaged, rows int }{{-1, 2}, {24, 1}, {28, 1}, {12, 1}} {
		t.Run(fmt.Sprint(c.damaged), func(t *testing.T) {
			copied, wal := filepath.Join(t.TempDir(), "x.sqlite"), slices.Clone(log)
			if c.damaged >= 0 {
				wal[c.damaged] ^= 1
			}
			must.Write(t, copied, main)
			must.Write(t, copied+"-wal", wal)
			if got, err := ours(copied, "t", 1); err != nil || len(got) != c.rows {
				t.Errorf("%v %v", got, err)
			}
		})
	}
	must.Do(t, db.Close())
}

// EV-JRN-18: a page that says it has more cells than have room is damaged.
func TestAPageOfTooManyCells(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.sqlite")
	must.Do(t, library(t, path, "PRAGMA page_size = 512; CREATE TABLE t (a TEXT)", "INSERT INTO t VALUES ('x')").Close())
	whole := []byte(must.Read(t, path))
	for _, cells := range []byte{0xff, 0x7f, 0x01} {
		b := slices.Clone(whole)
		b[512+3] = cells // page 2 is the table's
		must.Write(t, path, b)
		if got, err := ours(path, "t", 1); !errors.Is(err, ErrDamaged) {
			t.Errorf("%v %v", got, err)
		}
	}
}

// EV-JRN-17: while somebody writes and moves the log into the file, what is read is a moment
// between two transactions.
func TestAWriterIsNeverSeenHalfway(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.sqlite")
	db := library(t, path, "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 3; CREATE TABLE t (n INTEGER, filling TEXT)", "INSERT INTO t VALUES (0, ''), (0, '')")
	stop, done := make(chan bool), make(chan error)
	go func() {
		for n := 1; ; n++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			if err := db.Exec(fmt.Sprintf("UPDATE t SET n = %d, filling = '%s'", n, strings.Repeat("y", n%7*1500))); err != nil {
				done <- err
				return
			}
		}
	}()
	seen := map[string]bool{}
	for read := 0; read < 40; read++ {
		got, err := ours(path, "t", 2)
		if err != nil {
			if errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
			continue // all the time written
		}
		if len(got) != 2 || got[0] != got[1] {
			t.Fatalf("halfway: %.40q", got)
		}
		seen[got[0]] = true
	}
	close(stop)
	if err := <-done; err != nil || len(seen) == 0 {
		t.Errorf("%d moments seen: %v", len(seen), err)
	}
}

// EV-JRN-18: a file in which anything is wrong is an error or is read, and never a
// panic or a walk without an end.
func TestDamagedFilesEndInAnError(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.sqlite")
	db := library(t, path, "PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0", tables)
	fill(t, db, rand.New(rand.NewPCG(3, 3)), 12)
	db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	fill(t, db, rand.New(rand.NewPCG(4, 4)), 2)
	main, _ := os.ReadFile(path)
	log, _ := os.ReadFile(path + "-wal")
	r, failed := rand.New(rand.NewPCG(9, 9)), 0
	at := filepath.Join(t.TempDir(), "y.sqlite")
	tries := slowtest.Count(100, 400)
	for range tries {
		m := append([]byte{}, main[:len(main)-r.IntN(2)*r.IntN(len(main))]...)
		for range 1 + r.IntN(40) {
			if n := len(m); n > 0 {
				i := r.IntN(n)
				if r.IntN(2) == 0 {
					i = min(i/512*512+r.IntN(40), n-1)
				}
				m[i] = byte(r.IntN(256))
			}
		}
		os.WriteFile(at, m, 0o600)
		os.WriteFile(at+"-wal", log[:len(log)*r.IntN(2)], 0o600)
		for _, table := range []string{"rows", "keyed", "plain"} {
			if _, err := ours(at, table, 5); err != nil {
				failed++
				if !errors.Is(err, ErrDamaged) {
					t.Errorf("%v", err)
				}
			}
		}
	}
	if failed < tries/4 {
		t.Errorf("only %d of %d tables were found to be damaged", failed, 3*tries)
	}
	for name, content := range map[string]string{"a text": "this is no database, it is a text of some length", "cut": string(main[:60]), "utf-16": ""} {
		t.Run(name, func(t *testing.T) {
			os.Remove(at + "-wal")
			os.Remove(at)
			if name == "utf-16" {
				library(t, at, "PRAGMA encoding = 'UTF-16'", "CREATE TABLE t (a)")
			} else {
				os.WriteFile(at, []byte(content), 0o600)
			}
			if _, err := Read(at); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	os.WriteFile(at, nil, 0o600)
	if f, err := Read(at); err != nil || f.roots["t"] != 0 {
		t.Errorf("an empty file: %v", err)
	}
}

// EV-JRN-18: a rollback journal that has to be played back first is said.
func TestARollbackJournalIsSaid(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.sqlite")
	db := library(t, path, "PRAGMA cache_size = 2; CREATE TABLE t (a TEXT)", "INSERT INTO t VALUES ('kept')", "BEGIN", "UPDATE t SET a = 'no'")
	for i := range 200 {
		must.Do(t, db.Exec(fmt.Sprintf("INSERT INTO t VALUES ('%d%s')", i, strings.Repeat("z", 3000))))
	}
	if _, err := Read(path); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "-journal") {
		t.Errorf("%v", err)
	}
	must.Do(t, db.Exec("ROLLBACK"))
	if got, err := ours(path, "t", 1); err != nil || len(got) != 1 {
		t.Errorf("%v %v", got, err)
	}
}
