package lexicon

import (
	"math"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// load reads a file: Windows could not replace a mapped one.
func load(path string) ([]byte, error) { return safefile.Read(path, math.MaxInt32) }

func unload([]byte) {}
