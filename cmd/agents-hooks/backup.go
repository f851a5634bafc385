package main

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
)

// installWait is how long an install waits for another one.
const installWait = 10 * time.Second

// Receipts say what install did to files of other programs, so that uninstall
// can take it back to the byte. They lie in install.json in the state directory,
// the files as they were before in backup/ beside it, under the hash of their
// content: never beside an agent's own files (RULINGS 6).
//
//	{"schema": 1, "files": {PATH: {"by", "before", "left", "dirs"}}}
type receipts struct {
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

// withReceipts reads the receipts, lets change work with them, and keeps what it
// made of them, all under one lock: two installs at once do not mix. If change
// fails, what it recorded until then is kept all the same, because files were
// changed accordingly.
func withReceipts(stateDir string, change func(r *receipts) error) error {
	var failed error
	err := statefile.UpdateDurable(filepath.Join(stateDir, "install.json"), installWait, func(old []byte) ([]byte, error) {
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
func keptReceipts(stateDir string, b []byte) (*receipts, error) {
	r, err := readReceipts(stateDir, b)
	if err == nil {
		return r, nil
	}
	if _, err := statefile.Keep(filepath.Join(stateDir, "install.json"), time.Now(), b); err != nil {
		return nil, err
	}
	return readReceipts(stateDir, nil)
}

func readReceipts(stateDir string, b []byte) (*receipts, error) {
	r := &receipts{Schema: 1, Files: map[string]*receipt{}, dir: stateDir}
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
func (r *receipts) untouched(f configFile) bool {
	rec := r.Files[f.real]
	return rec != nil && rec.Left == hashOf(f.content)
}

// save keeps a content in backup/ and returns its name there. A content that is
// there already is not written again.
func (r *receipts) save(f configFile) (string, error) {
	if f.content == nil {
		return "", nil
	}
	name := hashOf(f.content)[:16] + "-" + filepath.Base(f.real)
	path := r.backupPath(name)
	err := statefile.UpdateDurable(path, installWait, func([]byte) ([]byte, error) { return f.content, nil })
	if err != nil {
		return "", fmt.Errorf("backup of %s: %w", f.real, err)
	}
	// The lock of a file that is written once and under another lock.
	os.Remove(path + ".lock")
	return name, nil
}

func (r *receipts) backupPath(name string) string { return filepath.Join(r.dir, "backup", name) }

// before is the content to go back to, nil for no file.
func (r *receipts) before(rec *receipt) ([]byte, error) {
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
	if hashOf(b)[:16] != rec.Before[:min(16, len(rec.Before))] {
		return nil, fmt.Errorf("backup %s is not what it was", r.backupPath(rec.Before))
	}
	return b, nil
}

// change replaces the content of a file for an entry, after a backup. clean says
// that the content so far holds nothing of ours.
func (r *receipts) change(f *configFile, content []byte, by string, clean bool) error {
	rec := r.Files[f.real]
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
	made, err := f.write(content)
	if err != nil {
		removeEmpty(made)
		return err
	}
	rec.Dirs = append(rec.Dirs, made...)
	if !slices.Contains(rec.By, by) {
		rec.By = append(rec.By, by)
	}
	rec.Left = hashOf(f.content)
	r.Files[f.real] = rec
	return nil
}

// changeAll makes the edits of one install, all or none, and notes the backups.
func (r *receipts) changeAll(files []changedFile, by string, clean bool) error {
	type step struct {
		f      configFile
		before []byte
		rec    *receipt
	}
	var done []step
	for i := range files {
		f, err := openConfig(files[i].Path)
		if err == nil && !same(f.content, files[i].edit.Before) {
			err = fmt.Errorf("%s changed while it was being edited; nothing was written", files[i].Path)
		}
		s := step{before: f.content, rec: r.Files[f.real].clone()}
		f.exec = files[i].edit.Exec
		if err == nil {
			err = r.change(&f, files[i].edit.After, by, clean && !files[i].guide)
		}
		if err != nil {
			for _, s := range slices.Backward(done) {
				_, undo := s.f.write(s.before)
				if s.before == nil {
					r.gone = append(r.gone, r.Files[s.f.real].Dirs...)
				}
				if r.Files[s.f.real] = s.rec; s.rec == nil {
					delete(r.Files, s.f.real)
				}
				err = errors.Join(err, undo)
			}
			return err
		}
		s.f = f
		done = append(done, s)
		if rec := r.Files[f.real]; rec.Before != "" {
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

// after is what a file becomes when an entry leaves it: surgical, or, if nobody
// but us has touched the file and no other entry of ours is in it, what it was
// before, to the byte.
func (r *receipts) after(f configFile, surgical []byte, by string) (content []byte, restored bool, err error) {
	rec := r.Files[f.real]
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
func (r *receipts) release(f configFile, content []byte, restored bool, by string) error {
	rec, untouched := r.Files[f.real], r.untouched(f)
	if _, err := f.write(content); err != nil || rec == nil {
		return err
	}
	rec.By = slices.DeleteFunc(rec.By, func(s string) bool { return s == by })
	if untouched {
		rec.Left = hashOf(f.content)
	}
	if len(rec.By) > 0 {
		return nil
	}
	delete(r.Files, f.real)
	if f.content == nil {
		r.gone = append(r.gone, rec.Dirs...)
	}
	if restored {
		r.forget(rec.Before)
	}
	return nil
}

// forget removes a backup that says no more than the file it was made of, which
// may hold secrets, unless another receipt needs it.
func (r *receipts) forget(name string) {
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

// hashOf is the SHA-256 of a content; a file that does not exist has one of its
// own.
func hashOf(b []byte) string {
	if b == nil {
		return "absent"
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }
