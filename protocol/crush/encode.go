package crush

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	var a claudelike.Answer
	if o.Decision == protocol.Block {
		a.Block("deny", o.Reason)
	} else {
		if o.Decision == protocol.Allow {
			a.Top.SetText("decision", "allow") // crush/1
			a.SetText(&a.Top, "reason", o.Reason)
		}
		var changed claudelike.Answer
		if changed.Input(ev, "updated_input", o.ModifiedInput) {
			a.Top = append(a.Top, changed.Specific...) // crush/4
		}
	}
	a.SetText(&a.Top, "context", o.AdditionalContext)
	return a.Reply(ev.NativeEvent, "")
}
