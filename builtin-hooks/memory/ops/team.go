package ops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/server"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/team"
	"github.com/agents-hooks/agents-hooks/internal/keyring"
	"github.com/agents-hooks/agents-hooks/internal/outbound"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// Team is the shared side of the project's memory.
func (m Memory) Team() *team.Share {
	s := team.Of(m.Keeper, m.Place, m.world.State)
	s.Derived = m.derived()
	return s
}

// ErrNoTeam says that no team server is set.
var ErrNoTeam = errors.New("no server is set that memory could be shared through, or no key of yours")

// Caller is a client of the server in the user's settings, with their key, and its origin. The
// key is only sent to the server that it was given for: whoever sets an agent's environment, or
// edits a file, could name another one.
func (m Memory) Caller() (c team.Caller, origin string, err error) {
	address, key := m.Settings.Of("team_url"), m.Settings.Of("team_key")
	if address.Text == "" || key.Text == "" {
		return c, "", ErrNoTeam
	}
	if origin, err = keyring.Origin(address.Text); err != nil {
		return c, "", err
	}
	way, err := outbound.Transport(m.Settings.Of("proxy").Text, m.Settings.Of("ca_file").Text, m.env)
	if err != nil {
		return c, "", err
	}
	if c.Client, err = server.New(address.Text, key.Text, m.env("AGENTS_HOOKS_AGENT"), way); err != nil {
		return c, "", err
	}
	strange := address.From == "environment" && key.From != "environment"
	return c, origin, keyring.Ring{State: m.world.State}.May(key.Text, address.Text, !strange)
}

// SyncTeam pushes what the room lacks and pulls what changed there. wait is how long to wait
// for another sync of the project. The server in the settings must be the one for which the
// user turned sharing on.
func (m Memory) SyncTeam(ctx context.Context, wait time.Duration) (*team.Result, error) {
	share := m.Team()
	st, on, err := share.State()
	if err != nil || !on {
		return &team.Result{}, errors.Join(err, offUnless(on, err))
	}
	c, origin, err := m.Caller()
	if err != nil {
		return &team.Result{}, err
	}
	if origin != st.Server {
		return &team.Result{}, fmt.Errorf("sharing was switched on for %s, and the server that is set now is %s: nothing was sent", st.Server, origin)
	}
	_ = lexicon.Lay(m.world.Cache, words.Unpack) // what searches read may have to be made anew
	r, err := share.Sync(ctx, c, wait)
	if err == nil {
		err = share.Remind(r)
	}
	return r, err
}

func offUnless(on bool, err error) error {
	if !on && err == nil {
		return team.ErrOff
	}
	return nil
}

// endInRoom also ends, in the room, facts that are about to be purged here, and others' facts
// if the call says so.
func (m Memory) endInRoom(ids []string, purge, others bool) (n int, err error) {
	if m.Root == "" {
		return 0, nil // the user's own, which is never shared
	}
	if others {
		if n, err = m.Team().End(ids); err == nil && n == 0 {
			err = fmt.Errorf("%s: nothing of that is in the team's room", strings.Join(ids, ", "))
		}
	}
	if purge && err == nil {
		_, err = m.Team().Purge(ids)
	}
	return n, err
}

// checkTeam is the doctor's check of sharing.
func (m Memory) checkTeam() (c Check) {
	c.ID = "team"
	share := m.Team()
	st, on, err := share.State()
	switch {
	case err != nil:
		c.Status, c.Message, c.Fix = "error", err.Error(), "agents-hooks memory share off"
		return c
	case !on:
		c.Status, c.Message = "off", "nothing is shared: agents-hooks memory share on, for a team without a repository"
		return c
	}
	where := fmt.Sprintf("room %s of %s", st.Room, st.Server)
	_, origin, err := m.Caller()
	waits, _ := share.Waits()
	lost, _ := share.Lost()
	switch {
	case err != nil:
		c.Status, c.Message, c.Fix = "warn", fmt.Sprintf("%s: %v", where, err), "agents-hooks memory share on"
	case origin != st.Server:
		c.Status, c.Message, c.Fix = "warn", fmt.Sprintf("%s, but the server that is set now is %s: nothing is sent", where, origin), "agents-hooks memory share on"
	case st.Folder != m.Dir:
		c.Status, c.Message, c.Fix = "warn", fmt.Sprintf("%s, but for the memory in %s: nothing is sent", where, st.Folder), "agents-hooks memory share on"
	case lost:
		c.Status, c.Message, c.Fix = "warn", where+": what others shared is missing here, or damaged; the next sync fetches it again", "agents-hooks memory sync"
	case st.Wrong != "":
		c.Status, c.Message, c.Fix = "warn", fmt.Sprintf("%s: %s to be sent; the last time, at %s: %s", where, text.Count(waits, "change"), st.Tried, st.Wrong), cmp.Or(st.Fix, "agents-hooks memory sync")
	case len(m.Place.Overridden()) > 0:
		c.Status, c.Message, c.Fix = "warn", fmt.Sprintf("%s: %s of yours here, which a later one on another machine took the place of", where, text.Count(len(m.Place.Overridden()), "edit")), "agents-hooks memory review"
	default:
		c.Status, c.Message = "ok", fmt.Sprintf("%s, as %s: %s to be sent, last asked %s", where, st.Role, text.Count(waits, "change"), st.Synced)
	}
	return c
}
