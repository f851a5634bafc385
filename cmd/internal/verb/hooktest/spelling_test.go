package hooktest

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/sample"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func TestOtherSpellingsSayTheSame(t *testing.T) {
	ev, err := sample.Event(shelltest.New(t).Host, protocol.PreToolCall, "/w/é🦊")
	must.Do(t, err)
	want, err := protocol.ParseObject(ev.JSON())
	must.Do(t, err)
	for name, spell := range map[string]func(*protocol.Event) []byte{"compact": compactJSON, "lines": manyLines, "reordered": reordered, "escaped": escapedJSON} {
		t.Run(name, func(t *testing.T) {
			b := spell(ev)
			got, err := protocol.ParseObject(b)
			if err != nil {
				t.Errorf("%s: %v in %s", name, err, b)
				return
			}
			if string(b) == string(ev.JSON()) {
				t.Errorf("%s: the bytes are the same", name)
			}
			for _, m := range want {
				if m.Name == "tool_input" || m.Name == "context" {
					continue // members in another order
				}
				if protocol.TextOf(got.Get(m.Name)) != protocol.TextOf(m.Value) {
					t.Errorf("%s: %s is %s, want %s", name, m.Name, got.Get(m.Name), m.Value)
				}
			}
			if got.Sub("tool_input").Text("command") != want.Sub("tool_input").Text("command") {
				t.Errorf("%s: the command is lost: %s", name, b)
			}
		})
	}
	if _, err := protocol.ParseObject(cutJSON(ev)); err == nil {
		t.Error("cut: still an object")
	}
}
