package server

import (
	"context"
	"database/sql"
	"net/http"
)

// An Entry is a line of the audit log: who did something that affects others.
type Entry struct {
	At     int64  `json:"at"`     // ms
	Person string `json:"person"` // "" means the operator of the service
	Key    string `json:"key"`    // its id
	What   string `json:"what"`   // "gene approve"
	About  string `json:"about"`  // a gene, a key, a person
	Detail string `json:"detail"`
}

// auditKept is how many lines are kept.
const auditKept = 50_000

// audit records what a caller does, in the same transaction.
func (s *Store) audit(ctx context.Context, q asker, c caller, what, about, detail string) error {
	_, err := q.ExecContext(ctx, `INSERT INTO audit (id, at, person, key, what, about, detail) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		s.random(), s.now().UnixMilli(), c.name, c.key, what, about, detail)
	return err
}

// Audit returns the last lines of the audit log since a time, the newest first.
func (s *Store) Audit(ctx context.Context, since int64, limit int) ([]Entry, error) {
	return all(ctx, s.db, func(r *sql.Rows) (e Entry, err error) {
		return e, r.Scan(&e.At, &e.Person, &e.Key, &e.What, &e.About, &e.Detail)
	}, `SELECT at, person, key, what, about, detail FROM audit WHERE at >= $1 ORDER BY at DESC, id LIMIT $2`, since, limit)
}

// trim keeps the log from filling the disk over the years.
func (s *Store) trim(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM audit WHERE at < (SELECT at FROM audit ORDER BY at DESC LIMIT 1 OFFSET $1)`, auditKept)
	return err
}

func (s *Server) auditLog(r request) (answer, error) {
	if r.role != RoleAdmin {
		return answer{}, refuse(http.StatusForbidden, "FORBIDDEN", "this takes an admin; whoever runs the service gives roles")
	}
	limit, err := r.number("limit", 100, 1, 1000)
	if err != nil {
		return answer{}, err
	}
	since, err := r.number("since", 0, 0, maxMillis)
	if err != nil {
		return answer{}, err
	}
	list, err := s.store.Audit(r.Context(), since, int(limit))
	return answer{status: http.StatusOK, data: map[string]any{"entries": list}}, err
}

// whoami answers what a key may be used for.
func (s *Server) whoami(r request) (answer, error) {
	return answer{status: http.StatusOK, data: map[string]any{"person": r.name, "role": r.role, "key": r.key, "scopes": r.allowed(), "expires": r.expires}}, nil
}
