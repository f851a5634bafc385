package cline

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mirror"
)

// A hook written for another agent that changes a command changes it here too, where
// commands are a list.
func TestACommandOfAnotherAgentIsChanged(t *testing.T) {
	for commands, want := range map[string]string{
		`["npm run build"]`: `{"commands": ["pnpm run build"]}`,
		`["npm i", "make"]`: `{"commands": ["pnpm run build"]}`, // the hook got both, one a line
		`[{"command": "npm", "args": ["run", "build"]}]`: "",
	} {
		t.Run(commands, func(t *testing.T) {
			ev := dialecttest.First(t, Dialect, `{"clineVersion": "", "hookName": "tool_call", "taskId": "t", "workspaceRoots": ["/p"], "iteration": 1, "tool_call": {"id": "c", "name": "run_commands", "input": {"commands": `+commands+`}}}`)
			said := protocol.Said{Payload: dialecttest.Object(t, `{"tool_input": {"command": "npm run build"}}`), Parts: 1}
			modified, _ := mirror.Place(ev, said, said.Payload.Sub("tool_input"), dialecttest.Object(t, `{"command": "pnpm run build"}`), nil)
			got := ""
			if modified != nil {
				native, _ := nativeInput(ev.Call, modified)
				got = string(native.Raw())
			}
			if got != want {
				t.Errorf("%s becomes %s, want %s", commands, got, want)
			}
		})
	}
}
