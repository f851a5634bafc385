package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/driver"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/sqlite"
)

// A Store is the database of a service. Statements are written so that both databases
// accept them: arguments are numbered in the order of their first use, which is how
// SQLite counts names like $1.
type Store struct {
	db       *sql.DB
	postgres bool
	stays    *sql.Conn // for a file: keeps the files beside it
	path     string    // of a file, and what was opened there
	opened   os.FileInfo
	turns    chan struct{}
	seen     atomic.Pointer[priorsAt]
	now      func() time.Time
	random   func() string // 128 bits, as text
}

// Open opens the database at postgres://… or at the path of a file, and brings its
// schema to the newest version. now and random are the clock and the source of
// identifiers.
func Open(ctx context.Context, place string, now func() time.Time, random func() string) (*Store, error) {
	s := &Store{now: now, random: random, turns: make(chan struct{}, 1)}
	var err error
	if strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://") {
		s.postgres = true
		err = s.openPostgres(place)
	} else {
		err = s.openFile(ctx, place)
	}
	if err != nil {
		return nil, err
	}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the database: %w", err), s.Close())
	}
	// A process that was killed may have left in the log what it had just deleted.
	if err := s.wipe(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("emptying the log of the database: %w", err), s.Close())
	}
	return s, nil
}

func (s *Store) openPostgres(place string) error {
	config, err := pgx.ParseConfig(place)
	if err != nil {
		// The error of an address may contain its password.
		return errors.New("opening the database: the postgres:// address cannot be read")
	}
	config.RuntimeParams["application_name"] = "agents-hooks"
	s.db = stdlib.OpenDB(*config)
	s.db.SetMaxOpenConns(16)
	s.db.SetMaxIdleConns(4)
	s.db.SetConnMaxLifetime(30 * time.Minute)
	return nil
}

func (s *Store) openFile(ctx context.Context, path string) error {
	if path == "" {
		return errors.New("opening the database: no file is named")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	// It is created here, so that nobody else can ever read it.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	s.path = path
	s.opened, err = f.Stat()
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	if err := private(path); err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	options := url.Values{
		"_txlock": {"immediate"},
		"_pragma": {"busy_timeout(20000)", "synchronous(full)", "foreign_keys(on)", "secure_delete(on)"},
	}
	s.db, err = driver.Open(sqlite.URI(path) + "?" + options.Encode())
	if err != nil {
		return fmt.Errorf("opening the database %q: %w", path, err)
	}
	s.db.SetMaxOpenConns(5)
	s.db.SetMaxIdleConns(5)
	if err := s.writeAhead(ctx); err != nil {
		return errors.Join(fmt.Errorf("opening the database %q: %w", path, err), s.db.Close())
	}
	// As long as one connection stays, so do the files beside the database; whoever
	// opened it last may have recreated them.
	if s.stays, err = s.db.Conn(ctx); err == nil {
		if err = s.stays.PingContext(ctx); err == nil {
			err = private(path)
		}
	}
	if err != nil {
		return errors.Join(fmt.Errorf("opening the database %q: %w", path, err), s.Close())
	}
	return nil
}

// errMoved is an error of a file that is not where it was opened. SQLite would go on writing into it,
// and all of that were lost with the process; a key that somebody revokes in the file that is there
// now would stay good.
var errMoved = failure{http.StatusServiceUnavailable, "DATABASE", "the database is not where it was opened"}

// there reports whether the file that is open still is the one at its path.
func (s *Store) there() error {
	if s.postgres {
		return nil
	}
	if now, err := os.Stat(s.path); err != nil || !os.SameFile(s.opened, now) {
		return errMoved
	}
	return nil
}

// answers reports whether the database can be asked at all.
func (s *Store) answers() bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return s.db.PingContext(ctx) == nil
}

// private creates the files that SQLite keeps beside a database before SQLite does,
// since SQLite would let everybody on the machine read them: they contain what was
// written last.
func private(path string) error {
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		err = f.Chmod(0o600)
		if errors.Is(err, errors.ErrUnsupported) || runtime.GOOS == "windows" {
			err = nil
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// writeAhead lets readers read while somebody writes; the file remembers it. SQLite
// does not wait by itself for another process that does the same. For a database
// without any page it also removes the log that private made; if two do so at once, the
// second finds none.
func (s *Store) writeAhead(ctx context.Context) error {
	const tries = 200
	for i := 0; ; i++ {
		_, err := s.db.ExecContext(ctx, `PRAGMA journal_mode = WAL`)
		if err == nil || i == tries || !errors.Is(err, sqlite3.BUSY) && !errors.Is(err, sqlite3.IOERR_DELETE_NOENT) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// wipe removes from the log beside the database what was written before something was
// deleted: the database itself is overwritten there, but a log only starts over.
// PostgreSQL does it with its next vacuum.
func (s *Store) wipe(ctx context.Context) error {
	if s.postgres {
		return nil
	}
	_, err := s.db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	return err
}

// Close closes the database.
func (s *Store) Close() error {
	var err error
	if s.stays != nil {
		err = s.stays.Close()
	}
	return errors.Join(err, s.db.Close())
}

// statistics makes PostgreSQL analyze tables with many changes. It plans by the last
// counts, and counts from when there was next to nothing make it read a whole table for
// each gene; its own daemon may be late, or off.
func (s *Store) statistics(ctx context.Context) error {
	if !s.postgres {
		return nil // SQLite's plans follow from its indexes alone
	}
	var stale int
	err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM pg_stat_user_tables WHERE relname IN ('genes', 'edges', 'sums', 'voices', 'gene_signals', 'observations') AND n_mod_since_analyze > 500 + n_live_tup / 5`).Scan(&stale)
	if err != nil || stale == 0 {
		return err
	}
	return s.count(ctx)
}

func (s *Store) count(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `ANALYZE genes, edges, sums, voices, gene_signals, observations, places, facts`)
	return err
}

// transaction does something completely or not at all. Changes are serialized anyway
// (see tick), so they queue here: in the database each would hold a connection while it
// waits, until none is left for readers, and SQLite retries by time and in no order.
func (s *Store) transaction(ctx context.Context, do func(*sql.Tx) error) error {
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return ctx.Err()
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	return tx.Commit()
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// clock is the number of the last visible change.
func (s *Store) clock(ctx context.Context) (n int64, err error) {
	return n, s.db.QueryRowContext(ctx, `SELECT n FROM clock WHERE one = 1`).Scan(&n)
}

// tick takes the number of a change (see the package's doc). Other changes wait until
// the transaction ends.
func (s *Store) tick(ctx context.Context, tx *sql.Tx) (n int64, err error) {
	return s.ticks(ctx, tx, 1)
}

// ticks takes the numbers of several changes, and returns the first.
func (s *Store) ticks(ctx context.Context, tx *sql.Tx, many int) (n int64, err error) {
	err = tx.QueryRowContext(ctx, `UPDATE clock SET n = CASE WHEN n >= $1 THEN n + $2 ELSE $1 + $2 - 1 END WHERE one = 1 RETURNING n`, s.now().UnixMilli(), many).Scan(&n)
	return n - int64(many) + 1, err
}

// asker is a transaction, or the database itself.
type asker interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// all reads all rows of an answer.
func all[T any](ctx context.Context, q asker, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []T{}
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// insert adds rows to a table, many per statement: each statement is a round trip to
// the database, for which everybody else who changes something waits.
func insert(ctx context.Context, tx *sql.Tx, into string, rows [][]any, or string) error {
	for some := range slices.Chunk(rows, 500) {
		var places strings.Builder
		var args []any
		for i, row := range some {
			if i > 0 {
				places.WriteString(", ")
			}
			in, _ := list(len(args)+1, make([]string, len(row)))
			places.WriteString("(" + in + ")")
			args = append(args, row...)
		}
		if _, err := tx.ExecContext(ctx, into+" VALUES "+places.String()+or, args...); err != nil {
			return err
		}
	}
	return nil
}
