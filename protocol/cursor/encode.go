package cursor

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	a := answer{Answer: claudelike.Answer{Max: fieldMax}, both: ev.Entry != ""}
	switch ev.Type {
	case protocol.PreToolCall:
		a.toolCall(ev, o)
	case protocol.PreSubagent:
		if o.Decision == protocol.Block {
			a.Top.SetText("permission", "deny")
			a.SetText(&a.Top, "user_message", claudelike.Reason(o.Reason))
		}
	case protocol.PreAgentTurn:
		a.prompt(o)
	case protocol.PreAgentTurnStop, protocol.PostSubagent:
		switch {
		case o.Decision == protocol.Block:
			a.goOn(claudelike.Reason(o.Reason))
		case o.FollowupMessage != "":
			a.goOn(o.FollowupMessage)
		}
	case protocol.PostToolCall:
		if o.ModifiedOutput != "" && ofServer(ev.Call) {
			a.output(o.ModifiedOutput) // cursor/15
		}
		a.context(o.AdditionalContext)
	case protocol.PreContextCompact:
		a.SetText(&a.Top, "user_message", o.UserMessage)
	default:
		a.context(o.AdditionalContext)
	}
	if takesEnv(ev) {
		a.env(o.Env)
	}
	return a.Reply(claudeName(ev.NativeEvent), claudelike.Nothing)
}

func takesEnv(ev *protocol.Event) bool { return ev.Type == protocol.PreSession }

// An answer has Cursor's members, and Claude Code's as well if it is for an entry of
// that program (cursor/11).
type answer struct {
	claudelike.Answer
	both bool
}

// toolCall is the verdict on a tool call. Allow is printed only beside a changed
// input.
func (a *answer) toolCall(ev *protocol.Event, o protocol.Outcome) {
	switch o.Decision {
	case protocol.Block:
		a.permission("deny", claudelike.Reason(o.Reason), o.UserMessage)
	case protocol.Ask:
		a.permission("ask", claudelike.Question(o.Reason), o.UserMessage)
	default:
		a.SetText(&a.Top, "user_message", o.UserMessage)
		if o.ModifiedInput != nil {
			a.input(ev, o.ModifiedInput)
		}
	}
	a.context(o.AdditionalContext)
}

func (a *answer) permission(word, reason, message string) {
	a.Top.SetText("permission", word)
	a.SetText(&a.Top, "user_message", claudelike.Told(reason, message))
	a.SetText(&a.Top, "agent_message", reason)
	if a.both {
		a.Permission(word, reason)
	}
}

func (a *answer) input(ev *protocol.Event, modified protocol.Object) {
	var changed claudelike.Answer
	if changed.Input(ev, "updated_input", modified) {
		input := changed.Specific.Get("updated_input")
		a.Top.SetText("permission", "allow")
		a.Top.Set("updated_input", input)
		if a.both {
			a.Permission("allow", "")
			a.Specific.Set("updatedInput", input)
		}
	}
}

func (a *answer) prompt(o protocol.Outcome) {
	if o.Decision == protocol.Block {
		reason := claudelike.Reason(o.Reason)
		a.Top.Set("continue", protocol.Raw("false"))
		a.SetText(&a.Top, "user_message", reason)
		if a.both {
			a.Block("block", reason)
		}
	}
	a.context(o.AdditionalContext)
}

// goOn makes the agent, or a subagent, continue with a text.
func (a *answer) goOn(text string) {
	a.SetText(&a.Top, "followup_message", text)
	a.Continue = a.Top.Text("followup_message")
	if a.both {
		a.Block("block", text)
	}
}

func (a *answer) context(text string) {
	a.SetText(&a.Top, "additional_context", text)
	if a.both {
		a.Context(text)
	}
}

// output replaces a result with a text. It is never cut: no limit is documented.
func (a *answer) output(text string) {
	a.Top.SetText("updated_mcp_tool_output", text)
	if a.both {
		a.Specific.SetText("updatedMCPToolOutput", text)
	}
}

// env sets the session variables, which are texts.
func (a *answer) env(vars protocol.Object) {
	var env protocol.Object
	for _, m := range vars {
		if value, ok := protocol.Variable(m); ok {
			env.SetText(m.Name, value)
		}
	}
	if len(env) > 0 {
		a.Top.Set("env", env.Raw())
	}
}

// claudeName is Claude Code's name for an event.
func claudeName(native string) string {
	if native == "beforeSubmitPrompt" {
		return "UserPromptSubmit"
	}
	return strings.ToUpper(native[:1]) + native[1:]
}
