//go:build !linux

package dispatch

import (
	"os"
	"runtime/debug"
	"time"
)

// adopt does nothing here: see the Linux version.
func adopt() {}

// crashBySignal makes fatal errors of the runtime end this process by a signal: it would exit
// with 2 otherwise, which agents read as a block.
func crashBySignal() { debug.SetTraceback("crash") }

// readable has no counterpart here: see the one of Linux.
var readable func(*os.File, time.Duration) bool
