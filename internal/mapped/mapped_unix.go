//go:build unix

package mapped

import (
	"os"
	"syscall"
)

func lay(f *os.File, size int) ([]byte, func(), error) {
	b, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	return b, func() { _ = syscall.Munmap(b) }, err // mutant: what is not given back goes with the process
}
