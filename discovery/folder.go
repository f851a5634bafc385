package discovery

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A child is one entry of an open folder.
type child struct {
	name string
	link bool // a link, wherever it leads
}

// errIrregular is wrapped by the error for what is no regular file: a pipe or a
// device is never waited for.
var errIrregular = errors.New("not a regular file")

// errOutside is wrapped by the error for a link that leads out of the folder
// that it must stay in.
var errOutside = errors.New("leads out of")

// irregular names what stands in the place of a file.
func irregular(m fs.FileMode) error {
	what := "something else"
	switch {
	case m&fs.ModeDir != 0:
		what = "a folder"
	case m&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	case m&fs.ModeSocket != 0:
		what = "a socket"
	case m&fs.ModeDevice != 0:
		what = "a device"
	}
	return fmt.Errorf("%w but %s", errIrregular, what)
}

// readSmall reads a whole file of at most max bytes. It waits for nothing: what
// is no regular file is an error.
func readSmall(path string, max int) ([]byte, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, irregular(info.Mode())
	case info.Size() > int64(max):
		return nil, fmt.Errorf("%d bytes, over the limit of %d", info.Size(), max)
	}
	return readUpTo(f, max)
}

// readUpTo reads f to its end, or to max bytes and an error.
func readUpTo(f *os.File, max int) ([]byte, error) {
	buf := make([]byte, 0, 4096)
	for {
		if len(buf) > max {
			return nil, fmt.Errorf("over the limit of %d bytes", max)
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if n == 0 || err != nil {
			if err != nil && !isEOF(err) {
				return nil, err
			}
			return buf, nil
		}
	}
}

// inside reports whether path is dir or lies below it, by elements. Both are
// absolute and clean.
func inside(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || len(dir) > 0 && os.IsPathSeparator(dir[len(dir)-1]))
}

// resolveInside resolves the links of path, which must not lead out of dir.
func resolveInside(path, dir string) (string, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	if !inside(real, root) {
		return "", fmt.Errorf("the link %w %s", errOutside, dir)
	}
	return real, nil
}

// reason is an error without the path that it names: the problem it becomes has
// one already.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
