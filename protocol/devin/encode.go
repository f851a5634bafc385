package devin

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	var a claudelike.Answer
	switch ev.Type {
	case protocol.PreToolCall:
		if o.Decision == protocol.Block {
			a.Block("block", o.Reason) // devin-cli/2
		} else {
			a.Input(ev, "updatedInput", o.ModifiedInput) // devin-cli/3
		}
	case protocol.PermissionRequest: // devin-cli/9
		switch o.Decision {
		case protocol.Block:
			a.Block("block", o.Reason)
		case protocol.Allow:
			a.Top.SetText("decision", "approve")
			a.SetText(&a.Top, "reason", o.Reason)
		}
	case protocol.PreAgentTurn:
		a.Prompt(o)
	case protocol.PreAgentTurnStop:
		a.Stop("block", o)
	case protocol.PreSession, protocol.PostToolCall, protocol.PostToolCallFailure:
		a.Context(o.AdditionalContext)
	}
	return a.Reply(ev.NativeEvent, "")
}
