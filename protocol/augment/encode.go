package augment

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
	case protocol.PostToolCall, protocol.PostToolCallFailure:
		a.Context(o.AdditionalContext)
	}
	return a.Reply(ev.NativeEvent, "")
}
