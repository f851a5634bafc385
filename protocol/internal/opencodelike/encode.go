package opencodelike

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// Encode writes an outcome in the words that the plugins know.
func Encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	var a claudelike.Answer
	switch {
	case o.Decision == protocol.Block && ev.Type == protocol.PreAgentTurnStop:
		goOn(&a, claudelike.Reason(o.Reason))
	case o.Decision == protocol.Block:
		a.SetText(&a.Top, "block", claudelike.Reason(o.Reason))
	case o.Decision == protocol.Allow && ev.Type == protocol.PermissionRequest:
		a.Top.Set("allow", protocol.Raw("true"))
	case ev.Type == protocol.PreAgentTurnStop:
		goOn(&a, o.FollowupMessage)
	default:
		if o.Decision == protocol.Ask {
			a.SetText(&a.Top, "ask", claudelike.Reason(o.Reason))
		}
		if o.ModifiedInput != nil && ev.Call != nil {
			if native, _ := ev.Call.NativeInputOf(o.ModifiedInput); native != nil {
				a.Top.Set("args", native.Raw())
			}
		}
	}
	a.SetText(&a.Top, "output", o.ModifiedOutput)
	a.SetText(&a.Top, "context", o.AdditionalContext)
	a.SetText(&a.Top, "message", o.UserMessage)
	if TakesEnv(ev) {
		env(&a, o.Env)
	}
	return a.Reply("", "")
}

func goOn(a *claudelike.Answer, text string) {
	a.SetText(&a.Top, "continue", text)
	a.Continue = a.Top.Text("continue")
}

// TakesEnv reports whether a plugin sets variables on an event.
func TakesEnv(ev *protocol.Event) bool { return ev.Type == protocol.PreSession }

// env adds the variables of the session's commands, as texts.
func env(a *claudelike.Answer, vars protocol.Object) {
	var out protocol.Object
	for _, m := range vars {
		if value, ok := protocol.Variable(m); ok {
			out.SetText(m.Name, value)
		}
	}
	if len(out) > 0 {
		a.Top.Set("env", out.Raw())
	}
}
