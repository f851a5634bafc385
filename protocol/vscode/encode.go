package vscode

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	var a claudelike.Answer
	a.Message(o.UserMessage)
	switch ev.Type {
	case protocol.PreToolCall:
		a.Verdict(ev, o)
	case protocol.PreAgentTurn:
		if o.Decision == protocol.Block { // vscode/3
			a.Top.Set("continue", protocol.Raw("false"))
			a.SetText(&a.Top, "stopReason", claudelike.Reason(o.Reason))
		}
	case protocol.PreAgentTurnStop, protocol.PostSubagent:
		if a.Stop("block", o); a.Continue != "" { // vscode/2
			a.Specific.SetText("decision", "block")
			a.Specific.Set("reason", a.Top.Get("reason"))
		}
	}
	a.Context(o.AdditionalContext)
	return a.Reply(ev.NativeEvent, claudelike.Nothing)
}
