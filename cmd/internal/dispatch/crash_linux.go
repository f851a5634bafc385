package dispatch

import (
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of what its hooks leave behind: one that
// forked twice into a session of its own is so found again, when its hook is
// stopped.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// crashBySignal makes whatever the runtime cannot recover from end this process by
// a signal: it leaves with 2 otherwise, which agents read as a block. A core file
// would hold the payload, so there is none: this process cannot be dumped, which,
// unlike a limit, no hook inherits.
func crashBySignal() {
	debug.SetTraceback("crash")
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}
