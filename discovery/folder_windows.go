package discovery

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// A folder is a directory.
type folder struct {
	path string
}

func openFolder(path string) (*folder, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
	}
	return &folder{path}, nil
}

func (d *folder) close() {}

var errLink = errors.New("a link")

// read reads the start of a regular file into buf, as much as fits. follow says
// whether name may be a link itself.
func (d *folder) read(name string, buf []byte, follow bool) ([]byte, error) {
	path := filepath.Join(d.path, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
		if !follow {
			return nil, errLink
		}
		if info, err = os.Stat(path); err != nil {
			return nil, err
		}
	}
	if !info.Mode().IsRegular() {
		return nil, safefile.Irregular(info.Mode())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n, err := io.ReadFull(f, buf)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return buf[:n], err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// linked reports whether a path is a link itself.
func linked(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0
}

func isLink(err error) bool { return errors.Is(err, errLink) }

// noFolder reports whether an error says that part of a path is no folder.
func noFolder(err error) bool {
	const errorDirectory = syscall.Errno(267) // ERROR_DIRECTORY
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, errorDirectory)
}
