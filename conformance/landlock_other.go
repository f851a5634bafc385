//go:build !linux

package conformance

// landlock is a part of Linux.
func landlock() int { return 0 }
