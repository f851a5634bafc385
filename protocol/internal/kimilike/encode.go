package kimilike

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// Encode writes an outcome: a denial as permissionDecision, whatever its event, and
// context as plain text. The programs understand nothing else.
func Encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	var a claudelike.Answer
	switch {
	case o.Decision == protocol.Block && ev.Type == protocol.PreAgentTurnStop:
		goOn(&a, claudelike.Reason(o.Reason))
	case o.Decision == protocol.Block:
		a.Permission("deny", claudelike.Reason(o.Reason))
	case o.FollowupMessage != "":
		goOn(&a, o.FollowupMessage)
	case o.AdditionalContext != "":
		return context(&a, strings.TrimSpace(o.AdditionalContext))
	}
	return a.Reply(ev.NativeEvent, "")
}

// goOn makes the agent continue with a text, which it gets as a message from the
// user.
func goOn(a *claudelike.Answer, text string) {
	a.Permission("deny", text)
	a.Continue = a.Specific.Text("permissionDecisionReason")
}

// context is plain text for the model. A text that begins with a brace could be taken
// for an answer, so it goes inside one.
func context(a *claudelike.Answer, text string) protocol.Reply {
	if strings.HasPrefix(text, "{") {
		a.SetText(&a.Top, "message", text)
		return a.Reply("", "")
	}
	if text == "" {
		return protocol.Reply{}
	}
	return protocol.Reply{Stdout: []byte(text + "\n")}
}
