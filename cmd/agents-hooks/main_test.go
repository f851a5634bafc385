package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be the program: a script's "agents-hooks" is a
// real process that runs main, and tests that start processes themselves find
// it on their PATH in the same way.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"agents-hooks": main})
}
