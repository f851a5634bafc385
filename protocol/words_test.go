package protocol_test

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func TestWordsOfAToolsName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "", "Bash": "bash", "readTextFile": "read text file", "read_text-file": "read text file", "mcp__fs__readFile": "mcp fs read file",
		"dataAdd": "data add", "HTTPGet": "httpget", "run2Commands": "run commands", "zZ": "z z", "aB": "a b", "__": "",
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(protocol.WordsOf(name), " "); got != want {
				t.Errorf("%q: %q, want %q", name, got, want)
			}
		})
	}
}

// A tool that passes calls on has their arguments in objects, in lists, and in texts
// of either.
func TestNestedInputs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, input string
		want        int
	}{
		{"one that passes nothing on", `{"command": "ls"}`, 1},
		{"an object", `{"arguments": {"command": "ls"}}`, 2},
		{"a list", `{"calls": [{"a": 1}, {"b": 2}]}`, 3},
		{"the text of an object", `{"tool_input": "{\"a\": 1}"}`, 2},
		{"the text of a list", `{"steps": "[{\"a\": 1}, {\"b\": 2}]"}`, 3},
		{"a text that begins like one", `{"steps": "[not one"}`, 1},
		{"a text of an object behind something", `{"steps": "x{\"a\": 1}"}`, 1},
		{"one in another", `{"task": {"input": {"a": 1}}}`, 3},
		{"a member with a name of something else", `{"options": {"a": 1}}`, 1},
		{"more than are looked into", `{"calls": [` + strings.TrimSuffix(strings.Repeat(`{"a": 1},`, 300), ",") + `]}`, protocol.MaxNested},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, err := protocol.ParseObject([]byte(c.input))
			must.Do(t, err)
			if got, _ := protocol.Nested(o); len(got) != c.want {
				t.Errorf("%d objects, want %d: %v", len(got), c.want, got)
			}
		})
	}
}
