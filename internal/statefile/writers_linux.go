package statefile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// hasWriters reports whether somebody has a file open for writing that was opened for reading here:
// then no lease of it is given. Where none is given at all, as by some file systems, nobody knows.
func hasWriters(f *os.File) bool {
	_, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_UNLCK)
	}
	return errors.Is(err, unix.EAGAIN)
}
