//go:build unix

package deed

import (
	"syscall"
	"time"
)

// processorTime is how long processors have worked for this process.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return time.Duration(time.Now().UnixNano()) // a clock that goes on is as good
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
