package opencodelike

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// NoOpinion is empty.
func NoOpinion(string) protocol.Reply { return protocol.Reply{} }

// Encode says an outcome in the words that the plugin knows.
func Encode(ev *protocol.Event, o protocol.Outcome) (protocol.Reply, []string) {
	var a claudelike.Answer
	switch {
	case o.Decision == protocol.Block && ev.Type == protocol.PreAgentTurnStop:
		goOn(&a, claudelike.Reason(o.Reason))
	case o.Decision == protocol.Block:
		a.SetText(&a.Top, "block", claudelike.Reason(o.Reason))
	case ev.Type == protocol.PreAgentTurnStop:
		goOn(&a, o.FollowupMessage)
	case o.ModifiedInput != nil && ev.Call != nil:
		native, warnings := ev.Call.NativeInputOf(o.ModifiedInput)
		a.Warnings = append(a.Warnings, warnings...)
		if native != nil {
			a.Top.Set("args", native.Raw())
		}
	}
	a.SetText(&a.Top, "context", o.AdditionalContext)
	a.SetText(&a.Top, "message", o.UserMessage)
	if ev.Type == protocol.PreSession {
		env(&a, o.Env)
	} else {
		a.DropEnv(o)
	}
	return a.Reply("", ""), a.Warnings
}

func goOn(a *claudelike.Answer, text string) {
	a.SetText(&a.Top, "continue", text)
	a.Continue = a.Top.Text("continue")
}

// env adds the variables of the session's commands, as texts.
func env(a *claudelike.Answer, vars protocol.Object) {
	var out protocol.Object
	for _, m := range vars {
		value, ok := claudelike.PlainValue(m.Value)
		if !ok || !claudelike.Variable(m.Name) {
			a.Warnings = append(a.Warnings, "env: "+protocol.Plain(m.Name)+" is no name and text of a variable; dropped")
			continue
		}
		out.SetText(m.Name, value)
	}
	if len(out) > 0 {
		a.Top.Set("env", out.Raw())
	}
}
