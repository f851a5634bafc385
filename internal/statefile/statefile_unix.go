//go:build unix

package statefile

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// replacesOpen says that a file can be replaced while somebody has it open.
const replacesOpen = true

// TryLock asks for the exclusive lock of an open file without waiting, and
// reports whether it got it. The lock ends when f is closed, or its owner dies:
// a file can so mark something that is going on, and can never be left behind
// as stale. flock belongs to the open file, so it keeps goroutines apart as well
// as processes.
func TryLock(f *os.File) (bool, error) {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		default:
			return false, os.NewSyscallError("flock", err)
		}
	}
}

func (s Store) readFile(path string) ([]byte, error) { return s.in.Read(path, 0) }

// openElsewhere is never why a file cannot be replaced here.
func openElsewhere(error) bool { return false }

func (s Store) rename(from, to string, _ time.Duration) error { return s.in.Rename(from, to) }

// syncDir puts the new name on the disk. File systems that cannot do that for
// a directory say EINVAL or ENOTSUP.
func (s Store) syncDir(dir string) error {
	d, err := s.in.OpenFolder(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}
