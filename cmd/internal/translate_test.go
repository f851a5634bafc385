package internal_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/sample"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// A block on every event reaches every agent: in the agent's own form, or as a
// reported loss.
func TestEachAgentIsToldOrTheLossIsNamed(t *testing.T) {
	tool := shelltest.New(t)
	for _, d := range agents.All() {
		known := 0
		for _, e := range protocol.EventTypes() {
			ev, err := sample.Event(tool.Host, e, "/w")
			must.Do(t, err)
			a, ok := translate.Outcome(d, ev, protocol.Outcome{Decision: protocol.Block, Reason: "no-reason-like-this"})
			if !ok {
				if _, _, has := translate.Native(d, e); has {
					t.Errorf("%s %s: has the event and was not told", d.ID, e)
				}
				continue
			}
			known++
			// On post-* a block is feedback, which context can carry.
			can := slices.Contains(a.Can, "block") || !e.Prevents() && slices.Contains(a.Can, "context")
			said := strings.Contains(a.Stdout+a.Stderr, "no-reason-like-this")
			if can != said || can == (len(a.Lost) > 0) {
				t.Errorf("%s %s: can %v, told %q %q, lost %q", d.ID, e, a.Can, a.Stdout, a.Stderr, a.Lost)
			}
		}
		if known == 0 {
			t.Errorf("%s: knows %d events", d.ID, known)
		}
	}
}

// What came from an agent is to that agent what it was, and no other event of the same kind.
func TestAnEventOfAnAgentStaysWhatItWas(t *testing.T) {
	ev := &protocol.Event{Type: protocol.PreToolCall, NativeEvent: "one-of-its-own"}
	for _, d := range agents.All() {
		ev.Agent = d.ID
		if got, ok := translate.Event(d, ev); !ok || got != ev {
			t.Errorf("%s: %+v, %v", d.ID, got, ok)
		}
	}
}

// A tool call gets its native name and keys, beside the portable ones.
func TestEventSpeaksTheAgentsWords(t *testing.T) {
	tool := shelltest.New(t)
	payload := sample.Payload(tool.Host, protocol.PreToolCall, "/w")
	for _, portable := range protocol.PortableTools() {
		payload.SetText("tool_name", portable)
		payload.Set("tool_input", sample.Input(portable, "", "/w").Raw())
		ev, err := eventarg.Decode(tool.Host, payload)
		must.Do(t, err)
		for _, d := range agents.All() {
			if !slices.ContainsFunc(d.Tools, func(t protocol.Tool) bool { return t.Name == portable }) {
				continue
			}
			got, ok := translate.Event(d, ev)
			if !ok {
				t.Fatalf("%s has no pre-tool-call", d.ID)
			}
			native, ok := d.Tools.Find(got.Call.NativeName)
			if !ok || native.Name != portable || got.Call.Name != portable {
				t.Errorf("%s %s: native %q, name %q", d.ID, portable, got.Call.NativeName, got.Call.Name)
			}
			for _, m := range ev.Call.Input {
				if !got.Call.Input.Has(m.Name) && native.Name == protocol.Shell {
					t.Errorf("%s %s: lost %s: %s", d.ID, portable, m.Name, got.Call.Input.Raw())
				}
			}
			if ev.Fields.Text("tool_name") != portable {
				t.Errorf("%s: the event it was made of changed", d.ID)
			}
		}
	}
}
