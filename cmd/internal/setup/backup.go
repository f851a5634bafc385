package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// installWait is how long an install waits for another one.
const InstallWait = 10 * time.Second

// Receipts say what install did to files of other programs, so that uninstall
// can take it back to the byte. They lie in install.json in the state directory,
// the files as they were before in backup/ beside it, under the hash of their
// content: never beside an agent's own files (RULINGS 6).
//
//	{"schema": 1, "files": {PATH: {"by", "before", "left", "dirs"}}}
type Receipts struct {
	Schema int                 `json:"schema"`
	Files  map[string]*receipt `json:"files"` // by the file itself, links followed

	dir  string
	gone []string // folders that were made for files that are gone again
}

// A receipt is about one file.
type receipt struct {
	// By are the entries that we have in the file: agent, scope, project.
	By []string `json:"by"`

	// Before is the backup with the bytes before the first of them, "" if there
	// was no file. Left is the hash of what the last change left. While Left
	// holds, nobody else has touched the file, and Before is what to go back to.
	Before string `json:"before"`
	Left   string `json:"left"`

	// Mixed says that the bytes before held entries of ours already, so that
	// there is nothing to go back to.
	Mixed bool `json:"mixed,omitempty"`

	// Dirs are the folders that were made for the file, outermost first.
	Dirs []string `json:"dirs,omitempty"`
}

// WithReceipts reads the receipts, lets change work with them, and keeps what it
// made of them, all under one lock: two installs at once do not mix. If change
// fails, what it recorded until then is kept all the same, because files were
// changed accordingly.
func WithReceipts(stateDir string, change func(r *Receipts) error) error {
	var failed error
	err := statefile.UpdateDurable(filepath.Join(stateDir, "install.json"), InstallWait, func(old []byte) ([]byte, error) {
		r, err := keptReceipts(stateDir, old)
		if err != nil {
			return nil, err
		}
		failed = change(r)
		removeEmpty(r.gone)
		if len(r.Files) == 0 && old == nil {
			return nil, nil
		}
		b, err := json.MarshalIndent(r, "", "  ")
		return append(b, '\n'), err
	})
	return errors.Join(failed, err)
}

// keptReceipts reads the receipts, and keeps a file that it cannot read aside:
// without receipts an uninstall still removes our entries, it only cannot go
// back to the byte.
func keptReceipts(stateDir string, b []byte) (*Receipts, error) {
	r, err := ReadReceipts(stateDir, b)
	if err == nil {
		return r, nil
	}
	if _, err := statefile.Keep(filepath.Join(stateDir, "install.json"), time.Now(), b); err != nil {
		return nil, err
	}
	return ReadReceipts(stateDir, nil)
}

func ReadReceipts(stateDir string, b []byte) (*Receipts, error) {
	r := &Receipts{Schema: 1, Files: map[string]*receipt{}, dir: stateDir}
	if b == nil {
		return r, nil
	}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, err
	}
	if r.Schema != 1 || r.Files == nil {
		return nil, fmt.Errorf("receipts of another version: %d", r.Schema)
	}
	for path, rec := range r.Files {
		if rec == nil || filepath.Base(rec.Before) != rec.Before && rec.Before != "" {
			delete(r.Files, path)
		}
	}
	return r, nil
}

// untouched reports whether nobody but us has changed a file since our last
// change to it.
func (r *Receipts) untouched(f configFile) bool {
	rec := r.Files[f.Real]
	return rec != nil && rec.Left == HashOf(f.Content)
}

// save keeps a content in backup/ and returns its name there. A content that is
// there already is not written again.
func (r *Receipts) save(f configFile) (string, error) {
	if f.Content == nil {
		return "", nil
	}
	name := HashOf(f.Content)[:16] + "-" + filepath.Base(f.Real)
	path := r.backupPath(name)
	err := statefile.UpdateDurable(path, InstallWait, func([]byte) ([]byte, error) { return f.Content, nil })
	if err != nil {
		return "", fmt.Errorf("backup of %s: %w", f.Real, err)
	}
	// The lock of a file that is written once and under another lock.
	os.Remove(path + ".lock")
	return name, nil
}

func (r *Receipts) backupPath(name string) string { return filepath.Join(r.dir, "backup", name) }

// before is the content to go back to, nil for no file.
func (r *Receipts) before(rec *receipt) ([]byte, error) {
	if rec.Before == "" {
		return nil, nil
	}
	b, err := os.ReadFile(r.backupPath(rec.Before))
	if err != nil {
		return nil, err
	}
	if b == nil {
		b = []byte{}
	}
	if HashOf(b)[:16] != rec.Before[:min(16, len(rec.Before))] {
		return nil, fmt.Errorf("backup %s is not what it was", r.backupPath(rec.Before))
	}
	return b, nil
}

// change replaces the content of a file for an entry, after a backup. clean says
// that the content so far holds nothing of ours.
func (r *Receipts) change(f *configFile, content []byte, by string, clean bool) error {
	rec := r.Files[f.Real]
	if rec == nil || !r.untouched(*f) {
		name, err := r.save(*f)
		if err != nil {
			return err
		}
		next := &receipt{Before: name, Mixed: !clean}
		if rec != nil {
			next.By, next.Dirs = rec.By, rec.Dirs
		}
		rec = next
	}
	made, err := f.Write(content)
	if err != nil {
		removeEmpty(made)
		return err
	}
	rec.Dirs = append(rec.Dirs, made...)
	if !slices.Contains(rec.By, by) {
		rec.By = append(rec.By, by)
	}
	rec.Left = HashOf(f.Content)
	r.Files[f.Real] = rec
	return nil
}

// ChangeAll makes the edits of one install, all or none, and notes the backups.
func (r *Receipts) ChangeAll(files []ChangedFile, by string, clean bool) error {
	type step struct {
		f      configFile
		before []byte
		rec    *receipt
	}
	var done []step
	for i := range files {
		f, err := OpenConfig(files[i].Path)
		if err == nil && !Same(f.Content, files[i].Edit.Before) {
			err = fmt.Errorf("%s changed while it was being edited; nothing was written", files[i].Path)
		}
		s := step{before: f.Content, rec: r.Files[f.Real].clone()}
		f.exec = files[i].Edit.Exec
		if err == nil {
			err = r.change(&f, files[i].Edit.After, by, clean && !files[i].Guide)
		}
		if err != nil {
			for _, s := range slices.Backward(done) {
				_, undo := s.f.Write(s.before)
				if s.before == nil {
					r.gone = append(r.gone, r.Files[s.f.Real].Dirs...)
				}
				if r.Files[s.f.Real] = s.rec; s.rec == nil {
					delete(r.Files, s.f.Real)
				}
				err = errors.Join(err, undo)
			}
			return err
		}
		s.f = f
		done = append(done, s)
		if rec := r.Files[f.Real]; rec.Before != "" {
			files[i].Backup = r.backupPath(rec.Before)
		}
	}
	return nil
}

func (rec *receipt) clone() *receipt {
	if rec == nil {
		return nil
	}
	c := *rec
	c.By, c.Dirs = slices.Clone(rec.By), slices.Clone(rec.Dirs)
	return &c
}

// After is what a file becomes when an entry leaves it: surgical, or, if nobody
// but us has touched the file and no other entry of ours is in it, what it was
// before, to the byte.
func (r *Receipts) After(f configFile, surgical []byte, by string) (content []byte, restored bool, err error) {
	rec := r.Files[f.Real]
	if rec == nil || rec.Mixed || !r.untouched(f) || !slices.Equal(rec.By, []string{by}) {
		return surgical, false, nil
	}
	before, err := r.before(rec)
	if errors.Is(err, fs.ErrNotExist) {
		return surgical, false, nil
	}
	return before, true, err
}

// release takes an entry out of a file, whose content becomes what after said.
func (r *Receipts) release(f configFile, content []byte, restored bool, by string) error {
	rec, untouched := r.Files[f.Real], r.untouched(f)
	if _, err := f.Write(content); err != nil || rec == nil {
		return err
	}
	rec.By = slices.DeleteFunc(rec.By, func(s string) bool { return s == by })
	if untouched {
		rec.Left = HashOf(f.Content)
	}
	if len(rec.By) > 0 {
		return nil
	}
	delete(r.Files, f.Real)
	if f.Content == nil {
		r.gone = append(r.gone, rec.Dirs...)
	}
	if restored {
		r.forget(rec.Before)
	}
	return nil
}

// forget removes a backup that says no more than the file it was made of, which
// may hold secrets, unless another receipt needs it.
func (r *Receipts) forget(name string) {
	for _, rec := range r.Files {
		if rec.Before == name {
			return
		}
	}
	if name != "" {
		os.Remove(r.backupPath(name))
	}
}

// removeEmpty removes folders in which nothing lies any more, the inner ones
// first.
func removeEmpty(dirs []string) {
	slices.SortFunc(dirs, func(a, b string) int { return len(b) - len(a) })
	for _, d := range dirs {
		os.Remove(d) // fails, as it should, if something lies in it
	}
}

// HashOf is the SHA-256 of a content; a file that does not exist has one of its
// own.
func HashOf(b []byte) string {
	if b == nil {
		return "absent"
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func Same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

type ChangedFile struct {
	Path     string        `json:"path"`
	Action   string        `json:"action"` // create, change, remove, restore
	Backup   string        `json:"backup"` // "" if there is none
	Edit     protocol.Edit `json:"-"`
	Restored bool          `json:"-"`
	Guide    bool          `json:"-"`
}

// ReleaseAll makes the changes, and forgets entries that somebody else took out.
func (r *Receipts) ReleaseAll(by string, site protocol.Site, files []ChangedFile) error {
	for _, file := range files {
		f, err := OpenConfig(file.Path)
		if err != nil {
			return err
		}
		f.exec = file.Edit.Exec
		if file.Guide {
			r.gone = append(r.gone, filepath.Dir(file.Path))
		}
		if err := r.release(f, file.Edit.After, file.Restored, by); err != nil {
			return err
		}
	}
	for path, rec := range r.Files {
		if i := slices.Index(rec.By, by); i >= 0 {
			rec.By = slices.Delete(rec.By, i, i+1)
		}
		if len(rec.By) == 0 {
			r.gone = append(r.gone, rec.Dirs...)
			delete(r.Files, path)
		}
	}
	return nil
}
