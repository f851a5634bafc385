//go:build unix

package processor

import (
	"syscall"
	"time"
)

// Time is how long processors have worked for this process, or, on a system that does
// not say, that of a clock that goes on as well.
func Time() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
