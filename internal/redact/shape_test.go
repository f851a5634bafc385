package redact

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A shape has the structure and no value of anybody's.
func TestShapesKeepStructureAndNoValues(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"hook_event_name":"PreToolUse","cwd":"/home/ann/work","prompt":"call Bob"}`: `{"hook_event_name": "PreToolUse", "cwd": "<path>", "prompt": "<text of 8>"}`,
		`{"tool_name":"Bash","tool_input":{"command":"ls","n":3,"deep":true}}`:        `{"tool_name": "Bash", "tool_input": {"command": "<text of 2>", "n": 0, "deep": true}}`,
		`{"tool_name":"mcp__acme-bank__pay"}`:                                         `{"tool_name": "<text of 19>"}`,
		`{"tool_response":{"ann":1,"bob":2}}`:                                         `{"tool_response": "<object of 2>"}`,
		`{"files":{"/home/ann/x":1,"C:\\y":2}}`:                                       `{"files": {"<name 1>": 0, "<name 2>": 0}}`,
		`{"list":["a","bb","ccc","dddd","e"]}`:                                        `{"list": ["<text of 1>", "<text of 2>", "<text of 3>", "<2 more>"]}`,
		`{"type":"two words of a person","a":null,"b":{},"c":[]}`:                     `{"type": "<text of 21>", "a": null, "b": {}, "c": []}`,
		`{"where":"C:\\Users\\ann","home":"~/x"}`:                                     `{"where": "<path>", "home": "<path>"}`,
	} {
		if have := string(Shape(protocol.Raw(in))); have != want {
			t.Errorf("%s\nhave %s\nwant %s", in, have, want)
		}
	}
}
