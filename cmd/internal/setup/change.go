package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A ChangedFile describes what install or uninstall does to one file.
type ChangedFile struct {
	Path     string        `json:"path"`
	Action   string        `json:"action"` // create, change, remove, restore
	Backup   string        `json:"backup"` // "" if there is none
	Edit     protocol.Edit `json:"-"`
	Restored bool          `json:"-"` // to the bytes before our first change
	Guide    bool          `json:"-"` // it is a guide, a file that we made
}

// Changed describes an edit.
func Changed(e protocol.Edit) ChangedFile {
	f := ChangedFile{Path: e.Path, Action: "change", Edit: e}
	switch {
	case e.Before == nil:
		f.Action = "create"
	case e.After == nil:
		f.Action = "remove"
	}
	return f
}

// A step is the previous state of one file of an install, to undo it.
type step struct {
	file   ConfigFile // its current state
	before []byte
	rec    *receipt // nil if there was none
}

// ChangeAll makes the edits of one install, all or none, and records the backups in
// files. clean says that the agent's configuration had nothing of ours.
func (r *Receipts) ChangeAll(files []ChangedFile, by string, clean bool) error {
	var done []step
	for i := range files {
		s, err := r.changeFile(&files[i], by, clean && !files[i].Guide)
		if err != nil {
			return errors.Join(err, r.undo(done))
		}
		done = append(done, s)
	}
	return nil
}

func (r *Receipts) changeFile(file *ChangedFile, by string, clean bool) (step, error) {
	f, err := OpenConfig(file.Path, r.project)
	if err != nil {
		return step{}, err
	}
	if !Same(f.Content, file.Edit.Before) {
		return step{}, fmt.Errorf("%s %w; nothing was written", file.Path, ErrEdited)
	}
	s := step{before: f.Content, rec: r.Files[f.Real].clone()}
	f.exec = file.Edit.Exec
	if err := r.change(&f, file.Edit.After, by, clean); err != nil {
		return step{}, err
	}
	s.file = f
	if rec := r.Files[f.Real]; rec.Before != "" {
		file.Backup = r.backupPath(rec.Before)
	}
	return s, nil
}

// undo undoes steps, the last one first.
func (r *Receipts) undo(done []step) (err error) {
	for _, s := range slices.Backward(done) {
		_, failed := s.file.Write(s.before)
		err = errors.Join(err, failed)
		if s.before == nil {
			r.gone = append(r.gone, r.Files[s.file.Real].Dirs...)
		}
		if r.Files[s.file.Real] = s.rec; s.rec == nil {
			delete(r.Files, s.file.Real)
		}
	}
	return err
}

// change replaces the content of a file for an entry, after a backup. clean says that
// the old content has nothing of ours.
func (r *Receipts) change(f *ConfigFile, content []byte, by string, clean bool) error {
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
		removeEmpty(made, r.project)
		return err
	}
	rec.Dirs = append(rec.Dirs, made...)
	if !slices.Contains(rec.By, by) {
		rec.By = append(rec.By, by)
	}
	rec.Left = hashOf(f.Content)
	r.Files[f.Real] = rec
	return nil
}

// Leaving is the edit of a file that an entry leaves: one that removes the entry or,
// if only we have touched the file and no other entry of ours is in it, restores its
// original bytes.
func (r *Receipts) Leaving(e protocol.Edit, by string) (ChangedFile, error) {
	f, err := OpenConfig(e.Path, r.project)
	if err != nil {
		return ChangedFile{}, err
	}
	content, restored, err := r.after(f, e.After, by)
	if err != nil {
		return ChangedFile{}, err
	}
	e.Before, e.After = f.Content, content
	file := Changed(e)
	if file.Restored = restored; restored && content != nil {
		file.Action = "restore"
	}
	return file, nil
}

func (r *Receipts) after(f ConfigFile, surgical []byte, by string) (content []byte, restored bool, err error) {
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

// ReleaseAll makes the changes of one uninstall, and forgets entries that somebody
// else removed.
func (r *Receipts) ReleaseAll(by string, files []ChangedFile) error {
	for _, file := range files {
		f, err := OpenConfig(file.Path, r.project)
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

// release removes an entry from a file, whose content becomes what [Receipts.Leaving]
// returned.
func (r *Receipts) release(f ConfigFile, content []byte, restored bool, by string) error {
	rec, untouched := r.Files[f.Real], r.untouched(f)
	if _, err := f.Write(content); err != nil || rec == nil {
		return err
	}
	rec.By = slices.DeleteFunc(rec.By, func(s string) bool { return s == by })
	if untouched {
		rec.Left = hashOf(f.Content)
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

// removeEmpty removes empty folders, inner ones first.
func removeEmpty(dirs []string, project string) {
	order.By(dirs, func(a, b string) int { return len(b) - len(a) })
	for _, d := range dirs {
		_ = below(d, project).Remove(d) // fails, as it should, if the folder is not empty
	}
}
