package qlike

import (
	"cmp"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mcpname"
)

// Decode turns a payload into the events that natives says it feeds, none if its
// event is not in natives. Events may also have their names in the agent's
// configuration; session is used for an agent that sends none.
func Decode(in protocol.Input, agent, session string, natives []protocol.Native, tools protocol.Tools) []*protocol.Event {
	n, ok := find(natives, in.NativeName())
	if !ok {
		return nil
	}
	events := make([]*protocol.Event, len(n.MapsTo))
	for i := range events {
		ev := in.NewEvent(agent, n, i)
		ev.SessionID = cmp.Or(ev.SessionID, session)
		fill(ev, in, tools)
		events[i] = ev
	}
	return events
}

func find(natives []protocol.Native, name string) (protocol.Native, bool) {
	for i := range natives {
		if name != "" && (natives[i].Name == name || natives[i].Key() == name) {
			return natives[i], true
		}
	}
	return protocol.Native{}, false
}

// fill adds the fields of the event's kind.
func fill(ev *protocol.Event, in protocol.Input, tools protocol.Tools) {
	p := in.Payload
	switch ev.Type {
	case protocol.PreAgentTurn:
		prompt := cmp.Or(p.Text("prompt"), in.Getenv("USER_PROMPT"))
		ev.Put("prompt", prompt)
		ev.Put("source", "user")
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		ev.Put("status", "completed")
		ev.Put("stop_reason", "no_tool_calls")
		ev.PutFinal(p.Text("assistant_response"))
	case protocol.PreToolCall, protocol.PostToolCall:
		call := newCall(tools, p)
		ev.PutCall(call, claudelike.CallID(ev, call))
		if ev.Type == protocol.PreToolCall {
			return
		}
		ev.Take(p, "tool_response")
		response := p.Sub("tool_response")
		if string(response.Get("success")) == "false" {
			ev.Type = protocol.PostToolCallFailure
			ev.Put("error", failure(response))
		}
	}
}

// failure is what a response says about why the tool failed.
func failure(response protocol.Object) string {
	if said := claudelike.Said(response.Get("error")); said != "" {
		return said
	}
	var lines []string
	for _, part := range protocol.ElementsOf(response.Get("result")) {
		lines = append(lines, claudelike.Said(part))
	}
	if lines == nil {
		return claudelike.Said(response.Get("result"))
	}
	return strings.Join(lines, "\n")
}

// newCall makes the call of a payload and names it.
func newCall(tools protocol.Tools, p protocol.Object) *protocol.Call {
	name := p.Text("tool_name")
	call := tools.NewCall(name, p.Get("tool_input"))
	switch {
	case strings.HasPrefix(name, "@"):
		if server, tool, ok := strings.Cut(name[1:], "/"); ok && server != "" && tool != "" {
			call.Name = mcpname.Of(server, tool)
		}
	case strings.HasPrefix(name, "mcp_"):
		if names := mcpname.ServerFirst(strings.TrimPrefix(name, "mcp_")); len(names) > 0 {
			call.Name, call.Also = names[0], append(names[1:], call.Also...)
		}
	case call.Name == protocol.WriteFile:
		written(call)
	case call.Name == protocol.ReadFile:
		operations(call)
	}
	return call
}

// written names a call of the writing tool after what it does, if its input says so:
// create writes a file, the other commands change one.
func written(call *protocol.Call) {
	switch call.NativeInput.Text("command") {
	case "create":
		call.Also = nil
	case "str_replace", "strReplace", "insert", "append":
		call.Name, call.Also = protocol.EditFile, nil
	}
}

// operations adds the files of a call that reads several at once.
func operations(call *protocol.Call) {
	var paths []string
	for _, operation := range protocol.ElementsOf(call.NativeInput.Get("operations")) {
		if path := protocol.ObjectOf(operation).Text("path"); path != "" {
			paths = append(paths, path)
		}
	}
	if len(paths) > 0 {
		call.Derive("file_path", protocol.Quote(paths[0]))
		call.Derive("file_paths", protocol.TextList(paths))
	}
}

// Named reports whether a payload is in this form.
func Named(p protocol.Object) bool {
	switch p.Text("hook_event_name") {
	case "agentSpawn", "sessionStart", "userPromptSubmit", "preToolUse", "postToolUse", "stop":
		return !p.Has("conversation_id") && !p.Has("generation_id") && !p.Has("cursor_version")
	}
	return false
}
