package lexicon

import "os"

// load reads a file: Windows could not replace a mapped one.
func load(path string) ([]byte, error) { return os.ReadFile(path) }

func unload([]byte) {}
