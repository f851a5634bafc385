package agents

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// Each tool that a real program was seen to call has a row in its agent's table,
// which docs/agents shows; a row that says observed is of one that was seen.
func TestCapturedToolsHaveARow(t *testing.T) {
	for folder, d := range folders(t) {
		seen := map[string]bool{}
		for _, p := range dialecttest.Payloads(t, folder) {
			if !strings.HasPrefix(p.Name, "captured/") {
				continue
			}
			for _, c := range callsOf(t, d, p) {
				seen[c.NativeName] = true
				if _, ok := d.Tools.Find(c.NativeName); !ok && !ofServer(c) {
					t.Errorf("%s %s: %s has no row", folder, p.Name, c.NativeName)
				}
			}
		}
		for _, tool := range d.Tools {
			if tool.Source == "observed" && !seen[tool.Native] && !slices.Contains([]string{"kilo", "opencode"}, filepath.Base(folder)) {
				t.Errorf("%s: %s is in no payload that was captured", folder, tool.Native)
			}
			if source := tool.Source + d.ToolSource; !strings.Contains(source, "observed") && !strings.Contains(source, "source") && !strings.Contains(source, "documentation") {
				t.Errorf("%s: how is %s known?", folder, tool.Native)
			}
		}
	}
}

// Each tool that runs something or changes files has a payload that shows it, and
// its golden event.
func TestToolsThatDoSomethingAreShown(t *testing.T) {
	for folder, d := range folders(t) {
		shown := map[string]bool{}
		for _, p := range dialecttest.Payloads(t, folder) {
			for _, ev := range eventsOf(t, d, p) {
				if ev.Type != protocol.PreToolCall {
					continue
				}
				if does := deed.Of(ev); len(does.Commands) > 0 || len(does.Changes) > 0 {
					shown[ev.Call.NativeName] = true
				}
			}
		}
		for _, tool := range d.Tools {
			does := tool.Does
			if does == 0 {
				does = protocol.DoesOf(tool.Name)
			}
			if does.Has(protocol.Runs|protocol.RawShell|protocol.Changes|protocol.Deletes|protocol.Moves) && !shown[tool.Native] {
				t.Errorf("%s: no payload shows what %s does", folder, tool.Native)
			}
		}
	}
}

func eventsOf(t *testing.T, d *protocol.Dialect, p dialecttest.Payload) []*protocol.Event {
	t.Helper()
	events, err := d.Decode(protocol.Input{Payload: p.Object, Event: p.Event})
	if err != nil {
		return nil // payloads that are made to be broken
	}
	return events
}

func callsOf(t *testing.T, d *protocol.Dialect, p dialecttest.Payload) (calls []*protocol.Call) {
	for _, ev := range eventsOf(t, d, p) {
		if ev.Call != nil {
			calls = append(calls, ev.Call)
		}
	}
	return calls
}

// ofServer reports whether a call is of a server's tool, which no table has.
func ofServer(c *protocol.Call) bool {
	return strings.HasPrefix(c.Name, "mcp") || strings.HasPrefix(c.NativeName, "fake")
}
