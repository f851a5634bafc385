package server

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
)

// A Key is a person's bearer key, without the key itself, which nobody can read again.
type Key struct {
	ID      string `json:"id"`
	Person  string `json:"person"`
	Label   string `json:"label"`
	Created int64  `json:"created"` // ms
	Used    int64  `json:"used"`    // ms, to the hour; 0: never
	Revoked int64  `json:"revoked"` // ms; 0: still valid
	Expires int64  `json:"expires"` // ms; 0: never
	// Scopes limit what it may be used for; empty: everything that its person may do.
	Scopes []string `json:"scopes"`
	Role   string   `json:"role"` // of its person
}

// What a key may be used for.
const (
	Read    = "read"    // ask, pull, load
	Write   = "write"   // outcomes, genes, notes, facts
	Decide  = "review"  // approve and hold genes, delete those of others
	Measure = "metrics" // /metrics from another machine
)

// Scopes lists all of them.
func Scopes() []string { return []string{Read, Write, Decide, Measure} }

// Terms are the terms of a new key.
type Terms struct {
	Label   string
	Expires time.Time // zero: never
	Scopes  []string  // none: everything
}

// A caller is the person whom a key belongs to.
type caller struct {
	key     string // its id
	person  string // id
	name    string
	agent   string
	role    string
	scopes  string
	expires int64
}

// Operator is the operator of the service, who may do everything.
func Operator() caller { return caller{name: "operator", role: RoleAdmin} }

// allowed are the scopes of the caller's key.
func (c caller) allowed() []string {
	if c.scopes == "" {
		return Scopes()
	}
	return strings.Split(c.scopes, ",")
}

// may reports, as an error, that the caller's key may not be used for a call.
func (c caller) may(scope string) error {
	if scope == "" || slices.Contains(c.allowed(), scope) {
		return nil
	}
	return refuse(http.StatusForbidden, "SCOPE", "this key is good for %s, and not for %s", strings.Join(c.allowed(), ", "), scope)
}

// NewKey makes a key for a person, whom it creates if there is none of that name. The
// key is returned only here.
func (s *Store) NewKey(ctx context.Context, person string, t Terms) (key string, made Key, err error) {
	err = s.transaction(ctx, func(tx *sql.Tx) error {
		if _, err := s.tick(ctx, tx); err != nil { // if two create the same person, one waits
			return err
		}
		key, made, err = s.newKey(ctx, tx, person, t)
		return err
	})
	return key, made, err
}

func (s *Store) newKey(ctx context.Context, tx *sql.Tx, person string, t Terms) (key string, made Key, err error) {
	person = strings.TrimSpace(person)
	label := t.Label
	for _, scope := range t.Scopes {
		if !slices.Contains(Scopes(), scope) {
			return "", made, fmt.Errorf("the scope %q: want %s", scope, strings.Join(Scopes(), ", "))
		}
	}
	expires := int64(0)
	if !t.Expires.IsZero() {
		if expires = t.Expires.UnixMilli(); expires <= s.now().UnixMilli() {
			return "", made, fmt.Errorf("the key would end at %s, which is over", t.Expires.Format(time.RFC3339))
		}
	}
	if person == "" || len(person) > 100 || len(label) > 100 || strings.ContainsFunc(person+label, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		return "", made, fmt.Errorf("the person %q, label %q: want names of 1 to 100 bytes on one line", person, label)
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return "", made, err
	}
	key = api.KeyPrefix + hex.EncodeToString(secret)
	made = Key{ID: "key_" + s.random()[:12], Person: person, Label: label, Created: s.now().UnixMilli(), Expires: expires, Scopes: filled(t.Scopes), Role: RoleMember}
	var id string
	err = tx.QueryRowContext(ctx, `SELECT id, role FROM persons WHERE name = $1`, person).Scan(&id, &made.Role)
	if errors.Is(err, sql.ErrNoRows) {
		id = "person_" + s.random()[:16]
		_, err = tx.ExecContext(ctx, `INSERT INTO persons (id, name, created, role) VALUES ($1, $2, $3, $4)`, id, person, made.Created, made.Role)
	}
	if err != nil {
		return "", made, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO keys (id, person, label, hash, created, used, revoked, expires, scopes) VALUES ($1, $2, $3, $4, $5, 0, 0, $6, $7)`,
		made.ID, id, label, hashKey(key), made.Created, expires, strings.Join(t.Scopes, ","))
	if err == nil {
		err = s.audit(ctx, tx, Operator(), "key create", made.ID, person)
	}
	return key, made, err
}

// Rotate makes a key with the terms of another, which stays valid for a while, so that
// nobody has to change it everywhere at once. The new key expires when the old one
// would have, unless given its own time.
func (s *Store) Rotate(ctx context.Context, id string, expires time.Time, overlap time.Duration) (key string, made Key, err error) {
	err = s.transaction(ctx, func(tx *sql.Tx) error {
		if _, err := s.tick(ctx, tx); err != nil {
			return err
		}
		var old Key
		var scopes string
		err := tx.QueryRowContext(ctx, `SELECT p.name, k.label, k.scopes, k.expires, k.revoked FROM keys k JOIN persons p ON p.id = k.person WHERE k.id = $1`, id).Scan(&old.Person, &old.Label, &scopes, &old.Expires, &old.Revoked)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("there is no key %q", id)
		}
		if err == nil && old.Revoked != 0 {
			return fmt.Errorf("the key %q was revoked: make a new one", id)
		}
		if err != nil {
			return err
		}
		t := Terms{Label: old.Label, Expires: expires}
		if scopes != "" {
			t.Scopes = strings.Split(scopes, ",")
		}
		if key, made, err = s.newKey(ctx, tx, old.Person, t); err != nil {
			return err
		}
		ends := s.now().Add(overlap).UnixMilli()
		if old.Expires != 0 {
			ends = min(ends, old.Expires)
		}
		if _, err := tx.ExecContext(ctx, `UPDATE keys SET expires = $1 WHERE id = $2`, max(ends, 1), id); err != nil {
			return err
		}
		return s.audit(ctx, tx, Operator(), "key rotate", id, made.ID)
	})
	return key, made, err
}

// A Person is somebody who has, or had, a key.
type Person struct {
	Name    string `json:"name"`
	Role    string `json:"role"`
	Created int64  `json:"created"` // ms
	Keys    int    `json:"keys"`    // valid ones
}

// Persons lists all persons by name.
func (s *Store) Persons(ctx context.Context) ([]Person, error) {
	return all(ctx, s.db, func(r *sql.Rows) (p Person, err error) {
		return p, r.Scan(&p.Name, &p.Role, &p.Created, &p.Keys)
	}, `SELECT p.name, p.role, p.created, (SELECT count(*) FROM keys k WHERE k.person = p.id AND k.revoked = 0 AND (k.expires = 0 OR k.expires > $1)) FROM persons p ORDER BY p.name`, s.now().UnixMilli())
}

// Appoint gives a person a role.
func (s *Store) Appoint(ctx context.Context, person, role string) error {
	if !slices.Contains(Roles(), role) {
		return fmt.Errorf("the role %q: want %s", role, strings.Join(Roles(), ", "))
	}
	return s.transaction(ctx, func(tx *sql.Tx) error {
		id, err := personOf(ctx, tx, person)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE persons SET role = $1 WHERE id = $2`, role, id); err != nil {
			return err
		}
		return s.audit(ctx, tx, Operator(), "person role", person, role)
	})
}

// hashKey is the stored form of a key. A key has 256 random bits, so a slow hash would
// add nothing.
func hashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// Keys lists all keys, the oldest first.
func (s *Store) Keys(ctx context.Context) ([]Key, error) {
	return all(ctx, s.db, func(r *sql.Rows) (k Key, err error) {
		var scopes string
		err = r.Scan(&k.ID, &k.Person, &k.Label, &k.Created, &k.Used, &k.Revoked, &k.Expires, &scopes, &k.Role)
		k.Scopes = strings.FieldsFunc(scopes, func(c rune) bool { return c == ',' })
		return k, err
	}, `SELECT k.id, p.name, k.label, k.created, k.used, k.revoked, k.expires, k.scopes, p.role FROM keys k JOIN persons p ON p.id = k.person ORDER BY k.created, k.id`)
}

// Revoke ends a key, at once for all instances. Revoking it again changes nothing.
func (s *Store) Revoke(ctx context.Context, id string) error {
	r, err := s.db.ExecContext(ctx, `UPDATE keys SET revoked = CASE WHEN revoked = 0 THEN $1 ELSE revoked END WHERE id = $2`, s.now().UnixMilli(), id)
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, fmt.Errorf("there is no key %q", id))
	}
	return s.audit(ctx, s.db, Operator(), "key revoke", id, "")
}

// errNoKey is the answer to an unknown key.
var errNoKey = errors.New("no such key")

// who finds the person whom a key belongs to.
func (s *Store) who(ctx context.Context, key string) (c caller, err error) {
	if !strings.HasPrefix(key, api.KeyPrefix) || len(key) > 200 {
		return c, errNoKey
	}
	var used int64
	err = s.db.QueryRowContext(ctx, `SELECT k.id, p.id, p.name, p.role, k.scopes, k.expires, k.used FROM keys k JOIN persons p ON p.id = k.person WHERE k.hash = $1 AND k.revoked = 0 AND (k.expires = 0 OR k.expires > $2)`,
		hashKey(key), s.now().UnixMilli()).Scan(&c.key, &c.person, &c.name, &c.role, &c.scopes, &c.expires, &used)
	if errors.Is(err, sql.ErrNoRows) {
		return c, errNoKey
	}
	const hour = 3600_000
	if now := s.now().UnixMilli(); err == nil && now-used > hour {
		_, err = s.db.ExecContext(ctx, `UPDATE keys SET used = $1 WHERE id = $2`, now, c.key)
	}
	return c, err
}
