package copilot

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	p := in.Payload
	n, ok := protocol.FindNative(natives, nativeName(in))
	if !ok || n.Name == "Stop" && text(p, "agent_id", "agentId") != "" { // copilot-cli/9
		return nil, nil
	}
	events := make([]*protocol.Event, len(n.MapsTo))
	for i := range events {
		ev := in.NewEvent(id, n, i)
		ev.SessionID = session(p)
		claudelike.Clock(ev, p.Get("timestamp"))
		fill(ev, p)
		take(ev, "transcript_path", p, "transcript_path", "transcriptPath")
		ev.Put("subagent_type", text(p, "agent_type", "agentType"))
		ev.Put("agent_id", text(p, "agent_id", "agentId"))
		events[i] = ev
	}
	return events, nil
}

// nativeName is the event's name in the second form. In the first form only a
// permission request says it (copilot-cli/2).
func nativeName(in protocol.Input) string {
	name := in.NativeName()
	if hook := in.Text("hookName"); hook != "" {
		name = hook
	}
	if second := secondForm(name); second != "" {
		return second
	}
	return name
}

// secondForm is an event's name in the second form, by that of the first; "" for any
// other name.
func secondForm(name string) string {
	switch name {
	case "userPromptSubmitted":
		return "UserPromptSubmit"
	case "agentStop":
		return "Stop"
	case "sessionStart", "sessionEnd", "preToolUse", "postToolUse", "postToolUseFailure", "errorOccurred", "subagentStart", "subagentStop", "preCompact", "permissionRequest", "notification":
		return strings.ToUpper(name[:1]) + name[1:]
	}
	return ""
}

// session is the id of the session that the user sees (copilot-cli/11).
func session(p protocol.Object) string {
	own := text(p, "session_id", "sessionId")
	if parent := text(p, "parent_agent_id", "parentAgentId"); parent != "" && own == text(p, "agent_id", "agentId") {
		return parent
	}
	return own
}

// sessionSource is why a session begins, in the format's words (copilot-cli/19).
func sessionSource(native string) string {
	if native == "new" {
		return "startup"
	}
	return native
}

// fill adds the fields of the event's kind.
func fill(ev *protocol.Event, p protocol.Object) {
	switch ev.Type {
	case protocol.PreSession:
		ev.Put("source", sessionSource(p.Text("source")))
	case protocol.PostSession:
		ev.Put("exit_reason", exitReason(p.Text("reason")))
	case protocol.PreAgentTurn:
		ev.Take(p, "prompt")
		if text(p, "agent_id", "agentId") != "" {
			ev.Put("source", "subagent") // copilot-cli/10
		} else {
			ev.Put("source", "user")
		}
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		stop(ev, p)
	case protocol.PreToolCall, protocol.PermissionRequest, protocol.PostToolCall, protocol.PostToolCallFailure:
		tool(ev, p)
	case protocol.PreSubagent:
		ev.Put("subagent_name", text(p, "agent_name", "agentName"))
	case protocol.PostSubagent:
		ev.Put("subagent_name", text(p, "agent_name", "agentName"))
		ev.Put("status", "completed")
		ev.PutFinal(text(p, "last_assistant_message", "response"))
		ev.TakeAs("stop_active", p, "stop_hook_active")
	case protocol.PreContextCompact:
		ev.Take(p, "trigger")
	case protocol.Notification:
		claudelike.Notice(ev, p)
	}
}

// exitReason is why a session ended, in the format's words where they have one for
// it.
func exitReason(reason string) string {
	switch reason {
	case "complete":
		return "completed"
	case "abort":
		return "aborted"
	case "user_exit":
		return "user_close"
	}
	return reason
}

func stop(ev *protocol.Event, p protocol.Object) {
	if ev.NativeEvent == "ErrorOccurred" {
		ev.Put("status", "error")
		if message := p.Sub("error").Text("message"); message != "" {
			ev.Put("error", message)
		} else {
			ev.Take(p, "error")
		}
		return
	}
	ev.Put("status", "completed")
	reason := text(p, "stop_reason", "stopReason")
	if reason == "" || reason == "end_turn" {
		reason = "no_tool_calls"
	}
	ev.Put("stop_reason", reason)
	if ev.Type == protocol.PreAgentTurnStop {
		ev.TakeAs("stop_active", p, "stop_hook_active")
	}
}

// tool adds the call and its result.
func tool(ev *protocol.Event, p protocol.Object) {
	call := newCall(text(p, "tool_name", "toolName"), given(p))
	ev.PutCall(call, claudelike.CallID(ev, call))
	claudelike.AddPatch(ev, call.NativeInput.Text("input")) // copilot-cli/16
	take(ev, "tool_response", p, "tool_result", "toolResult")
	if message, failed := failure(call, value(p, "tool_result", "toolResult")); failed && ev.Type == protocol.PostToolCall {
		ev.Type = protocol.PostToolCallFailure // copilot-cli/12
		ev.Put("error", message)
	}
	ev.Take(p, "error")
}

// given is the input of a call, under whichever name the payload has it.
func given(p protocol.Object) protocol.Raw {
	if v := p.Get("toolInput"); v != nil {
		return v
	}
	return value(p, "tool_input", "toolArgs")
}

// newCall makes a call. A tool of an MCP server gets the names that such tools
// have elsewhere (copilot-cli/14).
func newCall(native string, input protocol.Raw) *protocol.Call {
	call := tools.ParseCall(native, input)
	if call.Name == protocol.EditFile && call.NativeInput.Text("input") != "" && !call.NativeInput.Has("path") {
		call = tools.ParseCall("apply_patch", input) // copilot-cli/16
		call.NativeName = native
	}
	if _, ok := tools.Find(native); ok {
		return call
	}
	for i := len(native) - 2; i > 0; i-- {
		if native[i] != '-' {
			continue
		}
		name := "mcp__" + native[:i] + "__" + native[i+1:]
		if call.Name == native {
			call.Name = name
		} else {
			call.Also = append(call.Also, name)
		}
	}
	return call
}

// failure reports whether a result that Copilot calls a success is that of a failed
// command, or not a success at all.
func failure(call *protocol.Call, result protocol.Raw) (message string, failed bool) {
	r := protocol.ObjectOf(result)
	message = text(r, "text_result_for_llm", "textResultForLlm")
	if kind := text(r, "result_type", "resultType"); kind != "" && kind != "success" {
		return message, true
	}
	_, code, ok := cutLast(message, "completed with exit code ")
	if call.Name != protocol.Shell || !ok {
		return "", false
	}
	code = strings.TrimRight(code, "> \n")
	return message, code != "0" && code != "" && strings.Trim(code, "-0123456789") == ""
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// value is a member under its name in either form.
func value(p protocol.Object, snake, camel string) protocol.Raw {
	if v := p.Get(snake); v != nil {
		return v
	}
	return p.Get(camel)
}

func text(p protocol.Object, snake, camel string) string {
	return protocol.TextOf(value(p, snake, camel))
}

func take(ev *protocol.Event, name string, p protocol.Object, snake, camel string) {
	if p.Has(snake) {
		ev.TakeAs(name, p, snake)
	} else {
		ev.TakeAs(name, p, camel)
	}
}

// detect recognises Copilot's first form by camelCase beside a time in milliseconds,
// and the second by what is missing: other agents that send a time also send a
// transcript, a call's id or a permission mode.
func detect(p protocol.Object) bool {
	at := p.Get("timestamp")
	if p.Text("sessionId") != "" && !p.Has("hookEventName") && len(at) > 0 && at[0] >= '0' && at[0] <= '9' {
		return true
	}
	if p.Text("hook_event_name") == "" || p.Text("session_id") == "" || p.Text("timestamp") == "" {
		return false
	}
	if slices.ContainsFunc([]string{"permission_mode", "submitted_prompt", "prompt_id", "cursor_version", "tool_use_id", "client_type"}, p.Has) {
		return false
	}
	return !p.Has("transcript_path") || claudelike.TranscriptIn(p, ".copilot")
}
