package team

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/trace"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// A Choice is the user's decision about the memory of a project.
type Choice struct {
	Server string `json:"server"` // scheme, host and port
	Room   string `json:"room"`
	// Preferences includes them.
	Preferences bool `json:"preferences"`
	// From excludes what was saved before; "": nothing.
	From string `json:"from"`
}

// State is a choice, and what the room had when it was last asked.
type State struct {
	Schema int    `json:"schema"`
	Root   string `json:"root"`   // the project's, for people
	Folder string `json:"folder"` // its memory folder when that was decided
	Choice
	Role   string           `json:"role"`
	Cursor int64            `json:"cursor"` // of the changes that are in the files
	Sent   map[string]*Sent `json:"sent"`   // facts of this machine by id
	Ends   []string         `json:"ends"`   // names of facts to be deleted in the room
	// Mark is how far the room was seen, Over says that it is begun anew: what comes may be older
	// than what is here.
	Mark *room.Mark `json:"mark,omitempty"`
	Over bool       `json:"over,omitempty"`
	// Gone are facts of others that were deleted, by name.
	Gone map[string]Gone `json:"gone,omitempty"`
	// Held is what the files of others' facts hold (factIndex.sum), and Hidden those of them that
	// the user deleted for themselves, of which a cleanup hid Tidied; Purged are the versions of
	// those that were purged here.
	// Traces means that derived files may have texts that are not here any more.
	Traces  bool           `json:"traces,omitempty"`
	Held    string         `json:"held,omitempty"`
	Hidden  []string       `json:"hidden,omitempty"`
	Tidied  []string       `json:"tidied,omitempty"`
	Purged  map[string]int `json:"purged,omitempty"`
	Fetched string         `json:"fetched,omitempty"` // when all was last fetched again, since something was missing

	Tried  string `json:"tried"`  // when it was last asked, "" if never
	Synced string `json:"synced"` // when that last succeeded
	Wrong  string `json:"wrong"`  // why it failed the last time; "" if it did not
	Notes  []Note `json:"notes,omitempty"`
	// Fix is what helps against that, if it is known.
	Fix string `json:"fix,omitempty"`
}

// Sent is what the room has of a fact of this machine.
type Sent struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Digest  string `json:"digest"`
	Ended   bool   `json:"ended,omitempty"`
	// Gone means that somebody else deleted it: it is not sent again.
	Gone bool `json:"gone,omitempty"`
	// Again means that the room has to be told again that it is deleted.
	Again bool `json:"again,omitempty"`
	// Edited is when that came about, "" if that is not known. Lost means that the room has a later
	// version than the change that was made here.
	Edited string `json:"edited,omitempty"`
	Lost   bool   `json:"lost,omitempty"`
	// Refused says why the room did not accept it.
	Refused string `json:"refused,omitempty"`
}

// Gone is a fact of others that was deleted.
type Gone struct {
	Version int `json:"version"`
	// Here means that it was this machine that had it deleted, as a reviewer's.
	Here bool `json:"here,omitempty"`
}

// schema is the version of the file.
const schema = 1

// A Share is the shared side of a project's memory.
type Share struct {
	store.Keeper
	Derived trace.Derived // where what is not shared any more may still be said
	place   memory.Place
	file    string
}

// Of is the Share of a project's memory; state is the state directory.
func Of(k store.Keeper, place memory.Place, state string) *Share {
	k.Waiting, place.Waiting = false, false
	s := &Share{Keeper: k, place: place}
	s.Derived.Cache = k.Cache
	if state != "" {
		s.file = memory.ShareFile(state, place.Root)
	}
	return s
}

// State is the decision; false if the memory is not shared.
func (s *Share) State() (st State, on bool, err error) {
	if s.file == "" {
		return st, false, nil
	}
	b, err := statefile.Read(s.file)
	if err != nil || b == nil {
		return st, false, err
	}
	if err := json.Unmarshal(b, &st); err != nil {
		return st, false, fmt.Errorf("%s cannot be read: %w", s.file, err)
	}
	if st.Schema > schema {
		return st, false, fmt.Errorf("%s was written by a newer agents-hooks", s.file)
	}
	if st.Sent == nil {
		st.Sent = map[string]*Sent{}
	}
	if st.Gone == nil {
		st.Gone = map[string]Gone{}
	}
	if st.Purged == nil {
		st.Purged = map[string]int{}
	}
	return st, true, nil
}

func (s *Share) keep(st State) error {
	b, err := json.Marshal(st)
	if err != nil {
		return err
	}
	return statefile.UpdateDurable(s.file, fileWait, func([]byte) ([]byte, error) { return b, nil })
}

// fileWait is how long to wait for a file that another process has locked.
const fileWait = 2 * time.Second

// hold prevents other syncs of this project.
func (s *Share) hold(wait time.Duration) (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return nil, err
	}
	return statefile.Hold(s.file+".sync", wait)
}

// On saves the user's decision. What another room gave is removed.
func (s *Share) On(c Choice, role string) error {
	if s.Dir == s.place.User {
		return errors.New("the memory folder of this project is your own one for all projects, which is not shared")
	}
	if s.file == "" {
		return fmt.Errorf("there is no state directory to keep it in: set HOME or XDG_STATE_HOME")
	}
	release, err := s.hold(syncWait)
	if err != nil {
		return err
	}
	defer release()
	was, on, err := s.State()
	st := State{Schema: schema, Root: s.Root, Sent: map[string]*Sent{}, Gone: map[string]Gone{}, Purged: map[string]int{}}
	if err == nil && on && was.Server == c.Server && was.Room == c.Room {
		st = was
		for _, sent := range st.Sent { // what was refused is offered again
			if sent.Refused != "" {
				sent.Digest, sent.Refused = "", ""
			}
		}
	} else if err := s.drop(); err != nil {
		return err
	}
	st.Choice, st.Role, st.Folder = c, role, s.Dir
	return s.keep(st)
}

// Off ends sharing here: what others shared is removed, what was shared stays with them.
func (s *Share) Off() error {
	release, err := s.hold(syncWait)
	if err != nil {
		return err
	}
	defer release()
	if err := s.drop(); err != nil {
		return err
	}
	if err := os.Remove(s.file); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

// drop removes what others shared, here and from what was derived of it.
func (s *Share) drop() error {
	if err := s.place.DropShared(); err != nil {
		return err
	}
	return s.forget()
}

// forget has what searches read made anew, and removes pages and answers: they have the texts of
// what was removed.
func (s *Share) forget() error {
	if err := (search.Folder{Scope: "project", Dir: s.Dir, Cache: s.Cache, Within: s.Within, Ledger: s.Ledger, Root: s.Root, Tree: s.Tree, Ask: s.Ask}).ForgetPurged(s.Now); err != nil {
		return fmt.Errorf("removing from the index of searches what is not shared any more: %w; agents-hooks memory rebuild-index does it", err)
	}
	return s.Derived.Forget()
}

// Withdraw has all facts that were shared from here deleted in the room at the next sync, and
// sends no more.
func (s *Share) Withdraw() error {
	release, err := s.hold(syncWait)
	if err != nil {
		return err
	}
	defer release()
	st, on, err := s.State()
	if err != nil || !on {
		return errors.Join(err, offUnless(err))
	}
	st.From = never
	for _, sent := range st.Sent {
		if sent.Name != "" && !sent.Ended && !sent.Gone {
			st.Ends = append(st.Ends, sent.Name)
			sent.Ended = true
		}
	}
	return s.keep(st)
}

// never is a time so late that nothing is shared.
const never = "9999-01-01T00:00:00Z"

// A NotYours says that the user may not delete a fact for everybody.
type NotYours struct{ Why string }

func (n NotYours) Error() string { return n.Why }

// End has facts deleted in the room at the next sync, by their ids here; those that are not in
// the room are ignored. It returns how many are. One that the room would refuse is refused here,
// before anything is done: nobody may be there when it does.
func (s *Share) End(ids []string) (n int, err error) {
	return s.change(ids, func(st *State, h *factIndex, id string) error {
		sent := st.Sent[id]
		switch {
		case st.Role == room.Reader:
			return NotYours{id + ": you are a reader of the room, and delete nothing for others"}
		case sent != nil:
			sent.Ended, sent.Again = true, true
		case st.Role != room.Reviewer && h.line[id] != nil && mine(h.line[id]) == "":
			return NotYours{id + ": somebody else shared it, so its author deletes it for everybody, or a reviewer of the room, and you are a " + oneLine(st.Role)}
		default:
			st.Ends = append(st.Ends, id)
		}
		return nil
	})
}

// Purge is End for the user's facts that are about to be removed for good: they are never sent
// again. Those of others are not fetched again as they are now.
func (s *Share) Purge(ids []string) (int, error) {
	return s.change(ids, func(st *State, h *factIndex, id string) error {
		if sent := st.Sent[id]; sent != nil {
			sent.Gone, sent.Again = true, true
			return nil
		}
		if mine(h.line[id]) != "" {
			st.Ends = append(st.Ends, id)
		}
		whole := !st.lost(h)
		st.Purged[id] = max(st.Purged[id], version(h.line[id])) // it may be gone here already
		delete(h.line, id)
		if whole {
			st.Held = h.sum()
		}
		return nil
	})
}

// change changes what is kept of facts that are in the room, and returns how many there are.
func (s *Share) change(ids []string, change func(st *State, h *factIndex, id string) error) (n int, err error) {
	st, on, err := s.State()
	if err != nil || !on || len(ids) == 0 {
		return 0, err
	}
	release, err := s.hold(syncWait)
	if err != nil {
		return 0, err
	}
	defer release()
	if st, on, err = s.State(); err != nil || !on {
		return 0, err
	}
	h, err := s.factIndex()
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if sent := st.Sent[id]; sent != nil && sent.Name != "" || sent == nil && room.ValidName(id) {
			if err := change(&st, h, id); err != nil {
				return 0, err
			}
			n++
		}
	}
	if n == 0 {
		return 0, nil
	}
	return n, s.keep(st)
}
