//go:build unix

package keep

import "golang.org/x/sys/unix"

// mayStart is why a file cannot be started by this user, as on a file system that
// was mounted without that.
func mayStart(path string) error { return unix.Access(path, unix.X_OK) }

// patiently does something once: nobody is in the way of a name here.
func patiently(do func() error) error { return do() }
