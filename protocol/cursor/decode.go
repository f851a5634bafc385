package cursor

import (
	"cmp"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	n, ok := protocol.FindNative(natives, ownName(in.NativeName()))
	if !ok {
		return nil, nil
	}
	p := in.Payload
	if in.Version = p.Text("cursor_version"); in.Version == "" {
		in.Version = in.Getenv("CURSOR_VERSION")
	}
	events := make([]*protocol.Event, len(n.MapsTo))
	for i := range events {
		ev := in.NewEvent(id, n, i)
		if session := p.Text("conversation_id"); session != "" {
			ev.SessionID = session // cursor/14
		}
		ev.WorkDir = workDir(in)
		fill(ev, p)
		ev.Take(p, "transcript_path")
		ev.Take(p, "model")
		events[i] = ev
	}
	return events, nil
}

// ownName is Cursor's name for an event: an entry of Claude Code that Cursor runs may
// get that program's name (cursor/11).
func ownName(name string) string {
	switch name {
	case "UserPromptSubmit":
		return "beforeSubmitPrompt"
	case "SessionStart", "SessionEnd", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStart", "SubagentStop", "PreCompact":
		return strings.ToLower(name[:1]) + name[1:]
	}
	return name
}

// workDir is where the agent works (cursor/2).
func workDir(in protocol.Input) string {
	dir := in.Text("cwd")
	if dir == "" {
		for _, root := range protocol.ElementsOf(in.Payload.Get("workspace_roots")) {
			dir = protocol.TextOf(root)
			break
		}
	}
	dir = cmp.Or(dir, in.Getenv("CURSOR_PROJECT_DIR"))
	if len(dir) > 2 && dir[0] == '/' && dir[2] == ':' {
		dir = dir[1:] // cursor/13
	}
	return dir
}

// fill adds the fields of the event's kind.
func fill(ev *protocol.Event, p protocol.Object) {
	switch ev.Type {
	case protocol.PostSession:
		ev.TakeAs("exit_reason", p, "reason")
		ev.Take(p, "duration_ms")
		ev.TakeAs("error", p, "error_message")
	case protocol.PreAgentTurn:
		ev.Take(p, "prompt")
		ev.Put("source", "user")
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		stop(ev, p)
	case protocol.PreToolCall, protocol.PostToolCall, protocol.PostToolCallFailure:
		tool(ev, p)
	case protocol.PreSubagent, protocol.PostSubagent:
		subagent(ev, p)
	case protocol.PreContextCompact:
		ev.Take(p, "trigger")
		ev.TakeAs("usage_percent", p, "context_usage_percent")
		ev.Take(p, "context_tokens")
		ev.Take(p, "message_count")
		ev.Take(p, "is_first_compaction")
		protocol.Usage{ContextTokens: p.Int("context_tokens"), ContextWindow: p.Int("context_window_size")}.Put(ev)
	}
}

// stop adds what is known about the end of a turn.
func stop(ev *protocol.Event, p protocol.Object) {
	status := p.Text("status")
	switch status {
	case "", "completed":
		ev.Put("status", "completed")
		ev.Put("stop_reason", "no_tool_calls")
	default:
		ev.Put("status", status)
		ev.SetCan(ev.Can &^ goingOn) // cursor/7
	}
	ev.PutFinal(p.Text("last_assistant_message"))
	if ev.Type == protocol.PreAgentTurnStop {
		loops(ev, p)
	}
}

// loops says whether, and how often, the agent continued because of a hook
// (cursor/6).
func loops(ev *protocol.Event, p protocol.Object) {
	count := p.Get("loop_count")
	active := p.Bool("stop_hook_active") || len(count) > 0 && count[0] >= '1' && count[0] <= '9'
	word := "false"
	if active {
		word = "true"
	}
	ev.Fields = append(ev.Fields, protocol.Member{Name: "stop_active", Value: protocol.Raw(word)})
	if len(count) > 0 && count[0] >= '0' && count[0] <= '9' {
		ev.Take(p, "loop_count")
	}
}

func subagent(ev *protocol.Event, p protocol.Object) {
	ev.TakeAs("subagent_name", p, "description")
	ev.Take(p, "subagent_type")
	ev.TakeAs("task_description", p, "task")
	ev.TakeAs("agent_id", p, "subagent_id")
	if ev.Type == protocol.PreSubagent {
		return
	}
	if status := p.Text("status"); status != "" && status != "completed" {
		ev.Put("status", status)
		ev.SetCan(ev.Can &^ goingOn) // cursor/7
	} else {
		ev.Put("status", "completed")
	}
	ev.PutFinal(p.Text("summary"))
	loops(ev, p)
	ev.Take(p, "duration_ms")
}

// tool adds the call and its result.
func tool(ev *protocol.Event, p protocol.Object) {
	call := newCall(ev.NativeEvent, p)
	call.ID = p.Text("tool_use_id")
	ev.PutCall(call, claudelike.CallID(ev, call))
	switch ev.Type {
	case protocol.PostToolCall:
		if !ofServer(call) {
			ev.SetCan(ev.Can &^ protocol.CanOutput) // cursor/15
		}
		for _, name := range []string{"tool_output", "result_json", "output", "tool_response"} {
			if v := p.Get(name); v != nil && string(v) != "null" {
				ev.Fields = append(ev.Fields, protocol.Member{Name: "tool_response", Value: claudelike.Parsed(v)})
				break
			}
		}
	case protocol.PostToolCallFailure:
		ev.Take(p, "error")
		ev.TakeAs("error", p, "error_message")
	}
	if !ev.Fields.Has("duration_ms") && ev.Type != protocol.PreToolCall {
		ev.TakeAs("duration_ms", p, "duration")
	}
}

// ofServer reports whether a tool is one of an MCP server.
func ofServer(c *protocol.Call) bool {
	return c != nil && (strings.HasPrefix(c.NativeName, "MCP:") || strings.HasPrefix(c.Name, "mcp__"))
}

// newCall makes the call of a payload. The events for a single kind of tool do not
// name it.
func newCall(native string, p protocol.Object) *protocol.Call {
	switch native {
	case "beforeShellExecution", "afterShellExecution":
		return tools.NewCall("Shell", members(p, "command"))
	case "beforeReadFile":
		return tools.NewCall("Read", members(p, "file_path", "content"))
	case "afterFileEdit":
		return tools.NewCall("Write", members(p, "file_path", "edits"))
	}
	name := p.Text("tool_name")
	call := tools.ParseCall(name, p.Get("tool_input"))
	tool, ok := strings.CutPrefix(name, "MCP:")
	if !ok && (native == "beforeMCPExecution" || native == "afterMCPExecution") {
		tool, ok = name, true
	}
	if ok {
		call.Name = "mcp__" + tool // cursor/8
		call.Also = append([]string{tool}, call.Also...)
	}
	return call
}

// members is an input taken from members of the payload itself.
func members(p protocol.Object, names ...string) protocol.Raw {
	input := protocol.Object{}
	for _, name := range names {
		if v := p.Get(name); v != nil {
			input = append(input, protocol.Member{Name: name, Value: v})
		}
	}
	return input.Raw()
}

// detect recognises Cursor by members that no other agent sends.
func detect(p protocol.Object) bool {
	if p.Text("hook_event_name") == "" {
		return false
	}
	return p.Text("cursor_version") != "" || p.Text("generation_id") != ""
}

// borrows reports whether Cursor is running an entry of Claude Code.
func borrows(p protocol.Object) bool {
	return p.Text("cursor_version") != "" || p.Text("generation_id") != "" ||
		p.Text("conversation_id") != "" && p.Has("workspace_roots")
}
