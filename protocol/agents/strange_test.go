package agents

import (
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// Nothing that agents were seen to send, or that their documentation shows, is
// strange to their dialects.
func TestNothingThatAgentsSendIsStrange(t *testing.T) {
	t.Parallel()
	for folder, d := range folders(t) {
		for _, p := range dialecttest.Payloads(t, folder) {
			if strings.HasPrefix(p.Name, "own/") {
				continue // made to be odd
			}
			if s, is := d.Strange(p.Object, p.Decode(t, d, nil)); is {
				t.Errorf("%s: %s: %+v", d.ID, p.Name, s)
			}
		}
	}
}

// If an agent renames an event, that is strange, wherever its payload names it.
func TestAnEventOfAnotherNameIsStrange(t *testing.T) {
	t.Parallel()
	found, tried := 0, 0
	for folder, d := range folders(t) {
		for _, p := range dialecttest.Payloads(t, folder) {
			events := p.Decode(t, d, nil)
			if len(events) == 0 || strings.HasPrefix(p.Name, "own/") {
				continue
			}
			renamed, says := otherName(d, p.Object)
			if !says {
				continue
			}
			tried++
			p.Object = renamed
			s, is := d.Strange(p.Object, p.Decode(t, d, nil))
			if !is || s.Kind != "event" || !strings.HasSuffix(s.Event, "Anew") {
				t.Errorf("%s: %s: %+v %v", d.ID, p.Name, s, is)
				continue
			}
			found++
		}
	}
	t.Logf("%d of %d", found, tried)
}

// otherName is a payload whose event is renamed, if it names one.
func otherName(d *protocol.Dialect, p protocol.Object) (protocol.Object, bool) {
	for _, member := range []string{"hook_event_name", "hookEventName", "hookName", "hook", "event", "agent_action_name"} {
		if name := p.Text(member); name != "" {
			p = p.Clone()
			p.SetText(member, name+"Anew")
			return p, true
		}
	}
	return p, false
}

// If a member that a guard needs is renamed, that is strange: for every agent, and
// wherever the member is in the payload.
func TestAFieldThatMovedIsStrange(t *testing.T) {
	t.Parallel()
	found, tried := 0, 0
	for folder, d := range folders(t) {
		for _, p := range dialecttest.Payloads(t, folder) {
			events := p.Decode(t, d, nil)
			if len(events) == 0 || strings.HasPrefix(p.Name, "own/") || events[0].Type != protocol.PreToolCall {
				continue
			}
			for _, moved := range []string{"tool_name", "tool_input", "toolName", "toolArgs", "toolCall", "input"} {
				if !p.Object.Has(moved) {
					continue
				}
				tried++
				o := p.Object.Clone()
				v := o.Get(moved)
				o.Delete(moved)
				o.Set(moved+"_v2", v)
				p := p
				p.Object = o
				if s, is := d.Strange(o, p.Decode(t, d, nil)); !is || !slices.Contains([]string{"tool_name", "tool_input", "session_id"}, s.Field) {
					t.Errorf("%s: %s without %s: %+v", d.ID, p.Name, moved, s)
					continue
				}
				found++
			}
		}
	}
	t.Logf("%d of %d", found, tried)
}

// So is a shell command under another name: a guard of commands would not see it.
func TestACommandThatMovedIsStrange(t *testing.T) {
	t.Parallel()
	tried := 0
	for folder, d := range folders(t) {
		for _, p := range dialecttest.Payloads(t, folder) {
			events := p.Decode(t, d, nil)
			if len(events) == 0 || strings.HasPrefix(p.Name, "own/") || events[0].Type != protocol.PreToolCall || events[0].Call.Name != protocol.Shell {
				continue
			}
			input := p.Object.Sub("tool_input").Clone()
			v := input.Get("command")
			if v == nil {
				continue
			}
			tried++
			input.Delete("command")
			input.Set("cmd_v2", v)
			o := p.Object.Clone()
			o.Set("tool_input", input.Raw())
			p := p
			p.Object = o
			if s, is := d.Strange(o, p.Decode(t, d, nil)); !is || s.Field != "tool_input.command" {
				t.Errorf("%s: %s: %+v %v", d.ID, p.Name, s, is)
			}
		}
	}
	if tried < 20 {
		t.Errorf("%d payloads were tried", tried)
	}
	t.Logf("%d tried", tried)
}

// What the check costs on a normal event.
func BenchmarkStrange(b *testing.B) {
	for folder, d := range map[string]*protocol.Dialect{"../claude": list[0]} {
		for _, p := range dialecttest.Payloads(b, folder) {
			if p.Name != "captured/PreToolUse" {
				continue
			}
			events := p.Decode(b, d, nil)
			b.ReportAllocs()
			for b.Loop() {
				d.Strange(p.Object, events)
			}
		}
	}
}
