package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// Derived are the folders where the program itself puts what memory says, beside the memory
// folder and the index of searches; "" for one that there is not.
type Derived struct {
	Cache    string // pages
	Sessions string // a folder for each session: its last answers, and what it noted
	Journals string // evolution's
	// Recordings are payloads, if the user wanted them, in a folder of each project.
	Recordings string
}

// pages are below the cache, answers below the sessions. Each is made again when somebody asks.
var (
	pages   = []string{"memory/view-*.html", "overview/view-*.html"}
	answers = []string{"*/once-*.json"}
)

// Forget removes pages and the last answers of sessions.
func (d Derived) Forget() error {
	all := func(fs.FileInfo) bool { return true }
	return errors.Join(remove(d.Cache, pages, all), remove(d.Sessions, answers, all))
}

// answered is how long the last answer of a hook may be asked for again, and more.
const answered = time.Minute

// ForgetOld removes pages from before a time, that of the last change of what they show, and
// answers that nobody asks for again.
func (d Derived) ForgetOld(changed, now time.Time) error {
	return errors.Join(
		remove(d.Cache, pages, func(i fs.FileInfo) bool { return i.ModTime().Before(changed) }),
		remove(d.Sessions, answers, func(i fs.FileInfo) bool { return now.Sub(i.ModTime()) > answered }),
	)
}

func remove(dir string, names []string, which func(fs.FileInfo) bool) (err error) {
	if dir == "" { // what follows would look where the command was run
		return nil
	}
	for _, file := range below(dir, names) {
		info, bad := os.Lstat(file)
		if bad == nil && which(info) {
			bad = os.Remove(file)
		}
		if bad != nil && !errors.Is(bad, fs.ErrNotExist) {
			err = errors.Join(err, fmt.Errorf("removing a page or an answer that may say what was removed: %w", bad))
		}
	}
	return err
}

func below(dir string, names []string) (files []string) {
	for _, name := range names {
		found, _ := fs.Glob(os.DirFS(dir), name)
		for _, file := range found {
			files = append(files, filepath.Join(dir, filepath.FromSlash(file)))
		}
	}
	return files
}

// Erase takes what some marks stand for out of what the program noted of sessions.
func (d Derived) Erase(said Marks) (err error) {
	if len(said) == 0 {
		return nil
	}
	var files []string
	if d.Sessions != "" {
		files = below(d.Sessions, []string{"*/*.json", "*/*.spool", "*/*.draining"})
	}
	if d.Journals != "" {
		files = slices.Concat(files, below(d.Journals, []string{"*.md"}))
	}
	for _, file := range files {
		if bad := EraseFile(file, said); bad != nil && !errors.Is(bad, fs.ErrNotExist) {
			err = errors.Join(err, fmt.Errorf("taking what was removed out of %q: %w", file, bad))
		}
	}
	return errors.Join(err, d.eraseRecordings(said))
}

// eraseRecordings takes it out of recordings. Who records holds the folder of all of them.
func (d Derived) eraseRecordings(said Marks) (err error) {
	if _, bad := os.Lstat(d.Recordings); d.Recordings == "" || bad != nil {
		return nil
	}
	release, err := statefile.Hold(d.Recordings, wait)
	if err != nil {
		return fmt.Errorf("taking what was removed out of recordings: %w", err)
	}
	defer release()
	said = said.Anywhere()
	for _, file := range below(d.Recordings, []string{"*/*.jsonl"}) {
		b, bad := statefile.Read(file)
		if clean := Erased(b, said); bad == nil && !bytes.Equal(clean, b) {
			bad = statefile.ReplaceHeld(file, false, clean)
		}
		if bad != nil {
			err = errors.Join(err, fmt.Errorf("taking what was removed out of %q: %w", file, bad))
		}
	}
	return err
}
