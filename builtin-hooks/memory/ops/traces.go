package ops

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/trace"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
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
	if m.world.State != "" {
		d.Recordings = filepath.Join(m.world.State, "record")
	}
	return d
}

// forgetTraces removes what was purged from where the program itself put it, beside the files
// of the folder and their copies: the index of searches, pages, the last answers of sessions, and
// what was noted and recorded of them.
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

const (
	fileMost  = 1 << 20 // bytes of a file that is searched for what was purged
	filesMost = 2000    // files
	alsoMost  = 10      // files that are named
)

// AlsoIn are files of other behaviours that say some texts, or a long piece of one, in words that
// somebody wrote there: logs and plans of workspaces, genes. They are not memory's to change.
func (m Memory) AlsoIn(said []string) (files []string) {
	marks := trace.Of(said...).Pieces()
	if len(marks) == 0 {
		return nil
	}
	look := finder{in: m.world.Below(context.Background(), nil)(m.Place.Root), said: marks, left: filesMost}
	for _, dir := range []string{workspacesDir, compat.Workspace} {
		look.below(filepath.Join(m.Place.Root, filepath.FromSlash(dir)))
	}
	if m.world.Data != "" {
		look.in = nil // the user's own
		look.below(filepath.Join(m.world.Data, "workspace"))
		look.below(filepath.Join(m.world.Data, "evolution"))
	}
	return look.found[:min(len(look.found), alsoMost)]
}

const workspacesDir = ".agents/workspace"

// A finder looks for files that say something.
type finder struct {
	in    *beneath.Root
	said  trace.Marks
	left  int
	found []string
}

func (f *finder) below(dir string) {
	entries, _ := f.in.List(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch f.left--; {
		case f.left < 0:
			return
		case e.IsDir():
			f.below(path)
		case e.Type().IsRegular():
			if b, err := f.in.Read(path, fileMost); err == nil && f.said.Says(string(b)) {
				f.found = append(f.found, path)
			}
		}
	}
}
