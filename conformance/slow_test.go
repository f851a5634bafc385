package conformance

import (
	"flag"
	"testing"
)

var slow = flag.Bool("slow", false, "play the faults and the second runner too; minutes on two cores")

var every = flag.Bool("every", false, "with -slow: each case that a fault names, not its first alone")

var onlyFaults = flag.String("fault", "", "play these faults alone, separated by commas, with the cases that they name; seconds")

// needsMinutes skips what go test ./... has no time for.
func needsMinutes(t *testing.T) {
	t.Helper()
	if !*slow && *onlyFaults == "" {
		t.Skip("takes minutes; go test ./conformance -slow")
	}
}
