package trust

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	// The files are on the disk; of a seal that a power failure takes, the copy is made again.
	return dir, statefile.Update(c.seal(hash), wait, func([]byte) ([]byte, error) { return seal, nil })
}

func (c *copying) drop() { os.RemoveAll(c.dir) }

const (
	spareCopies = 4         // older copies of a state, for hooks that run from them still
	spareTime   = time.Hour // that they may take
)

// sweep removes the copies of a state but the one in use, and a few young ones: hooks may run
// from them still.
func (c copies) sweep(names []string, but string) {
	spare := 0
	for _, name := range names {
		info, err := os.Lstat(filepath.Join(c.dir, name))
		if err != nil || name == but {
			continue
		}
		if spare++; spare > spareCopies || time.Since(info.ModTime()) > spareTime {
			os.RemoveAll(filepath.Join(c.dir, name))
		}
	}
}

// folders are the copies of states. It reads the names of all, which took a minute when
// it was done for each of 5,000.
func (c copies) folders() map[string][]string {
	all := map[string][]string{}
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		if hash, rest, ok := stateOf(e.Name()); ok && rest[0] == '-' {
			all[hash] = append(all[hash], e.Name())
		}
	}
	return all
}

// remove removes all that is kept of some states, but for the locks.
func (c copies) remove(hashes map[string]bool) {
	all := c.folders()
	for hash := range hashes {
		os.Remove(c.seal(hash))
		for _, name := range all[hash] {
			os.RemoveAll(filepath.Join(c.dir, name))
		}
	}
}

// stateOf is the state that a name here is of: a folder HASH-NAME, or a file HASH.seal with
// its lock.
func stateOf(name string) (hash, rest string, ok bool) {
	if len(name) <= hashLen || strings.Contains(name, "seal") != (name[hashLen] == '.') {
		return "", "", false
	}
	return name[:hashLen], name[hashLen:], true
}

// prune removes what no approval refers to and nobody is making, and older copies.
func (c copies) prune(used map[string]bool) {
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		if hash, _, ok := stateOf(e.Name()); ok && used[hash] {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > spareTime {
			os.RemoveAll(filepath.Join(c.dir, e.Name()))
		}
	}
	for hash, names := range c.folders() {
		if len(names) == 1 {
			continue
		}
		if b, err := safefile.Read(c.seal(hash), maxSeal); err == nil {
			if name, _, _ := strings.Cut(string(b), " "); slices.Contains(names, name) { // a power failure may leave it empty
				c.sweep(names, name)
			}
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
// t, if t is still in that state; then it is fresh, and the caller sweeps.
func (c copies) ensure(ctx context.Context, project string, t Thing, hash string, files []treeFile) (dir string, fresh bool, err error) {
	if dir, ok := c.find(hash, files); ok {
		return dir, false, nil
	}
	made, err := c.begin()
	if err != nil {
		return "", false, err
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
	return dir, err == nil, err
}

var errChanged = errors.New("it changed while it was being read")
