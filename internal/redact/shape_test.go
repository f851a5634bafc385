package redact

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A shape has the structure and no value of anybody's, whatever a model or somebody
// else's tool puts where.
func TestShapesKeepStructureAndNoValues(t *testing.T) {
	t.Parallel()
	own := protocol.Tools{{Native: "Bash", Name: "Shell"}}
	for in, want := range map[string]string{
		`{"hook_event_name":"PreToolUse","cwd":"/home/ann/work","prompt":"call Bob"}`: `{"hook_event_name": "PreToolUse", "cwd": "<path>", "prompt": "<text of 8>"}`,
		`{"tool_name":"Bash","tool_input":{"command":"ls","n":3,"deep":true}}`:        `{"tool_name": "Bash", "tool_input": {"command": "<text of 2>", "n": 0, "deep": true}}`,
		`{"tool_name":"mcp__acme-bank__pay"}`:                                         `{"tool_name": "<text of 19>"}`,
		`{"tool_response":{"ann":1,"bob":2}}`:                                         `{"tool_response": "<object of 2>"}`,
		`{"files":{"/home/ann/x":1,"C:\\y":2}}`:                                       `{"files": {"<name 1>": 0, "<name 2>": 0}}`,
		`{"list":["a","bb","ccc","dddd","e"]}`:                                        `{"list": ["<text of 1>", "<text of 2>", "<text of 3>", "<2 more>"]}`,
		`{"type":"two words of a person","a":null,"b":{},"c":[]}`:                     `{"type": "<text of 21>", "a": null, "b": {}, "c": []}`,
		`{"where":"C:\\Users\\ann","home":"~/x"}`:                                     `{"where": "<path>", "home": "<path>"}`,

		// a word where a kind stands, in what a tool is given
		`{"tool_name":"Bash","tool_input":{"type":"marigold","status":["marigold"]}}`: `{"tool_name": "Bash", "tool_input": {"type": "<text of 8>", "status": "<list of 1>"}}`,
		// names of people in what a tool is given, below its own members
		`{"tool_name":"Bash","tool_input":{"to":{"marigold":1}}}`: `{"tool_name": "Bash", "tool_input": {"to": "<object of 1>"}}`,
		// tools of other people's servers, however they are spelled, and what those take
		`{"tool_name":"acme-pay","tool_input":{"marigold":1}}`:                                      `{"tool_name": "<text of 8>", "tool_input": "<object of 1>"}`,
		`{"toolCall":{"name":"acmePay","args":{"marigold":1}}}`:                                     `{"toolCall": {"name": "<text of 7>", "args": "<object of 1>"}}`,
		`{"hook":"tool_call","event":{"toolName":"pay","input":{"marigold":"x"}}}`:                  `{"hook": "tool_call", "event": {"toolName": "<text of 3>", "input": "<object of 1>"}}`,
		`{"hook":"event.x","input":{"event":{"type":"session.idle","who":"ann"}}}`:                  `{"hook": "event.x", "input": {"event": {"type": "session.idle", "who": "<text of 3>"}}}`,
		`{"hookSpecificOutput":{"updatedInput":{"marigold":"x"}}}`:                                  `{"hookSpecificOutput": {"updatedInput": "<object of 1>"}}`,
		`{"agent":"marigolds-books"}`:                                                               `{"agent": "<text of 15>"}`,
		`{"files":{"marigold.md":1,"ann-smith":2,"ann@example.org":3}}`:                             `{"files": {"<name 1>": 0, "<name 2>": 0, "<name 3>": 0}}`,
		`{"metadata":{"marigold":1}}`:                                                               `{"metadata": "<object of 1>"}`,
		`{"a":{"b":{"c":{"d":{"e":{"marigold":1}}}}}}`:                                              `{"a": {"b": {"c": {"d": {"e": "<object of 1>"}}}}}`,
		`{"type":"sk-ant-api03-Qm4nT8vXw2Zr7Lk9Pb3Yc6Hd1Fs5Gj0Ae","status":"AKIAIOSFODNN7EXAMPLE"}`: `{"type": "<text of 46>", "status": "<text of 20>"}`,
	} {
		t.Run(in, func(t *testing.T) {
			if have := string(Shape(protocol.Raw(in), own)); have != want {
				t.Errorf("%s\nhave %s\nwant %s", in, have, want)
			}
		})
	}
}
