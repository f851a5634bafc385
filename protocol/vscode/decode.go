package vscode

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mcpname"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	p := in.Payload
	if name := p.Text("hookEventName"); name != "" && p.Text("hook_event_name") == "" {
		in.Event = name // vscode/1
	}
	events := claudelike.Decode(in, id, natives, tools)
	for _, ev := range events {
		claudelike.Clock(ev, p.Get("timestamp"))
		if session := p.Text("sessionId"); session != "" && p.Text("session_id") == "" {
			ev.SessionID = session // vscode/1
		}
		if ev.Call != nil {
			complete(ev)
		}
	}
	return events, nil
}

// complete adds what the table of tools cannot express: the portable names of an MCP
// server's tool, and members of a call in another form.
func complete(ev *protocol.Event) {
	call := ev.Call
	if rest, ok := strings.CutPrefix(call.NativeName, "mcp_"); ok {
		if names := mcpname.ServerFirst(rest); len(names) > 0 {
			call.Name, call.Also = names[0], append(names[1:], call.Also...) // vscode/9
			ev.Fields.SetText("tool_name", call.Name)
		}
		return
	}
	switch call.NativeName {
	case "apply_patch":
		claudelike.AddPatch(ev, call.NativeInput.Text("input")) // vscode/11
	case "fetch_webpage":
		if urls := protocol.ElementsOf(call.NativeInput.Get("urls")); len(urls) > 0 && protocol.TextOf(urls[0]) != "" {
			call.Derive("url", urls[0]) // vscode/10
			ev.Fields.Set("tool_input", call.Input.Raw())
		}
	}
}

// detect recognises VS Code by the form in its documentation, by its transcript, or
// by a call's id beside a time; others have a permission mode as well.
func detect(p protocol.Object) bool {
	if p.Text("hookEventName") != "" && p.Text("sessionId") != "" {
		return !p.Has("permissionMode") // Factory Droid has one
	}
	if p.Text("hook_event_name") == "" || p.Text("timestamp") == "" {
		return false
	}
	if slices.ContainsFunc([]string{"permission_mode", "submitted_prompt", "prompt_id", "cursor_version", "generation_id", "client_type", "tool_result"}, p.Has) {
		return false
	}
	if p.Has("transcript_path") && p.Text("transcript_path") != "" {
		return claudelike.TranscriptIn(p, "GitHub.copilot-chat") || claudelike.TranscriptIn(p, "github.copilot-chat")
	}
	return p.Text("tool_use_id") != ""
}

// eventName is the event that a payload names, in either spelling.
func eventName(p protocol.Object) string {
	return cmp.Or(p.Text("hook_event_name"), p.Text("hookEventName"))
}
