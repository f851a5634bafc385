package gemini

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// nothing is the answer that says nothing (gemini-cli/1).
const nothing = "{}"

func noOpinion(string) protocol.Reply { return protocol.Reply{Stdout: []byte(nothing + "\n")} }

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	var a claudelike.Answer
	switch ev.Type {
	case protocol.PreToolCall:
		toolCall(&a, ev, &o)
	case protocol.PreAgentTurn:
		if o.Decision == protocol.Block {
			a.Block("deny", o.Reason)
		}
		a.Context(o.AdditionalContext)
	case protocol.PreAgentTurnStop:
		switch {
		case o.Decision == protocol.Block:
			a.GoOn("deny", o.Reason)
		case o.FollowupMessage != "":
			a.GoOn("deny", o.FollowupMessage)
		}
	case protocol.PostToolCall, protocol.PostToolCallFailure:
		if o.ModifiedOutput != "" {
			a.Block("deny", o.ModifiedOutput) // gemini-cli/9
		}
		a.Context(o.AdditionalContext)
	case protocol.PreSession:
		a.Context(o.AdditionalContext)
	}
	a.Message(o.UserMessage)
	return a.Reply(ev.NativeEvent, nothing)
}

// toolCall says what is to become of a tool call. The dialog that asks the
// person shows only the message, so the reason stands there too.
func toolCall(a *claudelike.Answer, ev *protocol.Event, o *protocol.Outcome) {
	switch o.Decision {
	case protocol.Block:
		a.Block("deny", o.Reason)
		return
	case protocol.Ask:
		reason := claudelike.Question(o.Reason)
		a.Block("ask", reason)
		if o.UserMessage == "" {
			o.UserMessage = reason
		} else {
			o.UserMessage = reason + "\n\n" + o.UserMessage
		}
	}
	a.Input(ev, "tool_input", o.ModifiedInput)
}
