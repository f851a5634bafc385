package copilot

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	a := claudelike.Answer{Max: fieldMax}
	switch ev.Type {
	case protocol.PreToolCall:
		toolCall(&a, ev, o)
	case protocol.PermissionRequest:
		a.Behavior(o)
		a.Top, a.Specific = a.Specific.Sub("decision"), nil
	case protocol.PostToolCall, protocol.PostToolCallFailure:
		if o.ModifiedOutput != "" {
			a.Top.Set("modifiedResult", protocol.Object{
				{Name: "resultType", Value: protocol.Raw(`"success"`)},
				{Name: "textResultForLlm", Value: protocol.Quote(a.Cut("modified_output", o.ModifiedOutput))},
			}.Raw())
		}
	case protocol.PreAgentTurn:
		if o.Decision == protocol.Block {
			a.Block("block", o.Reason) // copilot-cli/6
		}
	case protocol.PreAgentTurnStop, protocol.PostSubagent:
		a.Stop("block", o)
	}
	a.SetText(&a.Top, "additionalContext", o.AdditionalContext)
	r := a.Reply(ev.NativeEvent, claudelike.Nothing)
	if o.UserMessage != "" {
		var progress protocol.Object // copilot-cli/21
		progress.SetText("type", "progress")
		progress.SetText("message", a.Cut("user_message", o.UserMessage))
		said := append(progress.Raw(), '\n')
		if string(r.Stdout) != claudelike.Nothing+"\n" {
			said = append(said, r.Stdout...)
		}
		r.Stdout = said
	}
	r.Cuts = a.Cuts
	return r
}

// speaks reports whether a message is safe: nothing is lost if a version that does
// not know messages then fails to read the answer (copilot-cli/21).
func speaks(o protocol.Outcome) bool {
	return o.Decision == protocol.NoOpinion && o.ModifiedInput == nil && o.ModifiedOutput == "" && o.FollowupMessage == ""
}

// toolCall is the verdict on a tool call. A changed input needs no verdict; allow is
// printed only to give a permission (copilot-cli/18).
func toolCall(a *claudelike.Answer, ev *protocol.Event, o protocol.Outcome) {
	switch o.Decision {
	case protocol.Block:
		permission(a, "deny", claudelike.Reason(o.Reason))
		return
	case protocol.Ask:
		permission(a, "ask", claudelike.Question(o.Reason))
	case protocol.Allow:
		permission(a, "allow", o.Reason)
	}
	var changed claudelike.Answer
	if changed.Input(ev, "modifiedArgs", o.ModifiedInput) {
		a.Top.Set("modifiedArgs", changed.Specific.Get("modifiedArgs"))
	}
}

// permission is a verdict, at the top of the answer (copilot-cli/5).
func permission(a *claudelike.Answer, word, reason string) {
	a.Top.SetText("permissionDecision", word)
	a.SetText(&a.Top, "permissionDecisionReason", reason)
}
