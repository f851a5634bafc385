package conformance

import (
	"flag"
	"testing"
)

var slow = flag.Bool("slow", false, "play the faults and the second runner too; minutes on two cores")

// needsMinutes skips what go test ./... has no time for.
func needsMinutes(t *testing.T) {
	t.Helper()
	if !*slow {
		t.Skip("takes minutes; go test ./conformance -slow")
	}
}
