package junie

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	var a claudelike.Answer
	switch ev.Type {
	case protocol.PreToolCall:
		toolCall(&a, ev, o)
	case protocol.PreAgentTurn:
		if o.Decision == protocol.Block { // junie/5
			reason := strings.TrimRight(claudelike.Reason(o.Reason), "\n")
			return protocol.Reply{Stderr: []byte(reason + "\n"), Exit: 2}
		}
	case protocol.PreAgentTurnStop:
		a.Stop("block", o)
	}
	a.Message(o.UserMessage)
	return a.Reply(ev.NativeEvent, claudelike.Nothing)
}

// toolCall is the verdict on a tool call.
func toolCall(a *claudelike.Answer, ev *protocol.Event, o protocol.Outcome) {
	switch o.Decision {
	case protocol.Block:
		a.Block("deny", o.Reason)
		return
	case protocol.Ask:
		a.Block("ask", claudelike.Question(o.Reason))
	case protocol.Allow:
		a.Top.SetText("decision", "allow") // junie/8
		a.SetText(&a.Top, "reason", o.Reason)
	}
	var changed claudelike.Answer
	if changed.Input(ev, "updatedInput", o.ModifiedInput) {
		a.Top = append(a.Top, changed.Specific...)
	}
	a.SetText(&a.Top, "additionalContext", o.AdditionalContext)
}
