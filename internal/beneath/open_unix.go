//go:build unix

package beneath

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

const (
	// atOnce opens whatever there is without waiting for anybody.
	atOnce     = syscall.O_NONBLOCK | syscall.O_NOCTTY
	folderOnly = syscall.O_DIRECTORY
)

// keeps: an open folder keeps nobody from anything.
const keeps = true

// unwaited says what it means that nobody reads a pipe, or that a socket cannot
// be opened.
func (r *Root) unwaited(path string, err error) error {
	if errors.Is(err, syscall.ENXIO) {
		return r.refuse(path, safefile.ErrIrregular, "not a regular file but a named pipe, a socket or a device: put a file there, or remove it")
	}
	return err
}

// linked reports whether a name leads elsewhere.
func linked(info fs.FileInfo) bool { return info.Mode()&fs.ModeSymlink != 0 }

// ManyNames reports whether a file has a second name.
func ManyNames(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}
