package vscode

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// nothing is the answer that says nothing.
const nothing = "{}"

func noOpinion(string) protocol.Reply { return protocol.Reply{Stdout: []byte(nothing + "\n")} }

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	var a claudelike.Answer
	a.Message(o.UserMessage)
	switch ev.Type {
	case protocol.PreToolCall:
		switch o.Decision {
		case protocol.Block:
			a.Permission("deny", claudelike.Reason(o.Reason))
		case protocol.Ask:
			a.Permission("ask", claudelike.Question(o.Reason))
		case protocol.Allow:
			a.Permission("allow", o.Reason)
		}
		if o.Decision != protocol.Block {
			a.Input(ev, "updatedInput", o.ModifiedInput)
		}
	case protocol.PreAgentTurn:
		if o.Decision == protocol.Block { // vscode/3
			a.Top.Set("continue", protocol.Raw("false"))
			a.SetText(&a.Top, "stopReason", claudelike.Reason(o.Reason))
		}
	case protocol.PreAgentTurnStop, protocol.PostSubagent:
		switch {
		case o.Decision == protocol.Block:
			goOn(&a, o.Reason)
		case o.FollowupMessage != "":
			goOn(&a, o.FollowupMessage)
		}
	}
	a.Context(o.AdditionalContext)
	return a.Reply(ev.NativeEvent, nothing)
}

// goOn puts the text in both places (vscode/2).
func goOn(a *claudelike.Answer, text string) {
	a.GoOn("block", text)
	a.Specific.SetText("decision", "block")
	a.Specific.Set("reason", a.Top.Get("reason"))
}
