//go:build unix

package discovery

import (
	"syscall"
	"time"
)

// processorTime is how much of the processors this process has had.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
