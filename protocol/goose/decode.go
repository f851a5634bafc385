package goose

import (
	"cmp"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mcpname"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	name := cmp.Or(in.Text("event"), in.Event)
	n, ok := protocol.FindNative(natives, name)
	if !ok {
		return nil, nil
	}
	events := make([]*protocol.Event, len(n.MapsTo))
	for i := range events {
		ev := in.NewEvent(id, n, i)
		ev.WorkDir = cmp.Or(in.Text("working_dir"), in.WorkDir) // goose/3
		fill(ev, in.Payload)
		events[i] = ev
	}
	return events, nil
}

// fill adds the fields of the event's kind.
func fill(ev *protocol.Event, p protocol.Object) {
	switch ev.Type {
	case protocol.PreAgentTurn:
		ev.TakeAs("prompt", p, "message")
		ev.Put("source", "user")
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		ev.Put("status", "completed")
		ev.Put("stop_reason", "no_tool_calls")
		ev.PutFinal(p.Text("last_assistant_message"))
	case protocol.PreToolCall, protocol.PostToolCall, protocol.PostToolCallFailure:
		call := newCall(p)
		ev.PutCall(call, claudelike.CallID(ev, call))
		if ev.Type == protocol.PreToolCall {
			return
		}
		ev.TakeAs("tool_response", p, "tool_output")
		if ev.Type == protocol.PostToolCallFailure {
			ev.Put("error", claudelike.Said(p.Get("tool_output")))
		}
	}
}

// newCall makes the call of a payload, and names it.
func newCall(p protocol.Object) *protocol.Call {
	name := p.Text("tool_name")
	call := tools.NewCall(name, p.Get("tool_input"))
	call.ID = p.Text("tool_call_id")
	switch {
	case strings.HasSuffix(name, "text_editor"): // goose/7
		editor(call)
	case call.Name == name: // goose/8
		if extension, tool, ok := strings.Cut(name, "__"); ok && extension != "" && tool != "" && !own(extension) {
			call.Name = mcpname.Of(extension, tool)
		}
	}
	return call
}

// editor names a call of text_editor after what it does, and shows the content
// of a file that is written.
func editor(call *protocol.Call) {
	switch call.NativeInput.Text("command") {
	case "view":
		call.Name, call.Also = protocol.ReadFile, nil
	case "write":
		call.Name, call.Also = protocol.WriteFile, nil
		if text := call.NativeInput.Get("file_text"); text != nil {
			call.Derive("content", text)
		}
	case "str_replace", "insert", "undo_edit":
		call.Name, call.Also = protocol.EditFile, nil
	}
}

// own reports whether an extension is part of Goose.
func own(extension string) bool {
	switch extension {
	case "developer", "platform", "todo", "extensionmanager", "chatrecall", "skills", "subagent", "dynamic_task", "recipe", "frontend":
		return true
	}
	return false
}

// detect recognises Goose by the member event; Crush sends it as well, but always
// with the working directory.
func detect(p protocol.Object) bool {
	return p.Text("event") != "" && p.Text("session_id") != "" && !p.Has("hook_event_name") && !p.Has("cwd")
}
