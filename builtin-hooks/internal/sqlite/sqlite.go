// Package sqlite is what the stores of built-in behaviours need of a database
// beside the library: statements that are prepared once, one transaction around
// what is written, and a context that can end it. Only commands link it; see
// package builtinhooks.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// A DB is an open database. It belongs to one goroutine.
type DB struct {
	*sqlite3.Conn
	kept map[string]*sqlite3.Stmt
}

// Open opens the database in a file, and makes it if there is none.
func Open(path string) (*DB, error) { return wrap(sqlite3.Open(URI(path))) }

// OpenReadOnly opens a database that nothing is changed in.
func OpenReadOnly(path string) (*DB, error) {
	return wrap(sqlite3.OpenFlags(URI(path), sqlite3.OPEN_READONLY|sqlite3.OPEN_URI))
}

func wrap(c *sqlite3.Conn, err error) (*DB, error) {
	if err != nil {
		return nil, err
	}
	return &DB{Conn: c, kept: map[string]*sqlite3.Stmt{}}, nil
}

// URI is the address of a database in a file. All of the path is escaped, its slashes
// too: SQLite would take two at the beginning for a host, and one before a drive for a
// folder.
func URI(path string) string { return "file:" + url.PathEscape(path) }

// Close closes the database.
func (d *DB) Close() error {
	for _, s := range d.kept {
		s.Close()
	}
	return d.Conn.Close()
}

// Damaged reports that a file is no database that can be read.
func Damaged(err error) bool {
	return errors.Is(err, sqlite3.CORRUPT) || errors.Is(err, sqlite3.NOTADB)
}

// Write does something in one transaction.
func (d *DB) Write(do func() error) error {
	if err := d.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := do(); err != nil {
		return errors.Join(err, d.Exec("ROLLBACK"))
	}
	if err := d.Exec("COMMIT"); err != nil {
		return errors.Join(err, d.Exec("ROLLBACK"))
	}
	return nil
}

// Each calls f with each row.
func (d *DB) Each(sql string, args []any, f func(*sqlite3.Stmt) error) error {
	s := d.kept[sql]
	if s == nil {
		var err error
		if s, _, err = d.Prepare(sql); err != nil {
			return err
		}
		d.kept[sql] = s
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

// Run does a statement that has no rows, or whose rows nobody wants.
func (d *DB) Run(sql string, args ...any) error {
	return d.Each(sql, args, func(*sqlite3.Stmt) error { return nil })
}

// One is the first column of the only row as a number, 0 if there is none.
func (d *DB) One(sql string, args ...any) (n int64, err error) {
	err = d.Each(sql, args, func(s *sqlite3.Stmt) error { n = s.ColumnInt64(0); return nil })
	return n, err
}

// Within lets a context end what the database does, until the function that it
// returns is called.
func (d *DB) Within(ctx context.Context) func() {
	old := d.SetInterrupt(ctx)
	return func() { d.SetInterrupt(old) }
}

// Milli is a time as it is stored: milliseconds, 0 for none.
func Milli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func bind(s *sqlite3.Stmt, args []any) error {
	for i, a := range args {
		var err error
		switch v := a.(type) {
		case nil:
			err = s.BindNull(i + 1)
		case string:
			err = s.BindText(i+1, v)
		case []byte:
			err = s.BindBlob(i+1, v)
		case int:
			err = s.BindInt64(i+1, int64(v))
		case int64:
			err = s.BindInt64(i+1, v)
		case float64:
			err = s.BindFloat(i+1, v)
		case bool:
			err = s.BindBool(i+1, v)
		case time.Time:
			err = s.BindInt64(i+1, Milli(v))
		default:
			err = fmt.Errorf("an argument of type %T", a)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
