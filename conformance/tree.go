package conformance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// plant makes the tree of a case: what its first step needs at its place, what
// later steps need beside it, to be moved in when their turn comes. A file that
// is opened for writing while another case starts a process would be "text file
// busy" when it is executed (go.dev/issue/22315), so nothing is written later.
func (p place) plant(c *Case) error {
	for _, dir := range []string{p.project(), p.out(), p.at("etc"), p.at("tmp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	for n, s := range c.Steps {
		for i, f := range s.Files {
			at := p.at(f.path)
			if n > 0 {
				at = p.staged(n, i)
			}
			if err := p.write(at, f); err != nil {
				return fmt.Errorf("step %d: %s: %w", n+1, f.path, err)
			}
		}
	}
	return nil
}

func (p place) staged(step, i int) string {
	return filepath.Join(p.root, "later", strconv.Itoa(step), strconv.Itoa(i))
}

// advance brings the files of a later step to their places.
func (p place) advance(n int, s Step) error {
	for _, rel := range s.Do.Remove {
		if err := os.RemoveAll(p.at(rel)); err != nil {
			return err
		}
	}
	if n == 0 {
		return nil
	}
	for i, f := range s.Files {
		at := p.at(f.path)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if f.kind != folder {
			// A copy of the staged file stays for a step that is done again.
			if err := os.RemoveAll(at); err != nil {
				return err
			}
		}
		if err := os.Rename(p.staged(n, i), at); err != nil {
			return err
		}
	}
	return nil
}

// write makes one file.
func (p place) write(at string, f file) error {
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	switch f.kind {
	case folder:
		if err := os.MkdirAll(at, 0o755); err != nil {
			return err
		}
		return setMode(at, f.mode)
	case link:
		return os.Symlink(p.expand(f.target, plainText), at)
	case fifo:
		return makeFifo(at)
	case socket:
		return makeSocket(at)
	case device:
		return makeDevice(at)
	case hardlink:
		return os.Link(p.expand(f.target, plainText), at)
	case sparse:
		return makeSparse(at, f.size)
	case nest, maze:
		return makeFolders(at, f.size, f.kind == maze)
	case many:
		return makeMany(at, f.size)
	}
	data, err := p.contents(f)
	if err != nil {
		return err
	}
	if err := os.WriteFile(at, data, f.mode); err != nil {
		return err
	}
	return setMode(at, f.mode) // the umask is not asked
}

// setMode gives a file its mode, if it has another one: where this is played in a
// sandbox no mode can be changed, and mostly none has to be.
func setMode(at string, mode fs.FileMode) error {
	if info, err := os.Stat(at); err == nil && info.Mode().Perm() == mode.Perm() {
		return nil
	}
	return os.Chmod(at, mode)
}

// contents is what a file holds: scripts out of the library, placeholders
// replaced.
func (p place) contents(f file) ([]byte, error) {
	if f.raw {
		return f.data, nil
	}
	data := f.data
	if filepath.Base(filepath.Dir(f.path)) == "scripts" {
		var err error
		if data, err = script(data, hookOf(f.path)); err != nil {
			return nil, err
		}
	}
	return []byte(p.expand(string(data), styleOf(f.path))), nil
}

// makeFolders makes folders in each other. In a maze two links lead from each to
// the next, so that there are as many ways as two to the number of levels.
func makeFolders(at string, levels int64, maze bool) error {
	for range levels {
		if err := os.Mkdir(at, 0o755); err != nil {
			return err
		}
		if maze {
			if err := errors.Join(os.Symlink("next", filepath.Join(at, "a")), os.Symlink("next", filepath.Join(at, "b"))); err != nil {
				return err
			}
		}
		at = filepath.Join(at, "next")
	}
	return os.WriteFile(at, nil, 0o644)
}

// makeMany makes copies of a folder beside it: NAME-1, NAME-2 and so on.
func makeMany(at string, n int64) error {
	for i := range n {
		if err := os.CopyFS(at+"-"+strconv.FormatInt(i+1, 10), os.DirFS(at)); err != nil {
			return err
		}
	}
	return nil
}

func makeSparse(at string, size int64) error {
	f, err := os.Create(at)
	if err != nil {
		return err
	}
	if err := f.Truncate(size); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
