package statefile

import "os"

// TryLock asks for the exclusive lock of an open file without waiting, and
// reports whether it got it. The lock ends when f is closed, or its owner dies:
// a file can so mark something that is going on, and can never be left behind
// as stale.
func TryLock(f *os.File) (bool, error) { return tryLock(f) }
