package ops

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// forgetTraces removes what was purged from where the program itself put it, beside the files
// of the folder and their copies: the index of searches, pages, and the last answers of sessions.
func (m Memory) forgetTraces() error {
	var all []error
	if err := m.Folder().ForgetPurged(m.Now); err != nil {
		all = append(all, fmt.Errorf("removing what was purged from the index of searches: %w; run agents-hooks memory rebuild-index", err))
	}
	sessions := m.world.Session("any")
	if sessions != "" { // else there is no state, and what follows would look where the command was run
		sessions = filepath.Dir(sessions)
	}
	// Each of these is made again when somebody asks for it.
	for _, at := range []struct{ dir, files string }{
		{m.world.Cache, "memory/view-*.html"}, {m.world.Cache, "overview/view-*.html"}, {sessions, "*/once-memory-*.json"},
	} {
		if at.dir == "" {
			continue
		}
		found, _ := fs.Glob(os.DirFS(at.dir), at.files)
		for _, file := range found {
			if err := os.Remove(filepath.Join(at.dir, file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				all = append(all, fmt.Errorf("removing a page or an answer that may say what was purged: %w", err))
			}
		}
	}
	return errors.Join(all...)
}
