package antigravity

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mcpname"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	p := in.Payload
	name := in.Event
	if name == "" {
		name = shape(p)
	}
	n, ok := protocol.FindNative(natives, name)
	if !ok || n.Name == "PreInvocation" && later(p) { // antigravity/5
		return nil, nil
	}
	events := make([]*protocol.Event, len(n.MapsTo))
	for i := range events {
		ev := in.NewEvent(id, n, i)
		ev.SessionID = p.Text("conversationId")
		ev.WorkDir = workDir(in)
		fill(ev, p)
		ev.Put("transcript_path", p.Text("transcriptPath"))
		ev.Put("model", p.Text("modelName"))
		events[i] = ev
	}
	return events, nil
}

// shape is the event of a payload, as far as its members show (antigravity/1).
func shape(p protocol.Object) string {
	switch {
	case p.Text("conversationId") == "":
		return ""
	case p.Has("toolCall") && p.Has("error"):
		return "PostToolUse"
	case p.Has("toolCall"):
		return "PreToolUse"
	case p.Has("invocationNum"):
		return "PreInvocation"
	}
	return ""
}

// later reports whether this is not the first request to the model in its turn.
func later(p protocol.Object) bool {
	n := p.Get("invocationNum")
	return len(n) > 0 && n[0] >= '1' && n[0] <= '9'
}

// workDir is the first of the working folders.
func workDir(in protocol.Input) string {
	for _, path := range protocol.ElementsOf(in.Payload.Get("workspacePaths")) {
		if dir := protocol.TextOf(path); dir != "" {
			return dir
		}
	}
	return in.WorkDir
}

// fill adds the fields of the event's kind.
func fill(ev *protocol.Event, p protocol.Object) {
	switch ev.Type {
	case protocol.PreAgentTurn:
		ev.TakeAs("prompt", p, "userPrompt")
		ev.Put("source", "user")
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		if said := claudelike.Said(p.Get("error")); said != "" {
			ev.Put("status", "error")
			ev.Put("error", said)
			return
		}
		ev.Put("status", "completed")
		ev.Put("stop_reason", "no_tool_calls")
	case protocol.PreToolCall, protocol.PostToolCall:
		call := newCall(p.Sub("toolCall"))
		ev.PutCall(call, claudelike.CallID(ev, call)) // antigravity/7
		if said := claudelike.Said(p.Get("error")); said != "" && ev.Type == protocol.PostToolCall {
			ev.Type = protocol.PostToolCallFailure // antigravity/8
			ev.Put("error", said)
		}
	}
}

// newCall makes the call of a payload and names it.
func newCall(p protocol.Object) *protocol.Call {
	name := p.Text("name")
	call := tools.NewCall(name, p.Get("args"))
	server, tool := call.NativeInput.Text("ServerName"), call.NativeInput.Text("ToolName")
	switch {
	case name == "call_mcp_tool" && server != "" && tool != "":
		call.Name = mcpname.Of(server, tool)
	case strings.HasPrefix(name, "mcp_"):
		if names := mcpname.ServerFirst(strings.TrimPrefix(name, "mcp_")); len(names) > 0 {
			call.Name, call.Also = names[0], append(names[1:], call.Also...)
		}
	}
	return call
}

// detect recognises Antigravity by the names of its base fields.
func detect(p protocol.Object) bool {
	return p.Text("conversationId") != "" && (p.Has("workspacePaths") || p.Has("toolCall")) && !p.Has("hook_event_name")
}
