//go:build unix

package safefile

import (
	"os"
	"syscall"
)

// Open opens a file for reading, and does not wait for anything whatever it is.
func Open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
}
