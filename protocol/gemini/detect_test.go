package gemini

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A payload is Gemini CLI's by an event that no other agent has, else by its transcript.
func TestWhichPayloadsAreGeminis(t *testing.T) {
	for payload, want := range map[string]bool{
		`{"hook_event_name": "BeforeTool"}`:                                                                                         true,
		`{"hook_event_name": "PreCompress"}`:                                                                                        true,
		`{"hook_event_name": "SessionStart"}`:                                                                                       false,
		`{"transcript_path": "/h/.gemini/tmp/1.json", "timestamp": "t"}`:                                                            false,
		`{"hook_event_name": "SessionStart", "timestamp": "t", "transcript_path": "/h/.gemini/tmp/1.json"}`:                         true,
		`{"hook_event_name": "SessionStart", "timestamp": "t", "transcript_path": "/h/.claude/1.json"}`:                             false,
		`{"hook_event_name": "SessionStart", "transcript_path": "/h/.gemini/tmp/1.json"}`:                                           false,
		`{"hook_event_name": "SessionStart", "timestamp": "t", "permission_mode": "x", "transcript_path": "/h/.gemini/tmp/1.json"}`: false,
	} {
		o, err := protocol.ParseObject([]byte(payload))
		if err != nil || detect(o) != want {
			t.Errorf("%s: want %t, %v", payload, want, err)
		}
	}
}
