package server

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
)

// factsMost is how many facts a person may share in a room, including deleted ones,
// whose cost remains.
const factsMost = 20_000

// A held fact is a fact of a room.
type held struct {
	name, person string
	version      int
	document     string // "" for a deleted one
	deleter      string
	edited       string // when it came to be as it is, "" if that is not known
}

// since is the time that a fact has here, or one for a fact that is not here.
func (f held) since(at string) string {
	var was room.Fact
	if json.Unmarshal([]byte(f.document), &was) == nil && was.Time != "" {
		return was.Time
	}
	return at
}

// nameOf is the room's name for what a person's machine calls own: nobody can take the
// name of what somebody else shared.
func (x seat) nameOf(own string) string {
	sum := sha256.Sum256([]byte("agents-hooks room\n" + x.room + "\n" + x.person + "\n" + own))
	return room.Name(sum[:])
}

// sign is a pseudonym of a person in a room: it reveals nothing about other rooms.
func (x seat) sign(person string) string {
	sum := sha256.Sum256([]byte("agents-hooks person\n" + x.room + "\n" + person))
	return hex.EncodeToString(sum[:8])
}

func (s *Store) heldFact(ctx context.Context, tx *sql.Tx, x seat, name string) (f held, ok bool, err error) {
	f.name = name
	err = tx.QueryRowContext(ctx, `SELECT person, version, document, deleter, edited FROM facts WHERE room = $1 AND name = $2`, x.room, name).Scan(&f.person, &f.version, &f.document, &f.deleter, &f.edited)
	if errors.Is(err, sql.ErrNoRows) {
		return f, false, nil
	}
	return f, err == nil, err
}

// share takes a person's push into a room: all of it, or nothing.
// Of a client that has seen what is not here any more, nothing is taken: errOtherHistory.
func (s *Store) share(ctx context.Context, c caller, name string, seen *room.Mark, items []room.Item) (x seat, results []room.Result, err error) {
	overwrote := false
	err = s.transaction(ctx, func(tx *sql.Tx) error {
		results, overwrote = []room.Result{}, false
		if len(items) > 0 {
			// From here on, the members of the room and its facts stay unchanged.
			if _, err := s.tick(ctx, tx); err != nil {
				return err
			}
		}
		if x, err = s.seat(ctx, tx, name, c.person); err != nil {
			return err
		}
		if has, err := s.has(ctx, tx, x, seen); err != nil || !has {
			return errors.Join(err, errOtherHistory)
		}
		for _, item := range items {
			r, err := s.takeFact(ctx, tx, x, item)
			if err != nil {
				return err
			}
			results = append(results, r)
			overwrote = overwrote || r.Status == room.OK && r.Version > 1 // what it said before, deleted or changed
		}
		return nil
	})
	if err == nil && overwrote {
		err = s.wipe(ctx)
	}
	return x, results, err
}

// errOtherHistory is the answer to a client that relies on what is not in the database.
var errOtherHistory = refuse(http.StatusConflict, room.OtherHistory, "the service was set back, or the room or the person is another one: begin without a mark, send all, and pull from 0")

func refusedFact(name, format string, args ...any) room.Result {
	return room.Result{Name: name, Status: room.Refused, Reason: fmt.Sprintf(format, args...)}
}

// takeFact takes one item of a push.
func (s *Store) takeFact(ctx context.Context, tx *sql.Tx, x seat, item room.Item) (room.Result, error) {
	if item.Knew != 0 && !room.ValidVersion(item.Knew) {
		return refusedFact(item.Name, "it knew version %d, which is none", item.Knew), nil
	}
	name := item.Name
	if name == "" {
		if !room.ValidID(item.ID) {
			return refusedFact("", "the id %q is none", oneLine(item.ID, 80)), nil
		}
		name = x.nameOf(item.ID)
	} else if !room.ValidName(name) || !item.Deleted {
		return refusedFact("", "by its name in the room, %q, a fact is deleted alone", oneLine(name, 60)), nil
	}
	if x.role == room.Reader {
		return refusedFact(name, "a %s of this room changes nothing in it", x.role), nil
	}
	have, is, err := s.heldFact(ctx, tx, x, name)
	switch {
	case err != nil:
		return room.Result{}, err
	case item.Deleted:
		return s.endFact(ctx, tx, x, have, is, item)
	case item.Fact == nil || !room.ValidVersion(item.Version):
		return refusedFact(name, "want a fact, and its version from 1 on"), nil
	}
	at := item.Fact.Time
	if err := room.Clean(item.Fact, s.now()); err != nil {
		return refusedFact(name, "%s", oneLine(err.Error(), 200)), nil
	}
	if item.Fact.Time != at { // of a clock that is ahead: it is as old as it was
		item.Fact.Time = have.since(item.Fact.Time)
	}
	document, err := json.Marshal(item.Fact)
	switch {
	case err != nil:
		return room.Result{}, err
	case is && have.deleter != "" && have.deleter != x.person:
		return room.Result{Name: name, Status: room.Gone, Version: have.version}, nil
	case is && have.document == string(document):
		return room.Result{Name: name, Status: room.Duplicate, Version: have.version}, nil
	case is && item.Version <= have.version:
		return have.later(), nil
	}
	if !is {
		if full, err := s.full(ctx, tx, x); err != nil || full {
			return refusedFact(name, "a person shares at most %d facts in a room", factsMost), err
		}
	}
	n, err := s.tick(ctx, tx)
	if err != nil {
		return room.Result{}, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO facts (room, name, person, own, version, document, deleter, seq, edited, knew) VALUES ($1, $2, $3, $4, $5, $6, '', $7, $8, $9)
		ON CONFLICT (room, name) DO UPDATE SET version = excluded.version, document = excluded.document, deleter = '', seq = excluded.seq, edited = excluded.edited, knew = excluded.knew`,
		x.room, name, x.person, item.ID, item.Version, string(document), n, room.Edited(item.Edited, s.now()), item.Knew)
	return room.Result{Name: name, Status: room.OK, Version: item.Version}, err
}

// full reports whether a person can share nothing more in a room.
func (s *Store) full(ctx context.Context, tx *sql.Tx, x seat) (bool, error) {
	var n int
	err := tx.QueryRowContext(ctx, `SELECT count(*) FROM facts WHERE room = $1 AND person = $2`, x.room, x.person).Scan(&n)
	return n >= factsMost, err
}

// later is the answer to a change that did not know of the present version.
func (f held) later() room.Result {
	return room.Result{Name: f.name, Status: room.Stale, Version: f.version, Edited: f.edited, Deleted: f.deleter != ""}
}

// endFact deletes a fact, as its author or a reviewer may.
func (s *Store) endFact(ctx context.Context, tx *sql.Tx, x seat, f held, is bool, item room.Item) (room.Result, error) {
	switch {
	case !is && room.ValidVersion(item.Version) && (item.Name == "" || x.role == room.Reviewer):
		return s.neverAgain(ctx, tx, x, f.name, item)
	case !is || f.deleter != "":
		return room.Result{Name: f.name, Status: room.Duplicate, Version: f.version}, nil
	case f.person != x.person && x.role != room.Reviewer:
		return refusedFact(f.name, "somebody else shared it: its author deletes it, or a %s", room.Reviewer), nil
	case item.Edited != "" && item.Version < f.version:
		return f.later(), nil
	}
	return room.Result{Name: f.name, Status: room.OK, Version: f.version + 1}, s.erase(ctx, tx, x.room, f.name, x.person, item)
}

// neverAgain remembers that a fact is deleted which is not here, since the database was set back:
// its author, or whoever has it, may still send it.
func (s *Store) neverAgain(ctx context.Context, tx *sql.Tx, x seat, name string, item room.Item) (room.Result, error) {
	if full, err := s.full(ctx, tx, x); err != nil || full {
		return refusedFact(name, "a person shares at most %d facts in a room", factsMost), err
	}
	n, err := s.tick(ctx, tx)
	if err != nil {
		return room.Result{}, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO facts (room, name, person, own, version, document, deleter, seq, edited) VALUES ($1, $2, $3, $4, $5, '', $3, $6, $7)`,
		x.room, name, x.person, item.ID, item.Version, n, room.Edited(item.Edited, s.now()))
	return room.Result{Name: name, Status: room.OK, Version: item.Version}, err
}

// changes are the changes in a room after a cursor, one more than are returned.
// Somebody who has left the room is told nothing, even between two requests.
func (s *Store) changes(ctx context.Context, x seat, since int64) ([]room.Change, error) {
	return all(ctx, s.db, func(r *sql.Rows) (c room.Change, err error) {
		var person, own, document, deleter string
		if err := r.Scan(&c.Name, &c.Seq, &c.Version, &person, &c.Author, &own, &document, &deleter, &c.By, &c.Edited, &c.Knew); err != nil {
			return c, err
		}
		c.Person = x.sign(person)
		if c.Deleted = deleter != ""; person == x.person {
			c.Own = own
		}
		if c.Deleted {
			c.ByOwn = deleter == x.person
			return c, nil
		}
		return c, json.Unmarshal([]byte(document), &c.Fact)
	}, `SELECT f.name, f.seq, f.version, f.person, p.name, f.own, f.document, f.deleter, coalesce(d.name, ''), f.edited, f.knew
		FROM facts f JOIN members m ON m.room = f.room AND m.person = $1 JOIN persons p ON p.id = f.person LEFT JOIN persons d ON d.id = f.deleter
		WHERE f.room = $2 AND f.seq > $3 ORDER BY f.seq LIMIT $4`, x.person, x.room, since, room.PullMost+1)
}

// teamRooms answers which rooms the key's person is in.
func (s *Server) teamRooms(r request) (answer, error) {
	list, err := s.store.roomsOf(r.Context(), r.person)
	return answer{status: http.StatusOK, data: map[string]any{"protocol": room.Protocol, "rooms": list}}, err
}

// teamSync answers a push and a pull of memory: the push first.
func (s *Server) teamSync(r request) (answer, error) {
	var in room.Request
	if err := r.read(&in); err != nil {
		return answer{}, err
	}
	switch {
	case in.Protocol > room.Protocol:
		return answer{}, refuse(http.StatusBadRequest, room.NewProtocol, "this service speaks version %d of the protocol and the client %d: update agents-hooks-server", room.Protocol, in.Protocol)
	case in.Protocol < 1:
		return answer{}, bad("protocol: want %d", room.Protocol)
	case !room.ValidRoom(in.Room):
		return answer{}, refuse(http.StatusNotFound, room.NoRoom, "there is no room %q that the key's person is in", oneLine(in.Room, 60))
	case len(in.Push) > room.PushMost:
		return answer{}, bad("%d facts, at most %d", len(in.Push), room.PushMost)
	}
	if len(in.Push) > 0 {
		if err := r.may(Write); err != nil {
			return answer{}, err
		}
	}
	if in.Pull != nil {
		if err := r.mayPull(in.Pull.Since); err != nil {
			return answer{}, err
		}
	}
	x, results, err := s.store.share(r.Context(), r.caller, in.Room, in.Mark, in.Push)
	if errors.Is(err, errNoRoom) {
		return answer{}, refuse(http.StatusNotFound, room.NoRoom, "there is no room %q that the key's person is in", oneLine(in.Room, 60))
	}
	if err != nil {
		return answer{}, err
	}
	out := room.Answer{Protocol: room.Protocol, Room: in.Room, Role: x.role, Results: results, Changes: []room.Change{}}
	if in.Pull != nil {
		list, err := s.store.changes(r.Context(), x, in.Pull.Since)
		if err != nil {
			return answer{}, err
		}
		out.More = len(list) > room.PullMost
		out.Changes, out.Cursor = list[:min(len(list), room.PullMost)], in.Pull.Since
		if n := len(out.Changes); n > 0 {
			out.Cursor = out.Changes[n-1].Seq
		}
	}
	if out.Mark, err = s.store.mark(r.Context(), x); err != nil { // after all that is answered was read
		return answer{}, err
	}
	return answer{status: http.StatusOK, data: out}, nil
}
