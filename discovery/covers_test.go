package discovery

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

func TestACallThatAsksToLeaveTheSandboxIsTold(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ input, want string }{
		{`{"command": "ls"}`, ""},
		{`{"command": "ls", "dangerouslyDisableSandbox": true}`, "dangerouslyDisableSandbox"},
		{`{"command": "ls", "dangerouslyDisableSandbox": false}`, ""},
		{`{"cmd": "ls", "sandbox_permissions": "require_escalated"}`, "sandbox_permissions"},
		{`{"cmd": "ls", "sandbox_permissions": "use_default"}`, ""},
		{`{"command": ["ls"], "with_escalated_permissions": true, "justification": "x"}`, "with_escalated_permissions"},
		{`{"command": ["ls"], "with_escalated_permissions": null}`, ""},
		{`{"command": "ls", "sandbox": false}`, "sandbox"},
		{`{"command": "ls", "sandbox": true}`, ""},
		{`{"command": "ls", "sandbox-mode": "danger-full-access"}`, "sandbox-mode"},
		{`{"command": "cat sandbox", "description": "escalated"}`, ""},
	} {
		t.Run(tc.input, func(t *testing.T) {
			ev := &protocol.Event{Call: protocol.Tools(nil).NewCall("Shell", protocol.Raw(tc.input))}
			if got := unboxed(ev); got != tc.want {
				t.Errorf("%s: %q, want %q", tc.input, got, tc.want)
			}
		})
	}
}
