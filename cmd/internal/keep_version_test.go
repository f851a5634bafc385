package internal_test

import (
	"fmt"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
)

// Versions are compared as numbers; anything else is not compared.
func TestVersionsAreCompared(t *testing.T) {
	for _, tt := range []struct {
		have, least  string
		older, known bool
	}{
		{"v0.9.0", "0.10.0", true, true}, {"1.0.0", "0.10", false, true}, {"v0.10.0-rc.1", "0.10.0", false, true},
		{"devel", "1", false, false}, {"1.2.3", "soon", false, false}, {"1.2.3.4", "1", false, false},
	} {
		t.Run(fmt.Sprintf("have %q", tt.have), func(t *testing.T) {
			if older, known := keep.Older(tt.have, tt.least); older != tt.older || known != tt.known {
				t.Errorf("%s below %s: %v, known %v", tt.have, tt.least, older, known)
			}
		})
	}
}
