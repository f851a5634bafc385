//go:build unix

package keep

import "golang.org/x/sys/unix"

// mayStart is why this user cannot start a file, for example on a file system that
// was mounted noexec.
func mayStart(path string) error { return unix.Access(path, unix.X_OK) }

// patiently does something once: on Unix no open file blocks a name.
func patiently(do func() error) error { return do() }
