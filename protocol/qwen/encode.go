package qwen

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// nothing is the answer that says nothing (qwen-code/1).
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
		}
	case protocol.PermissionRequest:
		a.Behavior(o)
	case protocol.PreAgentTurn:
		if o.Decision == protocol.Block {
			a.Block("block", o.Reason)
		}
		a.Context(o.AdditionalContext)
	case protocol.PreAgentTurnStop, protocol.PostSubagent:
		switch {
		case o.Decision == protocol.Block:
			a.GoOn("block", o.Reason)
		case o.FollowupMessage != "":
			a.GoOn("block", o.FollowupMessage) // qwen-code/9
		}
	default:
		a.Context(o.AdditionalContext)
	}
	return a.Reply(ev.NativeEvent, nothing)
}
