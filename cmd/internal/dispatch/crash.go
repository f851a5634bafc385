//go:build !linux

package dispatch

import "runtime/debug"

// adopt has no counterpart here: see the one of Linux.
func adopt() {}

// crashBySignal makes whatever the runtime cannot recover from end this process by
// a signal: it leaves with 2 otherwise, which agents read as a block.
func crashBySignal() { debug.SetTraceback("crash") }
