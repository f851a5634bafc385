// Package wake decides when the worker that exports the run log may be started. The
// dispatcher asks at each event, which costs one stat of a file: no event starts a
// worker before the file's modification time. Whoever starts a worker moves that time
// ahead, and so does the worker while it works, and further after a failure.
package wake

import (
	"os"
	"path/filepath"
	"time"
)

const (
	// Held is how far it is moved ahead by whoever starts a worker, and by a running
	// worker.
	Held = 30 * time.Second
	// Most is the furthest: a time further ahead means that the clock was set back.
	Most = 65 * time.Minute
)

// Dir is the worker's folder.
func Dir(stateDir string) string { return filepath.Join(stateDir, "export") }

func file(stateDir string) string { return filepath.Join(Dir(stateDir), "wake") }

// Due reports whether a worker may be started now.
func Due(stateDir string, now time.Time) bool {
	info, err := os.Stat(file(stateDir))
	if err != nil {
		return true
	}
	ahead := info.ModTime().Sub(now)
	return ahead <= 0 || ahead > Most
}

// At makes it due at a time.
func At(stateDir string, at time.Time) error {
	path := file(stateDir)
	err := os.Chtimes(path, at, at)
	if err == nil || !os.IsNotExist(err) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Chtimes(path, at, at)
}
