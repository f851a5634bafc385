package discovery

import (
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A userLock is the user's hooks.lock: which of their folders came from a pack.
type userLock struct {
	path string
	text string
	lock *lockfile.Lock
	err  error // why it cannot be read
}

// lockOfUser reads it, once.
func (l *loader) lockOfUser() *userLock {
	if l.pins == nil {
		u := &userLock{path: filepath.Join(l.src.User, lockfile.Name)}
		b, err := (*beneath.Root)(nil).Read(u.path, lockfile.Max)
		u.text, u.err = string(b), err
		if err == nil {
			u.lock, u.err = lockfile.Parse(u.text)
		}
		l.pins = u
	}
	return l.pins
}

// pinned breaks a user's hook that came from a pack and differs from the lock. If the
// lock cannot be read, it breaks every hook that may be named there.
func (l *loader) pinned(h *Hook) {
	u := l.lockOfUser()
	if u.err != nil {
		if u.text == "" || lockfile.MayName(u.text, h.folder) {
			h.breakWith(fatal(field{}, "", "mend it, then agents-hooks verify --user", "it may have come from a pack, and the lock that says so cannot be read: %s", strings.TrimPrefix(beneath.Why(u.err), u.path+": ")))
		}
		return
	}
	p := u.lock.Folder(h.folder)
	if p == nil {
		return
	}
	is, err := trust.Hash(l.src.ctx(), h.Dir)
	switch {
	case err != nil:
		h.breakWith(fatal(field{}, "", "agents-hooks verify --user", "it came from the pack %s and cannot be held against %s: %s", quoted(p.Name), lockfile.Name, beneath.Why(err)))
	case is != p.Pin(h.folder, lockfile.Bare(l.src.GOOS)) && !lockfile.Underway(l.src.State, l.src.User, h.folder, is):
		h.breakWith(fatal(field{}, "", "agents-hooks update "+p.Name+" --user shows what is different",
			"it came from the pack %s and is not as %s has it, so it does not run", quoted(p.Name), lockfile.Name))
	}
}
