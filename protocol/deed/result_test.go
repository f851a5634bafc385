package deed

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// HM-ACT-08: the shapes of a response.
func TestResult(t *testing.T) {
	for _, tt := range []struct {
		name     string
		failed   bool
		form     protocol.Ending
		response string
		mistake  string
		want     string
	}{
		{"text", false, protocol.Ending{}, `"hi"`, ``, `{"text": "hi"}`},
		{"text of a call that went well for sure", false, protocol.Ending{Sure: true}, `"hi"`, ``, `{"ok": true, "text": "hi"}`},
		{"nothing, of one that went well", false, protocol.Ending{Sure: true}, ``, ``, `{"ok": true}`},
		{"nothing", false, protocol.Ending{}, ``, ``, ``},
		{"output, errors, and no interruption", false, protocol.Ending{Sure: true}, `{"stdout": "a", "stderr": "b", "interrupted": false}`, ``, `{"ok": true, "stdout": "a", "stderr": "b"}`},
		{"the code of a failure", true, protocol.Ending{Exit: "^Exit code "}, ``, `"Exit code 3\nno"`, `{"ok": false, "exit_code": 3, "text": "Exit code 3\nno"}`},
		{"a code that does not say how it ended", false, protocol.Ending{Exit: "^Exit code: "}, `"x\nExit code: 3"`, ``, `{"text": "x\nExit code: 3"}`},
		{"the last line that looks like a code", false, protocol.Ending{Sure: true, Exit: "exited with code "}, `"exited with code 0\nexited with code 3]"`, ``, `{"ok": false, "exit_code": 3, "text": "exited with code 0\nexited with code 3]"}`},
		{"the only line", false, protocol.Ending{Sure: true, Exit: "exited with code "}, `"exited with code 3"`, ``, `{"ok": false, "exit_code": 3, "text": "exited with code 3"}`},
		{"a code below 0", false, protocol.Ending{Sure: true, Exit: "exited with code "}, `"exited with code -1"`, ``, `{"ok": false, "exit_code": -1, "text": "exited with code -1"}`},
		{"a code beside the output", false, protocol.Ending{}, `{"output": "x", "metadata": {"output": "x", "exit": 2}}`, ``, `{"ok": false, "exit_code": 2, "text": "x"}`},
		{"JSON in a text", false, protocol.Ending{JSON: true}, `"{\"exitCode\":0,\"stdout\":\"ok\"}"`, ``, `{"ok": true, "exit_code": 0, "stdout": "ok"}`},
		{"which is text where it is none", false, protocol.Ending{}, `"{\"exitCode\":0}"`, ``, `{"text": "{\"exitCode\":0}"}`},
		{"success with a list", false, protocol.Ending{}, `{"success": false, "result": ["exit 1"]}`, ``, `{"ok": false, "text": "exit 1"}`},
		{"results of several queries", false, protocol.Ending{}, `[{"query": "a", "result": "x", "success": true}, {"query": "b", "result": "", "error": "no", "success": false}]`, ``, `{"ok": false, "text": "x\nno"}`},
		{"a code as text", false, protocol.Ending{}, `{"success": true, "result": [{"exit_status": "1", "stdout": "o", "stderr": "e"}]}`, ``, `{"ok": false, "exit_code": 1, "stdout": "o", "stderr": "e"}`},
		{"a list of texts", false, protocol.Ending{Sure: true}, `[{"type": "text", "text": "a"}]`, ``, `{"ok": true, "text": "a"}`},
		{"what the tool wrote", false, protocol.Ending{Sure: true}, `{"type": "create", "filePath": "/a", "content": "x"}`, ``, `{"ok": true}`},
		{"an error with a code", true, protocol.Ending{}, ``, `{"code": "internal", "message": "no"}`, `{"ok": false, "text": "no"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ev := &protocol.Event{Type: protocol.PostToolCall, Outcome: tt.form, Call: &protocol.Call{Name: "x"}}
			if tt.failed {
				ev.Type = protocol.PostToolCallFailure
			}
			for name, value := range map[string]string{"tool_response": tt.response, "error": tt.mistake} {
				if value != "" {
					ev.Fields = append(ev.Fields, protocol.Member{Name: name, Value: protocol.Raw(value)})
				}
			}
			if got := string(Tell(ev).Fields.Get("result")); got != tt.want {
				t.Errorf("%s %s\n have %s\n want %s", tt.response, tt.mistake, got, tt.want)
			}
		})
	}
}
