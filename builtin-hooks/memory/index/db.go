package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/ext/fts5"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/sqlite"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// FileName is what the index is called in a memory folder.
const FileName = "agents-index.sqlite"

// An Index is the index of one memory folder. It belongs to one goroutine.
type Index struct {
	db    *sqlite.DB
	embed Embedder
	path  string
	has   map[int64]map[string]bool // of the search at work: entry, word
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
	if !sqlite.Damaged(err) {
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
	db, err := sqlite.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening the index %q: %w", path, err)
	}
	x := &Index{db: db, embed: e, path: path}
	if err := x.prepare(fresh); err != nil {
		x.Close()
		return nil, fmt.Errorf("opening the index %q: %w", path, err)
	}
	return x, nil
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
	if err := fts5.Register(x.db.Conn); err != nil {
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
	return x.db.Write(func() error {
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
	db, err := sqlite.OpenReadOnly(path)
	if err != nil {
		return fmt.Errorf("opening the index: %w", err)
	}
	x := &Index{db: db, path: path}
	defer x.Close()
	if err := fts5.Register(db.Conn); err != nil {
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
	err = x.db.Each("PRAGMA quick_check(1)", nil, func(s *sqlite3.Stmt) error { found = s.ColumnText(0); return nil })
	if err == nil && found != "ok" {
		err = errors.New(found)
	}
	return err
}

// Close closes the index.
func (x *Index) Close() error { return x.db.Close() }

// meta reads a value, "" if there is none, or no table yet.
func (x *Index) meta(key string) (value string, err error) {
	has := false
	if err := x.db.Each("SELECT 1 FROM sqlite_schema WHERE name = 'meta'", nil, func(*sqlite3.Stmt) error { has = true; return nil }); err != nil || !has {
		return "", err
	}
	err = x.db.Each("SELECT value FROM meta WHERE key = ?", []any{key}, func(s *sqlite3.Stmt) error {
		value = s.ColumnText(0)
		return nil
	})
	return value, err
}

func (x *Index) setMeta(key, value string) error {
	return x.db.Run("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
}

// About says what the index holds, for people.
func (x *Index) About() string {
	var docs int64
	err := x.db.Each("SELECT count(*) FROM docs", nil, func(s *sqlite3.Stmt) error { docs = s.ColumnInt64(0); return nil })
	model, merr := x.meta("embedding_model")
	if err = errors.Join(err, merr); err != nil {
		return err.Error()
	}
	if model == "" || x.embed == nil {
		model = "no vectors"
	}
	return fmt.Sprintf("%s, %s, in %s", text.Count(int(docs), "entry"), model, x.path)
}

// Lacks says why entries have no vectors; "" if all have.
func (x *Index) Lacks() string {
	why, err := x.meta("without_vectors")
	if err != nil {
		return err.Error()
	}
	return why
}
