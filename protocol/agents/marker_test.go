package agents

import (
	"fmt"
	"testing"
)

// If an agent's marker is in the environment, nobody approves anything with --yes.
func TestMarker(t *testing.T) {
	for _, tc := range []struct {
		env  []string
		want string
	}{
		{nil, ""},
		{[]string{"HOME=/h", "PATH=/bin", "EDITOR=vi"}, ""},
		{[]string{"HOME=/h", "CLAUDECODE=1"}, "CLAUDECODE"},
		{[]string{"CLAUDECODE="}, ""},
		{[]string{"CODEX_HOME=/h/.codex"}, ""}, // a user's own setting
		{[]string{"CODEX_SANDBOX_NETWORK_DISABLED=1"}, "CODEX_SANDBOX_NETWORK_DISABLED"},
		{[]string{"GEMINI_API_KEY=x"}, ""},
		{[]string{"GEMINI_CLI=1"}, "GEMINI_CLI"},
		{[]string{"CURSOR_TRACE_ID=1"}, "CURSOR_TRACE_ID"},
		{[]string{"COPILOT_CLI=1"}, "COPILOT_CLI"},
	} {
		t.Run(fmt.Sprintf("%q", tc.env), func(t *testing.T) {
			if got := Marker(tc.env); got != tc.want {
				t.Errorf("%q: have %q, want %q", tc.env, got, tc.want)
			}
		})
	}
}
