package serve

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/wire"
)

// A Key is a person's bearer key, without the key itself: nobody can read that
// again.
type Key struct {
	ID      string `json:"id"`
	Person  string `json:"person"`
	Label   string `json:"label"`
	Created int64  `json:"created"` // ms
	Used    int64  `json:"used"`    // ms, to the hour; 0: never
	Revoked int64  `json:"revoked"` // ms; 0: it holds
}

// A caller is whom a key belongs to.
type caller struct {
	key    string // its id
	person string // id
	name   string
	agent  string
}

// NewKey makes a key for a person, who is made too if there is none of that name.
// The key is told here and nowhere else.
func (s *Store) NewKey(ctx context.Context, person, label string) (key string, made Key, err error) {
	person = strings.TrimSpace(person)
	if person == "" || len(person) > 100 || len(label) > 100 || strings.ContainsFunc(person+label, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return "", made, fmt.Errorf("the person %q, label %q: want names of 1 to 100 bytes on one line", person, label)
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return "", made, err
	}
	key = wire.KeyPrefix + hex.EncodeToString(secret)
	made = Key{ID: "key_" + s.random()[:12], Person: person, Label: label, Created: s.now().UnixMilli()}
	err = s.transaction(ctx, func(tx *sql.Tx) error {
		if _, err := s.tick(ctx, tx); err != nil { // two that make the same person wait for each other
			return err
		}
		var id string
		err := tx.QueryRowContext(ctx, `SELECT id FROM persons WHERE name = $1`, person).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			id = "person_" + s.random()[:16]
			_, err = tx.ExecContext(ctx, `INSERT INTO persons (id, name, created) VALUES ($1, $2, $3)`, id, person, made.Created)
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO keys (id, person, label, hash, created, used, revoked) VALUES ($1, $2, $3, $4, $5, 0, 0)`, made.ID, id, label, hashKey(key), made.Created)
		return err
	})
	return key, made, err
}

// hashKey is how a key is kept. It has 256 random bits, so that a slow hash would
// add nothing.
func hashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// Keys lists all keys, the oldest first.
func (s *Store) Keys(ctx context.Context) ([]Key, error) {
	return all(ctx, s.db, func(r *sql.Rows) (k Key, err error) {
		return k, r.Scan(&k.ID, &k.Person, &k.Label, &k.Created, &k.Used, &k.Revoked)
	}, `SELECT k.id, p.name, k.label, k.created, k.used, k.revoked FROM keys k JOIN persons p ON p.id = k.person ORDER BY k.created, k.id`)
}

// Revoke ends a key, at once for all instances. One that was ended stays so.
func (s *Store) Revoke(ctx context.Context, id string) error {
	r, err := s.db.ExecContext(ctx, `UPDATE keys SET revoked = CASE WHEN revoked = 0 THEN $1 ELSE revoked END WHERE id = $2`, s.now().UnixMilli(), id)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, fmt.Errorf("there is no key %q", id))
	}
	return nil
}

// errNoKey is the answer to a key that nobody has.
var errNoKey = errors.New("no such key")

// who finds whom a key belongs to.
func (s *Store) who(ctx context.Context, key string) (c caller, err error) {
	if !strings.HasPrefix(key, wire.KeyPrefix) || len(key) > 200 {
		return c, errNoKey
	}
	var used int64
	err = s.db.QueryRowContext(ctx, `SELECT k.id, p.id, p.name, k.used FROM keys k JOIN persons p ON p.id = k.person WHERE k.hash = $1 AND k.revoked = 0`, hashKey(key)).Scan(&c.key, &c.person, &c.name, &used)
	if errors.Is(err, sql.ErrNoRows) {
		return c, errNoKey
	}
	const hour = 3600_000
	if now := s.now().UnixMilli(); err == nil && now-used > hour {
		_, err = s.db.ExecContext(ctx, `UPDATE keys SET used = $1 WHERE id = $2`, now, c.key)
	}
	return c, err
}
