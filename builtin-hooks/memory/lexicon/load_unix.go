//go:build unix

package lexicon

import (
	"math"
	"syscall"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// load maps a file: a search touches a few of its pages. It is never changed, only replaced.
func load(path string) ([]byte, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < int64(headSize) || info.Size() > math.MaxInt32 || !info.Mode().IsRegular() {
		return nil, ErrDamaged
	}
	return syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
}

func unload(b []byte) {
	if b != nil {
		_ = syscall.Munmap(b)
	}
}
