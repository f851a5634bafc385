// Package modetest is for tests that take away the right to read or write a file from
// their own user, or check who else has it. Windows has no such modes, and root may do
// everything: in these cases the test is skipped with the reason.
package modetest

import (
	"os"
	"runtime"
	"testing"
)

// Kept leaves the test out where a file has no mode that says who may read it.
func Kept(t testing.TB) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("files of Windows have no modes")
	}
}

// Held leaves the test out where modes do not hold this process either.
func Held(t testing.TB) {
	t.Helper()
	Kept(t)
	if os.Getuid() == 0 {
		t.Skip("modes do not hold root")
	}
}
