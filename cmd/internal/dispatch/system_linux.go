package dispatch

import (
	"os"
	"runtime/debug"
	"time"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of what its hooks leave behind, so that a process that
// forked twice into a session of its own is found when its hook is stopped.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// crashBySignal makes fatal errors of the runtime end this process by a signal: it would exit
// with 2 otherwise, which agents read as a block. A core file would contain the payload, so
// none is written: this process cannot be dumped, which, unlike a limit, no hook inherits.
func crashBySignal() {
	debug.SetTraceback("crash")
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}

// readable waits until something, or the end, can be read from a file. It is false when the
// limit is over. What cannot be waited for can be read.
var readable = func(f *os.File, limit time.Duration) (ready bool) {
	conn, err := f.SyscallConn()
	if err != nil {
		return true
	}
	err = conn.Control(func(fd uintptr) {
		ask := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		for end := time.Now().Add(limit); ; {
			n, err := unix.Poll(ask, int(max(time.Until(end), 0)/time.Millisecond)+1)
			if err != unix.EINTR {
				ready = n > 0 || err != nil
				return
			}
		}
	})
	return ready || err != nil
}
