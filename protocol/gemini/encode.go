package gemini

import (
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

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
		a.Stop("deny", o)
	case protocol.PostToolCall, protocol.PostToolCallFailure:
		if o.ModifiedOutput != "" {
			a.Block("deny", o.ModifiedOutput) // gemini-cli/9
		}
		a.Context(o.AdditionalContext)
	case protocol.PreSession:
		a.Context(o.AdditionalContext)
	}
	a.Message(o.UserMessage)
	a.Halt(o.Halt)
	return a.Reply(ev.NativeEvent, claudelike.Nothing)
}

// toolCall is the verdict on a tool call. The user is shown only a message, whether
// the call is denied (gemini-cli/16) or asked about, so the reason goes there too.
func toolCall(a *claudelike.Answer, ev *protocol.Event, o *protocol.Outcome) {
	switch o.Decision {
	case protocol.Block:
		a.Block("deny", o.Reason)
		shown(o, claudelike.Reason(o.Reason)+"\nnot run: "+called(ev.Call))
		return
	case protocol.Ask:
		a.Block("ask", claudelike.Question(o.Reason))
		shown(o, claudelike.Question(o.Reason))
	}
	a.Input(ev, "tool_input", o.ModifiedInput)
}

// called describes a call in a few words: a command as it is, else the tool's name.
func called(c *protocol.Call) string {
	if c == nil {
		return "this call"
	}
	if command := text.OneLine(protocol.Plain(c.NativeInput.Text("command"))); command != "" {
		return text.Clip(command, 100)
	}
	return c.NativeName
}

// shown puts a reason before the other text for the user.
func shown(o *protocol.Outcome, reason string) {
	o.UserMessage = claudelike.Told(reason, o.UserMessage)
}
