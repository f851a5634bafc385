package kiro

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A payload is Kiro's by the name of an event of this kind together with a session.
func TestWhichPayloadsAreKiros(t *testing.T) {
	for payload, want := range map[string]bool{
		`{"hook_event_name": "preToolUse", "session_id": "s", "cwd": "/p"}`:       true,
		`{"hook_event_name": "userPromptSubmit", "session_id": "s", "cwd": "/p"}`: true,
		`{"hook_event_name": "preToolUse", "cwd": "/p"}`:                          false,
		`{"hook_event_name": "agentSpawn", "session_id": "s", "cwd": "/p"}`:       false,
		`{"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/p"}`:       false,
		`{"session_id": "s", "cwd": "/p"}`:                                        false,
	} {
		o, err := protocol.ParseObject([]byte(payload))
		if err != nil || detect(o) != want {
			t.Errorf("%s: want %t, %v", payload, want, err)
		}
	}
}

// Its file is in the folder of the scope.
func TestWhereItsFileIs(t *testing.T) {
	for scope, want := range map[protocol.Scope]string{protocol.UserScope: "/h/.kiro/hooks/agents-hooks.json", protocol.ProjectScope: "/p/.kiro/hooks/agents-hooks.json"} {
		if got := file(protocol.Site{Scope: scope, GOOS: "linux", Home: "/h", Project: "/p"}); got != want {
			t.Errorf("%s: %s", scope, got)
		}
	}
}
