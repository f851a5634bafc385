package runner

import (
	"os"

	"github.com/agents-hooks/agents-hooks/protocol"
)

const canAll = protocol.CanBlock | protocol.CanAsk | protocol.CanModify | protocol.CanContext | protocol.CanContinue | protocol.CanMessage

// event is an event as an agent's payload becomes one.
func event(t protocol.EventType) *protocol.Event {
	ev := &protocol.Event{
		Type: t, Timestamp: "2026-11-21T10:00:00.000Z", SessionID: "s-1", WorkDir: os.TempDir(),
		Agent: "test-agent", NativeEvent: "Native", Can: canAll,
	}
	if t.IsTool() {
		var in protocol.Object
		in.SetText("command", "make all")
		ev.Fields.SetText("tool_name", protocol.Shell)
		ev.Fields.Set("tool_input", in.Raw())
		ev.Call = &protocol.Call{Name: protocol.Shell, NativeName: "Bash", Input: in, NativeInput: in}
	}
	return ev
}

func shorten(s string) string {
	if len(s) > 200 {
		return s[:100] + " … " + s[len(s)-100:]
	}
	return s
}
