package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/ext/fts5"
)

// FileName is what the index is called in a memory folder.
const FileName = "agents-index.sqlite"

// An Index is the index of one memory folder. It belongs to one goroutine.
type Index struct {
	db    *sqlite3.Conn
	embed Embedder
	path  string
	has   map[int64]map[string]bool // of the search at work: entry, word
	kept  map[string]*sqlite3.Stmt  // statements that were prepared once
}

// schemaVersion changes with the tables, and with the way words are made.
const schemaVersion = "1"

const schema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE files (path TEXT PRIMARY KEY, size INTEGER, mtime INTEGER, seen INTEGER, hash BLOB) WITHOUT ROWID;
CREATE TABLE docs (
  doc INTEGER PRIMARY KEY, file TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, type TEXT NOT NULL,
  content TEXT NOT NULL, entities TEXT NOT NULL, confidence REAL, time INTEGER, session TEXT, origin TEXT,
  UNIQUE (file, id));
CREATE TABLE replaced (old TEXT, file TEXT, id TEXT, PRIMARY KEY (old, file, id)) WITHOUT ROWID;
CREATE TABLE vectors (doc INTEGER PRIMARY KEY, data BLOB);
CREATE VIRTUAL TABLE terms USING fts5(text, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(terms, row);
`

// Open opens the index in a file, and makes it if there is none, or one that is
// damaged or of another version. Vectors of another embedder are dropped; they
// come back with the next Sync.
func Open(path string, e Embedder) (*Index, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of the index: %w", err)
	}
	x, err := open(path, e)
	if !damaged(err) {
		return x, err
	}
	for _, rest := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Remove(path + rest); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("replacing the damaged index: %w", err)
		}
	}
	return open(path, e)
}

func open(path string, e Embedder) (*Index, error) {
	fresh := !exists(path)
	db, err := sqlite3.Open("file:" + escape(path))
	if err != nil {
		return nil, fmt.Errorf("opening the index %q: %w", path, err)
	}
	x := &Index{db: db, embed: e, path: path, kept: map[string]*sqlite3.Stmt{}}
	if err := x.prepare(fresh); err != nil {
		x.Close()
		return nil, fmt.Errorf("opening the index %q: %w", path, err)
	}
	return x, nil
}

// escape makes a path the path of a URI.
func escape(path string) string {
	var out []byte
	for i := 0; i < len(path); i++ {
		switch c := path[i]; c {
		case '?', '#', '%':
			out = append(out, fmt.Sprintf("%%%02x", c)...)
		case '\\':
			out = append(out, '/')
		default:
			out = append(out, c)
		}
	}
	if filepath.VolumeName(path) != "" {
		return "/" + string(out)
	}
	return string(out)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// busyFor is how long another process that writes the index is waited for.
const busyFor = 5 * time.Second

func (x *Index) prepare(fresh bool) error {
	if err := x.db.BusyTimeout(busyFor); err != nil {
		return err
	}
	if err := fts5.Register(x.db); err != nil {
		return err
	}
	if fresh {
		// A search reads all vectors: large pages are fewer calls.
		if err := x.db.Exec("PRAGMA page_size = 16384; PRAGMA journal_mode = WAL"); err != nil {
			return err
		}
		if err := os.Chmod(x.path, 0o600); err != nil {
			return err
		}
	}
	// The index can be made anew: nothing waits for the disk.
	if err := x.db.Exec("PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY"); err != nil {
		return err
	}
	version, err := x.meta("schema_version")
	if err != nil || version == schemaVersion {
		return err
	}
	return x.write(func() error {
		// Another process may have been quicker.
		if version, err := x.meta("schema_version"); err != nil || version == schemaVersion {
			return err
		}
		if err := x.clear(); err != nil {
			return err
		}
		if err := x.db.Exec(schema); err != nil {
			return err
		}
		return x.setMeta("schema_version", schemaVersion)
	})
}

// clear drops the tables of another version.
func (x *Index) clear() error {
	for _, table := range []string{"vocabulary", "terms", "vectors", "replaced", "docs", "files", "meta"} {
		if err := x.db.Exec("DROP TABLE IF EXISTS " + table); err != nil {
			return err
		}
	}
	return nil
}

// Check reports whether a file is an index that can be read. It changes nothing.
func Check(path string) error {
	db, err := sqlite3.OpenFlags("file:"+escape(path), sqlite3.OPEN_READONLY|sqlite3.OPEN_URI)
	if err != nil {
		return fmt.Errorf("opening the index: %w", err)
	}
	x := &Index{db: db, path: path, kept: map[string]*sqlite3.Stmt{}}
	defer x.Close()
	if err := fts5.Register(db); err != nil {
		return err
	}
	version, err := x.meta("schema_version")
	if err != nil {
		return fmt.Errorf("reading the index: %w", err)
	}
	if version != schemaVersion {
		return fmt.Errorf("the index is of version %q, this program's is %q; the next search makes it anew", version, schemaVersion)
	}
	found := ""
	err = x.each("PRAGMA quick_check(1)", nil, func(s *sqlite3.Stmt) error { found = s.ColumnText(0); return nil })
	if err == nil && found != "ok" {
		err = errors.New(found)
	}
	return err
}

// damaged reports that a file is no database that can be read.
func damaged(err error) bool {
	return errors.Is(err, sqlite3.CORRUPT) || errors.Is(err, sqlite3.NOTADB)
}

// Close closes the index.
func (x *Index) Close() error {
	for _, s := range x.kept {
		s.Close()
	}
	return x.db.Close()
}

// write does something in one transaction.
func (x *Index) write(do func() error) error {
	if err := x.db.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := do(); err != nil {
		return errors.Join(err, x.db.Exec("ROLLBACK"))
	}
	return x.db.Exec("COMMIT")
}

// meta reads a value, "" if there is none, or no table yet.
func (x *Index) meta(key string) (value string, err error) {
	has := false
	if err := x.each("SELECT 1 FROM sqlite_schema WHERE name = 'meta'", nil, func(*sqlite3.Stmt) error { has = true; return nil }); err != nil || !has {
		return "", err
	}
	err = x.each("SELECT value FROM meta WHERE key = ?", []any{key}, func(s *sqlite3.Stmt) error {
		value = s.ColumnText(0)
		return nil
	})
	return value, err
}

func (x *Index) setMeta(key, value string) error {
	return x.run("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
}

// each calls f with each row.
func (x *Index) each(sql string, args []any, f func(*sqlite3.Stmt) error) error {
	s := x.kept[sql]
	if s == nil {
		var err error
		if s, _, err = x.db.Prepare(sql); err != nil {
			return err
		}
		x.kept[sql] = s
	}
	if s.Busy() {
		return fmt.Errorf("the statement %q is in use", sql)
	}
	if err := bind(s, args); err != nil {
		return err
	}
	for s.Step() {
		if err := f(s); err != nil {
			return errors.Join(err, s.Reset())
		}
	}
	return errors.Join(s.Err(), s.Reset())
}

func (x *Index) run(sql string, args ...any) error {
	return x.each(sql, args, func(*sqlite3.Stmt) error { return nil })
}

func bind(s *sqlite3.Stmt, args []any) error {
	for i, a := range args {
		var err error
		switch v := a.(type) {
		case string:
			err = s.BindText(i+1, v)
		case int64:
			err = s.BindInt64(i+1, v)
		case float64:
			err = s.BindFloat(i+1, v)
		case []byte:
			err = s.BindBlob(i+1, v)
		default:
			err = fmt.Errorf("an argument of type %T", a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// interrupt lets a context end what the database does.
func (x *Index) interrupt(ctx context.Context) func() {
	old := x.db.SetInterrupt(ctx)
	return func() { x.db.SetInterrupt(old) }
}

// About says what the index holds, for people.
func (x *Index) About() string {
	var docs int64
	err := x.each("SELECT count(*) FROM docs", nil, func(s *sqlite3.Stmt) error { docs = s.ColumnInt64(0); return nil })
	model, merr := x.meta("embedding_model")
	if err = errors.Join(err, merr); err != nil {
		return err.Error()
	}
	if model == "" || x.embed == nil {
		model = "no vectors"
	}
	return fmt.Sprintf("%d entries, %s, in %s", docs, model, x.path)
}

// Lacks says why entries have no vectors; "" if all have.
func (x *Index) Lacks() string {
	why, err := x.meta("without_vectors")
	if err != nil {
		return err.Error()
	}
	return why
}
