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
		{[]string{"QWEN_CODE=1"}, "QWEN_CODE"},
		{[]string{"CLINE_ACTIVE=true"}, "CLINE_ACTIVE"},
		{[]string{"GOOSE_TERMINAL=1", "AGENT=goose"}, "GOOSE_TERMINAL"},
		{[]string{"AUGMENT_AGENT=1"}, "AUGMENT_AGENT"},
		{[]string{"ANTIGRAVITY_AGENT=1"}, "ANTIGRAVITY_AGENT"},
		{[]string{"QWEN_CODE_NO_RELAUNCH=true"}, ""}, // a user's own setting
	} {
		t.Run(fmt.Sprintf("%q", tc.env), func(t *testing.T) {
			if got := Marker(tc.env); got != tc.want {
				t.Errorf("%q: have %q, want %q", tc.env, got, tc.want)
			}
		})
	}
}
