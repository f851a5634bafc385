package discovery

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A matcher says nothing of a call that asks to leave the agent's sandbox, whichever of its keys match.
// HM-PER-19.
func TestNoMatcherCoversACallThatAsksToLeaveTheSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, line := range map[string]string{"command": "  command: '^make test$'", "pattern": "  pattern: 'make test'", "content": "  content: 'x'", "path": "  path: '**'"} {
		w.hook(UserLayer, name, preTool, "matcher:", "  tool: Shell", line)
	}
	within := toolEvent(t, "Shell", "Bash", `{"command": "make test"}`)
	without := toolEvent(t, "Shell", "Bash", `{"command": "make test", "dangerouslyDisableSandbox": true}`)
	ready := w.event(preTool).Ready(preTool)
	if len(ready) != 4 {
		t.Fatalf("%d hooks are ready", len(ready))
	}
	for _, h := range ready {
		var b Budget
		if why := h.Covers(without, &b); !strings.Contains(why, "dangerouslyDisableSandbox") {
			t.Errorf("%s: %q", h.Name, why)
		}
		if why := h.Covers(within, &b); h.Name == "command" && why != "" {
			t.Errorf("within the sandbox: %q", why)
		}
	}
}

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
