package cline

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// nothing is the answer that says nothing, to either runtime.
const nothing = `{"cancel": false}`

func noOpinion(string) protocol.Reply { return protocol.Reply{Stdout: []byte(nothing + "\n")} }

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	a := claudelike.Answer{Max: fieldMax}
	switch {
	case o.Decision == protocol.Block && o.Refusal != nil: // cline/16
		a.Top.Set("cancel", protocol.Raw("false"))
		a.Top.Set("overrideInput", o.Refusal.Raw())
	case o.Decision == protocol.Block:
		a.Top.Set("cancel", protocol.Raw("true"))
		a.SetText(&a.Top, "errorMessage", claudelike.Told(claudelike.Reason(o.Reason), o.UserMessage))
	default:
		a.Top.Set("cancel", protocol.Raw("false"))
		a.SetText(&a.Top, "contextModification", o.AdditionalContext)
		a.SetText(&a.Top, "errorMessage", o.UserMessage)
		if o.ModifiedInput != nil && ev.Call != nil {
			if native, _ := nativeInput(ev.Call, o.ModifiedInput); native != nil {
				a.Top.Set("overrideInput", native.Raw())
			}
		}
	}
	return a.Reply("", nothing)
}
