// Package scratch makes copies of folders that are thrown away: what a hook is tried
// in, and a replay plays in.
package scratch

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// maxCopy bounds what copyFolder copies, in bytes.
const maxCopy = 64 << 20

// CopyFolder copies a folder, links followed, and takes the right to write from
// the copy.
func CopyFolder(from, to string) error {
	left := int64(maxCopy)
	var dirs []string
	var copyDir func(from, to string, depth int) error
	copyDir = func(from, to string, depth int) error {
		if depth > 32 {
			return fmt.Errorf("%s: too deep", from)
		}
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		dirs = append(dirs, to)
		list, err := os.ReadDir(from)
		if err != nil {
			return err
		}
		for _, e := range list {
			src, dst := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
			info, err := os.Stat(src)
			switch {
			case err != nil:
				return err
			case info.IsDir():
				err = copyDir(src, dst, depth+1)
			case info.Mode().IsRegular():
				if left -= info.Size(); left < 0 {
					return fmt.Errorf("%s: more than %d MiB", from, maxCopy>>20)
				}
				err = CopyFile(src, dst, info.Mode().Perm()&^0o222)
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

func CopyFile(from, to string, mode fs.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// RemoveAll removes a folder of ours, also what copyFolder write-protected.
func RemoveAll(dir string) {
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(p, 0o700)
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}
