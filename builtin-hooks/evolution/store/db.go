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
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/sqlite"
)

// FileName is what the store is called in its folder (evolution.Dir).
const FileName = evolution.Database

// A Store is an open store. It belongs to one goroutine.
type Store struct {
	db   *sqlite.DB
	path string
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
	db, err := sqlite.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening the gene store %q: %w", path, err)
	}
	s := &Store{db: db, path: path}
	defer s.db.Within(ctx)()
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
		case sqlite.Damaged(err):
			return nil, &Damaged{path, err}
		}
		return nil, fmt.Errorf("opening the gene store %q: %w", path, err)
	}
	return s, nil
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
func (s *Store) Close() error { return s.db.Close() }

// Path is the store's file.
func (s *Store) Path() string { return s.path }

func timeOf(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// fail says what was being done; of a file that turns out to be damaged, that it
// is.
func (s *Store) fail(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case sqlite.Damaged(err):
		return &Damaged{s.path, err}
	}
	return fmt.Errorf("%s: %w", what, err)
}

func (s *Store) meta(key string) (value string, err error) {
	err = s.db.Each("SELECT value FROM meta WHERE key = ?", []any{key}, func(st *sqlite3.Stmt) error {
		value = st.ColumnText(0)
		return nil
	})
	return value, err
}

func (s *Store) setMeta(key, value string) error {
	return s.db.Run("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
}
