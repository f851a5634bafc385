package deed

import (
	"syscall"
	"time"
)

// processorTime is how long processors have worked for this process.
func processorTime() time.Duration {
	var began, ended, system, user syscall.Filetime
	if self, err := syscall.GetCurrentProcess(); err != nil || syscall.GetProcessTimes(self, &began, &ended, &system, &user) != nil {
		return time.Duration(time.Now().UnixNano()) // a clock that goes on is as good
	}
	const tick = 100 // nanoseconds
	of := func(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 + int64(t.LowDateTime) }
	return time.Duration((of(system) + of(user)) * tick)
}
