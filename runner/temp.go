package runner

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// Temporary directories of confined hooks. A common one would contain what other hooks
// left in it, and what they trust. So each hook has some of its own, each for one run
// at a time: whoever starts the run locks it, it is empty when the run begins, and it
// is emptied when the run ends. Making one for each run would cost as much as all the
// rest of a sandbox.

// maxTemps is how many runs of one hook at once find a directory made already.
const maxTemps = 16

// A tempDir is the temporary directory of one run.
type tempDir struct {
	path string
	lock *os.File // it open
	once bool     // it is removed, not emptied
}

func tempsOf(state string) string { return filepath.Join(state, "tmp") }

// takeTemp takes a directory for one run of a hook, which is told from others by its
// state directory.
func takeTemp(state, hook string) (tempDir, error) {
	if state == "" {
		path, err := os.MkdirTemp("", "agents-hooks-")
		return tempDir{path: path, once: true}, err
	}
	parent := tempsOf(state)
	for n := range maxTemps {
		path := filepath.Join(parent, shortHash(hook)+"-"+strconv.Itoa(n))
		f, err := openDir(path)
		if err != nil {
			return tempDir{}, err
		}
		if got, err := statefile.TryLock(f); got && err == nil && stillAt(f, path) != nil {
			if isEmpty(f) {
				return tempDir{path: path, lock: f}, nil
			}
			// Somebody died before it was emptied, or what stayed behind wrote into it.
			go empty(tempDir{path: path, lock: f})
			continue
		}
		f.Close()
	}
	path, err := os.MkdirTemp(parent, "once-")
	return tempDir{path: path, once: true}, err
}

// openDir opens a directory, which it makes if it is not there.
func openDir(path string) (*os.File, error) {
	f, err := os.Open(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return os.Open(path)
}

func isEmpty(dir *os.File) bool {
	if _, err := dir.Seek(0, 0); err != nil {
		return false
	}
	names, _ := dir.Readdirnames(1)
	return len(names) == 0
}

// release gives a directory back, without what the run left in it as far as that takes
// only a moment: an answer does not wait for a hook that filled its directory.
func (d tempDir) release() {
	if d.lock != nil && isEmpty(d.lock) {
		d.lock.Close()
		return
	}
	done := make(chan struct{})
	go func() {
		empty(d)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(50 * time.Millisecond):
	}
}

// empty removes what lies in a directory, and gives it back.
func empty(d tempDir) {
	if d.once {
		_ = os.RemoveAll(d.path)
		return
	}
	defer d.lock.Close()
	entries, _ := os.ReadDir(d.path)
	for _, e := range entries {
		_ = os.RemoveAll(filepath.Join(d.path, e.Name()))
	}
}

// removeTemps removes the directories of hooks that have not run for a day.
func removeTemps(state string, now time.Time) {
	entries, _ := os.ReadDir(tempsOf(state))
	for _, e := range entries {
		path := filepath.Join(tempsOf(state), e.Name())
		f, err := safefile.Open(path)
		if err != nil {
			continue
		}
		info, err := f.Stat()
		if got, lerr := statefile.TryLock(f); err == nil && lerr == nil && got && now.Sub(info.ModTime()) > 24*time.Hour {
			_ = os.RemoveAll(path)
		}
		f.Close()
	}
}
