package team

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/server"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	callLimit = 20 * time.Second // for one call, whatever is left of the whole
	syncWait  = 10 * time.Second // for another sync of the project
	pagesMost = 300              // pulls of one sync
)

// A Caller calls the server of a room.
type Caller struct{ *server.Client }

// A Result is what a sync did.
type Result struct {
	Pushed    int        // facts that the room accepted
	Ended     int        // and ends of facts
	Waiting   int        // items still to be sent
	Added     int        // facts of others
	Changed   int        // others' facts that were changed
	Removed   int        // others' facts that were removed
	Skipped   int        // changes that are not facts of a room
	Withdrawn []string   // ids of the user's facts that somebody else removed from the room
	Hidden    []Note     // the user's facts that do not hold here any more because of the room
	Refused   []string   // what the room does not accept, and why
	Conflicts []Conflict // received facts that contradict what is here
	Fetched   bool       // what others shared was missing here, and all of it was fetched again
	Over      bool       // the server had been set back: all was sent and fetched again
	Out       bool       // the user is not in the room, and what it gave was removed
	fresh     []string
}

// A Conflict is a received fact, and what it contradicts.
type Conflict struct {
	ID      string         `json:"id"`
	Content string         `json:"content"`
	Author  string         `json:"author"`
	Against []store.Before `json:"against"`
}

// ErrOff says that the memory of the project is not shared.
var ErrOff = errors.New("the memory of this project is not shared")

// ErrBusy says that another process is syncing.
var ErrBusy = errors.New("another sync of this project is under way")

func oneLine(s string) string { return text.Clip(text.OneLine(protocol.Plain(s)), 200) }

// Rooms are the rooms that the key's person is in.
func (c Caller) Rooms(ctx context.Context) ([]room.Room, error) {
	var got struct {
		Protocol int         `json:"protocol"`
		Rooms    []room.Room `json:"rooms"`
	}
	if err := c.Call(ctx, callLimit, http.MethodGet, room.RoomsPath, nil, nil, &got); err != nil {
		return nil, understood(err)
	}
	return got.Rooms, spoken(got.Protocol)
}

func (c Caller) exchange(ctx context.Context, in room.Request) (a room.Answer, err error) {
	in.Protocol = room.Protocol
	if err := c.Call(ctx, callLimit, http.MethodPost, room.SyncPath, nil, in, &a); err != nil {
		return a, understood(err)
	}
	return a, spoken(a.Protocol)
}

// spoken refuses an answer in a different protocol version.
func spoken(version int) error {
	if version != room.Protocol {
		return fmt.Errorf("the server speaks version %d of the protocol of shared memory, and this program %d: update agents-hooks", version, room.Protocol)
	}
	return nil
}

// understood explains the answer of a server without rooms.
func understood(err error) error {
	var f *server.Failure
	if errors.As(err, &f) && f.Status == http.StatusNotFound && f.Code != room.NoRoom {
		return fmt.Errorf("the server shares no memory: it is older than this program, or another one; update agents-hooks-server (%w)", err)
	}
	return err
}

// Away reports whether an error says that the server gave no answer.
func Away(err error) bool {
	var away *server.Unreached
	return errors.As(err, &away)
}

// coded reports whether the server answered with a code of room.
func coded(err error, code string) bool {
	var f *server.Failure
	return errors.As(err, &f) && f.Code == code
}

// Fix is what helps if the server refuses everything, "" if that is not known.
func Fix(err error, in string) string {
	var f *server.Failure
	switch {
	case !errors.As(err, &f):
		return ""
	case f.Status == http.StatusUnauthorized:
		return "the key is unknown there, revoked or over: whoever runs the server makes one with agents-hooks-server key create --person YOU; put it into AGENTS_HOOKS_TEAM_KEY, or team_key of your hooks.toml"
	case f.Code == "SCOPE":
		return "the key is good for less: whoever runs the server makes one with agents-hooks-server key create --person YOU, without --scope or with --scope read --scope write"
	case f.Code == room.NoRoom:
		return "whoever runs the server lets you in with agents-hooks-server room add " + in + " --person YOU; agents-hooks memory share off ends sharing here"
	case f.Status >= 300 && f.Status < 400:
		return "put the address that it leads to into AGENTS_HOOKS_TEAM_URL, or team_url of your hooks.toml: the key is sent to that address alone"
	case f.Status == http.StatusNotFound:
		return "look at AGENTS_HOOKS_TEAM_URL, or team_url of your hooks.toml: something else answers there, or an older agents-hooks-server"
	}
	return ""
}

// both pushes, and then pulls.
func (s *Share) both(ctx context.Context, st *State, c Caller, r *Result) error {
	if err := s.push(ctx, st, c, r); err != nil {
		return err
	}
	return s.pull(ctx, st, c, r)
}

// startOver forgets what the room had, which is not there any more: the server was set back to a
// back-up. All that is here is sent again, deletions too, and what is there is fetched again. What
// others shared stays until then, and where it is later than what the room has now: its author
// may need weeks to send it again. In another room, or of another person, nothing of it stays.
func (s *Share) startOver(ctx context.Context, st *State, c Caller, r *Result) error {
	a, err := c.exchange(ctx, room.Request{Room: st.Room})
	if err != nil {
		return err
	}
	r.Over, st.Cursor = true, 0
	if was := st.Mark; was == nil || a.Mark == nil || was.Of != a.Mark.Of {
		st.Mark, st.Sent, st.Ends, st.Gone = nil, map[string]*Sent{}, nil, map[string]Gone{}
		st.Traces = true
		return errors.Join(s.place.DropShared(), s.keep(*st))
	}
	st.Mark, st.Over = nil, true
	for _, sent := range st.Sent {
		sent.Digest, sent.Refused = "", ""
		sent.Again = sent.Name != "" && (sent.Ended || sent.Gone)
	}
	for name, gone := range st.Gone {
		if gone.Here && !slices.Contains(st.Ends, name) {
			st.Ends = append(st.Ends, name)
		}
	}
	return s.keep(*st)
}

// ask exchanges with the room, and remembers how far it was seen.
func (s *Share) ask(ctx context.Context, st *State, c Caller, in room.Request) (room.Answer, error) {
	in.Room, in.Mark = st.Room, st.Mark
	a, err := c.exchange(ctx, in)
	if err == nil && a.Mark != nil {
		st.Mark = a.Mark
	}
	return a, err
}

// Sync pushes what the room lacks, and pulls what changed there. wait is how long to wait for
// another sync of the project. What could not be done is done by the next one.
func (s *Share) Sync(ctx context.Context, c Caller, wait time.Duration) (r *Result, err error) {
	r = &Result{}
	if _, on, err := s.State(); err != nil || !on {
		return r, errors.Join(err, offUnless(err))
	}
	release, err := s.hold(wait)
	if errors.Is(err, statefile.ErrLocked) {
		return r, ErrBusy
	}
	if err != nil {
		return r, err
	}
	defer release()
	st, on, err := s.State()
	if err != nil || !on {
		return r, errors.Join(err, offUnless(err))
	}
	if st.Folder != s.Dir {
		// A project can name its memory folder, and so name one that is not its own.
		return r, fmt.Errorf("the memory folder is %q now, and sharing was switched on for %q: nothing was sent", s.Dir, st.Folder)
	}
	st.Tried = memory.Stamp(s.Now)
	err = s.both(ctx, &st, c, r)
	if coded(err, room.OtherHistory) {
		if err = s.startOver(ctx, &st, c, r); err == nil {
			err = s.both(ctx, &st, c, r)
		}
	}
	if coded(err, room.NoRoom) { // the user is not in the room
		r.Out, st.Cursor, st.Role, st.Traces = true, 0, "", true
		err = errors.Join(err, s.place.DropShared())
	}
	if st.Traces {
		bad := s.forget()
		st.Traces = bad != nil
		err = errors.Join(err, bad)
	}
	st.Wrong, st.Fix = "", Fix(err, st.Room)
	if err != nil {
		st.Wrong = oneLine(err.Error())
	} else {
		st.Synced = st.Tried
	}
	return r, errors.Join(err, s.keep(st))
}

func offUnless(err error) error {
	if err == nil {
		return ErrOff
	}
	return nil
}

// pull pulls what has changed since the last time, page by page. What arrived is in the files
// before the cursor moves.
func (s *Share) pull(ctx context.Context, st *State, c Caller, r *Result) error {
	h, err := s.factIndex()
	if err == nil && st.lost(h) {
		err = s.again(st, h, r)
	}
	if err != nil {
		return err
	}
	for range pagesMost {
		a, err := s.ask(ctx, st, c, room.Request{Pull: &room.Pull{Since: st.Cursor}})
		if err != nil {
			return err
		}
		st.Role = a.Role
		if len(a.Changes) > room.PullMost {
			return fmt.Errorf("the server answered %d changes, more than was asked for", len(a.Changes))
		}
		cursor := st.Cursor
		for _, change := range a.Changes {
			if change.Seq <= cursor {
				return errors.New("the server answered changes that are not in their order")
			}
			cursor = change.Seq
			if err := s.take(st, h, change, r); err != nil {
				return err
			}
		}
		s.replace(st, h, r)
		if r.Removed+r.Changed > 0 && !st.Traces { // before they are gone, lest nobody know of them
			st.Traces = true
			if err := s.keep(*st); err != nil {
				return err
			}
		}
		if err := s.write(h); err != nil {
			return err
		}
		st.Cursor, st.Held = cursor, h.sum()
		st.Hidden, st.Tidied = h.hidden()
		if len(a.Changes) > 0 {
			if err := s.keep(*st); err != nil {
				return err
			}
		}
		// A page that is not full is the last one, whatever More says.
		if !a.More || len(a.Changes) < room.PullMost {
			st.Over = false
			return s.conflicts(h, r)
		}
	}
	return errors.New("there is more than is taken in at once: sync again")
}
