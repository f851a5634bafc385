package augment

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mcpname"
	"github.com/agents-hooks/agents-hooks/protocol/internal/patch"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	n, ok := protocol.FindNative(natives, in.NativeName())
	if !ok {
		return nil, nil
	}
	events := make([]*protocol.Event, len(n.MapsTo))
	for i := range events {
		ev := in.NewEvent(id, n, i)
		ev.SessionID = in.Text("conversation_id") // augment/8
		ev.WorkDir = workDir(in)
		fill(ev, in.Payload)
		events[i] = ev
	}
	return events, nil
}

// workDir is the first of the working folders.
func workDir(in protocol.Input) string {
	for _, root := range protocol.ElementsOf(in.Payload.Get("workspace_roots")) {
		if dir := protocol.TextOf(root); dir != "" {
			return dir
		}
	}
	if dir := in.Getenv("AUGMENT_PROJECT_DIR"); dir != "" {
		return dir
	}
	return in.WorkDir
}

// fill adds the fields of the event's kind.
func fill(ev *protocol.Event, p protocol.Object) {
	switch ev.Type {
	case protocol.PreAgentTurn:
		ev.Put("prompt", text(p, "user_prompt"))
		ev.Put("source", "user")
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		stop(ev, p)
	case protocol.Notification:
		claudelike.Notice(ev, p)
	case protocol.PreToolCall, protocol.PostToolCall:
		call := newCall(p)
		ev.PutCall(call, claudelike.CallID(ev, call))
		if ev.Type == protocol.PreToolCall {
			return
		}
		if given(p.Get("tool_output")) {
			ev.Take(protocol.Object{{Name: "tool_response", Value: p.Get("tool_output")}}, "tool_response")
		}
		if e := p.Get("tool_error"); given(e) && string(e) != `""` {
			ev.Type = protocol.PostToolCallFailure // augment/10
			ev.Put("error", claudelike.Said(e))
		}
	}
}

// stop adds why the turn ended and the agent's last words.
func stop(ev *protocol.Event, p protocol.Object) {
	status, reason := "completed", "no_tool_calls"
	switch cause := text(p, "agent_stop_cause"); cause {
	case "end_turn", "":
	case "interrupted":
		status, reason = "aborted", ""
	case "max_iterations":
		reason = "max_steps"
	case "error":
		status, reason = "error", ""
	default:
		reason = cause
	}
	ev.Put("status", status)
	ev.Put("stop_reason", reason)
	ev.PutFinal(text(p.Sub("_exchange").Sub("exchange"), "response_text"))
}

// newCall makes the call of a payload.
func newCall(p protocol.Object) *protocol.Call {
	name := p.Text("tool_name")
	if agent, ok := strings.CutPrefix(name, "sub-agent-"); ok { // augment/14
		call := protocol.Tools{{Native: name, Name: protocol.Task, Keys: taskKeys}}.NewCall(name, p.Get("tool_input"))
		call.Derive("subagent_type", protocol.Quote(agent))
		return call
	}
	call := tools.NewCall(name, p.Get("tool_input"))
	switch {
	case name == "apply_patch":
		if paths := patch.Files(call.NativeInput.Text("input")); len(paths) > 0 {
			call.Derive("file_path", protocol.Quote(paths[0]))
			call.Derive("file_paths", protocol.TextList(paths))
		}
	case p.Bool("is_mcp_tool"):
		names := mcpNames(name, p.Sub("mcp_metadata").Text("mcpExecutedToolServerName"))
		if len(names) > 0 {
			call.Name, call.Also = names[0], append(names[1:], call.Also...)
		}
	}
	return call
}

// mcpNames are the portable names that TOOL_SERVER may stand for, the most likely
// first (augment/12).
func mcpNames(name, server string) []string {
	if tool, ok := strings.CutSuffix(name, "_"+server); ok && server != "" && tool != "" {
		return []string{mcpname.Of(server, tool)}
	}
	return mcpname.ToolFirst(name)
}

// undefined is what Augment writes for a missing value (augment/11).
const undefined = "[undefined]"

func given(raw protocol.Raw) bool {
	return len(raw) > 0 && string(raw) != "null" && string(raw) != `"`+undefined+`"`
}

// text is a string member, "" if it is not there.
func text(o protocol.Object, name string) string {
	if s := o.Text(name); s != undefined {
		return s
	}
	return ""
}

// detect recognises Augment by the names of its base fields; Cursor has them too, but
// with a generation beside them.
func detect(p protocol.Object) bool {
	return p.Text("hook_event_name") != "" && p.Text("conversation_id") != "" && p.Has("workspace_roots") &&
		!p.Has("generation_id") && !p.Has("cursor_version") && !p.Has("session_id")
}
