package keep

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
)

// linkOrCopy fills an existing file with the bytes of another. With link it uses a
// hard link if the system supports it: the program with all commands is large. The
// program that answers events is a separate copy, which nobody overwrites. On Windows
// both are copies: a running program cannot be removed there by any of its names, so
// one that an agent runs would block an upgrade of the other.
func linkOrCopy(from, to string, link bool) error {
	if link && runtime.GOOS != "windows" {
		if err := os.Remove(to); err != nil {
			return err
		}
		if os.Link(from, to) == nil {
			return nil
		}
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o700)
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, in); err == nil {
		err = out.Chmod(0o700)
	}
	if err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// aside is the new name of a running Windows program that another one replaced.
const aside = ".old-"

// sweep removes what killed calls left behind, and programs that were moved aside, if
// they have ended: left are those still running.
func sweep(h host.Host) (left []string) {
	list, err := os.ReadDir(Dir(h))
	if err != nil {
		return nil
	}
	for _, e := range list {
		if strings.Contains(e.Name(), ".tmp-") || strings.Contains(e.Name(), aside) {
			if file := filepath.Join(Dir(h), e.Name()); os.Remove(file) != nil {
				left = append(left, file)
			}
		}
	}
	return left
}

// replace renames a file over another. If that one is running, and the system does
// not allow replacing it, it is moved aside first.
func replace(temp, path string) error {
	err := patiently(func() error { return os.Rename(temp, path) })
	if err == nil || !errors.Is(err, fs.ErrPermission) {
		return err
	}
	old, moved := moveAside(path)
	if moved != nil {
		return errors.Join(err, moved)
	}
	if err := patiently(func() error { return os.Rename(temp, path) }); err != nil {
		return errors.Join(err, os.Rename(old, path))
	}
	return nil
}

// remove removes a program, or moves it aside if it is running.
func remove(path string) error {
	err := patiently(func() error { return os.Remove(path) })
	if err != nil && errors.Is(err, fs.ErrPermission) {
		_, err = moveAside(path)
	}
	return err
}

func moveAside(path string) (string, error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), aside[1:])
	if err != nil {
		return "", err
	}
	os.Remove(dir) // only its name is wanted
	old := path + aside + strings.TrimPrefix(filepath.Base(dir), aside[1:])
	return old, os.Rename(path, old)
}
