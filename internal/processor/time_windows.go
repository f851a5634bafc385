package processor

import (
	"syscall"
	"time"
)

// Time is how long processors have worked for this process, or, on a system that does
// not say, that of a clock that goes on as well.
func Time() time.Duration {
	var began, ended, system, user syscall.Filetime
	if self, err := syscall.GetCurrentProcess(); err != nil || syscall.GetProcessTimes(self, &began, &ended, &system, &user) != nil {
		return time.Duration(time.Now().UnixNano())
	}
	const tick = 100 * time.Nanosecond
	of := func(t syscall.Filetime) time.Duration {
		return time.Duration(int64(t.HighDateTime)<<32+int64(t.LowDateTime)) * tick
	}
	return of(system) + of(user)
}
