package conformance

import "syscall"

// landlock is the version of Landlock that this kernel has, 0 if it has none.
func landlock() int {
	const createRuleset, version = 444, 1
	n, _, errno := syscall.RawSyscall(createRuleset, 0, 0, version)
	if errno != 0 {
		return 0
	}
	return int(n)
}
