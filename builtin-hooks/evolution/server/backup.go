package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A back-up has the same format for both databases: lines of JSON, the first of which
// identifies it, the last has the number of rows and the checksum, and each between is
// one row. So a back-up of a file can be restored into PostgreSQL, and the other way
// round.
const backupFormat = "agents-hooks-server back-up"

type backupHead struct {
	Format  string              `json:"format"`
	Schema  int                 `json:"schema"`
	At      int64               `json:"at"`
	Columns map[string][]string `json:"columns"` // by table
}

type backupTail struct {
	Rows   int    `json:"rows"`
	SHA256 string `json:"sha256"` // of all lines before
}

// tables are those of a back-up, each after the tables that it refers to.
var tables = []string{"meta", "persons", "keys", "clock", "genes", "observations", "edges", "places", "voices", "sums", "gene_signals", "gone", "reports", "files", "skills", "contexts", "rooms", "members", "facts", "audit", "epochs"}

// Backup writes the whole database as of one moment, while the service goes on. It
// returns the number of rows.
func (s *Store) Backup(ctx context.Context, w io.Writer) (rows int, err error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: s.oneMoment(), ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, ignoreDone(tx.Rollback())) }()
	sum := sha256.New()
	out := bufio.NewWriterSize(w, 1<<16)
	line := func(v any) error {
		b, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if b = append(b, '\n'); len(b) > mostLine {
			return errLongLine // Restore would refuse it
		}
		sum.Write(b)
		_, err = out.Write(b)
		return err
	}
	head := backupHead{backupFormat, len(migrations), s.now().UnixMilli(), map[string][]string{}}
	for _, t := range tables {
		if head.Columns[t], err = columnsOf(ctx, tx, t); err != nil {
			return 0, err
		}
	}
	if err := line(head); err != nil {
		return 0, err
	}
	for _, t := range tables {
		n, err := dump(ctx, tx, t, head.Columns[t], line)
		if rows += n; err != nil {
			return rows, fmt.Errorf("reading the table %s: %w", t, err)
		}
	}
	tail := backupTail{rows, hex.EncodeToString(sum.Sum(nil))}
	return rows, errors.Join(line(tail), out.Flush())
}

// oneMoment is the isolation in which all reads of a transaction see the same moment;
// with SQLite any does.
func (s *Store) oneMoment() sql.IsolationLevel {
	if s.postgres {
		return sql.LevelRepeatableRead
	}
	return sql.LevelDefault
}

func columnsOf(ctx context.Context, tx *sql.Tx, table string) ([]string, error) {
	rows, err := tx.QueryContext(ctx, `SELECT * FROM `+table+` LIMIT 0`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list, err := rows.Columns()
	return list, errors.Join(err, rows.Err())
}

func dump(ctx context.Context, tx *sql.Tx, table string, columns []string, line func(any) error) (n int, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT `+strings.Join(columns, ", ")+` FROM `+table)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		values, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			return n, err
		}
		for i, v := range values {
			if b, ok := v.([]byte); ok {
				values[i] = string(b)
			}
		}
		if err := line([]any{table, values}); err != nil {
			return n, fmt.Errorf("row %d: %w", n+1, err)
		}
		n++
	}
	return n, rows.Err()
}

// ErrInUse says that a database is not empty.
var ErrInUse = errors.New("the database holds something already: restore into an empty one")

// mostLine limits a line of a back-up, which holds one row, where it is made and where it is read: a
// device has no end, nor a line.
const mostLine = 64 << 20

var errLongLine = fmt.Errorf("a line is longer than %d MiB", mostLine>>20)

// lineOf is the next line, with its end.
func lineOf(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if line = append(line, part...); len(line) > mostLine {
			return nil, errLongLine
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// Restore puts a back-up into an empty database, all of it or nothing.
func (s *Store) Restore(ctx context.Context, r io.Reader) (rows int, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	sum := sha256.New()
	first, err := lineOf(in)
	switch {
	case errors.Is(err, errLongLine):
		return 0, fmt.Errorf("the file is no back-up of this program: %w", err)
	case err != nil:
		return 0, errors.New("the back-up is empty, or has no line")
	}
	sum.Write(first)
	var head backupHead
	if json.Unmarshal(first, &head) != nil || head.Format != backupFormat {
		return 0, fmt.Errorf("the file is no back-up of this program: its first line is %q", oneLine(string(first), 60))
	}
	if head.Schema != len(migrations) {
		return 0, fmt.Errorf("the back-up has schema %d, this program %d: restore it with the program that made it, then upgrade", head.Schema, len(migrations))
	}
	err = s.transaction(ctx, func(tx *sql.Tx) error {
		for _, t := range tables { // names from the file go into statements
			if have, err := columnsOf(ctx, tx, t); err != nil || !slices.Equal(have, head.Columns[t]) {
				return errors.Join(err, fmt.Errorf("the back-up's table %s has other columns", t))
			}
		}
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM persons) + (SELECT count(*) FROM observations) + (SELECT count(*) FROM rooms)`).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			return ErrInUse
		}
		for i := len(tables) - 1; i >= 0; i-- { // the seeds, and the clock
			if _, err := tx.ExecContext(ctx, `DELETE FROM `+tables[i]); err != nil {
				return err
			}
		}
		for {
			line, err := lineOf(in)
			switch {
			case errors.Is(err, errLongLine):
				return fmt.Errorf("the back-up is damaged: %w", err)
			case err != nil:
				return errors.New("the back-up ends in its middle")
			}
			if !bytes.HasPrefix(line, []byte("[")) {
				if err := check(line, rows, hex.EncodeToString(sum.Sum(nil))); err != nil {
					return err
				}
				return s.begin(ctx, tx)
			}
			sum.Write(line)
			if err := s.put(ctx, tx, head, line); err != nil {
				return fmt.Errorf("row %d: %w", rows+1, err)
			}
			rows++
		}
	})
	if err == nil && s.postgres {
		err = s.count(ctx)
	}
	return rows, err
}

func check(line []byte, rows int, sum string) error {
	var tail backupTail
	if json.Unmarshal(line, &tail) != nil || tail.Rows != rows || tail.SHA256 != sum {
		return errors.New("the back-up is damaged: its last line does not fit what is before")
	}
	return nil
}

// put writes one row. Numbers are kept exactly: times do not fit into a float.
func (s *Store) put(ctx context.Context, tx *sql.Tx, head backupHead, line []byte) error {
	var row []json.RawMessage
	var table string
	var values []any
	err := json.Unmarshal(line, &row)
	if err == nil && len(row) != 2 {
		err = errors.New("want a table and its values")
	}
	if err == nil {
		err = json.Unmarshal(row[0], &table)
	}
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(row[1]))
		d.UseNumber()
		err = d.Decode(&values)
	}
	columns, ok := head.Columns[table]
	if err != nil || !ok || len(columns) != len(values) || !slices.Contains(tables, table) {
		return errors.Join(err, fmt.Errorf("the table %q, %d values", oneLine(table, 40), len(values)))
	}
	var places []string
	for i, v := range values {
		places = append(places, fmt.Sprintf("$%d", i+1))
		if n, ok := v.(json.Number); ok {
			if whole, err := n.Int64(); err == nil {
				values[i] = whole
			} else if values[i], err = n.Float64(); err != nil {
				return err
			}
		}
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO `+table+` (`+strings.Join(columns, ", ")+`) VALUES (`+strings.Join(places, ", ")+`)`, values...)
	return err
}
