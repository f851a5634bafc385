// Package room is the contract between a client that shares memory and a service
// (agents-hooks-server): the documents that they exchange, and what a fact of a room may
// contain. Both sides use it, so that they cannot diverge, and both apply the rules of [Clean],
// since neither trusts the other.
//
// A room is the memory of a team about one project. Everyone in it has a role: a reader
// reads; a member also shares, and changes and deletes their own facts; a reviewer also
// deletes what others shared. The operator of the service decides who is in a room.
package room

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Protocol is the version of these documents. A request with a higher version than the
// service's is refused, with the reason.
const Protocol = 1

// Paths of the service, and codes of its errors.
const (
	SyncPath  = "/api/team/memory/sync"
	RoomsPath = "/api/team/memory/rooms"

	NoRoom      = "NO_ROOM"      // it does not exist, or the key's person is not in it: the answer is the same
	NewProtocol = "NEW_PROTOCOL" // the client is newer than the service
	// OtherHistory means that the service does not have what the client relies on: a back-up was
	// restored, the room was made anew, or the key is another person's.
	OtherHistory = "OTHER_HISTORY"
)

// The roles of a person in a room.
const (
	Reader   = "reader"
	Member   = "member"
	Reviewer = "reviewer"
)

// Roles are all roles, the lowest first.
func Roles() []string { return []string{Reader, Member, Reviewer} }

// Limits of one request, and of a fact.
const (
	PushMost = 100 // facts of a push
	PullMost = 200 // changes of a pull

	ContentMost  = 800 // characters
	entitiesMost = 20
	entityMost   = 80 // characters
	updatesMost  = 20
	nameMost     = 60 // characters of a person's name as shown
)

// A Fact is the shared part of a fact: nothing of its session, branch or prompt.
type Fact struct {
	Type       string   `json:"type"` // W, B or O
	Content    string   `json:"content"`
	Entities   []string `json:"entities,omitempty"`
	Confidence float64  `json:"confidence"`
	Time       string   `json:"timestamp"`
	Since      string   `json:"valid_from,omitempty"`
	Until      string   `json:"valid_until,omitempty"`
	At         string   `json:"at,omitempty"`      // file:line below the project
	Updates    []string `json:"updates,omitempty"` // facts of the room that it replaces, according to its author
}

// An Item of a push: a fact, or the end of one.
type Item struct {
	// ID is its id on the author's machine. Name is its name in the room, for what was shared
	// by others or from another machine: to delete it.
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
	// Version grows with each change. That of a deletion is the one that the room had: one that
	// does not know the fact, since it was set back, then remembers that it is deleted.
	Version int   `json:"version"`
	Deleted bool  `json:"deleted,omitempty"`
	Fact    *Fact `json:"fact,omitempty"`
	// Edited is when the user changed or deleted it, "" for one that is as it was saved: of two
	// changes that did not know of each other, the later one counts.
	Edited string `json:"edited,omitempty"`
	// Knew is the version of the room that the change was made of, 0 if none is known.
	Knew int `json:"knew,omitempty"`
}

// A Request pushes, and pulls what changed since a cursor.
type Request struct {
	Protocol int    `json:"protocol"`
	Room     string `json:"room"`
	Push     []Item `json:"push,omitempty"`
	Pull     *Pull  `json:"pull,omitempty"`
	Mark     *Mark  `json:"mark,omitempty"` // of the last answer; nil: nothing of the room is relied on
}

// A Mark says how far, and in which history of a service, a client has seen a room. A service
// that was set back to a back-up would otherwise look as one in which nothing has happened: its
// numbers go on where its clock is.
type Mark struct {
	Of    string `json:"of"`    // the room and the person
	Epoch string `json:"epoch"` // the time from one start of the service to the next
	Seq   int64  `json:"seq"`
}

// A Pull asks for what changed after a cursor.
type Pull struct {
	Since int64 `json:"since"`
}

// The results for an item.
const (
	OK        = "ok"
	Duplicate = "duplicate" // it is unchanged
	Stale     = "stale"     // there is a later version, whose number is returned
	Gone      = "gone"      // somebody else deleted it: it is not accepted again
	Refused   = "refused"
)

// A Result is the result for an item of a push, in the same order.
type Result struct {
	Name    string `json:"name,omitempty"`
	Status  string `json:"status"`
	Version int    `json:"version,omitempty"` // the room's
	Reason  string `json:"reason,omitempty"`
	// Of a stale item, when the later version came about, and whether that is its end.
	Edited  string `json:"edited,omitempty"`
	Deleted bool   `json:"deleted,omitempty"`
}

// A Change is the present state of a fact, or its deletion.
type Change struct {
	Name    string `json:"name"`
	Seq     int64  `json:"seq"`
	Version int    `json:"version"`
	Author  string `json:"author"`
	Person  string `json:"person"` // the same for everything that one person shared in the room
	// Own is its id on the machine that shared it, if that belongs to the key's person; "" for
	// other persons' facts.
	Own     string `json:"own,omitempty"`
	Deleted bool   `json:"deleted,omitempty"`
	By      string `json:"deleted_by,omitempty"`
	// ByOwn means that the key's person deleted it, or that they were removed with all that they
	// shared.
	ByOwn bool  `json:"by_own,omitempty"`
	Fact  *Fact `json:"fact,omitempty"`
	// Edited is when its author changed or deleted it, "" if that is not known.
	Edited string `json:"edited,omitempty"`
	// Knew is the version that this one was made of: what came between was not known to whoever made
	// it. 0 if that is not known.
	Knew int `json:"knew,omitempty"`
}

// An Answer to a [Request].
type Answer struct {
	Protocol int      `json:"protocol"`
	Room     string   `json:"room"`
	Role     string   `json:"role"`
	Results  []Result `json:"results"`
	Changes  []Change `json:"changes"`
	Cursor   int64    `json:"cursor"`
	More     bool     `json:"more"`
	Mark     *Mark    `json:"mark,omitempty"` // of an older service: nil
}

// A Room that the key's person is in.
type Room struct {
	Name  string `json:"name"`
	Role  string `json:"role"`
	Facts int    `json:"facts"`
}

// ValidRoom reports whether a text is a valid name of a room.
func ValidRoom(s string) bool { return token(s, 60) }

// ValidID reports whether a text is a valid id of a fact on a machine.
func ValidID(s string) bool { return token(s, 80) }

// token accepts letters, digits, -, _ and . that begin with a letter or digit.
func token(s string, most int) bool {
	return s != "" && len(s) <= most && !strings.ContainsFunc(s, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.')
	}) && !strings.ContainsAny(s[:1], "-_.")
}

// NamePrefix begins the name of each fact of a room, and never an id on a machine.
const NamePrefix = "team-"

// nameBytes is how many bytes of a hash follow it, as hexadecimal digits.
const nameBytes = 12

// Name is the name of a fact, from the hash of who shared what.
func Name(hash []byte) string { return NamePrefix + hex.EncodeToString(hash[:nameBytes]) }

// ValidName reports whether a text is the name of a fact of a room.
func ValidName(s string) bool {
	rest, ok := strings.CutPrefix(s, NamePrefix)
	return ok && len(rest) == 2*nameBytes && strings.Trim(rest, "0123456789abcdef") == ""
}

// ValidVersion reports whether a number is a valid version.
func ValidVersion(n int) bool { return n >= 1 && n <= math.MaxInt32 }

// Author is a person's name for a line that an agent reads: letters, digits and the characters
// between them, and nothing that could end the line's brackets.
func Author(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), strings.ContainsRune(" ._-@'+", r):
			return r
		}
		return '_'
	}, text.OneLine(protocol.Plain(s)))
	if s = strings.TrimSpace(text.Head(s, nameMost)); s == "" {
		return "somebody"
	}
	return s
}

// Clean validates and cleans a fact that arrives or leaves: its text loses secrets and terminal
// control characters; its time is at most now. It returns an error if it cannot be a fact of a
// room.
func Clean(f *Fact, now time.Time) error {
	if len(f.Type) != 1 || !strings.Contains("WBO", f.Type) {
		return fmt.Errorf("type %q: want W, B or O", text.Head(f.Type, 20))
	}
	// A text that is far too long is not even examined.
	if n := utf8.RuneCountInString(f.Content); n > ContentMost {
		return fmt.Errorf("content of %d characters: want at most %d", n, ContentMost)
	}
	f.Content = strings.TrimSpace(text.Clip(redact.Memory.Text(protocol.Plain(f.Content)), ContentMost))
	if !strings.ContainsFunc(f.Content, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return errors.New("content is empty, or holds nothing that may be shared")
	}
	if len(f.Entities) > entitiesMost || len(f.Updates) > updatesMost {
		return fmt.Errorf("%d entities and %d updates: want at most %d of each", len(f.Entities), len(f.Updates), entitiesMost)
	}
	for i, e := range f.Entities {
		f.Entities[i] = redact.Memory.Text(text.Clip(text.OneLine(protocol.Plain(text.Head(e, 4*entityMost))), entityMost))
	}
	f.Entities = slices.DeleteFunc(f.Entities, func(e string) bool { return strings.Trim(e, "….") == "" })
	for _, name := range f.Updates {
		if !ValidName(name) {
			return fmt.Errorf("updates %q, which is the name of no fact", text.Head(name, 60))
		}
	}
	if !(f.Confidence >= 0 && f.Confidence <= 1) {
		return fmt.Errorf("confidence %v: want 0 to 1", f.Confidence)
	}
	at, err := time.Parse(time.RFC3339, f.Time)
	if err != nil || at.Year() < 2000 || at.After(now) {
		at = now
	}
	f.Time = stamp(at)
	for _, day := range []*string{&f.Since, &f.Until} {
		if *day == "" {
			continue
		}
		t, err := time.Parse(time.RFC3339, *day)
		if err != nil {
			return fmt.Errorf("%q is no time", text.Head(*day, 40))
		}
		*day = stamp(t)
	}
	f.At = place(f.At)
	return nil
}

// place is a file:line below the project; "" for any other, which would reveal the author's
// machine, or lead elsewhere: also for one on a drive, and for an address.
func place(at string) string {
	at = redact.Memory.Text(text.OneLine(protocol.Plain(text.Head(at, 400))))
	file, line, _ := strings.Cut(at, ":")
	if len(at) > 200 || strings.Contains(line, "/") || strings.Contains(at, `\`) || !filepath.IsLocal(filepath.FromSlash(file)) {
		return ""
	}
	return at
}

// Edited is the time of a change as it is kept: none that is later than now, and "" for what is none.
func Edited(at string, now time.Time) string {
	t, err := time.Parse(time.RFC3339, at)
	switch {
	case err != nil:
		return ""
	case t.After(now):
		t = now
	}
	return stamp(t)
}

// After is the time of a change that was made knowing another one: later than that, whatever the
// clocks said. "" stands for no time.
func After(at, known string) string {
	if t, err := time.Parse(time.RFC3339, known); err == nil && at <= stamp(t) {
		return stamp(t.Add(time.Second))
	}
	return at
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
