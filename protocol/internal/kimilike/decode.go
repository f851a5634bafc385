package kimilike

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

// Decode turns a payload into the events that natives says it feeds, none if its
// event is not in natives.
func Decode(in protocol.Input, agent string, natives []protocol.Native, tools protocol.Tools) []*protocol.Event {
	n, ok := protocol.FindNative(natives, in.NativeName())
	if !ok {
		return nil
	}
	events := make([]*protocol.Event, len(n.MapsTo))
	for i := range events {
		events[i] = in.NewEvent(agent, n, i)
		fill(events[i], in.Payload, tools)
	}
	return events
}

// fill adds the fields of the event's kind, in the order in which a hook sees
// them.
func fill(ev *protocol.Event, p protocol.Object, tools protocol.Tools) {
	switch ev.Type {
	case protocol.PreSession:
		ev.Take(p, "source")
		ev.Take(p, "model")
	case protocol.PostSession:
		ev.Put("exit_reason", p.Text("reason"))
	case protocol.PreAgentTurn:
		ev.Put("prompt", PromptText(p.Get("prompt")))
		ev.Put("source", "user")
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		stop(ev, p)
	case protocol.PreToolCall, protocol.PostToolCall, protocol.PostToolCallFailure:
		call := tools.NewCall(p.Text("tool_name"), p.Get("tool_input"))
		call.ID = p.Text("tool_call_id")
		addEdit(call)
		ev.PutCall(call, claudelike.CallID(ev, call))
		ev.TakeAs("tool_response", p, "tool_output")
		ev.Put("error", errorText(p.Get("error")))
	case protocol.PreSubagent, protocol.PostSubagent:
		ev.Put("subagent_name", p.Text("agent_name"))
		ev.Put("subagent_type", p.Text("agent_name"))
		ev.Put("task_description", PromptText(p.Get("prompt")))
		if ev.Type == protocol.PostSubagent {
			ev.Put("status", "completed")
			ev.PutFinal(p.Text("response"))
		}
	case protocol.PreContextCompact, protocol.PostContextCompact:
		ev.Take(p, "trigger")
		ev.TakeAs("context_tokens", p, "token_count")
		ev.TakeAs("context_tokens", p, "estimated_token_count")
		protocol.Usage{ContextTokens: ev.Fields.Int("context_tokens")}.Put(ev)
	case protocol.Notification:
		claudelike.Notice(ev, p)
	}
}

// stop adds what is known about the end of a turn. The name of the agent's event says
// which end it was.
func stop(ev *protocol.Event, p protocol.Object) {
	switch ev.NativeEvent {
	case "StopFailure":
		ev.Put("status", "error")
		kind, message := p.Text("error_type"), p.Text("error_message")
		if kind != "" && message != "" {
			kind += ": "
		}
		ev.Put("error", kind+message)
	case "Interrupt":
		ev.Put("status", "aborted")
		ev.Put("stop_reason", p.Text("reason"))
	default:
		ev.Put("status", "completed")
		ev.Put("stop_reason", "no_tool_calls")
	}
	if ev.Type == protocol.PreAgentTurnStop {
		ev.TakeAs("stop_active", p, "stop_hook_active")
	}
}

// PromptText is the text of a prompt: a text, or an array of parts, of which only
// those with a text count.
func PromptText(raw protocol.Raw) string {
	if text := protocol.TextOf(raw); text != "" {
		return text
	}
	var parts []string
	for _, part := range protocol.ElementsOf(raw) {
		text := protocol.TextOf(part)
		if text == "" {
			text = protocol.ObjectOf(part).Text("text")
		}
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
}

// errorText is why a tool failed: a text, or an object with a message.
func errorText(raw protocol.Raw) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	if text := protocol.TextOf(raw); text != "" || raw[0] == '"' {
		return text
	}
	if text := protocol.ObjectOf(raw).Text("message"); text != "" {
		return text
	}
	return string(raw)
}

// addEdit shows the only replacement of a call in the format's keys, if the agent
// keeps it in an object of its own. Several replacements have no single text.
func addEdit(c *protocol.Call) {
	edit := c.NativeInput.Get("edit")
	if list := protocol.ElementsOf(edit); len(list) == 1 {
		edit = list[0]
	}
	one := protocol.ObjectOf(edit)
	for _, k := range [...]protocol.Key{{Portable: "old_string", Native: "old"}, {Portable: "new_string", Native: "new"}} {
		if v := one.Get(k.Native); v != nil && c.Name == protocol.EditFile {
			c.Derive(k.Portable, v)
		}
	}
}
