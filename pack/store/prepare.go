package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/trust"
)

// prepare writes the new folders to disk, where a rename can move them from.
func (p Place) prepare(ctx context.Context, j *journal, put []pack.Folder) error {
	j.Phase, j.Staging = phasePrepare, stagingMark+rand.Text()
	for dir := p.Hooks(); ; dir = filepath.Dir(dir) {
		if _, err := p.In.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		j.Made = append(j.Made, dir)
	}
	p.step("journal")
	if err := p.write(j); err != nil {
		return err
	}
	p.step("stage")
	if err := p.In.MkdirAll(p.staging(j, "new"), 0o755); err != nil {
		return err
	}
	for _, f := range put {
		p.step("write " + f.Name)
		dir := p.staging(j, "new", f.Name)
		if err := p.tree(dir, f.Files); err != nil {
			return err
		}
		hash, err := trust.Hash(ctx, dir)
		if err != nil {
			return err
		}
		if hash != j.Put[f.Name] {
			return fmt.Errorf("%s: what was written is not what was read", f.Name)
		}
	}
	return p.sync(p.staging(j, "new"))
}

// tree writes files below a new folder.
func (p Place) tree(dir string, files pack.Tree) error {
	if err := p.In.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	dirs := map[string]bool{dir: true}
	for _, e := range files {
		to := filepath.Join(dir, filepath.FromSlash(e.Path))
		if up := filepath.Dir(to); !dirs[up] {
			if err := p.In.MkdirAll(up, 0o755); err != nil {
				return err
			}
			dirs[up] = true
		}
		mode := fs.FileMode(0o644)
		if e.Exec && !p.Bare {
			mode = 0o755
		}
		if err := p.file(to, e.Data, mode); err != nil {
			return err
		}
	}
	for d := range dirs {
		if err := p.sync(d); err != nil {
			return err
		}
	}
	return nil
}

// file writes a new file and syncs it.
func (p Place) file(path string, content []byte, mode fs.FileMode) error {
	f, err := p.In.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	// The process's umask must not remove the bit that is part of a hash.
	return errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
}

// keep copies a folder that is removed although somebody changed it.
func (p Place) keep(folder string, now time.Time) (to string, err error) {
	from := filepath.Join(p.Hooks(), folder)
	to = filepath.Join(p.State, "packs", "kept", now.UTC().Format("20060102T150405Z")+"-"+rand.Text()[:6], folder)
	err = p.In.Walk(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		at := filepath.Join(to, rel)
		switch {
		case e.IsDir():
			return os.MkdirAll(at, 0o700)
		case !e.Type().IsRegular():
			return nil
		}
		b, err := p.In.Read(path, pack.MaxBytes)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o600)
		if info, err := e.Info(); err == nil && info.Mode().Perm()&0o111 != 0 {
			mode = 0o700
		}
		return os.WriteFile(at, b, mode)
	})
	return to, err
}

// Write writes the folders of a pack below a new folder, for review.
func Write(dir string, folders []pack.Folder) error {
	for _, f := range folders {
		if err := (Place{}).tree(filepath.Join(dir, f.Name), f.Files); err != nil {
			return err
		}
	}
	return nil
}
