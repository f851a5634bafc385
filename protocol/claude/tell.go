package claude

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mirror"
)

// speak is an event as Claude Code would send it. Its own events are sent as they
// came, with the changes of hooks; another agent's are assembled from the event, with
// members in the order of the real payloads.
func speak(ev *protocol.Event) []protocol.Said {
	if own := ev.Context.Sub("native"); ev.Agent == id && own.Text("hook_event_name") == ev.NativeEvent && own != nil {
		name, payload := ev.NativeEvent, renewed(ev, own)
		if ev.Type == protocol.PreToolCall {
			name = nameOf(ev) // guards of commands know no other name (claude-code/17)
			payload.SetText("hook_event_name", name)
		}
		return []protocol.Said{{Event: name, Names: asked(name, own), Payload: payload, Parts: 1}}
	}
	native := nameOf(ev)
	if native == "" {
		return nil
	}
	if !ev.Type.IsTool() {
		p := told(ev, native)
		return []protocol.Said{{Event: native, Names: asked(native, p), Payload: p, Parts: 1}}
	}
	calls := mirror.Calls(ev)
	list := make([]protocol.Said, len(calls))
	for i, c := range calls {
		list[i] = protocol.Said{Event: native, Names: append(aliases(toolName(c)), c.Also...), Payload: toolPayload(ev, native, c), Path: c.File(), Parts: len(calls)}
	}
	return list
}

// toolName is the program's name for the tool of a call.
func toolName(c mirror.Call) string {
	if c.Name == protocol.Search {
		return map[bool]string{true: "Glob", false: "Grep"}[c.Files]
	}
	for _, t := range tools {
		if t.Name == c.Name {
			return t.Native
		}
	}
	return c.Name
}

// nameOf is the program's name for an event, "" if it has none: it sends nothing for
// a turn that its user interrupted.
func nameOf(ev *protocol.Event) string {
	switch ev.Type {
	case protocol.PreAgentTurnStop:
		return "Stop"
	case protocol.PostAgentTurn, protocol.PostAgentTurnStop:
		switch ev.Fields.Text("status") {
		case "error":
			return "StopFailure"
		case "aborted":
			return ""
		}
		return "Stop"
	}
	for _, n := range natives {
		if n.MapsTo[0] == ev.Type {
			return n.Name
		}
	}
	return ""
}

// asked is what the program tries a matcher on, nothing on events where it tries
// none.
func asked(native string, p protocol.Object) []string {
	for event, member := range map[string]string{
		"PreToolUse": "tool_name", "PostToolUse": "tool_name", "PostToolUseFailure": "tool_name", "PermissionRequest": "tool_name",
		"SessionStart": "source", "SessionEnd": "reason", "PreCompact": "trigger", "PostCompact": "trigger",
		"Notification": "notification_type", "StopFailure": "error", "SubagentStart": "agent_type", "SubagentStop": "agent_type",
	} {
		if event == native && p.Text(member) != "" {
			return aliases(p.Text(member))
		}
	}
	return nil
}

// aliases are the names of a tool, its own first: the name in an older release counts
// too.
func aliases(name string) []string {
	if name == "Agent" {
		return []string{name, "Task"}
	}
	return []string{name}
}

// renewed is the program's own payload with what hooks have changed since.
func renewed(ev *protocol.Event, own protocol.Object) protocol.Object {
	p := own.Clone()
	set := func(name string, v protocol.Raw) {
		if v != nil && p.Has(name) && !mirror.Same(p.Get(name), v) {
			p.Set(name, v)
		}
	}
	if ev.Call != nil && ev.Call.NativeInput != nil {
		if input, _ := ev.Call.NativeInputOf(ev.Call.Input); input != nil && len(p.Get("tool_input")) > 0 && p.Get("tool_input")[0] == '{' {
			set("tool_input", input.Raw())
		}
	}
	if response := ev.Fields.Get("tool_response"); response != nil && !mirror.Same(p.Get("tool_response"), response) {
		if _, shaped := output(ev, protocol.TextOf(response)); shaped != nil && response[0] == '"' {
			response = shaped
		}
		set("tool_response", response)
	}
	if ev.Type.HasResult() {
		set("error", ev.Fields.Get("error"))
	}
	if ev.Fields.Bool("stop_active") {
		set("stop_hook_active", protocol.Raw("true"))
	}
	return p
}

// modes are the permission modes that the program knows. Another agent's word is not
// sent.
var modes = []string{"default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"}

// modal are the events that carry the mode.
var modal = []string{"UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop"}

// opened begins a payload with the members that all payloads have.
func opened(ev *protocol.Event, native string) (p protocol.Object) {
	p.PutText("session_id", ev.SessionID)
	p.PutText("transcript_path", ev.Fields.Text("transcript_path"))
	p.PutText("cwd", ev.WorkDir)
	if mode := ev.Fields.Text("permission_mode"); slices.Contains(modal, native) && slices.Contains(modes, mode) {
		p.PutText("permission_mode", mode)
	}
	p.PutText("agent_id", ev.Fields.Text("agent_id"))
	p.PutText("agent_type", ev.Fields.Text("subagent_type"))
	p.PutText("hook_event_name", native)
	return p
}

// told is the payload of an event that is not about a tool.
func told(ev *protocol.Event, native string) protocol.Object {
	p := opened(ev, native)
	take := mirror.Taker(ev, &p)
	switch native {
	case "SessionStart":
		take("source", "source")
		take("model", "model")
	case "SessionEnd":
		p.SetText("reason", endReason(ev.Fields.Text("exit_reason")))
	case "UserPromptSubmit":
		take("prompt", "prompt")
	case "Stop", "SubagentStop":
		take("stop_hook_active", "stop_active")
		final(&p, ev)
	case "StopFailure":
		take("error", "error")
		final(&p, ev)
	case "PreCompact", "PostCompact":
		take("trigger", "trigger")
	case "Notification":
		take("message", "message")
		take("title", "title")
		take("notification_type", "kind")
	}
	return p
}

func final(p *protocol.Object, ev *protocol.Event) {
	p.PutText("last_assistant_message", ev.Fields.Sub("final_message").Text("content"))
}

// endReason is why a session ended, in the program's words: "other" stands for every
// reason that it does not know.
func endReason(reason string) string {
	switch reason {
	case "clear", "resume", "logout", "prompt_input_exit", "bypass_permissions_disabled":
		return reason
	case "user_close":
		return "prompt_input_exit"
	}
	return "other"
}

// toolPayload is the payload of one call.
func toolPayload(ev *protocol.Event, native string, c mirror.Call) protocol.Object {
	p := opened(ev, native)
	p.SetText("tool_name", toolName(c))
	p.Set("tool_input", c.Input)
	if native == "PostToolUse" {
		if v := responseOf(ev, c); v != nil {
			p.Set("tool_response", v)
		}
	}
	if id := mirror.CallID(ev); id != "" && native != "PermissionRequest" {
		p.SetText("tool_use_id", id)
	}
	if native == "PostToolUseFailure" {
		if v := ev.Fields.Get("error"); v != nil {
			p.Set("error", v)
		} else if r := ev.Deed.Result; r != nil {
			for _, text := range []*string{r.Text, r.Stderr, r.Stdout} {
				if text != nil && !p.Has("error") {
					p.SetText("error", *text)
				}
			}
		}
	}
	if v := ev.Fields.Get("duration_ms"); v != nil && ev.Type.HasResult() {
		p.Set("duration_ms", v)
	}
	return p
}

// responseOf is the result of a call, in the shape that the program uses for that
// tool as far as it is known; for any other tool, as the agent reported it.
func responseOf(ev *protocol.Event, c mirror.Call) protocol.Raw {
	own := ev.Fields.Get("tool_response")
	r := ev.Deed.Result
	switch {
	case c.Name == protocol.Shell:
		if r == nil {
			return own
		}
		var o protocol.Object
		if out := r.Stdout; out != nil {
			o.SetText("stdout", *out)
		} else if r.Text != nil {
			o.SetText("stdout", *r.Text)
		}
		if r.Stderr != nil {
			o.SetText("stderr", *r.Stderr)
		}
		if len(o) == 0 {
			return own
		}
		return o.Raw()
	case c.Path != "":
		return protocol.Object{{Name: "filePath", Value: protocol.Quote(c.Path)}}.Raw()
	case strings.HasPrefix(c.Name, "mcp__") && len(own) > 0 && own[0] != '[' && r != nil && r.Text != nil:
		block := protocol.Object{{Name: "type", Value: protocol.Quote("text")}, {Name: "text", Value: protocol.Quote(*r.Text)}}
		return append(append(protocol.Raw{'['}, block.Raw()...), ']')
	}
	return own
}
