package trust

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// copies is where the approved states of a state directory are kept: for each a folder
// HASH-NAME, and HASH.seal, which says which folder it is, and until when it was
// written.
type copies struct{ dir string }

func copiesIn(state string) copies { return copies{filepath.Join(state, "trust")} }

const maxSeal = 1 << 10 // bytes

func (c copies) seal(hash string) string { return filepath.Join(c.dir, hash+".seal") }

// find is the folder of an approved state, if it is there and nothing in it was changed
// since it was made. That takes a stat of each file and no reading: whatever writes,
// renames, links or removes anything leaves a time that is later than the seal's, which
// no program can set.
func (c copies) find(hash string, files []treeFile) (dir string, ok bool) {
	b, err := safefile.Read(c.seal(hash), maxSeal)
	if err != nil {
		return "", false
	}
	name, at, _ := strings.Cut(strings.TrimSuffix(string(b), "\n"), " ")
	until, err := strconv.ParseInt(at, 10, 64)
	if err != nil || !strings.HasPrefix(name, hash+"-") || filepath.Base(name) != name {
		return "", false
	}
	dir = filepath.Join(c.dir, name)
	last, err := lastChange(dir, files)
	return dir, err == nil && last <= until
}

// lastChange is when a copy of some files was last changed in any way. It is an
// error if one is not there as it should be.
func lastChange(dir string, files []treeFile) (last int64, err error) {
	seen := map[string]bool{}
	for _, f := range files {
		info, err := os.Lstat(filepath.Join(dir, f.path))
		if err != nil {
			return 0, err
		}
		if !info.Mode().IsRegular() || info.Size() != f.size {
			return 0, fmt.Errorf("%s is not what was approved", f.path)
		}
		last = max(last, changed(info))
		for up := filepath.Dir(f.path); !seen[up]; up = filepath.Dir(up) {
			seen[up] = true
			if info, err = os.Lstat(filepath.Join(dir, up)); err != nil {
				return 0, err
			}
			last = max(last, changed(info))
		}
	}
	return last, nil
}

// A copying is a state that is being kept while its files are read: what is
// written is what is hashed.
type copying struct {
	copies
	dir string
}

// begin makes an empty folder for a state whose hash is not known yet.
func (c copies) begin() (*copying, error) {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(c.dir, making)
	return &copying{c, dir}, err
}

const making = "new-"

// file makes a file of the copy, which nobody may write again.
func (c *copying) file(f treeFile) (*os.File, error) {
	path := filepath.Join(c.dir, filepath.FromSlash(f.path))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	mode := fs.FileMode(0o400)
	if f.exec {
		mode = 0o500
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// write makes a file of the copy from content that is known.
func (c *copying) write(f treeFile, content []byte) error {
	to, err := c.file(f)
	if err != nil {
		return err
	}
	_, err = to.Write(content)
	return errors.Join(err, to.Sync(), to.Close())
}

// keep makes this copy the one of its state.
func (c *copying) keep(hash string, files []treeFile) (dir string, err error) {
	dir = filepath.Join(c.copies.dir, hash+"-"+strings.TrimPrefix(filepath.Base(c.dir), making))
	if err := os.Rename(c.dir, dir); err != nil {
		return "", err
	}
	c.dir = dir
	last, err := lastChange(dir, files)
	if err != nil {
		return "", err
	}
	seal := fmt.Appendf(nil, "%s %d\n", filepath.Base(dir), last)
	err = statefile.UpdateDurable(c.seal(hash), wait, func([]byte) ([]byte, error) { return seal, nil })
	if err == nil {
		c.sweep(hash, filepath.Base(dir))
	}
	return dir, err
}

func (c *copying) drop() { os.RemoveAll(c.dir) }

const (
	spareCopies = 4         // older copies of a state, for hooks that run from them still
	spareTime   = time.Hour // that they may take
)

// sweep removes older copies of a state: something in them was changed.
func (c copies) sweep(hash, but string) {
	list, _ := filepath.Glob(filepath.Join(c.dir, hash+"-*"))
	spare := 0
	for _, dir := range list {
		info, err := os.Lstat(dir)
		if err != nil || filepath.Base(dir) == but {
			continue
		}
		if spare++; spare > spareCopies || time.Since(info.ModTime()) > spareTime {
			os.RemoveAll(dir)
		}
	}
}

// remove removes all that is kept of a state.
func (c copies) remove(hash string) {
	os.Remove(c.seal(hash))
	list, _ := filepath.Glob(filepath.Join(c.dir, hash+"-*"))
	for _, dir := range list {
		os.RemoveAll(dir)
	}
}

// prune removes what no approval refers to and nobody is making.
func (c copies) prune(used func(hash string) bool) {
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		// A folder HASH-NAME, or a file HASH.seal with its lock.
		if name := e.Name(); len(name) > hashLen && strings.Contains(name, "seal") == (name[hashLen] == '.') && used(name[:hashLen]) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > spareTime {
			os.RemoveAll(filepath.Join(c.dir, e.Name()))
		}
	}
}

// files reads an approved state for the diff; ok is false if it is not kept as it
// was.
func (c copies) files(ctx context.Context, hash string) (files []treeFile, ok bool) {
	b, err := safefile.Read(c.seal(hash), maxSeal)
	if err != nil {
		return nil, false
	}
	name, _, _ := strings.Cut(string(b), " ")
	if filepath.Base(name) != name {
		return nil, false
	}
	files, err = (&treeWalk{keep: true}).read(ctx, filepath.Join(c.dir, name))
	return files, err == nil && treeHash(files) == hash
}

// ensure is the folder of an approved state: the one that is kept, or one made now from
// t, if t is still in that state.
func (c copies) ensure(ctx context.Context, project string, t Thing, hash string, files []treeFile) (dir string, err error) {
	if dir, ok := c.find(hash, files); ok {
		return dir, nil
	}
	made, err := c.begin()
	if err != nil {
		return "", err
	}
	files, err = t.read(ctx, project, treeWalk{into: made})
	if err == nil && treeHash(files) != hash {
		err = errChanged
	}
	if err == nil {
		dir, err = made.keep(hash, files)
	}
	if err != nil {
		made.drop()
	}
	return dir, err
}

var errChanged = errors.New("it changed while it was being read")
