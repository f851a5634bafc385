package search

import "os"

// load reads a file: Windows could not replace a mapped one.
func load(path string, least int) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() < int64(least) || info.Size() > 1<<31-1 || !info.Mode().IsRegular() {
		return nil, os.ErrNotExist
	}
	return os.ReadFile(path)
}

func unload([]byte) {}
