package antigravity

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// noOpinion is the verdict that changes nothing, where one is required
// (antigravity/2, antigravity/3).
func noOpinion(native string) protocol.Reply {
	return protocol.Reply{Stdout: []byte(neutral(native) + "\n")}
}

func neutral(native string) string {
	switch native {
	case "PreToolUse":
		return `{"decision": "allow"}`
	case "Stop":
		return `{"decision": "stop"}`
	}
	return "{}"
}

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	var a claudelike.Answer
	switch ev.Type {
	case protocol.PreToolCall:
		switch o.Decision {
		case protocol.Block:
			a.Block("deny", o.Reason)
		case protocol.Ask:
			a.Block("force_ask", claudelike.Question(o.Reason)) // antigravity/4
		}
	case protocol.PreAgentTurnStop:
		a.Stop("continue", o)
	case protocol.PreAgentTurn:
		if text := o.AdditionalContext; strings.TrimSpace(text) != "" { // antigravity/6
			step := protocol.Object{{Name: "ephemeralMessage", Value: protocol.Quote(text)}}
			a.Top.Set("injectSteps", protocol.Raw("["+string(step.Raw())+"]"))
		}
	}
	return a.Reply(ev.NativeEvent, neutral(ev.NativeEvent))
}
