package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
)

// FileName is what the store is called in its folder (evolution.Dir).
const FileName = evolution.Database

// A Store is an open store. It belongs to one goroutine.
type Store struct {
	db   *sqlite3.Conn
	path string
	kept map[string]*sqlite3.Stmt // statements that were prepared once
}

// Exists reports whether there is a store in a folder yet.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, FileName))
	return err == nil
}

// A Damaged error is one about a file that is no store which can be read. The
// file is left as it is.
type Damaged struct {
	Path string
	Err  error
}

func (d *Damaged) Error() string {
	return fmt.Sprintf("the gene store %q cannot be read: %v; it was left as it is: move it away, and a new one is made", d.Path, d.Err)
}

func (d *Damaged) Unwrap() error { return d.Err }

// A Newer error is one about a file that a newer program wrote.
type Newer struct {
	Path       string
	Has, Knows int
}

func (n *Newer) Error() string {
	return fmt.Sprintf("the gene store %q was written by a newer version (%d, this one knows %d): use that one", n.Path, n.Has, n.Knows)
}

// busyFor is how long another process that writes is waited for.
const busyFor = 10 * time.Second

// Open opens the store of a folder, and makes it if there is none.
func Open(ctx context.Context, dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of the gene store: %w", err)
	}
	path := filepath.Join(dir, FileName)
	_, err := os.Stat(path)
	fresh := errors.Is(err, fs.ErrNotExist)
	db, err := sqlite3.Open("file:" + escape(path))
	if err != nil {
		return nil, fmt.Errorf("opening the gene store %q: %w", path, err)
	}
	s := &Store{db: db, path: path, kept: map[string]*sqlite3.Stmt{}}
	defer s.within(ctx)()
	err = s.prepare(fresh)
	// While others make the same new file, SQLite may not wait by itself.
	for end := time.Now().Add(busyFor); errors.Is(err, sqlite3.BUSY) && time.Now().Before(end) && ctx.Err() == nil; err = s.prepare(fresh) {
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		s.Close()
		var newer *Newer
		switch {
		case errors.As(err, &newer):
			return nil, err
		case errors.Is(err, sqlite3.CORRUPT), errors.Is(err, sqlite3.NOTADB):
			return nil, &Damaged{path, err}
		}
		return nil, fmt.Errorf("opening the gene store %q: %w", path, err)
	}
	return s, nil
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

func (s *Store) prepare(fresh bool) error {
	if err := s.db.BusyTimeout(busyFor); err != nil {
		return err
	}
	if fresh {
		if err := s.db.Exec("PRAGMA journal_mode = WAL"); err != nil {
			return err
		}
		if err := os.Chmod(s.path, 0o600); err != nil {
			return err
		}
	}
	// What is acknowledged is on the disk.
	if err := s.db.Exec("PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY"); err != nil {
		return err
	}
	if err := s.migrate(); err != nil {
		return err
	}
	return s.seed()
}

// Close closes the store.
func (s *Store) Close() error {
	for _, st := range s.kept {
		st.Close()
	}
	return s.db.Close()
}

// Path is the store's file.
func (s *Store) Path() string { return s.path }

// write does something in one transaction.
func (s *Store) write(do func() error) error {
	if err := s.db.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := do(); err != nil {
		return errors.Join(err, s.db.Exec("ROLLBACK"))
	}
	if err := s.db.Exec("COMMIT"); err != nil {
		return errors.Join(err, s.db.Exec("ROLLBACK"))
	}
	return nil
}

// each calls f with each row.
func (s *Store) each(sql string, args []any, f func(*sqlite3.Stmt) error) error {
	st := s.kept[sql]
	if st == nil {
		var err error
		if st, _, err = s.db.Prepare(sql); err != nil {
			return err
		}
		s.kept[sql] = st
	}
	if st.Busy() {
		return fmt.Errorf("the statement %q is in use", sql)
	}
	if err := bind(st, args); err != nil {
		return err
	}
	for st.Step() {
		if err := f(st); err != nil {
			return errors.Join(err, st.Reset())
		}
	}
	return errors.Join(st.Err(), st.Reset())
}

func (s *Store) run(sql string, args ...any) error {
	return s.each(sql, args, func(*sqlite3.Stmt) error { return nil })
}

// one is the first column of the first row as a number, 0 if there is none.
func (s *Store) one(sql string, args ...any) (n int64, err error) {
	err = s.each(sql, args, func(st *sqlite3.Stmt) error { n = st.ColumnInt64(0); return nil })
	return n, err
}

func bind(st *sqlite3.Stmt, args []any) error {
	for i, a := range args {
		var err error
		switch v := a.(type) {
		case nil:
			err = st.BindNull(i + 1)
		case string:
			err = st.BindText(i+1, v)
		case int:
			err = st.BindInt64(i+1, int64(v))
		case int64:
			err = st.BindInt64(i+1, v)
		case float64:
			err = st.BindFloat(i+1, v)
		case bool:
			err = st.BindBool(i+1, v)
		case time.Time:
			err = st.BindInt64(i+1, ms(v))
		default:
			err = fmt.Errorf("an argument of type %T", a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ms is a time in milliseconds, 0 for none.
func ms(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func timeOf(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// within lets a context end what the database does.
func (s *Store) within(ctx context.Context) func() {
	old := s.db.SetInterrupt(ctx)
	return func() { s.db.SetInterrupt(old) }
}

// fail says what was being done; of a file that turns out to be damaged, that it
// is.
func (s *Store) fail(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sqlite3.CORRUPT), errors.Is(err, sqlite3.NOTADB):
		return &Damaged{s.path, err}
	}
	return fmt.Errorf("%s: %w", what, err)
}

func (s *Store) meta(key string) (value string, err error) {
	err = s.each("SELECT value FROM meta WHERE key = ?", []any{key}, func(st *sqlite3.Stmt) error {
		value = st.ColumnText(0)
		return nil
	})
	return value, err
}

func (s *Store) setMeta(key, value string) error {
	return s.run("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
}
