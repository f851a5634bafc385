// Package modetest is for tests that take the right to read or to write a file away
// from their own user, or look who else has it. Windows keeps no such modes, and root
// may do everything: there the test is left out, by the name of what is missing.
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
