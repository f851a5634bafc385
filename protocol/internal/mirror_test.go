package internal_test

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mirror"
)

// callOf is the event of another agent's call, whose deed is known.
func callOf(tool, input string) *protocol.Event {
	ev := &protocol.Event{Type: protocol.PreToolCall, Agent: "another", WorkDir: "/p"}
	ev.PutCall(protocol.Tools(nil).NewCall(tool, protocol.Raw(input)), "c")
	deed.Of(ev)
	return ev
}

// Another agent's call becomes those that the program would make: one for each file, in the
// program's members.
func TestCallsOfAnotherAgent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tool, input, want string }{
		{"Shell", `{"command": "ls", "description": "d", "run_in_background": true, "own": 1}`, `Shell {"command": "ls", "description": "d", "run_in_background": true}`},
		{"Shell", `{"command": "ls", "is_background": true, "description": null}`, `Shell {"command": "ls", "run_in_background": true}`},
		{"Shell", `{"command": ["bash", "-lc", "ls -l"]}`, `Shell {"command": "ls -l"}`},
		{"Shell", `{"command": ["ls", "a b"]}`, `Shell {"command": "'ls' 'a b'"}`},
		{"Shell", `{"command": [1]}`, `Shell {"command": ""}`},
		{"Shell", `{"commands": ["ls", "pwd"]}`, `Shell {"command": "ls` + `\n` + `pwd"}`},
		{"ReadFile", `{"file_paths": ["a", "", "/b"]}`, `ReadFile {"file_path": "/p/a"}; ReadFile {"file_path": "/b"}`},
		{"ReadFile", `{"file_path": "/a", "offset": 2, "own": 1}`, `ReadFile {"file_path": "/a", "offset": 2}`},
		{"Search", `{"pattern": "x", "own": 1}`, `Search {"pattern": "x"}`},
		{"Fetch", `{"url": "https://example.org", "prompt": "p"}`, `Fetch {"url": "https://example.org", "prompt": "p"}`},
	} {
		var got []string
		for _, call := range mirror.Calls(callOf(c.tool, c.input)) {
			got = append(got, call.Name+" "+string(call.Input))
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s %s became\n%s, want\n%s", c.tool, c.input, got, c.want)
		}
	}
	ev := callOf("EditFile", `{"file_path": "/a"}`)
	ev.Deed.Changes = []protocol.Change{{Action: protocol.Move, Path: "/a", To: "/b"}, {Action: protocol.Create, Path: "/c", New: "x", HasNew: true}, {Action: protocol.Delete, Path: "/d"}}
	var got []string
	for _, call := range mirror.Calls(ev) {
		got = append(got, call.Name+" "+call.File())
	}
	if got := strings.Join(got, ", "); got != "EditFile /a, EditFile /b, WriteFile /c, EditFile /d" {
		t.Errorf("changes became %s", got)
	}
}

// A changed line goes where the calling agent keeps it: its member, the words of a shell, or
// a list of lines; where it has no place, nothing is changed.
func TestPlacesOfAChangedLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ input, want string }{
		{`{"command": "old"}`, `{"command": "new"}`},
		{`{"command": ["bash", "-lc", "old"]}`, `{"command": ["bash", "-lc", "new"]}`},
		{`{"commands": ["old", "older"]}`, `{"commands": ["new"]}`},
		{`{"command": ["ls", "-l", "c"]}`, ""},
		{`{"command": ["bash", "-l", "c", "d"]}`, ""},
	} {
		sent := protocol.Object{{Name: "command", Value: protocol.Raw(`"old"`)}}
		updated := protocol.Object{{Name: "command", Value: protocol.Raw(`"new"`)}}
		got, unplaced := mirror.Place(callOf("Shell", c.input), protocol.Said{Parts: 1}, sent, updated, nil)
		if (unplaced == "") != (c.want != "") || c.want != "" && !mirror.Same(got.Raw(), protocol.Raw(c.want)) {
			t.Errorf("%s became %s, want %s; %q has no place", c.input, got.Raw(), c.want, unplaced)
		}
		if got, unplaced := mirror.Place(callOf("Shell", c.input), protocol.Said{Parts: 1}, sent, sent, nil); got != nil || unplaced != "" {
			t.Errorf("%s, unchanged: %s, %q", c.input, got.Raw(), unplaced)
		}
	}
}

// A result is one text: its own, that of its blocks, or what a command wrote.
func TestTextsOfResults(t *testing.T) {
	t.Parallel()
	for result, want := range map[string]string{
		`"a"`: "a", `[{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}]`: "a\nb", `{"stdout": "a", "stderr": "b"}`: "a\nb", `{"stdout": "a"}`: "a",
		`{"content": "a"}`: "a", `{"result": [{"text": "a"}]}`: "a",
	} {
		if got := mirror.ResultText(protocol.Raw(result)); got != want {
			t.Errorf("%s: %q, want %q", result, got, want)
		}
	}
}
