//go:build unix

package search

import (
	"os"
	"syscall"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// load maps a file into memory: of a large one, a search needs only its vectors and a few
// texts. Snapshot files are never changed, only replaced.
func load(path string, least int) ([]byte, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < int64(least) || info.Size() > 1<<31-1 || !info.Mode().IsRegular() {
		return nil, os.ErrNotExist
	}
	return syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
}

func unload(b []byte) {
	if b != nil {
		_ = syscall.Munmap(b)
	}
}
