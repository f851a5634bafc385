package server

import (
	"context"
	"database/sql"
	"errors"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
)

// A database that was set back, from a back-up of ours or as a copy of its files, has changes
// that clients have seen no more, and nothing in it says so: the numbers of changes are times,
// so new ones are later than all that a client has seen. So whoever opens the database begins an
// epoch, before anything else changes. What a client saw in an epoch after the next one began is
// of another history.

// epochsMost is how many are kept: a client that was away for longer sends and gets all again.
const epochsMost = 10_000

// begin begins an epoch. Nothing else changes meanwhile: the row of the clock is locked.
func (s *Store) begin(ctx context.Context, tx *sql.Tx) error {
	var n, nr int64
	if err := tx.QueryRowContext(ctx, `UPDATE clock SET n = n WHERE one = 1 RETURNING n`).Scan(&n); err != nil {
		return err
	}
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(nr), 0) + 1 FROM epochs`).Scan(&nr); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO epochs (nr, id, begun) VALUES ($1, $2, $3)`, nr, "e_"+s.random()[:16], n); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM epochs WHERE nr <= $1`, nr-epochsMost)
	return err
}

// mark is how far somebody who was just answered has seen a room.
func (s *Store) mark(ctx context.Context, x seat) (*room.Mark, error) {
	m := &room.Mark{Of: x.sign(x.person)}
	err := s.db.QueryRowContext(ctx, `SELECT n, (SELECT id FROM epochs ORDER BY nr DESC LIMIT 1) FROM clock WHERE one = 1`).Scan(&m.Seq, &m.Epoch)
	return m, err
}

// has reports whether all that a client has seen by a mark is in the history of the database.
func (s *Store) has(ctx context.Context, q asker, x seat, m *room.Mark) (bool, error) {
	if m == nil {
		return true, nil
	}
	if m.Of != x.sign(x.person) {
		return false, nil
	}
	var ends int64 // the next one's begin, or what has happened so far
	err := q.QueryRowContext(ctx, `SELECT coalesce((SELECT n.begun FROM epochs n WHERE n.nr > e.nr ORDER BY n.nr LIMIT 1), (SELECT c.n FROM clock c WHERE c.one = 1))
		FROM epochs e WHERE e.id = $1`, m.Epoch).Scan(&ends)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return m.Seq <= ends, err
}
