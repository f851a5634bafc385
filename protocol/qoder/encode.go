package qoder

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// speaks reports whether there is room for a message: with a block the user is shown
// only the reason (qoder/14).
func speaks(o protocol.Outcome) bool { return o.Decision != protocol.Block }

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	a := claudelike.Answer{Max: fieldMax}
	a.Message(o.UserMessage)
	a.Halt(o.Halt)
	switch ev.Type {
	case protocol.PreToolCall:
		a.Verdict(ev, o) // qoder/2
		a.Context(o.AdditionalContext)
	case protocol.PermissionRequest:
		a.Behavior(o)
	case protocol.PostToolCall:
		a.SetText(&a.Specific, "updatedToolOutput", o.ModifiedOutput) // qoder/12
		a.Context(o.AdditionalContext)
	case protocol.PreAgentTurn:
		a.Prompt(o)
	case protocol.PreAgentTurnStop, protocol.PostSubagent:
		a.Stop("block", o) // qoder/11
	case protocol.PreContextCompact:
		if o.Decision == protocol.Block {
			a.Block("block", o.Reason)
		} else if o.AdditionalContext != "" {
			return instructions(&a, o)
		}
	default:
		a.Context(o.AdditionalContext)
	}
	return a.Reply(ev.NativeEvent, "")
}

// instructions are plain text: what a compaction is to keep (qoder/6).
func instructions(a *claudelike.Answer, o protocol.Outcome) protocol.Reply {
	text := a.Cut("additional_context", strings.TrimSpace(o.AdditionalContext))
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, `"`) {
		text = "Keep in mind:\n" + text // either would be read as JSON
	}
	return protocol.Reply{Stdout: []byte(text + "\n"), Cuts: a.Cuts}
}
