package conformance

import (
	"flag"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

var every = flag.Bool("every", false, "with -slow: each fault, by each case that it names, not a sixth of them by the first")

var onlyFaults = flag.String("fault", "", "play these faults alone, separated by commas, with the cases that they name; seconds")

// needsMinutes skips what go test ./... has no time for.
func needsMinutes(t *testing.T) {
	t.Helper()
	if !slowtest.On() && *onlyFaults == "" {
		t.Skip("takes minutes; go test ./conformance -slow")
	}
}
