package internal_test

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// An event is read in its own form, or in the one that is specified; what is not an
// event yields the reason.
func TestEventArgumentsTellFormsApart(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, in, event string
		o               eventarg.Options
		want            protocol.EventType
		agent, err      string
	}{
		{name: "the format's own form", in: `{"event_type": "pre-session"}`, want: protocol.PreSession},
		{name: "its type is known from elsewhere", in: `{"source": "startup"}`, event: "pre-session", want: protocol.PreSession},
		{name: "what it says itself counts", in: `{"event_type": "post-session"}`, event: "pre-session", want: protocol.PostSession},
		{name: "an agent is named", in: `{"hook_event_name": "Stop", "session_id": "s"}`, o: eventarg.Options{Agent: "claude-code"}, want: protocol.PreAgentTurnStop, agent: "claude-code"},
		{name: "its event is named", in: `{"session_id": "s"}`, o: eventarg.Options{Agent: "claude-code", Native: "Stop"}, want: protocol.PreAgentTurnStop, agent: "claude-code"},
		{name: "nothing", in: " \n", err: "x: the event is empty"},
		{name: "no object", in: `[1]`, err: "x: the event cannot be read: "},
		{name: "no such event", in: `{"event_type": "pre-sesion"}`, err: `x: no such event: "pre-sesion"`},
		{name: "of no known agent", in: `{"hook_event_name": "Stop"}`, err: "x: cannot tell which agent this payload is from"},
		{name: "of no agent at all", in: `{"event_type": "pre-session"}`, o: eventarg.Options{Agent: "nobody"}, err: `no such agent: "nobody"`},
		{name: "an agent's word that means nothing", in: `{"hook_event_name": "Nonsense"}`, o: eventarg.Options{Agent: "claude-code"}, err: `has no event "Nonsense" that the format knows`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sh := shelltest.New(t)
			sh.In = strings.NewReader(tc.in)
			tc.o.Command = "x"
			events, err := tc.o.Read(sh, tc.event)
			switch {
			case tc.err != "":
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("%s: %v, want %s", tc.name, err, tc.err)
				}
			case err != nil || events[0].Type != tc.want || tc.agent != "" && events[0].Agent != tc.agent:
				t.Errorf("%s: %v, %v", tc.name, events, err)
			}
		})
	}
}
