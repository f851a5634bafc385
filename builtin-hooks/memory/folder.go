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
agents-index.sqlite*
*.lock
*.tmp-*
MEMORY.md.bak
.agents-hooks-*
session_state/
logs/
backups/
current_session.txt
`

// Make makes a memory folder if there is none, and in a new one a .gitignore. A
// folder that was there is left as it is.
func Make(dir string) error {
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(dir), 0o700); err == nil {
			err = os.Mkdir(dir, 0o700)
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(ignored)
	return errors.Join(err, f.Close())
}
