// Package scratch makes temporary copies of folders, for testing hooks and for replays.
// A copy has a size limit, and never leaves the folder that it is made in.
package scratch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// The limits of a copy.
const (
	maxSize    = 64 << 20 // bytes
	maxDepth   = 32
	maxFolders = 1024 // counted each time that a link leads to it
)

// CopyFolder copies a folder, following links, and write-protects the copy. in is the
// root for opening the folder, nil for anywhere.
func CopyFolder(in *beneath.Root, from, to string) error {
	left := int64(maxSize)
	var dirs []string
	var copyDir func(from, to string, depth int) error
	copyDir = func(from, to string, depth int) error {
		if depth > maxDepth {
			return fmt.Errorf("%s: folders nested too deeply", from)
		}
		if len(dirs) == maxFolders {
			return fmt.Errorf("%s: more than %d folders, counting one again for each link to it", from, maxFolders)
		}
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		dirs = append(dirs, to)
		list, err := in.List(from)
		if err != nil {
			return err
		}
		for _, e := range list {
			src, dst := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
			info, err := in.Stat(src)
			switch {
			case err != nil:
				return err
			case info.IsDir():
				err = copyDir(src, dst, depth+1)
			case info.Mode().IsRegular():
				if left -= info.Size(); left < 0 {
					return fmt.Errorf("%s: more than %d MiB", from, maxSize>>20)
				}
				err = copyFile(in, src, dst, info.Mode().Perm()&^0o222)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := copyDir(from, to, 0); err != nil {
		return err
	}
	for _, d := range dirs {
		if err := os.Chmod(d, 0o555); err != nil {
			return err
		}
	}
	return nil
}

// CopyFiles copies the files of a folder, writable for their owner, without links and
// special files. A missing folder counts as empty.
func CopyFiles(from, to string) error {
	left := int64(maxSize)
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch dst := filepath.Join(to, rel); {
		case e.IsDir():
			return os.MkdirAll(dst, 0o700)
		case e.Type().IsRegular():
			info, err := e.Info()
			if err != nil {
				return err
			}
			if left -= info.Size(); left < 0 {
				return fmt.Errorf("%s contains more than %d MiB", from, maxSize>>20)
			}
			return copyFile(nil, path, dst, info.Mode().Perm()|0o600)
		}
		return nil
	})
}

func copyFile(in *beneath.Root, from, to string, mode fs.FileMode) error {
	src, err := in.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, io.LimitReader(src, maxSize)); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// RemoveAll removes a folder of ours, even one that [CopyFolder] write-protected.
func RemoveAll(dir string) {
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(p, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}
