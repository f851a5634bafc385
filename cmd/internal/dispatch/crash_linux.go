package dispatch

import (
	"runtime/debug"

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
