package statefile

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// replacesOpen says that a file can be replaced while somebody has it open.
const replacesOpen = false

// TryLock asks for the exclusive lock of an open file without waiting, and
// reports whether it got it: the lock is that of its first byte. It ends when f is
// closed, or its owner dies: a file can so mark something that is going on, and
// can never be left behind as stale.
func TryLock(f *os.File) (bool, error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION), errors.Is(err, windows.ERROR_IO_PENDING):
		return false, nil
	default:
		return false, os.NewSyscallError("LockFileEx", err)
	}
}

// openElsewhere reports whether a file cannot be replaced since somebody has it open.
func openElsewhere(err error) bool { return busy(err) }

// busy reports whether err says that somebody has the file open just now.
func busy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
}

// readFile waits a little for a file that is just being replaced.
func (s Store) readFile(path string) (b []byte, err error) {
	rerr := retry(100*time.Millisecond, func() (bool, error) {
		b, err = s.in.Read(path, 0)
		return !errors.Is(err, windows.ERROR_SHARING_VIOLATION), nil
	})
	if rerr != nil && err == nil {
		err = rerr
	}
	return b, err
}

// rename waits for readers: Windows does not replace a file that is open.
func (s Store) rename(from, to string, wait time.Duration) (err error) {
	retry(wait, func() (bool, error) {
		err = s.in.Rename(from, to)
		return err == nil || !busy(err), nil
	})
	return err
}

// syncDir has no counterpart here: NTFS keeps names in its journal.
func (s Store) syncDir(string) error { return nil }
