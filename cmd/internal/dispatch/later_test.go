package dispatch

import (
	"fmt"
	"strings"
	"testing"
)

// What an event has no place for is told at the next one of the session that has:
// at a stop, or with a prompt; once, and to nobody else's session.
func TestWhatHasNoPlaceWaits(t *testing.T) {
	t.Parallel()
	for _, agent := range []struct {
		id, later string
		message   bool // whether a hook's own message waits as well
	}{
		{"qwen-code", "Stop", true},
		{"kimi-code", "UserPromptSubmit", false},
	} {
		t.Run(agent.id, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.hook(w.userHooks(), "budget", "trigger: pre-tool-call", `echo '{"user_message": "80 % of it is used"}'`)
			w.hook(w.userHooks(), "lint", "trigger: pre-tool-call", "echo eslint is not there >&2; exit 127")
			say := func(session, event, more string) string {
				t.Helper()
				payload := fmt.Sprintf(`{"session_id": %q, "cwd": %q, "timestamp": "2026-11-21T03:15:47.143Z", "client_type": "kimi_code_cli", "hook_event_name": %q%s}`, session, w.project, event, more)
				r := w.run(payload, "--agent="+agent.id)
				if r.exit != 0 {
					t.Errorf("%s: %+v", event, r)
				}
				return r.stdout
			}
			const call, prompt = `, "tool_name": "x", "tool_input": {}`, `, "prompt": "what else"`
			for range 3 {
				if said := say("a", "PreToolUse", call); strings.Contains(said, "eslint") || strings.Contains(said, "used") {
					t.Errorf("a call says %s", said)
				}
			}
			if said := say("b", agent.later, prompt); strings.Contains(said, "eslint") {
				t.Errorf("another session is told %s", said)
			}
			said := say("a", agent.later, prompt)
			has(t, "stdout", said, "hook lint: failed", "eslint is not there")
			if strings.Count(said, "eslint") != 1 || strings.Contains(said, "[budget] 80 % of it is used") != agent.message {
				t.Errorf("it says %s", said)
			}
			if said := say("a", agent.later, prompt); strings.Contains(said, "eslint") {
				t.Errorf("told twice: %s", said)
			}
		})
	}
}

// A message waits where it stands beside a verdict that an older version of the
// agent would not read behind it.
func TestAMessageWaitsForAVerdict(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "budget", "trigger: pre-tool-call", `echo '{"user_message": "80 % of it is used"}'`)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call\nmatcher:\n  command: rm", "echo no >&2; exit 2")
	say := func(event, more string) string {
		t.Helper()
		return w.run(fmt.Sprintf(`{"session_id": "a", "cwd": %q, "timestamp": "2026-11-21T03:15:47.143Z", "hook_event_name": %q%s}`, w.project, event, more), "--agent=copilot-cli").stdout
	}
	const said = `{"type": "progress", "message": "[budget] 80 % of it is used"}` + "\n"
	if got := say("PreToolUse", `, "tool_name": "Bash", "tool_input": {"command": "rm x"}`); strings.Contains(got, "progress") || !strings.Contains(got, `"deny"`) {
		t.Errorf("a blocked call says %s", got)
	}
	if got := say("PreToolUse", `, "tool_name": "Bash", "tool_input": {"command": "ls"}`); got != said {
		t.Errorf("a call says %s", got)
	}
	if got := say("Stop", ""); got != said {
		t.Errorf("the stop says %s", got)
	}
}
