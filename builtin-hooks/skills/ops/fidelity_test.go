package ops

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// What an agent can follow of each timing is what its events can carry. BS-LST-07.
func TestFidelityIsWhatEventsCarry(t *testing.T) {
	t.Parallel()
	event := func(e protocol.EventType, can protocol.Can) protocol.Native {
		return protocol.Native{Name: string(e), MapsTo: []protocol.EventType{e}, Can: can}
	}
	prompt, result, failure := event(protocol.PreAgentTurn, protocol.CanContext), event(protocol.PostToolCall, protocol.CanContext), event(protocol.PostToolCallFailure, protocol.CanContext)
	silent, manual := event(protocol.PostToolCallFailure, 0), prompt
	manual.Manual = true
	for _, c := range []struct {
		name   string
		events []protocol.Native
		plan   bool
		want   string // after_user_input, before_planning, before_each_agent, before_first_agent, after_tool_call
	}{
		{"nothing", nil, true, "none none none none none"},
		{"a prompt", []protocol.Native{prompt}, false, "good none partial good none"},
		{"a prompt, and plans", []protocol.Native{prompt}, true, "good partial partial good none"},
		{"a prompt that nobody registers", []protocol.Native{manual}, true, "none none none none none"},
		{"a result", []protocol.Native{result}, true, "none none partial none good"},
		{"a result, and a failure without text", []protocol.Native{result, silent}, true, "none none partial none partial"},
		{"all", []protocol.Native{prompt, result, failure}, true, "good partial approximate good good"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range FidelityOf(&protocol.Dialect{NativeEvents: c.events, PlanMode: c.plan}) {
				got = append(got, f.Fidelity)
				if f.Detail == "" {
					t.Errorf("%s: no reason", f.Timing)
				}
			}
			if have := strings.Join(got, " "); have != c.want {
				t.Errorf("%s, want %s", have, c.want)
			}
		})
	}
}
