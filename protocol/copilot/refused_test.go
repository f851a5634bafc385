package copilot

import "testing"

// What a transcript of Copilot CLI 1.0.102 says about an entry of ours whose answer
// had no effect.
func TestRefusedAnswersAreReadFromTranscripts(t *testing.T) {
	const transcript = `{"type":"hook.end","data":{"hookInvocationId":"a","hookType":"sessionStart","success":true},"id":"2"}
{"type":"hook.end","data":{"hookInvocationId":"b","hookType":"permissionRequest","success":false,"output":{"behavior":"deny","message":"Permission request hook failed"},"error":{"message":"Error: Permission request hook failed","source":"/h/.copilot/hooks/agents-hooks.json"}},"id":"3"}
{"type":"hook.end","data":{"hookInvocationId":"c","hookType":"preToolUse","success":false,"error":{"message":"Error","source":"/h/.copilot/hooks/own.json"}},"id":"4"}
{"type":"assistant.message","data":{"content":"{\"type\":\"hook.end\",\"data\":{\"hookType\":\"agentStop\",\"success\":false}}"}}
`
	have := refused([]byte(transcript))
	if len(have) != 1 || have[0].Event != "PermissionRequest" {
		t.Errorf("%+v", have)
	}
}
