package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// ErrEdited is wrapped by the error for a file that somebody else changed after it
// was read and before it was written.
var ErrEdited = errors.New("changed while it was being edited")

// A ConfigFile is a file that belongs to another program. It is replaced completely
// or not at all, and keeps its links, its mode and its owner. Nothing of ours is
// beside it for longer than a rename takes.
type ConfigFile struct {
	Real    string // the file itself, after following links
	Content []byte // nil if there is none
	Linked  bool   // the path itself is a link
	exec    bool   // is to be executable
	in      *beneath.Root
}

// OpenConfig reads a configuration file through its links. In the user's own folders
// a dangling link is a file that does not exist yet. Below a project a link may lead
// to another place in the project, and nowhere else; project is "" if the file is the
// user's.
func OpenConfig(path, project string) (ConfigFile, error) {
	in := below(path, project)
	real, err := followLinks(in, path)
	if err != nil {
		return ConfigFile{}, err
	}
	info, lerr := in.Lstat(path)
	f, err := readConfig(in, real)
	f.Linked = lerr == nil && info.Mode()&fs.ModeSymlink != 0
	return f, err
}

func readConfig(in *beneath.Root, real string) (ConfigFile, error) {
	content, err := in.Read(real, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return ConfigFile{Real: real, in: in}, nil
	}
	return ConfigFile{Real: real, Content: content, in: in}, err
}

// OneFile reports whether two paths lead to the same file.
func OneFile(a, b string) bool {
	if a == b {
		return true
	}
	is, err := os.Stat(a)
	was, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(is, was)
}

// below is the root for opening a project's file, nil for the user's.
func below(path, project string) *beneath.Root {
	if project == "" || !safefile.Inside(filepath.Clean(path), filepath.Clean(project)) {
		return nil
	}
	return beneath.At(project)
}

// followLinks is the path that a path leads to, whether or not it exists.
func followLinks(in *beneath.Root, path string) (string, error) {
	if in != nil {
		return in.Real(path)
	}
	for range 40 {
		dest, err := os.Readlink(path)
		if err != nil {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return path, nil // the folder does not exist yet
			}
			return filepath.Join(dir, filepath.Base(path)), nil
		}
		if !filepath.IsAbs(dest) {
			dest = filepath.Join(filepath.Dir(path), dest)
		}
		path = dest
	}
	return "", fmt.Errorf("%s: too many links", path)
}

// Write replaces the content, nil to remove the file, and returns the folders that it
// had to create, outermost first. It fails if the file has changed since it was read.
func (f *ConfigFile) Write(content []byte) (made []string, err error) {
	now, err := readConfig(f.in, f.Real)
	if err != nil {
		return nil, err
	}
	if !Same(now.Content, f.Content) {
		return nil, fmt.Errorf("%s %w; nothing was written to it", f.Real, ErrEdited)
	}
	if content == nil {
		if err := f.in.Remove(f.Real); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		f.Content = nil
		return nil, nil
	}
	if made, err = makeFolders(f.in, filepath.Dir(f.Real)); err != nil {
		return made, err
	}
	if err := replaceFile(f.in, f.Real, content, f.exec); err != nil {
		return made, err
	}
	f.Content = content
	return made, nil
}

// makeFolders creates a folder and those above it.
func makeFolders(in *beneath.Root, dir string) (made []string, err error) {
	var missing []string
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := in.Stat(d); err == nil || !errors.Is(err, fs.ErrNotExist) || d == filepath.Dir(d) {
			break
		}
		missing = append([]string{d}, missing...)
	}
	for _, d := range missing {
		if err := in.Mkdir(d, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return made, err
		}
		made = append(made, d)
	}
	return made, nil
}

// replaceFile writes a new file and renames it, so that no reader sees half of it. If
// a rename would break the file's identity (a second hard link, an owner that we
// cannot set, a file that is a mount point), it writes in place: the backup was made
// before.
func replaceFile(in *beneath.Root, path string, content []byte, exec bool) (err error) {
	old, err := in.Stat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	exists := err == nil
	if exists && !old.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", path)
	}
	if exists && old.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s is write-protected", path)
	}
	mode := fs.FileMode(0o600)
	if exists {
		mode = old.Mode().Perm()
	}
	if exec {
		mode |= 0o100 | mode&0o444>>2
	}
	if exists && manyLinks(old) {
		return writeInPlace(in, path, content, mode)
	}
	pattern := "." + strings.TrimPrefix(filepath.Base(path), ".") + ".tmp-"
	sweepKilled(in, filepath.Dir(path), pattern)
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%d-%d", pattern, os.Getpid(), rand.Uint64()))
	defer func() { // of a full or read-only disk, with the name that its reader knows
		if e, ok := errors.AsType[*fs.PathError](err); ok && filepath.Base(e.Path) == filepath.Base(name) {
			e.Path = path
		}
	}()
	temp, err := in.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		if exists && errors.Is(err, fs.ErrPermission) {
			return writeInPlace(in, path, content, mode)
		}
		return err
	}
	defer in.Remove(name) // gone after the rename
	defer temp.Close()
	if exists {
		if err := sameOwner(temp, old); err != nil {
			return writeInPlace(in, path, content, mode)
		}
	}
	if err := temp.Chmod(mode); err != nil {
		return err
	}
	if _, err := temp.Write(content); err != nil {
		return err
	}
	if err := temp.Sync(); err != nil {
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	if err := in.Rename(name, path); err != nil {
		if exists {
			return writeInPlace(in, path, content, mode)
		}
		return err
	}
	return nil
}

// sweepKilled removes the temporary files of writers that were killed. A recent one
// whose process is still running may belong to an active writer.
func sweepKilled(in *beneath.Root, dir, pattern string) {
	const age = time.Hour
	entries, err := in.List(dir)
	if err != nil {
		return // the write reports the error
	}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), pattern)
		owner, random, _ := strings.Cut(rest, "-")
		pid, err := strconv.Atoi(owner)
		if _, bad := strconv.ParseUint(random, 10, 64); !ours || err != nil || bad != nil || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && (time.Since(info.ModTime()) > age || !statefile.Runs(pid)) {
			in.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

func writeInPlace(in *beneath.Root, path string, content []byte, mode fs.FileMode) error {
	f, err := in.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = f.Truncate(0)
	if err == nil {
		_, err = f.Write(content)
	}
	if err == nil {
		err = f.Sync()
	}
	if info, statErr := f.Stat(); err == nil && statErr == nil && info.Mode().Perm() != mode {
		err = f.Chmod(mode)
	}
	return errors.Join(err, f.Close())
}

// Same reports whether two contents are equal; a missing file is not an empty one.
func Same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }
