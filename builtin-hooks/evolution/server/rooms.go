package server

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
)

// A Room is the memory of a team, as seen by the operator of the service.
type Room struct {
	Name    string   `json:"name"`
	Created int64    `json:"created"` // ms
	Facts   int      `json:"facts"`
	Members []Member `json:"members"`
}

// A Member is a person in a room.
type Member struct {
	Person string `json:"person"`
	Role   string `json:"role"`
	Since  int64  `json:"since"` // ms
}

// roomOf is the id of a room.
func roomOf(ctx context.Context, q asker, name string) (id string, err error) {
	err = q.QueryRowContext(ctx, `SELECT id FROM rooms WHERE name = $1`, name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("there is no room %q", name)
	}
	return id, err
}

// inRoom does something with a room, serialized with all other changes. Nothing of what it removes
// stays in the log.
func (s *Store) inRoom(ctx context.Context, name string, do func(tx *sql.Tx, id string) error) error {
	err := s.transaction(ctx, func(tx *sql.Tx) error {
		if _, err := s.tick(ctx, tx); err != nil {
			return err
		}
		id, err := roomOf(ctx, tx, name)
		if err != nil {
			return err
		}
		return do(tx, id)
	})
	if err != nil {
		return err
	}
	return s.wipe(ctx)
}

// NewRoom makes an empty room.
func (s *Store) NewRoom(ctx context.Context, name string) error {
	if !room.ValidRoom(name) {
		return fmt.Errorf("the room %q: want 1 to 60 letters, digits, -, _ and ., a letter or digit first", name)
	}
	r, err := s.db.ExecContext(ctx, `INSERT INTO rooms (id, name, created) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING`, "room_"+s.random()[:16], name, s.now().UnixMilli())
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, fmt.Errorf("there is a room %q already", name))
	}
	return nil
}

// Rooms lists all rooms by name, with their members.
func (s *Store) Rooms(ctx context.Context) ([]Room, error) {
	ids := map[string]int{}
	list, err := all(ctx, s.db, func(r *sql.Rows) (x Room, err error) {
		var id string
		x.Members = []Member{}
		err = r.Scan(&id, &x.Name, &x.Created, &x.Facts)
		ids[id] = len(ids)
		return x, err
	}, `SELECT r.id, r.name, r.created, (SELECT count(*) FROM facts f WHERE f.room = r.id AND f.deleter = '') FROM rooms r ORDER BY r.name`)
	if err != nil {
		return nil, err
	}
	_, err = all(ctx, s.db, func(r *sql.Rows) (m Member, err error) {
		var id string
		if err = r.Scan(&id, &m.Person, &m.Role, &m.Since); err == nil {
			if i, ok := ids[id]; ok {
				list[i].Members = append(list[i].Members, m)
			}
		}
		return m, err
	}, `SELECT m.room, p.name, m.role, m.since FROM members m JOIN persons p ON p.id = m.person ORDER BY p.name`)
	return list, err
}

// Admit lets a person into a room, or changes their role.
func (s *Store) Admit(ctx context.Context, name, person, role string) error {
	if !slices.Contains(room.Roles(), role) {
		return fmt.Errorf("the role %q: want %s", role, strings.Join(room.Roles(), ", "))
	}
	return s.inRoom(ctx, name, func(tx *sql.Tx, id string) error {
		who, err := personOf(ctx, tx, person)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO members (room, person, role, since) VALUES ($1, $2, $3, $4) ON CONFLICT (room, person) DO UPDATE SET role = excluded.role`, id, who, role, s.now().UnixMilli())
		return err
	})
}

// ErrNoPerson is wrapped by the error for a name that nobody with a key has.
var ErrNoPerson = errors.New("nobody with a key is called")

func personOf(ctx context.Context, q asker, name string) (id string, err error) {
	err = q.QueryRowContext(ctx, `SELECT id FROM persons WHERE name = $1`, name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("%w %q", ErrNoPerson, name)
	}
	return id, err
}

// Dismiss removes a person from a room: at once they neither see nor change anything
// there. With erase, what they shared goes too, as if they had deleted it.
func (s *Store) Dismiss(ctx context.Context, name, person string, erase bool) error {
	return s.inRoom(ctx, name, func(tx *sql.Tx, id string) error {
		who, err := personOf(ctx, tx, person)
		if err != nil {
			return err
		}
		r, err := tx.ExecContext(ctx, `DELETE FROM members WHERE room = $1 AND person = $2`, id, who)
		if err != nil {
			return err
		}
		n, err := r.RowsAffected()
		if err == nil && n == 0 && !erase {
			err = fmt.Errorf("%q is not in the room %q", person, name)
		}
		if err != nil || !erase {
			return err
		}
		names, err := all(ctx, tx, func(r *sql.Rows) (x string, err error) { return x, r.Scan(&x) },
			`SELECT name FROM facts WHERE room = $1 AND person = $2 AND deleter = ''`, id, who)
		for _, x := range names {
			if err = errors.Join(err, s.erase(ctx, tx, id, x, who, room.Item{})); err != nil {
				return err
			}
		}
		return err
	})
}

// erase removes the text of a fact. That it is gone stays, and since when, for machines that were
// away.
func (s *Store) erase(ctx context.Context, tx *sql.Tx, id, name, deleter string, item room.Item) error {
	n, err := s.tick(ctx, tx)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE facts SET document = '', deleter = $1, version = version + 1, seq = $2, edited = $3, knew = $4 WHERE room = $5 AND name = $6`,
		deleter, n, room.Edited(cmp.Or(item.Edited, memory.Stamp(s.now())), s.now()), item.Knew, id, name)
	return err
}

// DropRoom removes a room, and all that was shared in it.
func (s *Store) DropRoom(ctx context.Context, name string) error {
	return s.inRoom(ctx, name, func(tx *sql.Tx, id string) error {
		for _, table := range []string{"facts", "members"} {
			if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE room = $1`, id); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM rooms WHERE id = $1`, id)
		return err
	})
}

// roomsOf are the rooms that a person is in.
func (s *Store) roomsOf(ctx context.Context, person string) ([]room.Room, error) {
	return all(ctx, s.db, func(r *sql.Rows) (x room.Room, err error) {
		return x, r.Scan(&x.Name, &x.Role, &x.Facts)
	}, `SELECT r.name, m.role, (SELECT count(*) FROM facts f WHERE f.room = r.id AND f.deleter = '') FROM rooms r JOIN members m ON m.room = r.id WHERE m.person = $1 ORDER BY r.name`, person)
}

// A seat is a person in a room.
type seat struct{ room, person, role string }

// errNoRoom is the answer for a room that does not exist, and for one that the person
// is not in: a caller cannot tell them apart.
var errNoRoom = errors.New("no such room")

func (s *Store) seat(ctx context.Context, q asker, name, person string) (x seat, err error) {
	x.person = person
	err = q.QueryRowContext(ctx, `SELECT r.id, m.role FROM rooms r JOIN members m ON m.room = r.id WHERE r.name = $1 AND m.person = $2`, name, person).Scan(&x.room, &x.role)
	if errors.Is(err, sql.ErrNoRows) {
		return x, errNoRoom
	}
	return x, err
}
