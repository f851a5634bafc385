package conformance

import (
	"os"
	"syscall"
	"time"
)

// accessed is when a file was last read.
func accessed(path string) time.Time {
	info, err := os.Lstat(path)
	if err != nil {
		return time.Time{}
	}
	at := info.Sys().(*syscall.Stat_t).Atim
	return time.Unix(int64(at.Sec), int64(at.Nsec))
}
