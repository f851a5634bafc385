package qwen

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
	case protocol.PermissionRequest:
		a.Behavior(o)
	case protocol.PreAgentTurn:
		a.Prompt(o)
	case protocol.PreAgentTurnStop, protocol.PostSubagent:
		a.Stop("block", o) // qwen-code/9
	default:
		a.Context(o.AdditionalContext)
	}
	return a.Reply(ev.NativeEvent, claudelike.Nothing)
}
