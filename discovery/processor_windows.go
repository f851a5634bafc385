package discovery

import (
	"syscall"
	"time"
)

// processorTime is how much of the processors this process has had.
func processorTime() time.Duration {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var began, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(self, &began, &ended, &kernel, &user); err != nil {
		return 0
	}
	const tick = 100 * time.Nanosecond
	count := func(t syscall.Filetime) time.Duration {
		return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * tick
	}
	return count(kernel) + count(user)
}
