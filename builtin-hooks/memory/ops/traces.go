package ops

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/trace"
)

// derived is where the program itself puts what memory says, beside the folder and its index.
func (m Memory) derived() trace.Derived {
	d := trace.Derived{Cache: m.world.Cache}
	if session := m.world.Session("any"); session != "" { // else there is no state
		d.Sessions = filepath.Dir(session)
	}
	if m.world.Data != "" {
		d.Journals = filepath.Join(m.world.Data, "evolution", "journal")
	}
	return d
}

// forgetTraces removes what was purged from where the program itself put it, beside the files
// of the folder and their copies: the index of searches, pages, the last answers of sessions, and
// what was noted of them.
func (m Memory) forgetTraces(said trace.Marks) error {
	var all []error
	if err := m.Folder().ForgetPurged(m.Now); err != nil {
		all = append(all, fmt.Errorf("removing what was purged from the index of searches: %w", err))
	}
	return errors.Join(append(all, m.derived().Forget(), m.derived().Erase(said))...)
}

// Tidy removes pages that show what memory does not say any more, as after a pull, answers that
// nobody asks for again, and what processes left that were killed.
func (m Memory) Tidy() error {
	return errors.Join(m.derived().ForgetOld(m.changed(), m.Now), lexicon.Clear(m.world.Cache))
}

// changed is when a file of facts or a page was last changed: not what sessions did.
func (m Memory) changed() (last time.Time) {
	place := m.Place
	place.EveryBranch = true
	for _, file := range append(append(place.FactFiles(), place.SummaryFiles()...), memory.Pages()...) {
		info, err := m.Within.Stat(m.Path(file))
		if err == nil && filepath.Dir(filepath.FromSlash(file)) != memory.LocalDir && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}
