//go:build !linux

package runner

import "time"

// Where the system has no such call, a process that left the group of its hook
// outlives it, and memory is bounded by the system alone.

func endStrays(time.Time, int) {}

// allDead cannot be told here: a process that has ended counts until it is reaped.
func allDead(int) bool { return false }

// Reap does nothing here: processes that a hook leaves behind are not children of this
// process.
func Reap() {}

func (p *process) limitMemory(uint64) {}

func (*process) endStrays(time.Time) {}
