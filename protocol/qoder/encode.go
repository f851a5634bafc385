package qoder

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func noOpinion(string) protocol.Reply { return protocol.Reply{} }

// speaks reports whether there is room for a message: with a block the user is shown
// only the reason (qoder/14).
func speaks(o protocol.Outcome) bool { return o.Decision != protocol.Block }

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	a := claudelike.Answer{Max: fieldMax}
	a.Message(o.UserMessage)
	a.Halt(o.Halt)
	switch ev.Type {
	case protocol.PreToolCall:
		toolCall(&a, ev, o)
	case protocol.PermissionRequest:
		a.Behavior(o)
	case protocol.PostToolCall:
		a.SetText(&a.Specific, "updatedToolOutput", o.ModifiedOutput) // qoder/12
		a.Context(o.AdditionalContext)
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
			a.GoOn("block", o.FollowupMessage) // qoder/11
		}
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

// toolCall is the verdict on a tool call. A changed input needs no verdict; allow is
// printed only to give a permission (qoder/2).
func toolCall(a *claudelike.Answer, ev *protocol.Event, o protocol.Outcome) {
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
	a.Context(o.AdditionalContext)
}

// instructions are plain text: what a compaction is to keep (qoder/6).
func instructions(a *claudelike.Answer, o protocol.Outcome) protocol.Reply {
	text := a.Cut("additional_context", strings.TrimSpace(o.AdditionalContext))
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, `"`) {
		text = "Keep in mind:\n" + text // either would be read as JSON
	}
	return protocol.Reply{Stdout: []byte(text + "\n"), Cuts: a.Cuts}
}
