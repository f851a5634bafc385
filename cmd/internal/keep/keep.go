// Package keep keeps a copy of the programs in the user's data directory, for the
// entries in agents:
//
//	…/agents-hooks/bin/agents-hooks-run    answers events
//	…/agents-hooks/bin/agents-hooks        for behaviours, the MCP server and uninstalling
//	…/agents-hooks/bin/copy.json           which build it is, and of which program
//
// So guards keep working when the package that installed the programs is moved,
// upgraded or removed. install makes the copy ([Put]); each later call of agents-hooks
// checks copy.json ([Stale]) and renews a stale copy ([Renew]); it is deleted with the
// last entry ([Remove]). Files are replaced by renaming, under one lock.
//
// If there are two programs on a machine, the copy is of the newer release. It follows
// the program that it was copied from, and changes to another one only if that is a
// newer release, or if the first is gone. So two programs do not overwrite each other's
// copy in turns.
package keep

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/trust"
)

// Names of the programs, without the system's extension.
const (
	Lean  = "agents-hooks-run"
	Whole = "agents-hooks"
)

// wait is how long one call waits for another that is making the copy.
const wait = 30 * time.Second

// Dir is the copy's folder, "" if there is no data directory.
func Dir(h host.Host) string {
	if h.Data == "" {
		return ""
	}
	return filepath.Join(h.Data, "bin")
}

// Program is the path of one of the copy's programs, whether or not it exists.
func Program(h host.Host, name string) string {
	if h.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(Dir(h), name)
}

// A Stamp says what a copy was made of.
type Stamp struct {
	Schema  int      `json:"schema"`
	Version string   `json:"version"`
	From    string   `json:"from"` // the program with all commands, links followed
	Size    int64    `json:"size"` // of that, then
	Changed int64    `json:"changed"`
	Dirs    []string `json:"dirs,omitempty"` // folders that were created for it, outermost first
	// Sizes are those of the copy's programs, by name, as they were written.
	Sizes map[string]int64 `json:"sizes,omitempty"`
}

func stampFile(h host.Host) string { return filepath.Join(Dir(h), "copy.json") }

// Read is what the copy records about itself; ok is false if there is none.
func Read(h host.Host) (s Stamp, ok bool) {
	if Dir(h) == "" {
		return s, false
	}
	b, err := safefile.Read(stampFile(h), 64<<10)
	return s, err == nil && json.Unmarshal(b, &s) == nil && s.Schema == 1 && filepath.IsAbs(s.From)
}

// Stands reports whether both programs of the copy exist, as they were written: one that
// was cut off or cannot be started answers no event, and an agent goes on without a word.
func Stands(h host.Host) bool {
	now, _ := Read(h)
	return now.stands(h)
}

func (s Stamp) stands(h host.Host) bool {
	for _, name := range [...]string{Lean, Whole} {
		info, err := os.Stat(Program(h, name))
		if err != nil || !info.Mode().IsRegular() || h.GOOS != "windows" && info.Mode()&0o100 == 0 {
			return false
		}
		if size, ok := s.Sizes[name]; ok && size != info.Size() {
			return false
		}
	}
	return true
}

// Is reports whether a program is one of the copy's.
func Is(h host.Host, program string) bool {
	dir := Dir(h)
	if dir == "" {
		return false
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil && filepath.Dir(program) == real {
		return true
	}
	return filepath.Dir(program) == dir
}

// Source is what a copy is made of.
type Source struct {
	Whole   string                // this program, links followed
	Lean    string                // the small one; "" if there is none: then the copy has the complete one in its place
	Build   func(to string) error // builds it if there is none; nil if nobody can
	Version string                // "devel" for a build that is not a release
}

// Put makes the copy, unless there is one of this very program or of a newer release.
// newer is that release's version.
func Put(h host.Host, src Source) (newer string, err error) {
	if Is(h, src.Whole) {
		return "", nil // the copy itself is running
	}
	now, ok := Read(h)
	if ok && now.stands(h) && same(now, src) {
		return "", nil
	}
	err = hold(h, func(now Stamp, ok bool) (Stamp, error) {
		if ok && now.stands(h) && now.From != src.Whole && isThere(now.From) && older(src.Version, now.Version) {
			newer = now.Version
			return now, nil
		}
		return makeCopy(h, src, now)
	})
	return newer, err
}

// Stale reports whether there is a copy that has to be renewed from a program:
// usually for the price of a look at copy.json, at that program and at the copy.
func Stale(h host.Host, whole, version string) bool {
	now, ok := Read(h)
	return ok && !Is(h, whole) && stale(h, now, whole, version)
}

// Renew renews a stale copy.
func Renew(h host.Host, src Source) error {
	return hold(h, func(now Stamp, ok bool) (Stamp, error) {
		if !ok || !stale(h, now, src.Whole, src.Version) {
			return now, nil
		}
		return makeCopy(h, src, now)
	})
}

// stale reports whether a copy has to be renewed from this program.
func stale(h host.Host, now Stamp, whole, version string) bool {
	switch {
	case now.From == whole:
		return !same(now, Source{Whole: whole, Version: version}) || !now.stands(h)
	case !isThere(now.From):
		return true
	}
	return older(now.Version, version)
}

// same compares the version too: a package manager may give the files of every
// version the same time (npm does), and the linker rounds sizes up.
func same(s Stamp, src Source) bool {
	info, err := os.Stat(src.Whole)
	return s.From == src.Whole && s.Version == src.Version && err == nil && info.Size() == s.Size && info.ModTime().UnixNano() == s.Changed
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// hold changes the copy under its lock.
func hold(h host.Host, change func(now Stamp, ok bool) (Stamp, error)) error {
	dir := Dir(h)
	if dir == "" {
		return errors.New("there is no data directory")
	}
	made, err := makeDirs(dir)
	if err == nil {
		err = trust.Steered(dir)
	}
	if err != nil {
		removeEmpty(made)
		return err
	}
	err = statefile.Update(stampFile(h), wait, func([]byte) ([]byte, error) {
		now, ok := Read(h)
		now.Dirs = append(made, now.Dirs...)
		next, err := change(now, ok)
		if err != nil || next.From == "" {
			return nil, err
		}
		next.Schema, next.Dirs = 1, now.Dirs
		b, err := json.Marshal(next)
		return append(b, '\n'), err
	})
	if _, ok := Read(h); err != nil && !ok {
		os.Remove(stampFile(h) + ".lock")
		removeEmpty(append(made, dir))
	}
	return err
}

// makeDirs creates a folder and those above it, readable only by this user.
func makeDirs(dir string) (made []string, err error) {
	var missing []string
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil || d == filepath.Dir(d) {
			break
		}
		missing = append([]string{d}, missing...)
	}
	for _, d := range missing {
		if err := os.Mkdir(d, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return made, err
		}
		made = append(made, d)
	}
	return made, nil
}

// removeEmpty removes empty folders, inner ones first.
func removeEmpty(dirs []string) {
	for i := len(dirs) - 1; i >= 0; i-- {
		os.Remove(dirs[i])
	}
}

// makeCopy puts both programs in place, and records what they are.
func makeCopy(h host.Host, src Source, now Stamp) (Stamp, error) {
	info, err := os.Stat(src.Whole)
	if err != nil {
		return now, err
	}
	sweep(h)
	whole, err := beside(h, Whole, func(to string) error { return linkOrCopy(src.Whole, to, true) })
	if err != nil {
		return now, err
	}
	defer os.Remove(whole)
	lean, err := beside(h, Lean, func(to string) error {
		switch {
		case src.Lean != "":
			return linkOrCopy(src.Lean, to, false)
		case src.Build != nil && src.Build(to) == nil:
			return nil
		}
		return linkOrCopy(whole, to, true)
	})
	if err != nil {
		return now, err
	}
	defer os.Remove(lean)
	for _, p := range [...]struct{ temp, name string }{{whole, Whole}, {lean, Lean}} {
		if err := replace(p.temp, Program(h, p.name)); err != nil {
			return now, err
		}
	}
	next := Stamp{Version: src.Version, From: src.Whole, Size: info.Size(), Changed: info.ModTime().UnixNano(), Sizes: map[string]int64{}}
	for _, name := range [...]string{Lean, Whole} {
		if info, err := os.Stat(Program(h, name)); err == nil {
			next.Sizes[name] = info.Size()
		}
	}
	return next, nil
}

// beside creates a file beside the one that it will replace, and checks that the
// system allows starting it there.
func beside(h host.Host, name string, fill func(to string) error) (string, error) {
	f, err := os.CreateTemp(Dir(h), "."+name+".tmp-*")
	if err != nil {
		return "", err
	}
	temp := f.Name()
	f.Close()
	if err := fill(temp); err != nil {
		os.Remove(temp)
		return "", err
	}
	if err := mayStart(temp); err != nil {
		os.Remove(temp)
		return "", fmt.Errorf("a program in %s cannot be started: %w", Dir(h), err)
	}
	return temp, nil
}

// Remove removes the copy, with the folders that were created for it. left are
// running programs, which Windows does not remove.
func Remove(h host.Host) (left []string, err error) {
	dir := Dir(h)
	if _, err := os.Lstat(dir); dir == "" || err != nil {
		return nil, nil
	}
	var dirs []string
	release, err := statefile.Hold(stampFile(h), wait)
	if err != nil {
		return nil, err
	}
	now, _ := Read(h)
	dirs = now.Dirs
	sweep(h)
	for _, path := range []string{Program(h, Lean), Program(h, Whole), stampFile(h)} {
		if gone := remove(path); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	left = sweep(h)
	release()
	if err == nil {
		os.Remove(stampFile(h) + ".lock")
		removeEmpty(append(dirs, dir))
	}
	return left, err
}
