package memory

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ignored keeps out of commits what is derived, and what is of one machine. The
// files of memory itself are for whoever owns the repository to share or not.
const ignored = `# Made by agents-hooks with this folder: what is derived, or of this machine only.
# MEMORY.md, NOTES.md, daily/ and sessions.jsonl are memory itself. To keep that
# out of commits as well, write a line with a single * here.
agents-index.*
*.lock
*.tmp-*
MEMORY.md.bak
.agents-hooks-*
session_state/
logs/
backups/
current_session.txt
`

// Make makes the memory folder if there is none, and in a new one a .gitignore. A
// folder that was there is left as it is.
func (p Place) Make() error {
	if info, err := p.Within.Stat(p.Dir); err == nil && info.IsDir() {
		return nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := p.Within.MkdirAll(filepath.Dir(p.Dir), 0o700)
	if err == nil {
		err = p.Within.Mkdir(p.Dir, 0o700)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	f, err := p.Within.OpenFile(filepath.Join(p.Dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(ignored)
	return errors.Join(err, f.Close())
}
