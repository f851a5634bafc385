package augment

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func noOpinion(string) protocol.Reply { return protocol.Reply{} }

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	var a claudelike.Answer
	a.Message(o.UserMessage)
	switch ev.Type {
	case protocol.PreToolCall:
		if o.Decision == protocol.Block {
			a.Permission("deny", claudelike.Reason(o.Reason))
		} else {
			a.Input(ev, "updatedInput", o.ModifiedInput)
		}
	case protocol.PostToolCall, protocol.PostToolCallFailure:
		a.Context(o.AdditionalContext)
	}
	return a.Reply(ev.NativeEvent, "")
}
