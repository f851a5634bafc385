// Package safefile reads files that may come from a stranger: from a freshly cloned
// repository, or a hook that somebody sent.
//
//	file, err := safefile.Resolve(path, project) // no link leads out
//	b, err := safefile.Read(file, 1<<20)         // no more than that
//
// It never waits: a pipe or a device in place of a file is an error, not a hang. It
// reaches nothing outside a folder through a link, and reads no more than the caller's
// limit. It does not prevent changes between two calls: if that matters, read once and
// keep the bytes.
package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrIrregular is wrapped by the error for what is no regular file.
var ErrIrregular = errors.New("not a regular file")

// ErrOutside is wrapped by the error for a link that leads out of the folder
// that it must stay in.
var ErrOutside = errors.New("leads out of")

// Irregular names what stands in the place of a file.
func Irregular(m fs.FileMode) error { return fmt.Errorf("%w but %s", ErrIrregular, Kind(m)) }

// Kind is what something that is no regular file is.
func Kind(m fs.FileMode) string {
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
	return what
}

// Read reads a whole regular file of at most max bytes.
func Read(path string, max int) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, Irregular(info.Mode())
	case info.Size() > int64(max):
		return nil, fmt.Errorf("%d bytes, over the limit of %d", info.Size(), max)
	}
	return readUpTo(f, int(info.Size()), max)
}

// readUpTo reads f, of which size bytes are to be expected, to its end, or to max bytes
// and an error.
func readUpTo(f *os.File, size, max int) ([]byte, error) {
	buf := make([]byte, 0, size+512)
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
			if err != nil && err != io.EOF {
				return nil, err
			}
			return buf, nil
		}
	}
}

// Inside reports whether path is dir or lies below it, by elements. Both are
// absolute and clean.
func Inside(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || os.IsPathSeparator(rest[0]) || len(dir) > 0 && os.IsPathSeparator(dir[len(dir)-1]))
}

// Resolve resolves the links of path, which must lead neither out of dir nor into
// a .git in it: that is the person's, not what a repository is made of.
func Resolve(path, dir string) (string, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	if !Inside(real, root) {
		return "", fmt.Errorf("the link %w %s", ErrOutside, dir)
	}
	if name := GitIn(real, root); name != "" {
		return "", fmt.Errorf("the link %w the files of the repository, into its own %s", ErrOutside, name)
	}
	return real, nil
}

// GitIn is the .git that path lies in below dir, as it is spelled there; "" if it
// lies in none.
func GitIn(path, dir string) string {
	for part := range strings.SplitSeq(strings.TrimPrefix(path, dir), string(filepath.Separator)) {
		if strings.EqualFold(part, ".git") {
			return part
		}
	}
	return ""
}

// Reason is an error without the path that it names, for whoever names the path
// already.
func Reason(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err.Error()
	}
	return err.Error()
}
