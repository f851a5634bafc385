package codex

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func encode(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
	a := claudelike.Answer{Max: fieldMax}
	if ev.Can.Has(protocol.CanMessage) {
		a.Message(o.UserMessage)
	}
	switch ev.Type {
	case protocol.PreToolCall:
		toolCall(&a, ev, o)
	case protocol.PreAgentTurn:
		a.Prompt(o)
	case protocol.PreAgentTurnStop, protocol.PostSubagent:
		a.Stop("block", o) // codex/10
	case protocol.PreSession:
		if o.Decision == protocol.Block && ev.Can.Has(protocol.CanBlock) {
			a.Top.Set("continue", protocol.Raw("false"))
			a.SetText(&a.Top, "stopReason", claudelike.Reason(o.Reason))
		}
		a.Context(o.AdditionalContext)
	case protocol.PermissionRequest:
		a.Behavior(o)
	case protocol.PostToolCall:
		if o.ModifiedOutput != "" {
			a.Block("block", o.ModifiedOutput) // codex/5
		}
		a.Context(o.AdditionalContext)
	case protocol.PreSubagent:
		a.Context(o.AdditionalContext)
	}
	return a.Reply(ev.NativeEvent, "")
}

// toolCall is the verdict on a tool call. A changed input needs the word allow beside
// it, and nothing else may have it (codex/3).
func toolCall(a *claudelike.Answer, ev *protocol.Event, o protocol.Outcome) {
	switch {
	case o.Decision == protocol.Block:
		a.Permission("deny", claudelike.Reason(o.Reason))
	case o.ModifiedInput != nil:
		if native, _ := input(ev.Call, o.ModifiedInput); native != nil {
			a.Permission("allow", "")
			a.Specific.Set("updatedInput", native.Raw())
		}
	}
	a.Context(o.AdditionalContext)
}

// input is a changed input in Codex's own keys. The tools that it reports as Bash and
// apply_patch take only a text: a list of words becomes the line that it stands for.
func input(c *protocol.Call, modified protocol.Object) (protocol.Object, []string) {
	native, warnings := c.NativeInputOf(modified)
	if c.NativeName == "Bash" || c.NativeName == "apply_patch" {
		if line, ok := protocol.Line(native.Get("command")); ok {
			native.SetText("command", line)
		}
	}
	return native, warnings
}

// takes reports whether Codex accepts a changed input for a call; if not, it would
// report a failed hook and run the call unchanged.
func takes(c *protocol.Call, input protocol.Object) bool {
	if c.NativeName != "Bash" && c.NativeName != "apply_patch" {
		return true
	}
	return strings.HasPrefix(string(input.Get("command")), `"`)
}
