package gemini

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/claudelike"
)

func decode(in protocol.Input) ([]*protocol.Event, error) {
	p := in.Payload
	n, ok := protocol.FindNative(natives, in.NativeName())
	if !ok || n.Name == "PreCompress" && p.Text("trigger") == "auto" { // gemini-cli/5
		return nil, nil
	}
	events := make([]*protocol.Event, len(n.MapsTo))
	for i := range events {
		ev := in.NewEvent(id, n, i)
		if t := p.Text("timestamp"); len(t) == len("2006-01-02T15:04:05.000Z") && t[len(t)-1] == 'Z' {
			ev.Timestamp = t
		}
		fill(ev, p)
		ev.Take(p, "transcript_path")
		events[i] = ev
	}
	return events, nil
}

// fill adds the fields of the event's kind.
func fill(ev *protocol.Event, p protocol.Object) {
	switch ev.Type {
	case protocol.PreSession:
		ev.Take(p, "source")
	case protocol.PostSession:
		ev.Put("exit_reason", claudelike.ExitReason(p.Text("reason")))
	case protocol.PreAgentTurn:
		ev.Fields = append(ev.Fields, protocol.Member{Name: "prompt", Value: protocol.Quote(withoutContext(p.Text("prompt")))})
		ev.Put("source", "user")
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		ev.Put("status", "completed")
		ev.Put("stop_reason", "no_tool_calls")
		ev.PutFinal(p.Text("prompt_response"))
		if ev.Type == protocol.PreAgentTurnStop {
			ev.TakeAs("stop_active", p, "stop_hook_active")
		}
	case protocol.PreToolCall, protocol.PostToolCall:
		call := newCall(p)
		ev.PutCall(call, claudelike.CallID(ev, call))
		ev.Take(p, "tool_response")
		if message, failed := failure(p.Sub("tool_response").Get("error")); failed && ev.Type == protocol.PostToolCall {
			ev.Type = protocol.PostToolCallFailure // gemini-cli/8
			ev.Put("error", message)
		}
	case protocol.PreContextCompact:
		ev.Take(p, "trigger")
	case protocol.Notification:
		claudelike.Notice(ev, p)
	}
}

// newCall makes the call of a payload. A tool of an MCP server gets the name
// that such tools have elsewhere (gemini-cli/13).
func newCall(p protocol.Object) *protocol.Call {
	native := p.Text("tool_name")
	call := tools.NewCall(native, p.Get("tool_input"))
	mcp := p.Sub("mcp_context")
	if server, tool := mcp.Text("server_name"), mcp.Text("tool_name"); server != "" && tool != "" {
		call.Name = "mcp__" + word(server) + "__" + word(tool)
	}
	claudelike.AddFiles(call)
	if native == "web_fetch" {
		if url := firstURL(call.NativeInput.Text("prompt")); url != "" {
			call.Derive("url", protocol.Quote(url)) // gemini-cli/15
		}
	}
	return call
}

// word is a name reduced to the characters that tool names may have.
func word(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
}

// firstURL is the first web address in a text.
func firstURL(text string) string {
	for _, f := range strings.Fields(text) {
		for _, scheme := range []string{"https://", "http://"} {
			if i := strings.Index(f, scheme); i >= 0 {
				return strings.TrimRight(f[i:], `.,;:!?)]}>"'`)
			}
		}
	}
	return ""
}

// failure reads the error of a tool's response: an object with a message, or a
// text.
func failure(raw protocol.Raw) (message string, failed bool) {
	switch {
	case len(raw) == 0 || string(raw) == "null" || string(raw) == "false":
		return "", false
	case raw[0] == '"':
		return protocol.TextOf(raw), protocol.TextOf(raw) != ""
	case raw[0] == '{':
		if message = protocol.ObjectOf(raw).Text("message"); message != "" {
			return message, true
		}
	}
	return string(raw), true
}

// withoutContext removes the session start's context from the first prompt
// (gemini-cli/7). Angle brackets inside it are escaped, so the first end tag is the
// real one.
func withoutContext(prompt string) string {
	rest, ok := strings.CutPrefix(prompt, "<hook_context>")
	if !ok {
		return prompt
	}
	_, rest, ok = strings.Cut(rest, "</hook_context>\n\n")
	if !ok {
		return prompt
	}
	return rest
}

// detect recognises Gemini CLI by events that no other agent has; the others need the
// transcript.
func detect(p protocol.Object) bool {
	switch p.Text("hook_event_name") {
	case "":
		return false
	case "BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress":
		return true
	}
	if p.Text("timestamp") == "" || p.Has("permission_mode") || p.Has("submitted_prompt") {
		return false
	}
	return claudelike.TranscriptIn(p, ".gemini")
}
