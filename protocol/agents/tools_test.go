package agents

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// Each tool that a real program was seen to call has a row in its agent's table,
// which docs/agents shows; a row that says observed belongs to a tool that was seen.
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

// symbols is what a call leaves unread that names a symbol to rename, and no file.
const symbols = "the files in which a symbol is renamed"

// Each row of a tool that runs something has a payload whose golden event shows
// commands, and each row of a tool that changes files one that shows changes.
func TestToolsThatDoSomethingAreShown(t *testing.T) {
	rows := 0
	for folder, d := range folders(t) {
		runs, changes := map[string]bool{}, map[string]bool{}
		for _, p := range dialecttest.Payloads(t, folder) {
			golden := must.Read(t, filepath.Join(folder, "testdata", "events", strings.ReplaceAll(p.Name, "/", "-")+".jsonl"))
			lines := strings.Split(golden, "\n")
			for i, ev := range eventsOf(t, d, p) {
				if ev.Type != protocol.PreToolCall || i >= len(lines) {
					continue
				}
				o, err := protocol.ParseObject([]byte(lines[i]))
				if err != nil {
					t.Fatalf("%s %s: %v", folder, p.Name, err)
				}
				native := ev.Call.NativeName
				runs[native] = runs[native] || o.Has("commands")
				changes[native] = changes[native] || o.Has("changes") || deed.Of(ev).UnreadChanges == symbols
			}
		}
		for _, tool := range d.Tools {
			does := tool.Does
			if does == 0 {
				does = protocol.DoesOf(tool.Name)
			}
			if does.Has(protocol.Runs | protocol.RawShell) {
				if rows++; !runs[tool.Native] {
					t.Errorf("%s: no golden event shows the commands of %s: add a payload of a call of it that runs something", folder, tool.Native)
				}
			}
			if does.Has(protocol.Changes | protocol.Deletes | protocol.Moves) {
				if rows++; !changes[tool.Native] {
					t.Errorf("%s: no golden event shows the changes of %s: add a payload of a call of it that changes a file", folder, tool.Native)
				}
			}
		}
	}
	if rows < 100 {
		t.Errorf("%d rows of tools that do something", rows)
	}
	t.Logf("%d rows of tools that do something, each shown", rows)
}

func eventsOf(t *testing.T, d *protocol.Dialect, p dialecttest.Payload) []*protocol.Event {
	t.Helper()
	events, err := d.Decode(protocol.Input{Payload: p.Object, Event: p.Event})
	if err != nil {
		return nil // payloads made to be broken
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

// ofServer reports whether a call is to a server's tool, which no table has.
func ofServer(c *protocol.Call) bool {
	return strings.HasPrefix(c.Name, "mcp") || strings.HasPrefix(c.NativeName, "fake")
}
