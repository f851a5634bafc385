//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is the most memory that a process used at once, in MiB.
func peakMemory(state *os.ProcessState) (float64, bool) {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	if runtime.GOOS == "darwin" {
		return float64(usage.Maxrss) / (1 << 20), true // in bytes there
	}
	return float64(usage.Maxrss) / (1 << 10), true
}
