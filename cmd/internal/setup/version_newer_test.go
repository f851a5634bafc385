package setup

import (
	"fmt"
	"testing"
)

func TestNewerVersionsAreToldHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		told, was string
		want      bool
	}{
		{"2.1.330", "2.1.329", true}, {"2.1.329", "2.1.329", false}, {"2.1.99", "2.1.329", false}, {"2.10.0", "2.9.9", true},
		{"2.1.330 (Claude Code)", "2.1.329", true}, {"codex-cli 0.170.0", "0.169.0", true}, {"v3.0.0", "2.9.9", true},
		{"1.2.3-beta.1", "1.2.3", false}, {"1.2.3", "1.2.3-beta.1", true}, {"1.2.3+build", "1.2.3", false},
		{"", "1.2.3", false}, {"1.2.3", "", false}, {"unknown", "1.2.3", false},
	} {
		t.Run(fmt.Sprintf("told %q, was %q", c.told, c.was), func(t *testing.T) {
			if have := Newer(c.told, c.was); have != c.want {
				t.Errorf("Newer(%q, %q) = %v", c.told, c.was, have)
			}
		})
	}
}
