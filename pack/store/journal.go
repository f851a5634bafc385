package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A journal says what is being done to a place.
type journal struct {
	Schema  int               `json:"schema"`
	Phase   string            `json:"phase"`
	Agents  string            `json:"agents"`
	Staging string            `json:"staging"` // a folder of the hooks folder, by its name
	Made    []string          `json:"made"`    // folders that did not exist before, inner ones first
	Put     map[string]string `json:"put"`     // folder: hash
	Was     map[string]string `json:"was"`     // hashes of folders that are removed or replaced
	Remove  []string          `json:"remove"`
	Lock    string            `json:"lock"` // the new lock, "" for none
}

const (
	journalSchema = 1
	phasePrepare  = "prepare"
	stagingMark   = ".agents-hooks-"
)

// Recover completes what a killed process has left; said describes it, "" if nothing.
func (p Place) Recover(ctx context.Context) (said string, err error) {
	if !unfinished(p) {
		return "", nil
	}
	release, err := p.hold()
	if err != nil {
		return "", err
	}
	defer release()
	return p.recover(ctx)
}

// unfinished reports whether there is a journal: usually there is none, and no need
// for a lock.
func unfinished(p Place) bool {
	_, err := os.Lstat(p.journal())
	return err == nil
}

func (p Place) recover(ctx context.Context) (said string, err error) {
	path := p.journal()
	b, err := statefile.Read(path)
	if err != nil || b == nil {
		return "", err
	}
	var j journal
	if err := json.Unmarshal(b, &j); err != nil || j.Schema != journalSchema || j.Agents != p.Agents || !j.sound() {
		return "", fmt.Errorf("%s, which records an unfinished change, cannot be read: look at %s, then remove it", path, p.Hooks())
	}
	if j.Phase != lockfile.Committed {
		return "a change that was not ended is taken back", p.undo(&j)
	}
	return "a change that was not ended is now", p.finish(ctx, &j)
}

// sound reports whether a journal only names what one of ours would.
func (j *journal) sound() bool {
	plain := func(name string) bool { return name != "" && filepath.Base(name) == name && filepath.IsLocal(name) }
	for name := range j.Put {
		if !plain(name) {
			return false
		}
	}
	return strings.HasPrefix(j.Staging, stagingMark) && plain(j.Staging) && !slices.ContainsFunc(j.Remove, func(n string) bool { return !plain(n) })
}

// write replaces the journal, and syncs it to disk.
func (p Place) write(j *journal) error {
	j.Schema = journalSchema
	b, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return statefile.ReplaceHeld(p.journal(), true, b)
}

// drop removes a journal.
func (p Place) drop() error {
	err := os.Remove(p.journal())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (p Place) staging(j *journal, names ...string) string {
	return filepath.Join(append([]string{p.Hooks(), j.Staging}, names...)...)
}

// undo removes what was prepared.
func (p Place) undo(j *journal) error {
	if err := p.In.RemoveAll(p.staging(j)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	p.In.Remove(p.newLock())
	for _, dir := range j.Made {
		p.In.Remove(dir) // it stays if somebody put something into it
	}
	return p.drop()
}

// newLock is the lock that is about to be renamed.
func (p Place) newLock() string { return p.Lock() + ".new" }

// finish completes a change.
func (p Place) finish(ctx context.Context, j *journal) error {
	for _, folder := range j.Remove {
		p.step("remove " + folder)
		if err := p.moveOut(folder, p.staging(j, "old", folder)); err != nil {
			return err
		}
	}
	p.step("lock")
	if err := p.replaceLock(j.Lock); err != nil {
		return err
	}
	for _, folder := range slices.Sorted(maps.Keys(j.Put)) {
		p.step("put " + folder)
		if err := p.put(ctx, j, folder); err != nil {
			return err
		}
	}
	p.step("sync")
	if err := p.sync(p.Hooks()); err != nil {
		return err
	}
	p.step("sweep")
	if err := p.In.RemoveAll(p.staging(j)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	p.step("drop")
	return p.drop()
}

// moveOut moves a folder out of the way, if it exists.
func (p Place) moveOut(folder, to string) error {
	if err := p.In.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	err := p.In.Rename(filepath.Join(p.Hooks(), folder), to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// put moves a folder to its place, in exchange for an existing one.
func (p Place) put(ctx context.Context, j *journal, folder string) error {
	to, from := filepath.Join(p.Hooks(), folder), p.staging(j, "new", folder)
	if hash, err := trust.Hash(ctx, to); err == nil && hash == j.Put[folder] {
		return nil
	}
	if _, err := p.In.Lstat(to); errors.Is(err, fs.ErrNotExist) {
		return p.In.Rename(from, to)
	}
	if swap(p.In, from, to) == nil {
		return nil
	}
	if err := p.moveOut(folder, p.staging(j, "old", folder)); err != nil { // mutant: Linux and macOS have swapped them
		return err
	}
	p.step("between " + folder)
	return p.In.Rename(from, to)
}

// replaceLock writes the lock beside the old one and renames it.
func (p Place) replaceLock(content string) error {
	if content == "" {
		err := p.In.Remove(p.Lock())
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	p.In.Remove(p.newLock()) // of a process that was killed
	if err := p.file(p.newLock(), []byte(content), 0o644); err != nil {
		return err
	}
	p.step("rename the lock")
	if err := p.In.Rename(p.newLock(), p.Lock()); err != nil {
		return err
	}
	return p.sync(p.Agents)
}
