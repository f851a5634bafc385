package beneath

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// Mkdir makes one folder.
func (r *Root) Mkdir(path string, perm fs.FileMode) error {
	if r == nil {
		return os.Mkdir(path, perm)
	}
	return r.beside(path, func(root *os.Root, rel string) error { return root.Mkdir(rel, perm) })
}

// MkdirAll makes a folder and those that it lies in.
func (r *Root) MkdirAll(path string, perm fs.FileMode) error {
	if r == nil {
		return os.MkdirAll(path, perm)
	}
	if info, err := r.Stat(path); err == nil && info.IsDir() {
		return nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if up := filepath.Dir(path); up != path && safefile.Inside(up, r.Dir) {
		if err := r.MkdirAll(up, perm); err != nil {
			return err
		}
	}
	err := r.Mkdir(path, perm)
	if errors.Is(err, fs.ErrExist) {
		if info, serr := r.Stat(path); serr == nil && info.IsDir() {
			return nil // somebody else made it
		}
	}
	return err
}

// Rename gives a file or folder another name; what has it is replaced, and is it
// a link, the link.
func (r *Root) Rename(from, to string) error {
	if r == nil {
		return os.Rename(from, to)
	}
	return r.beside(from, func(root *os.Root, relFrom string) error {
		return r.beside(to, func(_ *os.Root, relTo string) error { return root.Rename(relFrom, relTo) })
	})
}

// Remove removes a file, an empty folder or a link.
func (r *Root) Remove(path string) error {
	if r == nil {
		return os.Remove(path)
	}
	return r.beside(path, func(root *os.Root, rel string) error { return root.Remove(rel) })
}

// RemoveAll removes a folder with all in it, and follows no link.
func (r *Root) RemoveAll(path string) error {
	if r == nil {
		return os.RemoveAll(path)
	}
	return r.beside(path, func(root *os.Root, rel string) error { return root.RemoveAll(rel) })
}

// Write makes or replaces a file.
func (r *Root) Write(path string, content []byte, perm fs.FileMode) error {
	f, err := r.OpenFile(path, os.O_WRONLY|os.O_CREATE, perm)
	if err != nil {
		return err
	}
	// Emptied only now that it is known to be a file.
	err = f.Truncate(0)
	if err == nil {
		_, err = f.Write(content)
	}
	return errors.Join(err, f.Close())
}
