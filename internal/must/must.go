// Package must is for the steps of a test that are not what it proves: the test ends where one
// of them fails.
package must

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Do ends the test with the error of a step that failed.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Err is the error of a step whose result does not matter.
func Err[T any](_ T, err error) error { return err }

// Write writes a file, with the folders above it.
func Write[S string | []byte](t testing.TB, path string, text S) {
	t.Helper()
	Put(t, path, text, 0o644)
}

// Script writes a file that can be run, with the folders above it.
func Script[S string | []byte](t testing.TB, path string, text S) {
	t.Helper()
	Put(t, path, text, 0o755)
}

// Put is Write with a mode.
func Put[S string | []byte](t testing.TB, path string, text S, mode os.FileMode) {
	t.Helper()
	Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	Do(t, os.WriteFile(path, []byte(text), mode))
}

// Read is what is in a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	Do(t, err)
	return string(text)
}

// Leave removes a test's folder when the test ends, again while a process that it left behind
// writes into it: the one of [testing.TB.TempDir] could not be removed.
func Leave(t testing.TB, dir string) {
	t.Cleanup(func() {
		for end := time.Now().Add(30 * time.Second); os.RemoveAll(dir) != nil && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
	})
}
