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

// linkOrCopy fills a file that is there with the bytes of another. With link a second
// name of that one does, where the system allows it: the program with all commands is
// large. The one that answers events is a copy of its own, which nobody overwrites. On
// Windows both are: there a program that runs cannot be removed by any of its names, so
// one of an agent would hold up whoever upgrades the other.
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

// aside is what a running program of Windows is called that another one took the
// place of.
const aside = ".old-"

// sweep removes what killed calls left behind, and programs that were moved aside, as far
// as they have ended: left are those that run.
func sweep(h host.Host) (left []string) {
	list, err := os.ReadDir(Dir(h))
	if err != nil {
		return nil
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), "."+Whole) && strings.Contains(e.Name(), ".tmp-") || strings.Contains(e.Name(), aside) {
			if file := filepath.Join(Dir(h), e.Name()); os.Remove(file) != nil {
				left = append(left, file)
			}
		}
	}
	return left
}

// replace renames a file over another. Where that one runs, and the system does not
// let it be replaced, it is moved aside first.
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

// remove takes a program away, or aside if it runs.
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
